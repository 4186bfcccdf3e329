package main

import (
	"encoding/json"
	"io"
	"strings"

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

// jsonTo writes JSON that steers no terminal.
func jsonTo(w io.Writer) *json.Encoder { return sink.JSONTo(w) }
