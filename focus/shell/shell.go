// Package shell answers one question: how does a command stand in a message, so that it can be copied and run? Names of files and
// folders are words of it, whatever they have in them.
package shell

import (
	"strings"
	"unicode"
)

// Word is a word as a shell takes it: in quotation marks where it needs them.
func Word(s string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./:=,@%+", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
