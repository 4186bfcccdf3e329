package page

import "bytes"

// token is what the scanner found.
type token uint8

const (
	eofToken token = iota
	textToken
	startToken
	endToken
	doctypeToken
)

// attribute is a key as written and its value before references are resolved. Both are slices of the page.
type attribute struct{ key, value []byte }

// scanner cuts a page into tokens exactly where golang.org/x/net/html's tokenizer does, without copying a byte: it
// looks for the next '<' with an indexed search and hands out slices of the page. Comments, processing instructions
// and what else nobody reads are passed over.
type scanner struct {
	src   []byte
	pos   int
	text  []byte // of a text token
	raw   tag    // the element whose raw text the token is, none for ordinary text
	name  []byte // of a tag, as written
	tag   tag
	attrs []attribute
	cut   bool // an element had more attributes than are kept

	opened tag  // the raw text element whose start tag was read last
	hidden bool // textarea and noframes hold markup
	cdata  bool // "<![CDATA[" means something: the text is inside svg or math
}

// maxAttributes bounds the attributes kept of one element; authors write a dozen, generators of nonsense a million.
const maxAttributes = 96

// next reads the next token.
func (s *scanner) next() token {
	if s.opened != none {
		if s.readRaw() {
			return textToken
		}
	}
	s.raw = none
	from := s.pos
	for at := from; ; {
		i := bytes.IndexByte(s.src[at:], '<')
		if i < 0 || at+i+1 >= len(s.src) {
			return s.rest(from)
		}
		at += i
		c := s.src[at+1]
		if !isLetter(c) && c != '/' && c != '!' && c != '?' {
			at++
			continue
		}
		if at > from {
			s.text, s.pos = s.src[from:at], at
			return textToken
		}
		kind, again := s.markup(c)
		if !again {
			return kind
		}
		from, at = s.pos, s.pos
	}
}

// rest is the text that no markup follows.
func (s *scanner) rest(from int) token {
	s.pos = len(s.src)
	if from >= len(s.src) {
		return eofToken
	}
	s.text = s.src[from:]
	return textToken
}

// markup reads what begins with '<' and c at s.pos; again says that it was nothing anybody reads.
func (s *scanner) markup(c byte) (kind token, again bool) {
	switch {
	case isLetter(c):
		s.pos++
		return s.readTag(startToken), false
	case c == '/':
		return s.readEnd()
	case c == '!':
		return s.declaration()
	}
	s.pos++
	s.pastAngle()
	return eofToken, true
}

func (s *scanner) readEnd() (token, bool) {
	s.pos += 2
	if s.pos >= len(s.src) {
		s.pos -= 2
		return s.rest(s.pos), false
	}
	switch c := s.src[s.pos]; {
	case c == '>':
		s.pos++
		return eofToken, true
	case isLetter(c):
		return s.readTag(endToken), false
	}
	s.pastAngle()
	return eofToken, true
}

// declaration passes over comments and bogus comments, and reports a document type.
func (s *scanner) declaration() (token, bool) {
	s.pos += 2
	rest := s.src[s.pos:]
	if bytes.HasPrefix(rest, []byte("--")) {
		s.pos += 2
		s.pastComment()
		return eofToken, true
	}
	if s.cdata && bytes.HasPrefix(rest, []byte("[CDATA[")) {
		s.pastCDATA()
		return eofToken, true
	}
	s.pastAngle()
	if len(rest) >= 7 && foldEqual(rest[:7], "doctype") {
		return doctypeToken, false
	}
	return eofToken, true
}

func (s *scanner) pastAngle() {
	if i := bytes.IndexByte(s.src[s.pos:], '>'); i >= 0 {
		s.pos += i + 1
		return
	}
	s.pos = len(s.src)
}

// pastCDATA passes over text that nobody reads.
func (s *scanner) pastCDATA() {
	if i := bytes.Index(s.src[s.pos:], []byte("]]>")); i >= 0 {
		s.pos += i + len("]]>")
		return
	}
	s.pos = len(s.src)
}

