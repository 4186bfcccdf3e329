package page

import (
	"bytes"
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
	shut   int  // where they have closed last
	linked int  // where the last link has ended
}

// star stands before and behind strong words.
const star = "**"

// openStrong writes the stars that are due before a text, and answers what of it they hold.
func (w *markdown) openStrong(s string) string {
	if !w.strong || w.isBold || w.heading || w.pre {
		return s
	}
	if w.shut == w.out.Len() && w.shut > 0 { // it goes on
		w.out.Truncate(w.shut - len(star))
		w.isBold = true
		return s
	}
	if w.code && w.behindWord() {
		return s
	}
	if w.behindWord() {
		if w.link != nothing && !w.inLink {
			w.openLink() // whose bracket is a sign itself
		} else {
			rest := strings.TrimLeftFunc(s, isNoWord)
			w.escape(s[:len(s)-len(rest)], false)
			if s = rest; s == "" {
				return ""
			}
		}
	}
	w.put(star)
	w.isBold, w.inner, w.from = true, w.inLink, w.out.Len()
	return s
}

// behindWord tells whether a word ends where the next text begins.
func (w *markdown) behindWord() bool {
	r, _ := utf8.DecodeLastRune(w.out.Bytes())
	return w.out.Len() > 0 && !w.fresh && !isNoWord(r)
}

// isSign tells of what is punctuation to Markdown.
func isSign(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// isNoWord tells of what Markdown takes for the end of a word.
func isNoWord(r rune) bool { return unicode.IsSpace(r) || isSign(r) }

// closeStrong closes what is strong before the end of a line, or a sign.
func (w *markdown) closeStrong() {
	if !w.isBold {
		return
	}
	if !w.inner {
		w.close()
	}
	text := w.out.Bytes()
	blanks := string(text[w.from+len(bytes.TrimRightFunc(text[w.from:], unicode.IsSpace)):]) // behind which they would not close
	w.out.Truncate(len(text) - len(blanks))
	w.put(star)
	w.isBold, w.shut = false, w.out.Len()
	w.out.WriteString(blanks)
}

// endStrong closes what is strong before the text at a place. Where a word follows, signs are left outside; what holds nothing else, or
// ends with what cannot stand there, is not strong.
func (w *markdown) endStrong(at int32) {
	next, _ := utf8.DecodeRuneInString(w.page.prose[at:])
	if !w.isBold || int(at) == len(w.page.prose) || isNoWord(next) {
		w.closeStrong()
		return
	}
	if !w.inner {
		w.close()
	}
	text, end := w.out.Bytes(), w.worded()
	if end == w.from {
		w.unstar()
		return
	}
	tail := string(text[end:])
	w.out.Truncate(end)
	w.closeStrong()
	w.out.WriteString(tail)
}

// worded is where the last word ends of what is held; where it begins if that has none, or ends with a link or a formula.
func (w *markdown) worded() int {
	text, end := w.out.Bytes(), w.out.Len()
	for end > w.from {
		r, n := utf8.DecodeLastRune(text[w.from:end])
		switch {
		case !isNoWord(r):
			return end
		case end == w.linked || end == w.shuts || r == '$':
			return w.from
		}
		before := text[w.from : end-n]
		if escapes := len(before) - len(bytes.TrimRight(before, `\`)); escapes%2 == 1 {
			n++
		}
		end -= n
	}
	return w.from
}

// unstar takes back the stars before what is held. At the beginning of a line it may be a sign without them.
func (w *markdown) unstar() {
	held := string(w.out.Bytes()[w.from:])
	w.out.Truncate(w.from - len(star))
	if w.isBold = false; w.out.Len() == w.begins && opening(held) == 0 {
		w.out.WriteByte('\\')
	}
	w.out.WriteString(held)
}
