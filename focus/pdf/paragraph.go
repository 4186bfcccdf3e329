package pdf

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
		farthest := farthestOf(lines)
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
			case last == nil, above(last, l):
				if at == nil || !overPage(at, l, bold) {
					at = nil
				}
				lead = 0
			case !alike(last, l, lead, farthest, rights[last.column()]) || bold != at.bold && l.begun != last.ended || ends(last, l, rights[last.column()]):
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
			at.bold = at.bold && bold
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

// rightsOf says how far the lines reach that begin at about the same place: as far as a quarter of them does. A title above two columns
// reaches further than what stands below it.
func rightsOf(lines []*line) map[[3]int]float64 {
	ends := map[[3]int][]float64{}
	for _, l := range lines {
		c := l.column()
		for _, near := range []int{-1, 0, 1} { // what is set in is of the same column
			at := [3]int{c[0] + near, c[1], c[2]}
			ends[at] = append(ends[at], l.end)
		}
	}
	rights := make(map[[3]int]float64, len(ends))
	for at, all := range ends {
		slices.Sort(all)
		rights[at] = all[len(all)-1-len(all)/4]
	}
	return rights
}

// above tells whether a line stands at the head of the column to the right of another.
func above(a, b *line) bool {
	return a.dx*b.dx+a.dy*b.dy > .99 && b.up-a.up > 2*a.size && b.from > a.end-a.size
}

// overPage tells whether a paragraph goes on at the head of the next page, or column.
func overPage(p *Paragraph, l *line, bold bool) bool {
	if p.lines < 2 || !near(p.size, l.size) || p.bold != bold {
		return false
	}
	last, _ := utf8.DecodeLastRune(bytes.TrimRight(p.pieces[len(p.pieces)-1].text, " "))
	first, _ := utf8.DecodeRune(bytes.TrimLeft(l.pieces[0].text, " "))
	return !ending(last) && (unicode.IsLower(first) || unspaced(last) && unspaced(first))
}

func near(a, b float64) bool { return math.Abs(a-b) < .08*max(a, b) }

// ending is a sign that a sentence ends with.
func ending(r rune) bool { return strings.ContainsRune(".!?:;。！？：；…”\"", r) }

// farthestOf is how far a line may stand below the one before it, in parts of its size: 2, or more where most lines of a page stand so,
// as a thesis has them.
func farthestOf(lines []*line) float64 {
	all, far := 0, map[float64]int{}
	for i, l := range lines[:max(0, len(lines)-1)] {
		next := lines[i+1]
		if gap := l.up - next.up; gap > l.size/4 && l.dx*next.dx+l.dy*next.dy > .99 && near(l.size, next.size) {
			all++
			far[math.Round(gap/l.size*20)/20]++
		}
	}
	for gap, n := range far {
		if gap >= 2 && gap <= 3 && n >= 5 && n*2 > all {
			return gap + .1
		}
	}
	return 2
}

// alike tells whether one line may follow another in a paragraph.
func alike(a, b *line, lead, farthest, right float64) bool {
	gap := a.up - b.up
	switch {
	case a.dx*b.dx+a.dy*b.dy < .99 || !near(a.size, b.size):
		return false
	case math.Abs(gap) <= a.size*.25: // cells of one row
		return b.from >= a.end-a.size
	case gap < 0 || gap > farthest*a.size || gap > 2*a.size && right-a.end > 3*a.size:
		return false
	}
	return lead == 0 || gap < 1.3*lead
}

// bullets are what the items of lists begin with.
const bullets = "•◦▪▫●■□◆▶►‣⁃∙"

// ends tells whether a paragraph ends with a line: the next one is an item of a list or set in, or it is short and ends a sentence, or
// very short.
func ends(a, b *line, right float64) bool {
	if math.Abs(a.up-b.up) <= a.size*.25 {
		return false
	}
	text := strings.TrimSpace(a.text())
	first, _ := utf8.DecodeRune(bytes.TrimLeft(b.pieces[0].text, " "))
	last, _ := utf8.DecodeLastRuneInString(text)
	switch {
	case strings.ContainsRune(bullets, first), unicode.IsDigit(last) && strings.Contains(text, " . . . "): // a table of contents
		return true
	case hyphens(last) && unicode.IsLower(first):
		return false
	}
	in := b.from - a.from
	free := right - a.end
	return in > a.size*.8 && in < a.size*5 && ending(last) || free > 4*a.size && ending(last) || free > .4*(right-a.from)
}

func hyphens(r rune) bool { return r == '-' || r == '\u2010' }

// append takes a line in, with a blank where one was meant, and without the hyphen that broke a word.
func (p *Paragraph) append(l *line) {
	p.lines++
	if n := len(p.pieces); n > 0 {
		before := bytes.TrimRight(p.pieces[n-1].text, " ")
		last, size := utf8.DecodeLastRune(before)
		first, _ := utf8.DecodeRune(bytes.TrimLeft(l.pieces[0].text, " "))
		letter, _ := utf8.DecodeLastRune(before[:len(before)-size])
		switch {
		case hyphens(last) && unicode.IsLetter(letter) && unicode.IsLower(first):
			before = before[:len(before)-size]
		case hyphens(last) && unicode.IsLetter(letter) && unicode.IsUpper(first): // Anglo-American
		case !unspaced(last) || !unspaced(first):
			before = append(before, ' ')
		}
		p.pieces[n-1].text = before
	}
	for _, s := range l.pieces {
		p.pieces = join(p.pieces, string(s.text), s.link)
	}
}
