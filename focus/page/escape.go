package page

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape writes text so that its signs are no Markdown. At the beginning of a line, or of an item of a list, more signs mean something.
func (w *markdown) escape(s string, begins bool) {
	if w.pre {
		w.put(s)
		return
	}
	sign, emphasis := -1, 0
	for i := 0; i < len(s); i++ {
		if begins {
			sign, begins = i+opening(s[i:]), false
		}
		plain := i
		for plain < len(s) && plain != sign && !maySign[s[plain]] {
			plain++
		}
		w.put(s[i:plain])
		if i = plain; i == len(s) {
			return
		}
		if s[i] == '_' && (i == 0 || s[i-1] != '_') {
			emphasis = w.emphasis(s, i)
		}
		switch c := s[i]; {
		case i == sign, i < emphasis, c == '*' || c == '[' || c == ']' || c == '`' || c == '<' || c == '\\',
			c == '|' && w.inCell():
			w.putByte('\\')
			w.putByte(c)
		case c == '\n' && (w.heading || w.inCell()):
			w.putByte(' ')
		default:
			w.putByte(c)
			begins = c == '\n'
		}
	}
}

// maySign are the bytes that may be a sign wherever they stand, and the ends of lines, behind which more may be.
var maySign = func() (table [256]bool) {
	for _, c := range []byte("*[]`<\\|_\n") {
		table[c] = true
	}
	return table
}()

// emphasis is the end of a row of underscores that begins at a place, if it could make emphasis, and 0 otherwise: within a word, and with
// blanks on both sides, none can. Where the text ends what comes is not known, but then there is nothing that could end it.
func (w *markdown) emphasis(s string, from int) int {
	rest := strings.TrimLeft(s[from:], "_")
	before, _ := utf8.DecodeLastRune(w.out.Bytes())
	after, _ := utf8.DecodeRuneInString(rest)
	left, right := w.out.Len() == 0 || unicode.IsSpace(before), rest == "" || unicode.IsSpace(after)
	if left && right || !left && !right && !isSign(before) && !isSign(after) {
		return 0
	}
	return len(s) - len(rest)
}

// opening is where the sign stands that makes a heading, an item of a list, a quotation, a rule or a fence of a line of text, or -1.
// What is escaped anywhere is none of these.
func opening(line string) int {
	first := line[0]
	rest := strings.TrimLeft(line, line[:1])
	alone := rest == "" || rest[0] == ' ' || rest[0] == '\n'
	row := len(line) - len(rest)
	switch {
	case first == '>', first == '~' && row >= 3, first == '#' && row <= 6 && alone, (first == '-' || first == '+') && row == 1 && alone:
		return 0
	case (first == '-' || first == '_') && row >= 3 && alone, first == '=' && alone:
		return 0
	case first < '0' || first > '9':
		return -1
	}
	rest = strings.TrimLeft(line, "0123456789")
	at := len(line) - len(rest)
	if at > 9 || rest == "" || rest[0] != '.' && rest[0] != ')' || len(rest) > 1 && rest[1] != ' ' && rest[1] != '\n' {
		return -1
	}
	return at
}
