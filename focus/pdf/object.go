package pdf

import (
	"bytes"
	"strconv"
	"strings"
)

// An object is nil, bool, float64, str, name, ref, array, dict or *stream; between the objects of a content stream stand operators.
type (
	object   any
	str      string
	name     string
	operator string
	array    []object
	dict     map[name]object
	ref      struct{ number, generation int }
	stream   struct {
		dict   dict
		raw    []byte
		sealed ref // the object whose key it is encrypted by; zero where it is not
	}
)

// lexer cuts bytes into objects.
type lexer struct {
	b  []byte
	at int
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

// space skips white space and comments.
func (l *lexer) space() {
	for l.at < len(l.b) {
		switch c := l.b[l.at]; {
		case isSpace(c):
			l.at++
		case c == '%':
			for l.at < len(l.b) && l.b[l.at] != '\n' && l.b[l.at] != '\r' {
				l.at++
			}
		default:
			return
		}
	}
}

func (l *lexer) has(s string) bool { return bytes.HasPrefix(l.b[min(l.at, len(l.b)):], []byte(s)) }

// deepest is how far arrays and dictionaries may nest.
const deepest = 64

// next reads one object. References are read where refs is set: content streams have none. It answers false at the end.
func (l *lexer) next(refs bool, depth int) (object, bool) {
	l.space()
	if l.at >= len(l.b) {
		return nil, false
	}
	switch c := l.b[l.at]; {
	case c == '/':
		return l.name(), true
	case c == '(':
		return l.text(), true
	case l.has("<<"):
		l.at += 2
		return l.dict(refs, depth+1), true
	case c == '<':
		return l.hex(), true
	case c == '[':
		l.at++
		return l.array(refs, depth+1), true
	case isDelimiter(c): // one that closes what nobody has opened
		l.at++
		return operator(c), true
	}
	word := l.word()
	number, err := strconv.ParseFloat(word, 64)
	if err != nil {
		switch word {
		case "true":
			return true, true
		case "false":
			return false, true
		case "null":
			return nil, true
		}
		if c := word[0]; c != '+' && c != '-' && c != '.' && (c < '0' || c > '9') {
			return operator(word), true
		}
		number = loose(word)
	}
	if refs && number >= 0 && number == float64(int(number)) {
		if r, ok := l.reference(int(number)); ok {
			return r, true
		}
	}
	return number, true
}

// word is what stands up to the next space or delimiter.
func (l *lexer) word() string {
	from := l.at
	for l.at < len(l.b) && !isSpace(l.b[l.at]) && !isDelimiter(l.b[l.at]) {
		l.at++
	}
	return string(l.b[from:l.at])
}

// longestNumber is how many signs of what is nearly a number are looked at.
const longestNumber = 64

// loose reads what is nearly a number, as others do: --5, 1.2.3, 5-3.
func loose(word string) float64 {
	for len(word) > 1 && (word[0] == '-' || word[0] == '+') && (word[1] == '-' || word[1] == '+') {
		word = word[1:]
	}
	for end := min(len(word), longestNumber); end > 0; end-- {
		if n, err := strconv.ParseFloat(word[:end], 64); err == nil {
			return n
		}
	}
	return 0
}

// reference reads the rest of "12 0 R".
func (l *lexer) reference(number int) (ref, bool) {
	from := l.at
	l.space()
	generation := l.at
	for l.at < len(l.b) && l.b[l.at] >= '0' && l.b[l.at] <= '9' && l.at-generation < 6 {
		l.at++
	}
	g, err := strconv.Atoi(string(l.b[generation:l.at]))
	l.space()
	if err != nil || !l.has("R") || l.at+1 < len(l.b) && !isSpace(l.b[l.at+1]) && !isDelimiter(l.b[l.at+1]) {
		l.at = from
		return ref{}, false
	}
	l.at++
	return ref{number, g}, true
}

func (l *lexer) name() name {
	l.at++
	word := l.word()
	if strings.IndexByte(word, '#') < 0 {
		return name(word)
	}
	var b []byte
	for i := 0; i < len(word); i++ {
		if word[i] == '#' && i+2 < len(word) {
			if n, err := strconv.ParseUint(word[i+1:i+3], 16, 8); err == nil {
				b = append(b, byte(n))
				i += 2
				continue
			}
		}
		b = append(b, word[i])
	}
	return name(b)
}

// text reads a string in parentheses.
func (l *lexer) text() str {
	var b []byte
	open := 0
	for l.at < len(l.b) {
		c := l.b[l.at]
		l.at++
		switch c {
		case '(':
			if open++; open == 1 {
				continue
			}
		case ')':
			if open--; open == 0 {
				return str(b)
			}
		case '\r':
			if l.has("\n") {
				l.at++
			}
			c = '\n'
		case '\\':
			var ok bool
			if c, ok = l.escaped(); !ok {
				continue
			}
		}
		b = append(b, c)
	}
	return str(b)
}

// escaped reads what follows a backslash; it answers false where that stands for nothing.
func (l *lexer) escaped() (byte, bool) {
	if l.at >= len(l.b) {
		return 0, false
	}
	c := l.b[l.at]
	l.at++
	switch c {
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case '\n':
		return 0, false
	case '\r':
		if l.has("\n") {
			l.at++
		}
		return 0, false
	}
	if c < '0' || c > '7' {
		return c, true
	}
	n := int(c - '0')
	for i := 0; i < 2 && l.at < len(l.b) && l.b[l.at] >= '0' && l.b[l.at] <= '7'; i++ {
		n = n*8 + int(l.b[l.at]-'0')
		l.at++
	}
	return byte(n), true
}

// hex reads a string in angle brackets.
func (l *lexer) hex() str {
	l.at++
	end := bytes.IndexByte(l.b[l.at:], '>')
	digits := l.b[l.at:]
	if end < 0 {
		l.at = len(l.b)
	} else {
		digits = digits[:end]
		l.at += end + 1
	}
	return str(unhex(digits))
}

func unhex(digits []byte) []byte {
	b := make([]byte, 0, len(digits)/2+1)
	high, half := byte(0), false
	for _, c := range digits {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			continue
		}
		if half {
			b = append(b, high|c)
		}
		high, half = c<<4, !half
	}
	if half {
		b = append(b, high)
	}
	return b
}

func (l *lexer) array(refs bool, depth int) array {
	var a array
	for depth < deepest {
		o, ok := l.next(refs, depth)
		if o == operator("]") || !ok {
			return a
		}
		if word, ok := o.(operator); ok && len(word) > 1 { // endobj, and the like: it was not closed
			l.at -= len(word)
			return a
		}
		a = append(a, o)
	}
	l.at = len(l.b)
	return a
}

func (l *lexer) dict(refs bool, depth int) dict {
	d := dict{}
	for depth < deepest {
		key, ok := l.next(refs, depth)
		if !ok {
			return d
		}
		switch key := key.(type) {
		case name:
			value, ok := l.next(refs, depth)
			if !ok {
				return d
			}
			if value == operator(">") { // a key without a value ends it
				l.closing()
				return d
			}
			d[key] = value
		case operator:
			if key == ">" {
				l.closing()
				return d
			}
			if len(key) > 1 {
				l.at -= len(key)
				return d
			}
		}
	}
	l.at = len(l.b)
	return d
}

// closing skips the second of two brackets.
func (l *lexer) closing() {
	if l.has(">") {
		l.at++
	}
}
