package main

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// goJSON is how the decoder of JSON speaks of a value that is of another type than its place.
var goJSON = regexp.MustCompile(`json: cannot unmarshal (\w+)( \S+)? into Go (?:struct field \w*\.(\S+)|value) of type \S+`)

// bareLogin is a name and a password before a host where somebody has left out what an address begins with.
var bareLogin = regexp.MustCompile(`(^|[\s"'=,(\[{])[^\s"'=,(\[{/\\:@]+:[^\s"'/\\@][^\s"'@]*@([^\s"'@])`)

// shown is a message as it may stand on a screen: what a page, a server or a file put into it does not steer the terminal, and
// no password of an address is in it.
func shown(message string) string {
	return strings.Map(func(r rune) rune {
		if sink.Steers(r) && r != '\n' && r != '\t' {
			return '\ufffd'
		}
		return r
	}, bareLogin.ReplaceAllString(page.WithoutLogins(goJSON.ReplaceAllString(message, "a $1$2 does not belong there: $3")), "${1}…@${2}"))
}

// jsonTo writes JSON that steers no terminal.
func jsonTo(w io.Writer) *json.Encoder { return sink.JSONTo(w) }
