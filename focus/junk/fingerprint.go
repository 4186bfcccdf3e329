package junk

import (
	"bytes"
	"encoding/binary"
	entities "html"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fingerprint is a 64-bit simhash of the words a reader sees: pages that differ in few words have fingerprints that
// differ in few bits (Charikar 2002; Manku, Jain and Das Sarma 2007, who take up to 3 bits for the same page). What counts
// are pairs of neighbours, so that the same words in another order are another page, and each counts once, however often it
// stands there: a phrase that a page of the topic repeats would outvote all else that it says. Words is how many there
// were: of a handful of words no fingerprint tells anything.
func Fingerprint(html []byte) (hash uint64, words int) {
	var c counter
	units(html, c.add)
	return c.hash(), c.words
}

// TextFingerprint is Fingerprint of a text, in which angles stand for themselves.
func TextFingerprint(text string) (hash uint64, words int) { return Fingerprint(asHTML(text)) }

// asHTML is HTML that says no more and no less than a text.
func asHTML(text string) []byte { return []byte(angles.Replace(text)) }

// angles open and close tags to whoever reads HTML.
var angles = strings.NewReplacer("<", " ", ">", " ")

// Distance is in how many bits two fingerprints differ.
func Distance(a, b uint64) int { return bits.OnesCount64(a ^ b) }

// counter weighs the bits of pairs of words. It adds up eight bits at a time: a byte of a hash is looked up as eight
// lanes of 0 or 1, and lanes are emptied into the weights before they can overflow.
type counter struct {
	lanes   [8]uint64
	pending int
	pairs   int32     // that differ
	ones    [64]int32 // of them have the bit
	words   int
	before  uint64                       // the word before
	met     [1 << (placeBits - 6)]uint64 // a bit for each place of pairs that were met
}

// placeBits say how many places there are for pairs. One that falls on the place of another is taken for it: of a page of
// 5,000 pairs, which is a long one, every fiftieth.
const placeBits = 17

// lanesOf spreads the bits of a byte over the bytes of a word.
var lanesOf = func() (lanes [256]uint64) {
	for b := range lanes {
		for i := range 8 {
			lanes[b] |= uint64(b>>i&1) << (8 * i)
		}
	}
	return lanes
}()

// add takes in a word.
func (c *counter) add(word uint64) bool {
	if c.words++; c.words >= 2 {
		pair := spread(c.before*3 + word)
		if place, bit := &c.met[pair>>(64-placeBits+6)], uint64(1)<<(pair>>(64-placeBits)&63); *place&bit == 0 {
			*place |= bit
			c.weigh(pair)
		}
	}
	c.before = word
	return true
}

// weigh takes in a pair that was not met before.
func (c *counter) weigh(pair uint64) {
	l := &c.lanes
	l[0] += lanesOf[byte(pair)]
	l[1] += lanesOf[byte(pair>>8)]
	l[2] += lanesOf[byte(pair>>16)]
	l[3] += lanesOf[byte(pair>>24)]
	l[4] += lanesOf[byte(pair>>32)]
	l[5] += lanesOf[byte(pair>>40)]
	l[6] += lanesOf[byte(pair>>48)]
	l[7] += lanesOf[byte(pair>>56)]
	if c.pending++; c.pending == 255 {
		c.flush()
	}
}

// flush empties the lanes into the weights. A lane is a byte: 255 pairs fill it at most.
func (c *counter) flush() {
	for i := range c.ones {
		c.ones[i] += int32(byte(c.lanes[i/8] >> (8 * (i % 8))))
	}
	c.lanes = [8]uint64{}
	c.pairs += int32(c.pending)
	c.pending = 0
}

// spread makes every bit of the answer depend on every bit of x (the finalizer of MurmurHash3).
func spread(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// hash has each bit that more than half of the pairs have.
func (c *counter) hash() (h uint64) {
	c.flush()
	for i, n := range c.ones {
		if 2*n > c.pairs {
			h |= 1 << i
		}
	}
	return h
}

// fewerWords tells whether a page has at most that many words. It stops at the first one too many.
func fewerWords(html []byte, most int) bool {
	n := 0
	units(html, func(uint64) bool { n++; return n <= most })
	return n <= most
}

// asciiWord tells the ASCII characters of words.
var asciiWord = func() (word [256]bool) {
	for c := byte('0'); c <= 'z'; c++ {
		word[c] = c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	return word
}()

// units calls a function with a number for each word outside of tags, scripts and styles, until it answers false: runs
// of letters and digits, and each Chinese, Japanese or Korean character by itself. A character reference is what it
// stands for.
func units(html []byte, each func(uint64) bool) {
	const none = 0
	word := uint64(none)
	for i := 0; i < len(html); {
		c := html[i]
		if asciiWord[c] {
			eight := next(html[i:])
			n := wordBytes(eight)
			word = mix(word, (eight|smallLetters)&(1<<(8*n)-1))
			if i += n; n == 8 || i == len(html) {
				continue
			}
			c = html[i]
		}
		if c < utf8.RuneSelf && c != '&' {
			if word != none && !each(word) {
				return
			}
			word = none
			if i++; c == '<' {
				i += tagLength(html[i-1:]) - 1
			}
			continue
		}
		r, n := character(html[i:])
		i += n
		single := isIdeograph(r)
		if !single && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			word = mix(word, uint64(unicode.ToLower(r)))
			continue
		}
		if word != none && !each(word) || single && !each(spread(uint64(r))) {
			return
		}
		word = none
	}
	if word != none {
		each(word)
	}
}

// next are the next eight bytes, and zeros behind the end.
func next(html []byte) (eight uint64) {
	if len(html) >= 8 {
		return binary.LittleEndian.Uint64(html)
	}
	for i, c := range html {
		eight |= uint64(c) << (8 * i)
	}
	return eight
}

const (
	ones         = 0x0101010101010101 // a 1 in each of eight bytes
	highBits     = 0x80 * ones
	smallLetters = 0x20 * ones // what makes a letter a small one; every digit has it already
)

// wordBytes is how many of eight bytes are ASCII letters and digits before one is not. A byte of seven bits that is no less than
// another has a high bit when what is missing from that one to 128 is added.
func wordBytes(eight uint64) int {
	low := eight &^ highBits
	small := low | smallLetters
	digit := (low + (0x80-'0')*ones) &^ (low + (0x80-'9'-1)*ones)
	letter := (small + (0x80-'a')*ones) &^ (small + (0x80-'z'-1)*ones)
	return bits.TrailingZeros64(^((digit|letter)&^eight)&highBits) / 8
}

// longestReference is how long the name of a character is at most.
const longestReference = 32

// character is what stands first, as itself or as the character reference that begins with an ampersand, and how many bytes it
// takes.
func character(html []byte) (rune, int) {
	if html[0] != '&' {
		return utf8.DecodeRune(html)
	}
	end := 1
	for end < len(html) && end < longestReference && (asciiWord[html[end]] || html[end] == '#') {
		end++
	}
	if end == len(html) || html[end] != ';' {
		return '&', 1
	}
	r, n := utf8.DecodeRuneInString(entities.UnescapeString(string(html[:end+1])))
	if n == 1 && r == '&' && html[1] != '#' && !bytes.EqualFold(html[1:end], []byte("amp")) {
		return '&', 1 // it stands for nothing
	}
	return r, end + 1
}

// isIdeograph tells characters that are words by themselves. The commonest are told at a glance.
func isIdeograph(r rune) bool {
	if r >= 0x4e00 && r <= 0x9fff || r >= 0x3040 && r <= 0x30ff || r >= 0xac00 && r <= 0xd7a3 {
		return true
	}
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// mix adds to the number of a word. It never answers 0, which is no word.
func mix(word, more uint64) uint64 {
	word = (word ^ more ^ 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	return word ^ word>>32 | 1
}

// tagLength is how many bytes a tag takes; a script or style goes to its end, and where it has none all that is left is its text, as
// in a browser: a page of nothing but such tags is looked through once.
func tagLength(html []byte) int {
	if len(html) < 2 {
		return len(html)
	}
	name := ""
	switch html[1] | 0x20 {
	case '!':
		if bytes.HasPrefix(html, []byte("<!--")) {
			return through(html, "-->")
		}
	case 's':
		for _, n := range []string{"script", "style"} {
			if len(html) > len(n)+1 && bytes.EqualFold(html[1:len(n)+1], []byte(n)) && bytes.IndexByte([]byte(" \t\r\n\f/>"), html[len(n)+1]) >= 0 {
				name = n
			}
		}
	}
	if name != "" {
		return closing(html, name)
	}
	if at := bytes.IndexByte(html, '>'); at >= 0 {
		return at + 1
	}
	return len(html)
}

// through is how many bytes there are up to the end of something; all, where it does not end.
func through(html []byte, end string) int {
	if at := bytes.Index(html, []byte(end)); at >= 0 {
		return at + len(end)
	}
	return len(html)
}

// closing finds the end of an element that holds no markup.
func closing(html []byte, name string) int {
	for at := 1; ; {
		next := bytes.Index(html[at:], []byte("</"))
		if next < 0 {
			return len(html)
		}
		at += next + 2
		if len(html) >= at+len(name) && bytes.EqualFold(html[at:at+len(name)], []byte(name)) {
			return at + through(html[at:], ">")
		}
	}
}
