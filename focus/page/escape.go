package page

import (
	"bytes"
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
	sign, row := -1, 0
	if s != "" && (s[0] == '.' || s[0] == ')') { // behind a number that was written otherwise
		if number := w.out.Bytes()[min(w.begins, w.out.Len()):]; len(number) <= 9 {
			sign = opening(string(number)+s) - len(number)
		}
	}
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
		if (s[i] == '_' || s[i] == '~') && (i == 0 || s[i-1] != s[i]) {
			row = w.row(s, i)
		}
		switch c := s[i]; {
		case i == sign, i < row, c == '*' || c == '[' || c == ']' || c == '`', c == '<' && tagged(s[i+1:]), c == '\\' && escaping(s[i+1:]),
			c == '|' && w.inCell(), c == '&' && entity(s[i:]):
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
	for _, c := range []byte("*[]`<\\|_~&\n") {
		table[c] = true
	}
	return table
}()

// tagged tells of what follows < that both could be a tag, or an address in brackets; where the text ends what comes is not known.
func tagged(rest string) bool {
	return rest == "" || isLetter(rest[0]) || strings.IndexByte("/!?", rest[0]) >= 0
}

// escaping tells of what follows a backslash that it would be taken for escaped, or for the end of a line: formulas have many before letters,
// where each stands for itself.
func escaping(rest string) bool {
	return rest == "" || rest[0] == '\n' || rest[0] < utf8.RuneSelf && isSign(rune(rest[0]))
}

// row is the end of a row of underscores or tildes that begins at a place, if it could make emphasis or strike words out, and 0 otherwise.
// Underscores behind a word, and any with blanks on both sides, begin none; tildes none as long as no row could end it. Where the text ends what
// comes is not known, but then there is nothing that could end it.
func (w *markdown) row(s string, from int) int {
	rest := strings.TrimLeft(s[from:], s[from:from+1])
	before, _ := utf8.DecodeLastRune(w.out.Bytes())
	after, _ := utf8.DecodeRuneInString(rest)
	left, right := w.out.Len() == 0 || w.fresh || unicode.IsSpace(before), rest == "" || unicode.IsSpace(after)
	switch {
	case left && right, s[from] == '_' && !left && !isSign(before): // which could only end what nothing begins
		return 0
	case s[from] == '~' && (left || isSign(before) && !right && !isSign(after)):
		return 0
	}
	return len(s) - len(rest)
}

// entity tells of what begins with & that it is a sign by its name or number, or could be one by what follows.
func entity(s string) bool {
	rest := strings.TrimLeft(s[1:], "#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return s == "&" || s == "&#" || len(rest) < len(s)-1 && strings.HasPrefix(rest, ";")
}

// keepHashes escapes the end of a heading that would be no part of it: # behind a blank.
func (w *markdown) keepHashes() {
	text := w.out.Bytes()
	bare := bytes.TrimRight(text, "#")
	if !w.heading || w.pre || w.inLink || strings.HasPrefix(w.prefix, "#") || len(bare) == len(text) || !bytes.HasSuffix(bare, []byte(" ")) {
		return
	}
	w.out.Truncate(len(text) - 1)
	w.put(`\#`)
}

// opening is where the sign stands that makes a heading, an item of a list, a quotation, a rule (of a table, too) or a fence of a line of
// text, or -1.
// What is escaped anywhere is none of these.
func opening(line string) int {
	first := line[0]
	rest := strings.TrimLeft(line, line[:1])
	ends := rest == "" || rest[0] == '\n'
	alone := ends || rest[0] == ' '
	row := len(line) - len(rest)
	switch {
	case first == '>', first == '~' && row >= 3, first == '#' && row <= 6 && alone, first == '+' && row == 1 && alone:
		return 0
	case first == '-' && (ends || alone && row != 2 || !alone && (rest[0] == '|' || rest[0] == ':')), first == ':' && row == 1 && !alone && rest[0] == '-':
		return 0
	case first == '_' && row >= 3 && alone, first == '=' && alone:
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
