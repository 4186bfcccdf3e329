package page

import (
	"bytes"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"
)

// appendReference appends what the character reference at the beginning of b ("&amp;") stands for, and answers how
// many bytes it takes; a lone ampersand stands for itself. The five references that make up nearly all are decoded
// here, the rest by the standard library.
func appendReference(out, b []byte) ([]byte, int) {
	for i := range common {
		if c := &common[i]; len(b) >= len(c.name) && string(b[:len(c.name)]) == c.name {
			return append(out, c.is), len(c.name)
		}
	}
	n := 1
	for n < len(b) && n < 40 && (isWord(b[n]) || n == 1 && b[n] == '#') {
		n++
	}
	if n == 1 {
		return append(out, '&'), 1
	}
	if n < len(b) && b[n] == ';' {
		n++
	}
	return append(out, html.UnescapeString(string(b[:n]))...), n
}

// common are the references that stand for one ASCII character; a no-break space is white space like any other.
var common = [...]struct {
	name string
	is   byte
}{{"&nbsp;", ' '}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}}

func isWord(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' }

// plainText is a short text with its references resolved and its white space collapsed.
func plainText(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '&' {
			out = append(out, raw[i])
			i++
			continue
		}
		var n int
		out, n = appendReference(out, raw[i:])
		i += n
	}
	return tidy(string(out))
}

// referred is a text of JSON in which its author wrote references all the same.
func referred(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return html.UnescapeString(s)
}

// tidy is s in valid UTF-8 with its white space collapsed, and without what nobody sees.
func tidy(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if strings.IndexFunc(s, steers) >= 0 {
		s = strings.Map(func(r rune) rune {
			if steers(r) {
				return -1
			}
			return r
		}, s)
	}
	return OneLine(onlySeen(s))
}

// steers tells of a sign that steers a terminal, and that nobody sees.
func steers(r rune) bool { return r < ' ' && !unicode.IsSpace(r) }

// OneLine is s with its white space collapsed. Most that is asked about is so already.
func OneLine(s string) string {
	blank := true
	for _, r := range s {
		was := blank
		if blank = unicode.IsSpace(r); blank && (was || r != ' ') {
			return strings.Join(strings.Fields(s), " ")
		}
	}
	if blank {
		return strings.TrimSuffix(s, " ")
	}
	return s
}

// attributeValue resolves the references in an attribute's value. They follow rules of their own there ("&copy=1" is
// no reference), so that all but &amp; goes to the reference tokenizer.
func attributeValue(raw []byte) string {
	if bytes.IndexByte(raw, 0) >= 0 || bytes.IndexByte(raw, '\r') >= 0 {
		return byTokenizer(raw)
	}
	at := bytes.IndexByte(raw, '&')
	if at < 0 {
		return string(raw)
	}
	out := append(make([]byte, 0, len(raw)), raw[:at]...)
	for at < len(raw) {
		rest := raw[at:]
		switch {
		case rest[0] != '&':
			out = append(out, rest[0])
			at++
		case bytes.HasPrefix(rest, []byte("&amp;")):
			out = append(out, '&')
			at += len("&amp;")
		case len(rest) == 1 || rest[1] != '#' && !isWord(rest[1]):
			out = append(out, '&')
			at++
		case plainParameter(rest):
			out = append(out, '&')
			at++
		default:
			return byTokenizer(raw)
		}
	}
	return string(out)
}

// plainParameter says whether b begins like "&name=": a query's parameter, never a reference.
func plainParameter(b []byte) bool {
	n := 1
	for n < len(b) && isWord(b[n]) {
		n++
	}
	return n > 1 && n < len(b) && b[n] == '='
}

// byTokenizer is the value as golang.org/x/net/html reads it.
func byTokenizer(raw []byte) string {
	doc := `<a x="` + strings.ReplaceAll(string(raw), `"`, "&quot;") + `">`
	z := nethtml.NewTokenizer(strings.NewReader(doc))
	z.Next()
	z.TagName()
	_, v, _ := z.TagAttr()
	return string(v)
}