// pastComment passes over a comment whose "<!--" has been read: it ends at "-->", at "--!>", and at once at ">" or
// "->".
func (s *scanner) pastComment() {
	from := s.pos
	for {
		i := bytes.IndexByte(s.src[s.pos:], '>')
		if i < 0 {
			s.pos = len(s.src)
			return
		}
		said := s.src[from : s.pos+i]
		s.pos += i + 1
		if len(said) == 0 || string(said) == "-" || bytes.HasSuffix(said, []byte("--")) || bytes.HasSuffix(said, []byte("--!")) {
			return
		}
	}
}

// readTag reads the name at s.pos and the attributes of a tag. A tag that the page's end cuts off is none.
func (s *scanner) readTag(kind token) token {
	from := s.pos
	i := from
	for i < len(s.src) && !isSpace(s.src[i]) && s.src[i] != '/' && s.src[i] != '>' {
		i++
	}
	s.name = s.src[from:i]
	s.tag = lookup(s.name)
	s.attrs = s.attrs[:0]
	if !s.readAttributes(i, kind == startToken) {
		s.pos = len(s.src)
		return eofToken
	}
	if kind == startToken && facts[s.tag]&isRaw != 0 && !(s.hidden && conceals(s.tag)) {
		s.opened = s.tag
	}
	return kind
}

// conceals says whether an element may hold markup that a browser shows only after a script has taken it out, or never.
func conceals(t tag) bool { return t == tagTextarea || t == tagNoframes }

// readAttributes reads up to and past the tag's '>'; it answers false if the page ends before.
func (s *scanner) readAttributes(i int, keep bool) bool {
	src := s.src
	for {
		i = skipSpace(src, i)
		if i >= len(src) {
			return false
		}
		if src[i] == '>' {
			s.pos = i + 1
			return true
		}
		from := i
		for i < len(src) && !isSpace(src[i]) && src[i] != '/' && src[i] != '>' && (src[i] != '=' || i == from) {
			i++
		}
		key := src[from:i]
		var value []byte
		if value, i = readValue(src, i); i >= len(src) {
			return false
		}
		if keep && len(key) > 0 {
			s.keep(key, value)
		}
	}
}

func (s *scanner) keep(key, value []byte) {
	if len(s.attrs) == maxAttributes {
		s.cut = true
		return
	}
	s.attrs = append(s.attrs, attribute{key, value})
}

// readValue reads the value of the attribute whose key ends at i, if it has one.
func readValue(src []byte, i int) ([]byte, int) {
	i = skipSpace(src, i)
	if i >= len(src) {
		return nil, i
	}
	if src[i] == '/' {
		return nil, i + 1
	}
	if src[i] != '=' {
		return nil, i
	}
	if i = skipSpace(src, i+1); i >= len(src) || src[i] == '>' {
		return nil, i
	}
	if quote := src[i]; quote == '"' || quote == '\'' {
		j := bytes.IndexByte(src[i+1:], quote)
		if j < 0 {
			return nil, len(src)
		}
		return src[i+1 : i+1+j], i + j + 2
	}
	from := i
	for i < len(src) && !isSpace(src[i]) && src[i] != '>' {
		i++
	}
	return src[from:i], i
}

// attribute is the value of the first attribute of that name; the page's references are not resolved.
func (s *scanner) attribute(name string) ([]byte, bool) {
	for i := range s.attrs {
		if len(s.attrs[i].key) == len(name) && foldEqual(s.attrs[i].key, name) {
			return s.attrs[i].value, true
		}
	}
	return nil, false
}

// value is the attribute's value with references resolved and white space trimmed, "" if there is none.
func (s *scanner) value(name string) string {
	v, _ := s.attribute(name)
	if v = bytes.TrimSpace(v); len(v) == 0 {
		return ""
	}
	return attributeValue(v)
}

func skipSpace(src []byte, i int) int {
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool  { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// foldEqual says whether b is name, whatever the case of its ASCII letters; name is in lower case.
func foldEqual(b []byte, name string) bool {
	if len(b) != len(name) {
		return false
	}
	for i := range b {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != name[i] {
			return false
		}
	}
	return true
}
