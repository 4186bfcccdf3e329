package page

import "bytes"

// readRaw reads the text of the raw text element whose start tag was read last, up to its end tag; it answers false
// if there is none.
func (s *scanner) readRaw() bool {
	s.raw, s.opened = s.opened, none
	from, to := s.pos, len(s.src)
	switch s.raw {
	case tagPlaintext:
	case tagScript:
		to = scriptEnd(s.src, from)
	default:
		to = rawEnd(s.src, from, tagNames[s.raw])
	}
	s.text, s.pos = s.src[from:to], to
	return to > from
}

// rawEnd is where the end tag of the element called name begins, or the page's end.
func rawEnd(src []byte, at int, name string) int {
	for {
		i := bytes.Index(src[at:], endOpen)
		if i < 0 {
			return len(src)
		}
		if at += i; endsHere(src[at:], name) {
			return at
		}
		at += 2
	}
}

var endOpen = []byte("</")

// endsHere says whether src, which begins with "</", begins with the end tag of the element called name.
func endsHere(src []byte, name string) bool {
	n := 2 + len(name)
	return len(src) > n && foldEqual(src[2:n], name) && (isSpace(src[n]) || src[n] == '/' || src[n] == '>')
}

// scriptEnd is where the end tag of a script begins: not inside "<!-- <script> … </script> -->". It follows the
// reference tokenizer, in which a '<' that opens nothing ends the escape.
func scriptEnd(src []byte, at int) int {
	for at < len(src) {
		i := bytes.IndexByte(src[at:], '<')
		if i < 0 {
			return len(src)
		}
		at += i
		switch {
		case isScriptEnd(src[at:]):
			return at
		case bytes.HasPrefix(src[at:], commentOpen):
			// The two dashes may be the first of "-->" already.
			var done bool
			if at, done = escapedScript(src, at+2); done {
				return at
			}
		default:
			at++
		}
	}
	return len(src)
}

var (
	commentOpen  = []byte("<!--")
	commentClose = []byte("-->")
)

// escapedScript reads on from inside a script's comment to where ordinary script goes on, or to where the script's
// end tag begins (done).
func escapedScript(src []byte, at int) (next int, done bool) {
	for ; at < len(src); at++ {
		rest := src[at:]
		switch {
		case src[at] == '-' && bytes.HasPrefix(rest, commentClose):
			return at + len(commentClose), false
		case src[at] != '<' || len(rest) < 2:
		case isScriptEnd(rest):
			return at, true
		case opensScript(rest):
			at = doubleEscaped(src, at+len("<script")) - 1
		case rest[1] != '/' && !isLetter(rest[1]):
			return at + 1, false
		}
	}
	return len(src), true
}

// doubleEscaped reads past a script inside a script's comment: up to its end tag, or up to the comment's end, which
// is left to be read.
func doubleEscaped(src []byte, at int) int {
	for ; at < len(src); at++ {
		switch rest := src[at:]; {
		case src[at] == '-' && bytes.HasPrefix(rest, commentClose):
			return at
		case src[at] == '<' && isScriptEnd(rest):
			return at + len("</script>")
		}
	}
	return at
}

func isScriptEnd(src []byte) bool {
	return bytes.HasPrefix(src, endOpen) && endsHere(src, "script")
}

func opensScript(src []byte) bool {
	n := len("<script")
	return len(src) > n && foldEqual(src[1:n], "script") && (isSpace(src[n]) || src[n] == '/' || src[n] == '>')
}
