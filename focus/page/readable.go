package page

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Readable is an address as a person reads it, and as browsers show it: letters stand for themselves where they are escaped, and so
// does a Chinese, Japanese or Korean name of a host. It names the same page. What could be taken for something else stays as it is
// written: signs and blanks, what runs from right to left, and names of hosts in scripts whose letters look like Latin ones.
func Readable(address string) string {
	if !strings.Contains(address, "%") && !strings.Contains(address, "xn--") {
		return address
	}
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	end := len(rest)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		end = i
	}
	read := scheme + "://" + readableHost(rest[:end]) + readableLetters(rest[end:])
	if was, err := Canonical(address); err == nil {
		if is, err := Canonical(read); err == nil && is == was {
			return read
		}
	}
	return address
}

// readableHost is a host with those of its names in letters of their own that nobody takes for others.
func readableHost(host string) string {
	labels := strings.Split(host, ".")
	for i, label := range labels {
		if name, err := international.ToUnicode(label); err == nil && !strings.ContainsFunc(name, likeLatin) {
			labels[i] = name
		}
	}
	return strings.Join(labels, ".")
}

// likeLatin tells of a letter beyond ASCII that it may be taken for a Latin one: of the scripts in which that cannot be it is none.
func likeLatin(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo)
}

// readableLetters is the part of an address behind the host with the letters that are escaped there, where all that is escaped is
// UTF-8: in another encoding some of it may look so.
func readableLetters(escaped string) string {
	if !utf8.ValidString(unescapedBytes(escaped)) {
		return escaped
	}
	var b strings.Builder
	for len(escaped) > 0 {
		written, r := escapedRune(escaped)
		if r != utf8.RuneError {
			b.WriteRune(r)
		} else {
			b.WriteString(escaped[:written])
		}
		escaped = escaped[written:]
	}
	return b.String()
}

// escapedRune is the letter beyond ASCII that a text begins with, escaped, and how many bytes that takes; without one it is
// utf8.RuneError, and what is written for one byte.
func escapedRune(s string) (written int, letter rune) {
	if s[0] != '%' || len(s) < 3 {
		return 1, utf8.RuneError
	}
	var bytes [utf8.UTFMax]byte
	n := 0
	for ; n < len(bytes) && len(s) >= 3*n+3 && s[3*n] == '%'; n++ {
		one, err := url.PathUnescape(s[3*n : 3*n+3])
		if err != nil || one[0] < utf8.RuneSelf {
			break
		}
		bytes[n] = one[0]
	}
	r, size := utf8.DecodeRune(bytes[:n])
	if r == utf8.RuneError || !unicode.In(r, unicode.L, unicode.M, unicode.N) || showsNothing(r) || fromTheRight(r) {
		return 1, utf8.RuneError
	}
	return 3 * size, r
}

// showsNothing tells of a letter or mark that shows nothing.
func showsNothing(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// fromTheRight tells of a letter that the text around it is turned by.
func fromTheRight(r rune) bool {
	p, _ := bidi.LookupRune(r)
	class := p.Class()
	return class == bidi.R || class == bidi.AL || class == bidi.AN
}
