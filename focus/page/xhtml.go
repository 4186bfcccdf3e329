package page

import (
	"bytes"
	"html"
)

// XHTMLType is the media type of pages that are XML: in these an element may end where it begins.
const XHTMLType = "application/xhtml+xml"

var (
	emptyEnd  = []byte("/>")
	dataOpen  = []byte("<![CDATA[")
	dataClose = []byte("]]>")
)

// fromXML is a page in XML as HTML: "<script …/>" is an element without content there, while in HTML it would take in the rest of
// the page; and what stands in a CDATA section is text.
func fromXML(body []byte) []byte {
	if !bytes.Contains(body, emptyEnd) && !bytes.Contains(body, dataOpen) {
		return body
	}
	out := make([]byte, 0, len(body)+len(body)/16)
	s := scanner{src: body}
	for {
		at := bytes.IndexByte(body[s.pos:], '<')
		if at < 0 || s.pos+at+1 >= len(body) {
			return append(out, body[s.pos:]...)
		}
		from := s.pos
		s.pos += at
		rest := body[s.pos:]
		switch {
		case bytes.HasPrefix(rest, dataOpen):
			out, from = append(out, body[from:s.pos]...), s.pos+len(dataOpen)
			s.pastCDATA()
			out = append(out, html.EscapeString(string(bytes.TrimSuffix(body[from:s.pos], dataClose)))...)
			continue
		case bytes.HasPrefix(rest, commentOpen):
			s.pos += len(commentOpen)
			s.pastComment()
		case isLetter(rest[1]):
			s.pos++
			if s.readTag(startToken) == startToken && endsEmpty(body[from+at:s.pos]) && facts[s.tag]&isVoid == 0 {
				out = append(append(append(append(out, body[from:s.pos-len(emptyEnd)]...), "></"...), s.name...), '>')
				continue
			}
			if facts[s.tag]&isRaw != 0 {
				s.pos = rawEnd(body, s.pos, tagNames[s.tag])
			}
		default:
			s.pos++
		}
		out = append(out, body[from:s.pos]...)
	}
}

// endsEmpty says whether a tag ends its element. In a value that nobody has put in quotes the slash is of an address.
func endsEmpty(tag []byte) bool {
	if !bytes.HasSuffix(tag, emptyEnd) {
		return false
	}
	tag = tag[:len(tag)-len(emptyEnd)]
	return bytes.IndexByte(tag, '=') < 0 || bytes.IndexByte([]byte(" \t\r\n\"'"), tag[len(tag)-1]) >= 0
}
