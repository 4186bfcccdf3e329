package sink

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Steers tells whether a character is an order to a terminal, or turns the direction of the text around it: what a page
// brought along must not do either where its text is shown.
func Steers(r rune) bool {
	return r < ' ' || 0x7f <= r && r <= 0x9f || r == 0x200e || r == 0x200f || r == 0x61c || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}

// Plain is a text without what steers; its lines and tabs stay.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if Steers(r) && r != '\n' && r != '\t' {
			return ' '
		}
		return r
	}, s)
}

// harmless is a text for a column. A spreadsheet takes what begins like a formula for one, wherever it came from: such a text
// is given an apostrophe, which is how a spreadsheet is told that it is a text. Numbers stay as they are.
func harmless(s string) string {
	s = Plain(s)
	first := strings.TrimLeft(s, " \t\n\r\u3000\ufeff")
	if first == "" || !strings.ContainsRune("=+-@\uff1d\uff0b\uff0d\uff20|%", []rune(first)[0]) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}

// JSONTo writes JSON in which what steers stands as an escape: it says the same to programs.
func JSONTo(w io.Writer) *json.Encoder { return json.NewEncoder(escaping{w}) }

// escaping escapes characters in JSON. They can only stand in its texts, and each Write is a whole value.
type escaping struct{ to io.Writer }

func (e escaping) Write(b []byte) (int, error) {
	if !bytes.ContainsFunc(b, escaped) {
		return e.to.Write(b)
	}
	out := make([]byte, 0, len(b)+64)
	for _, r := range string(b) {
		if escaped(r) {
			out = fmt.Appendf(out, "\\u%04x", r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	if _, err := e.to.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

func escaped(r rune) bool { return r > ' ' && Steers(r) }
