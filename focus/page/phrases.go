package page

import "strings"

// phrases are words and expressions to be found in texts: Chinese ones anywhere, others as whole words, and those
// written with a "=" before them as all of a text.
type phrases struct {
	may     [pairs]uint8 // of which lists one may begin with the two bytes that hash to a place
	starts  [pairs][]phrase
	whole   map[string]uint8
	begun   [pairs]bool // whether one of whole begins with them
	longest int         // of whole
	all     uint8
}

// pairs are as many as two bytes hash to.
const pairs = 1024

// phrase is one of them, in lower case, and the bit of its list.
type phrase struct {
	words string
	list  uint8
}

// newPhrases are those of some lists; the first has the lowest bit, the second the next.
func newPhrases(lists ...[]string) *phrases {
	p := &phrases{whole: map[string]uint8{}}
	for i, words := range lists {
		list := uint8(1) << i
		p.all |= list
		for _, w := range words {
			p.add(strings.ToLower(w), list)
		}
	}
	return p
}

func (p *phrases) add(w string, list uint8) {
	w, ok := strings.CutPrefix(w, "=")
	p.whole[w] |= list
	p.longest = max(p.longest, len(w))
	if len(w) < 2 {
		return
	}
	p.begun[place([2]byte{w[0], w[1]})] = true
	if ok {
		return
	}
	k := [2]byte{w[0], w[1]}
	if k[0] >= 0x80 && len(w) > 2 {
		k[0] = w[2] // the first byte of a Chinese character says little
	}
	at := place(k)
	p.may[at] |= list
	p.starts[at] = append(p.starts[at], phrase{w, list})
}

func place(k [2]byte) int { return (int(k[0])<<3 ^ int(k[1])) & (pairs - 1) }

// in says of which lists text holds a phrase, in whatever case.
func (p *phrases) in(text string) uint8 {
	if !ascii(text) {
		text = strings.ToLower(text) // what follows knows the letters of ASCII alone
	}
	found := p.is(text)
	for i := 0; i+1 < len(text) && found != p.all; i = nextStart(text, i) {
		k := [2]byte{lower(text[i]), lower(text[i+1])}
		if k[0] >= 0x80 && i+2 < len(text) {
			k[0] = text[i+2]
		}
		at := place(k)
		if p.may[at]&^found == 0 {
			continue
		}
		for j := range p.starts[at] {
			if f := &p.starts[at][j]; f.stands(text[i:]) {
				found |= f.list
			}
		}
	}
	return found
}

// nextStart is where behind i a phrase may begin: not in a word, nor with a sign of ASCII right behind one.
func nextStart(text string, i int) int {
	c := text[i]
	i++
	if inWord[c] {
		for i < len(text) && inWord[text[i]] {
			i++
		}
		if i < len(text) && text[i] < 0x80 {
			i++
		} else if i+2 >= len(text) {
			return len(text)
		}
	}
	return runeStart(text, i)
}

// inWord are the bytes that isWord holds for.
var inWord = func() (in [256]bool) {
	for c := range in {
		in[c] = isWord(byte(c))
	}
	return in
}()

// is says which lists have all of text as one of theirs.
func (p *phrases) is(text string) uint8 {
	if len(text) > p.longest || len(text) > 1 && !p.begun[place([2]byte{lower(text[0]), lower(text[1])})] {
		return 0
	}
	var space [64]byte
	low := append(space[:0], text...)
	for i, c := range low {
		low[i] = lower(c)
	}
	return p.whole[string(low)]
}

// stands says whether a text begins with the phrase, and with no more of its last word.
func (f *phrase) stands(text string) bool {
	n := len(f.words)
	if len(text) < n {
		return false
	}
	for i := range n {
		if lower(text[i]) != f.words[i] {
			return false
		}
	}
	return f.words[0] >= 0x80 || f.words[n-1] >= 0x80 || n == len(text) || !isWord(text[n])
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// begins says whether a text begins with one of the phrases, in whatever case.
func (p *phrases) begins(text string) bool {
	if len(text) < 2 {
		return p.whole[text] != 0
	}
	k := [2]byte{lower(text[0]), lower(text[1])}
	if k[0] >= 0x80 && len(text) > 2 {
		k[0] = text[2]
	}
	for i := range p.starts[place(k)] {
		w := p.starts[place(k)][i].words
		if len(text) < len(w) || !strings.EqualFold(text[:len(w)], w) {
			continue
		}
		if last := w[len(w)-1]; last >= 0x80 || !isWord(last) || len(text) == len(w) || !isWord(text[len(w)]) {
			return true
		}
	}
	return false
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}
