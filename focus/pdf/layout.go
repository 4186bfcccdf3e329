package pdf

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// piece is a part of a paragraph: plain, or the words of a link.
type piece struct {
	text []byte
	link string
}

// line is what stands on one base line.
type line struct {
	pieces        []piece
	from, end, up float64
	dx, dy        float64
	size          float64
	bold          int  // letters of it, among all
	begun, ended  bool // in bold
	chars         int
	lastEnd       float64
	close         int      // letters that touch the one before
	narrow        [][2]int // pieces, and bytes of them, behind which a narrow blank may stand
}

// Paragraph is a part of a document's text.
type Paragraph struct {
	Level  int // of a heading, 1 to 3; 0 of a text
	pieces []piece
	size   float64
	bold   bool
	page   int
	lines  int
}

// Text is the paragraph without its links.
func (p *Paragraph) Text() string { return strings.TrimSpace(textOf(p.pieces)) }

func textOf(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.Write(p.text)
	}
	return b.String()
}

// area is a part of a page that leads somewhere.
type area struct {
	x0, y0, x1, y1 float64
	to             string
	used           bool
}

// under is the address that leads on from a letter.
func under(areas []area, l *letter) string {
	for i := range areas {
		a := &areas[i]
		x, y := l.x+l.dx*(l.end-l.along)/2, l.y+l.dy*(l.end-l.along)/2+l.size/4
		if a.x0 <= x && x <= a.x1 && a.y0 <= y && y <= a.y1 {
			a.used = true
			return a.to
		}
	}
	return ""
}

// linesOf puts letters that follow one another on a base line into lines, with the blanks that nobody has written.
func linesOf(letters []letter, areas []area) []*line {
	all := linesBy(letters, areas, func(text string) string { return text })
	if leftwardsIn(all) && !asRead(all) {
		all = linesBy(letters, areas, asDrawn)
		turn(all)
	}
	return all
}

// linesBy is linesOf, before lines are put into the order in which they are read. What a letter stands for is as signs says.
func linesBy(letters []letter, areas []area, signs func(text string) string) []*line {
	var all []*line
	var at *line
	var before *letter
	for i := range letters {
		l := &letters[i]
		text := plain(l.text)
		if text == "" {
			continue
		}
		if before != nil && l.text == before.text && math.Abs(l.along-before.along) < l.size/8 && math.Abs(l.up-before.up) < l.size/8 {
			continue // printed twice, to make it bold
		}
		if at == nil || !at.continues(l) {
			at = &line{from: l.along, up: l.up, dx: l.dx, dy: l.dy, lastEnd: l.along}
			all = append(all, at)
		}
		if before != nil {
			if both := at.accented(before, l, text); both != "" {
				text = both
			}
		}
		at.add(l, signs(text), under(areas, l))
		before = l
	}
	var last *line
	all = slices.DeleteFunc(all, func(l *line) bool {
		l.widen()
		twice := last != nil && math.Abs(l.from-last.from) < l.size/8 && math.Abs(l.up-last.up) < l.size/8 && l.text() == last.text()
		last = l
		return twice || strings.TrimSpace(l.text()) == ""
	})
	return all
}

// marks are the accents that stand for themselves, and those that a letter carries.
var marks = map[string]string{"`": "\u0300", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307", "¨": "\u0308",
	"˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327", "˛": "\u0328"}

// accented is a letter with the accent that was drawn over its place before, which is taken off the line; empty where there is none.
func (at *line) accented(before, l *letter, text string) string {
	if len(before.text) > 2 || before.text[0] < 0x80 && before.text != "`" || len(at.pieces) == 0 {
		return ""
	}
	mark, middle := marks[before.text], (before.along+before.end)/2
	last := &at.pieces[len(at.pieces)-1]
	if mark == "" || middle < l.along || middle > l.end || !bytes.HasSuffix(last.text, []byte(before.text)) {
		return ""
	}
	switch text {
	case "ı":
		text = "i"
	case "ȷ":
		text = "j"
	}
	both := norm.NFC.String(text + mark)
	if r, size := utf8.DecodeRuneInString(both); size != len(both) || !unicode.IsLetter(r) {
		return ""
	}
	last.text = last.text[:len(last.text)-len(before.text)]
	return both
}

