package junk

import (
	"bytes"
	"unicode/utf8"
)

// What a shell has at most. A page that says more can be judged by it.
const (
	shellWords = 12
	shellLinks = 2
)

// Shell tells of a page that only a script fills: it has one, and hardly a word, link or picture of its own, but an element that
// stands empty, or a word for those who run no scripts. Its title may name the topic; what it says, nobody knows who does not
// run it. A page that leads on by a refresh is none: where it leads is all that it says.
func Shell(body []byte) bool {
	s := shell{rest: body}
	for s.next() {
		if s.words > shellWords || s.links > shellLinks || s.pictures || s.leads {
			return false
		}
	}
	return s.scripts && (s.words == 0 || s.empty || s.refuses)
}

// shell is a page that is looked through.
type shell struct {
	rest     []byte
	opened   string // the element whose tag was the last thing, where nothing stands in it yet
	words    int
	links    int
	scripts  bool
	pictures bool
	leads    bool // it says by itself where to go on
	empty    bool // an element that holds nothing
	refuses  bool // it tells those who run no scripts so
}

// next takes the text up to a tag, and the tag.
func (s *shell) next() bool {
	at := bytes.IndexByte(s.rest, '<')
	said := s.rest
	if at >= 0 {
		said = s.rest[:at]
	}
	if n := countWords(said, shellWords+1); n > 0 {
		s.words, s.opened = s.words+n, ""
	}
	if at < 0 {
		s.rest = nil
		return false
	}
	s.rest = s.rest[at+1:]
	s.tag()
	return true
}

// tag takes a tag, and of an element that shows nothing what stands in it.
func (s *shell) tag() {
	if bytes.HasPrefix(s.rest, []byte("!--")) {
		s.skip([]byte("-->"))
		return
	}
	end := bytes.IndexByte(s.rest, '>')
	if end < 0 {
		s.rest = nil
		return
	}
	tag := s.rest[:end]
	s.rest = s.rest[end+1:]
	name := nameOf(tag)
	switch name {
	case "script":
		s.scripts = true
		s.until(name)
	case "noscript":
		inside := s.until(name)
		s.refuses = s.refuses || countWords(inside, 1) > 0 && bytes.Contains(bytes.ToLower(inside), []byte("script"))
	case "title", "style", "template", "svg":
		s.until(name)
	case "a":
		s.links++
	case "meta":
		said := bytes.ToLower(tag)
		s.leads = bytes.Contains(said, []byte("http-equiv")) && bytes.Contains(said, []byte("refresh"))
	case "img", "picture", "video", "audio", "canvas", "frame", "iframe", "object", "embed", "input", "form":
		s.pictures = true
	case "":
	default:
		if s.opened != "" && name == "/"+s.opened {
			s.empty = true
		}
		s.opened = ""
		if name[0] != '/' && (name == "div" || name == "main" || name == "section" || bytes.IndexByte([]byte(name), '-') > 0) {
			s.opened = name
		}
	}
}

// skip goes on behind a mark, or to the end.
func (s *shell) skip(mark []byte) {
	if at := bytes.Index(s.rest, mark); at >= 0 {
		s.rest = s.rest[at+len(mark):]
		return
	}
	s.rest = nil
}

// until goes on behind the end of an element, and answers what stood in it.
func (s *shell) until(name string) []byte {
	for at := 0; at < len(s.rest); {
		i := bytes.Index(s.rest[at:], []byte("</"))
		if i < 0 {
			break
		}
		if at += i; at+2+len(name) <= len(s.rest) && bytes.EqualFold(s.rest[at+2:at+2+len(name)], []byte(name)) {
			inside := s.rest[:at]
			s.rest = s.rest[at:]
			s.skip([]byte(">"))
			return inside
		}
		at += 2
	}
	inside := s.rest
	s.rest = nil
	return inside
}

// nameOf is the name of a tag in lower case, with the slash of one that ends an element.
func nameOf(tag []byte) string {
	n := 0
	for n < len(tag) && tag[n] > ' ' && (tag[n] != '/' || n == 0) && n < 40 {
		n++
	}
	return string(bytes.ToLower(tag[:n]))
}

// countWords counts words, and characters of scripts that are written without spaces, up to a number.
func countWords(text []byte, most int) (words int) {
	within := false
	for i := 0; i < len(text) && words < most; {
		r, size := utf8.DecodeRune(text[i:])
		i += size
		letter := r >= 0x80 && r != 0xA0 && r != utf8.RuneError || 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
		if letter && (!within || r >= 0x2E80) {
			words++
		}
		within = letter
	}
	return words
}
