package page

import (
	"bytes"
	"slices"
	"strings"
)

// The numbers of the lines of code, which stand beside it in a column of their own or before each line, are no text: whoever copies
// the code does not want them, and a line that begins with one is no line of the program. An author's markup says where they may be, by
// a class, by hiding them from those who listen, or from those who copy; they are only where nothing but numbers stands.

// countsLines are the words that make a name behind "line" one of such numbers.
var countsLines = map[string]bool{"no": true, "nr": true, "num": true, "number": true, "numbers": true}

// maxNumbers bounds the bytes that are looked through for the numbers of the lines of one piece of code.
const maxNumbers = 64 << 10

// numbersLines tells whether in the element whose start tag was read nothing but numbers stands.
func (r *reading) numbersLines(t tag) bool {
	if r.top().silent || namesLanguage(r.attrs) || r.counted > len(r.src) {
		return false
	}
	inside := r.src[r.pos:min(len(r.src), r.pos+maxNumbers)]
	ahead, depth, found := scanner{src: inside}, 1, false
	defer func() { r.counted += ahead.pos }()
	for {
		switch ahead.next() {
		case eofToken:
			return false
		case textToken:
			if strings.Trim(plainText(ahead.text), "0123456789 \t\r\n\u00a0") != "" {
				return false
			}
			found = found || bytes.ContainsAny(ahead.text, "0123456789")
		case startToken:
			if namesLanguage(ahead.attrs) {
				return false
			}
			if ahead.tag == t {
				depth++
			}
		case endToken:
			if ahead.tag == t {
				if depth--; depth == 0 {
					return found
				}
			}
		}
	}
}

// namesLanguage tells of an element, by its class, that it holds code in some language: that is no column of numbers, though it asks for
// one, and be it numbers that a program has written.
func namesLanguage(attrs []attribute) bool {
	return slices.ContainsFunc(attrs, func(a attribute) bool {
		return foldEqual(a.key, "class") && bytes.Contains(a.value, []byte("language-"))
	})
}
