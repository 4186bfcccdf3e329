package extensions

import (
	"bytes"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// Fingerprint is a 64-bit simhash of the words a reader sees: pages that differ in few words have fingerprints that
// differ in few bits (Charikar 2002; Manku, Jain and Das Sarma 2007, who take up to 3 bits for the same page). Words
// is how many there were: of a handful of words no fingerprint tells anything.
func Fingerprint(html []byte) (hash uint64, words int) {
	var c counter
	units(html, c.add)
	return c.hash(), c.words
}

// Distance is in how many bits two fingerprints differ.
func Distance(a, b uint64) int { return bits.OnesCount64(a ^ b) }

// counter weighs the bits of pairs of words.
type counter struct {
	weights [64]int32
	words   int
	before  uint64 // the word before
}

func (c *counter) add(word uint64) {
	c.words++
	if c.words >= 2 {
		pair := spread(spread(c.before)*3 + word)
		for i := range c.weights {
			c.weights[i] += int32(pair>>i&1)<<1 - 1
		}
	}
	c.before = word
}

// spread makes every bit of the answer depend on every bit of x (the finalizer of MurmurHash3).
func spread(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

func (c *counter) hash() (h uint64) {
	for i, w := range c.weights {
		if w > 0 {
			h |= 1 << i
		}
	}
	return h
}

// units calls a function with a number for each word outside of tags, scripts and styles: runs of letters and digits,
// and each Chinese, Japanese or Korean character by itself.
func units(html []byte, each func(uint64)) {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	word := uint64(offset)
	end := func() {
		if word != offset {
			each(word)
			word = offset
		}
	}
	for i := 0; i < len(html); {
		c := html[i]
		switch {
		case c == '<':
			end()
			i += tagLength(html[i:])
			continue
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			word = (word ^ uint64(c|0x20)) * prime
		case c >= '0' && c <= '9':
			word = (word ^ uint64(c)) * prime
		case c < utf8.RuneSelf:
			end()
		default:
			r, n := utf8.DecodeRune(html[i:])
			switch {
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
				end()
				each(spread(uint64(r)))
			case unicode.IsLetter(r) || unicode.IsDigit(r):
				word = (word ^ uint64(unicode.ToLower(r))) * prime
			default:
				end()
			}
			i += n
			continue
		}
		i++
	}
	end()
}

// tagLength is how many bytes a tag takes; a script or style goes to its end.
func tagLength(html []byte) int {
	if bytes.HasPrefix(html, []byte("<!--")) {
		return through(html, "-->")
	}
	for _, name := range []string{"script", "style"} {
		if len(html) > len(name)+1 && bytes.EqualFold(html[1:len(name)+1], []byte(name)) {
			if n := closing(html, name); n > 0 {
				return n
			}
		}
	}
	return through(html, ">")
}

func through(html []byte, end string) int {
	if at := bytes.Index(html, []byte(end)); at >= 0 {
		return at + len(end)
	}
	return len(html)
}

// closing finds the end of an element that holds no markup, 0 if there is none.
func closing(html []byte, name string) int {
	for at := 1; ; {
		next := bytes.Index(html[at:], []byte("</"))
		if next < 0 {
			return 0
		}
		at += next + 2
		if len(html) >= at+len(name) && bytes.EqualFold(html[at:at+len(name)], []byte(name)) {
			return at + through(html[at:], ">")
		}
	}
}
