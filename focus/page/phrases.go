package page

import "strings"

// phrases are words and expressions to be found in texts: Chinese ones anywhere, others as whole words, and those
// written with a "=" before them as all of a text.
type phrases struct {
	may    [1024]bool // whether one may begin with the two bytes that hash to a place
	starts map[[2]byte][]string
	whole  map[string]bool
}

func newPhrases(words []string) *phrases {
	p := &phrases{starts: map[[2]byte][]string{}, whole: map[string]bool{}}
	for _, w := range words {
		w = strings.ToLower(w)
		if w, ok := strings.CutPrefix(w, "="); ok || len(w) < 2 {
			p.whole[w] = true
			continue
		}
		k := [2]byte{w[0], w[1]}
		if k[0] >= 0x80 && len(w) > 2 {
			k[0] = w[2] // the first byte of a Chinese character says little
		}
		p.whole[w] = true
		p.may[place(k)] = true
		p.starts[k] = append(p.starts[k], w)
	}
	return p
}

func place(k [2]byte) int { return int(k[0])<<3&1023 ^ int(k[1]) }

// in says whether text, in lower case, holds one of the phrases.
func (p *phrases) in(text string) bool {
	if p.whole[text] {
		return true
	}
	for i := 0; i+1 < len(text); i++ {
		c := text[i]
		k := [2]byte{c, text[i+1]}
		switch {
		case c&0xC0 == 0x80:
			continue
		case c >= 0x80 && i+2 < len(text):
			k[0] = text[i+2]
		case i > 0 && isWord(text[i-1]):
			continue
		}
		if !p.may[place(k)] {
			continue
		}
		for _, w := range p.starts[k] {
			if strings.HasPrefix(text[i:], w) && (c >= 0x80 || w[len(w)-1] >= 0x80 || i+len(w) == len(text) || !isWord(text[i+len(w)])) {
				return true
			}
		}
	}
	return false
}

// begins says whether a text begins with one of the phrases, in whatever case.
func (p *phrases) begins(text string) bool {
	if len(text) < 2 {
		return p.whole[text]
	}
	k := [2]byte{lower(text[0]), lower(text[1])}
	if k[0] >= 0x80 && len(text) > 2 {
		k[0] = text[2]
	}
	if !p.may[place(k)] {
		return false
	}
	for _, w := range p.starts[k] {
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
