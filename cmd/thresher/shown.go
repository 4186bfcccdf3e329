package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// shown is a message as it may stand on a screen: what a page, a server or a file put into it does not steer the terminal, and
// no password of an address is in it.
func shown(message string) string {
	return strings.Map(func(r rune) rune {
		if sink.Steers(r) && r != '\n' && r != '\t' {
			return '\ufffd'
		}
		return r
	}, page.WithoutLogins(message))
}

// jsonTo writes JSON in which what would steer a terminal stands as an escape: it says the same to programs.
func jsonTo(w io.Writer) *json.Encoder { return json.NewEncoder(escaping{w}) }

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

func escaped(r rune) bool { return r > ' ' && sink.Steers(r) }
