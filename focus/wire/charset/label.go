package charset

import (
	"bytes"
	"strings"
)

// headerLabel is the charset a Content-Type header names, or empty.
func headerLabel(contentType string) string {
	_, parameters, _ := strings.Cut(contentType, ";")
	return labelIn(strings.ToLower(parameters))
}

// labelIn is what follows "charset=" in a lower-case string, or empty. Spaces and quotes may stand around it.
func labelIn(s string) string {
	for {
		_, rest, ok := strings.Cut(s, "charset")
		if !ok {
			return ""
		}
		s = rest
		value, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), "=")
		if ok {
			return firstValue(value)
		}
	}
}

// firstValue is the word, quoted or not, that stands at the start of s.
func firstValue(s string) string {
	s = strings.TrimLeft(s, " \t\r\n\"'\\")
	if end := strings.IndexAny(s, " \t\r\n\"'\\;,/>"); end >= 0 {
		return s[:end]
	}
	return s
}

// metaBytes is how far a meta element is looked for. Browsers look at 1024 bytes, but pages that put scripts first
// are common, and what they say is right more often than a guess.
const metaBytes = 4096

// metaLabel is the charset a page names itself, in a meta element or an XML declaration, or empty. What stands in a
// comment does not count. A page that can be read so far is not in UTF-16, whatever it says.
func metaLabel(body []byte) string {
	head := strings.ToLower(string(body[:min(len(body), metaBytes)]))
	if declaration, ok := strings.CutPrefix(strings.TrimLeft(head, " \t\r\n"), "<?xml"); ok {
		declaration, _, _ = strings.Cut(declaration, "?>")
		if _, value, ok := strings.Cut(declaration, "encoding="); ok {
			return notUTF16(firstValue(value))
		}
	}
	for {
		at := strings.IndexByte(head, '<')
		if at < 0 {
			return ""
		}
		head = head[at:]
		if rest, ok := strings.CutPrefix(head, "<!--"); ok {
			_, head, _ = strings.Cut(rest, "-->")
			continue
		}
		if element, ok := strings.CutPrefix(head, "<meta"); ok {
			element, _, _ = strings.Cut(element, ">")
			if label := labelIn(element); label != "" {
				return notUTF16(label)
			}
		}
		head = head[1:]
	}
}

func notUTF16(label string) string {
	if strings.HasPrefix(label, "utf-16") || label == "unicode" {
		return utf8Charset.name
	}
	return label
}

// sampleBytes is how much of a body is looked at to tell its charset.
const sampleBytes = 16 << 10

// sampleOf is the part of a body that tells its charset: from its first byte beyond ASCII, where a character begins
// in every charset, or from the first escape of the charsets that have no such bytes.
func sampleOf(body []byte) []byte {
	at := bytes.IndexFunc(body, func(r rune) bool { return r >= 0x80 })
	if at < 0 {
		at = max(0, bytes.Index(body, []byte("\x1b$")))
	}
	return body[at:min(len(body), at+sampleBytes)]
}