// continues tells whether a letter stands on the line, behind what is there.
func (at *line) continues(l *letter) bool {
	size := max(at.size, l.size)
	return at.dx*l.dx+at.dy*l.dy > .99 && math.Abs(at.up-l.up) < size*.5 && l.along > at.lastEnd-size
}

func (at *line) add(l *letter, text, link string) {
	gap := l.along - at.lastEnd
	if n := len(at.pieces); n > 0 && !bytes.HasSuffix(at.pieces[n-1].text, blank) && !strings.HasPrefix(text, " ") {
		last, _ := utf8.DecodeLastRune(at.pieces[n-1].text)
		first, _ := utf8.DecodeRuneInString(text)
		least := .17
		if unspaced(last) || unspaced(first) {
			least = .6
		}
		if unspaced(last) && unspaced(first) {
			least = 1.5
		}
		switch {
		case gap > least*l.size:
			at.pieces = join(at.pieces, " ", "")
		case gap > .1*l.size && least == .17:
			at.narrow = append(at.narrow, [2]int{n - 1, len(at.pieces[n-1].text)})
		case gap < .05*l.size:
			at.close++
		}
	}
	at.pieces = join(at.pieces, text, link)
	n := utf8.RuneCountInString(text)
	if at.chars == 0 {
		at.begun = l.bold
	}
	at.ended = l.bold
	at.chars += n
	if l.bold {
		at.bold += n
	}
	if at.size == 0 || at.up-l.up < l.size*.2 && l.size > at.size { // neither what is raised nor what is lowered counts
		at.size, at.up = l.size, l.up
	}
	at.lastEnd = l.end
	at.end = max(at.end, l.end)
}

var blank = []byte(" ")

// widen puts blanks where the letters of a line stand apart, though not as far as blanks do: a justified line may need the room. Where most
// letters stand apart, it is how they are set.
func (at *line) widen() {
	if at.close < 4*len(at.narrow) {
		at.narrow = nil
	}
	for i := 0; len(at.narrow) > 0; i++ {
		text, from := at.pieces[i].text, 0
		var out []byte
		for ; len(at.narrow) > 0 && at.narrow[0][0] == i; at.narrow = at.narrow[1:] {
			to := at.narrow[0][1]
			out, from = append(append(out, text[from:to]...), ' '), to
		}
		if from > 0 {
			at.pieces[i].text = append(out, text[from:]...)
		}
	}
}

// join appends text, to the piece before it if both lead to the same.
func join(pieces []piece, text, link string) []piece {
	if n := len(pieces); n > 0 && (pieces[n-1].link == link || text == " ") {
		pieces[n-1].text = append(pieces[n-1].text, text...)
		return pieces
	}
	return append(pieces, piece{[]byte(text), link})
}

func (at *line) text() string { return textOf(at.pieces) }

// unspaced tells of a sign of a script that puts no blanks between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}

// plain is text with signs that are only shapes of others made those, and without what is no text.
func plain(s string) string {
	if len(s) == 1 && s[0] > ' ' && s[0] < 0x7f {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u00ad':
			return '-'
		case unicode.IsSpace(r):
			return ' '
		case r < ' ', r == utf8.RuneError, unicode.In(r, unicode.Co, unicode.Cc, unicode.Cf):
			return -1
		}
		return r
	}, shapes(s))
}

// shapes makes ligatures and the forms of Arabic letters these letters, and the radicals that fonts confuse with signs those signs.
func shapes(s string) string {
	for _, r := range s {
		if r >= 0xfb00 && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc || r >= 0x2e80 && r <= 0x2fdf || r >= 0xf900 && r <= 0xfaff {
			return norm.NFKC.String(s)
		}
	}
	return s
}
