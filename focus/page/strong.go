package page

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// stars mark the strong words of Markdown. They open only before a word, or where none stands before them, and close only behind one likewise:
// in Chinese no blank stands around 。 and “, so that signs at their ends are left outside where a word follows, or stands before.
type stars struct {
	strong bool // what comes is
	isBold bool // its stars are written
	inner  bool // within an open link
	from   int  // where what they hold begins
}

// openStrong writes the stars that are due before a text, and answers what of it they hold.
func (w *markdown) openStrong(s string) string {
	if !w.strong || w.isBold || w.heading || w.pre {
		return s
	}
	if w.behindWord() {
		if w.link != nothing && !w.inLink {
			w.openLink() // whose bracket is a sign itself
		} else {
			rest := strings.TrimLeftFunc(s, isSign)
			w.escape(s[:len(s)-len(rest)], false)
			if s = rest; s == "" {
				return ""
			}
		}
	}
	w.put("**")
	w.isBold, w.inner, w.from = true, w.inLink, w.out.Len()
	return s
}

// behindWord tells whether a word ends where the next text begins.
func (w *markdown) behindWord() bool {
	r, _ := utf8.DecodeLastRune(w.out.Bytes())
	return w.out.Len() > 0 && !w.fresh && !unicode.IsSpace(r) && !isSign(r)
}

// isSign tells of what is punctuation to Markdown.
func isSign(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// closeStrong closes what is strong before the end of a line, or a sign.
func (w *markdown) closeStrong() {
	if !w.isBold {
		return
	}
	if !w.inner {
		w.close()
	}
	w.put("**")
	w.isBold = false
}

// endStrong closes what is strong before the text at a place.
func (w *markdown) endStrong(at int32) {
	next, _ := utf8.DecodeRuneInString(w.page.prose[at:])
	if held := w.out.Bytes()[min(w.from, w.out.Len()):]; w.isBold && w.inner == w.inLink && int(at) < len(w.page.prose) && !unicode.IsSpace(next) && !isSign(next) {
		if tail := string(held[len(withoutTail(held)):]); tail != "" && len(tail) < len(held) {
			w.out.Truncate(w.out.Len() - len(tail))
			w.closeStrong()
			w.put(tail)
			return
		}
	}
	w.closeStrong()
}

// withoutTail is what is held without the signs at its end that are no marks of Markdown.
func withoutTail(held []byte) []byte {
	for len(held) > 0 {
		r, n := utf8.DecodeLastRune(held)
		if !isSign(r) || r < utf8.RuneSelf && !strings.ContainsRune(`.,;:!?"'`, r) || len(held) > n && held[len(held)-n-1] == '\\' {
			break
		}
		held = held[:len(held)-n]
	}
	return held
}
