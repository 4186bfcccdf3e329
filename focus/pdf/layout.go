package pdf

import (
	"bytes"
	"cmp"
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
	bold          int // letters of it, among all
	chars         int
	lastEnd       float64
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
		at.add(l, signs(text), under(areas, l))
		before = l
	}
	var last *line
	all = slices.DeleteFunc(all, func(l *line) bool {
		twice := last != nil && math.Abs(l.from-last.from) < l.size/8 && math.Abs(l.up-last.up) < l.size/8 && l.text() == last.text()
		last = l
		return twice || strings.TrimSpace(l.text()) == ""
	})
	return all
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
		if gap > least*l.size {
			at.pieces = join(at.pieces, " ", "")
		}
	}
	at.pieces = join(at.pieces, text, link)
	n := utf8.RuneCountInString(text)
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

// furniture finds the lines at the head and the foot of pages that are their numbers, or stand on many of them.
func furniture(pages [][]*line) map[*line]bool {
	edges := map[string][]*line{}
	for _, lines := range pages {
		if len(lines) < 3 {
			continue
		}
		sorted := slices.Clone(lines)
		slices.SortStableFunc(sorted, func(a, b *line) int { return cmp.Compare(b.up, a.up) })
		for _, l := range []*line{sorted[0], sorted[len(sorted)-1]} {
			key := strings.Map(func(r rune) rune {
				if unicode.IsDigit(r) || unicode.IsSpace(r) {
					return -1
				}
				return unicode.ToLower(r)
			}, l.text())
			edges[key] = append(edges[key], l)
		}
	}
	out := map[*line]bool{}
	for key, lines := range edges {
		if number := strings.Trim(key, "-–—/.|第页") == ""; !number && (len(lines) < 3 || len(lines)*3 < len(pages)) {
			continue
		}
		for _, l := range lines {
			out[l] = true
		}
	}
	return out
}

// paragraphsOf puts lines together that run on, over the pages.
func paragraphsOf(pages [][]*line) []*Paragraph {
	var all []*Paragraph
	left := furniture(pages)
	for n, lines := range pages {
		var last *line
		lead, rights := 0.0, rightsOf(lines) // from line to line, and how far lines reach
		for _, l := range lines {
			if left[l] {
				continue
			}
			bold := l.bold*2 > l.chars
			var at *Paragraph
			if len(all) > 0 {
				at = all[len(all)-1]
			}
			switch {
			case last == nil:
				if at == nil || !overPage(at, l, bold) {
					at = nil
				}
				lead = 0
			case !alike(last, l, lead) || bold != at.bold || ends(last, l, rights[last.column()]):
				at, lead = nil, 0
			default:
				if gap := last.up - l.up; gap > l.size/4 && (lead == 0 || gap < lead) {
					lead = gap
				}
			}
			if at == nil {
				at = &Paragraph{size: l.size, bold: bold, page: n}
				all = append(all, at)
			}
			at.append(l)
			last = l
		}
	}
	return all
}

// column is where a line begins, roughly, for lines of the same direction.
func (at *line) column() [3]int {
	return [3]int{int(math.Round(at.from / 36)), int(math.Round(at.dx)), int(math.Round(at.dy))}
}

// rightsOf says how far the lines reach that begin at about the same place.
func rightsOf(lines []*line) map[[3]int]float64 {
	rights := map[[3]int]float64{}
	for _, l := range lines {
		c := l.column()
		for _, near := range []int{-1, 0, 1} { // what is set in is of the same column
			at := [3]int{c[0] + near, c[1], c[2]}
			if far, ok := rights[at]; !ok || far < l.end { // of a line that is read from the right it is below 0
				rights[at] = l.end
			}
		}
	}
	return rights
}

// overPage tells whether a paragraph goes on at the head of the next page.
func overPage(p *Paragraph, l *line, bold bool) bool {
	text := p.Text()
	last, _ := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(l.text()))
	return p.lines > 1 && near(p.size, l.size) && p.bold == bold && !ending(last) && (unicode.IsLower(first) || unspaced(last) && unspaced(first))
}

func near(a, b float64) bool { return math.Abs(a-b) < .08*max(a, b) }

// ending is a sign that a sentence ends with.
func ending(r rune) bool { return strings.ContainsRune(".!?:;。！？：；…”\"", r) }

// alike tells whether one line may follow another in a paragraph.
func alike(a, b *line, lead float64) bool {
	gap := a.up - b.up
	switch {
	case a.dx*b.dx+a.dy*b.dy < .99 || !near(a.size, b.size):
		return false
	case math.Abs(gap) <= a.size*.25: // cells of one row
		return b.from >= a.end-a.size
	case gap < 0 || gap > 2*a.size:
		return false
	}
	return lead == 0 || gap < 1.3*lead
}

// ends tells whether a paragraph ends with a line: the next one is set in, or it is short and ends a sentence, or
// very short.
func ends(a, b *line, right float64) bool {
	if math.Abs(a.up-b.up) <= a.size*.25 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(a.text()))
	in := b.from - a.from
	free := right - a.end
	return in > a.size*.8 && in < a.size*5 && ending(last) || free > 4*a.size && ending(last) || free > .4*(right-a.from)
}

// append takes a line in, with a blank where one was meant, and without the hyphen that broke a word.
func (p *Paragraph) append(l *line) {
	p.lines++
	if n := len(p.pieces); n > 0 {
		before := bytes.TrimRight(p.pieces[n-1].text, " ")
		last, size := utf8.DecodeLastRune(before)
		first, _ := utf8.DecodeRune(bytes.TrimLeft(l.pieces[0].text, " "))
		letter, _ := utf8.DecodeLastRune(before[:len(before)-size])
		switch {
		case (last == '-' || last == '\u2010') && unicode.IsLetter(letter) && unicode.IsLower(first):
			before = before[:len(before)-size]
		case !unspaced(last) || !unspaced(first):
			before = append(before, ' ')
		}
		p.pieces[n-1].text = before
	}
	for _, s := range l.pieces {
		p.pieces = join(p.pieces, string(s.text), s.link)
	}
}
