package page

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// harvested says which runs are the page's content: the main text, or all that is neither navigation nor advertisement where
// there is none.
func (p *Page) harvested(u *Run, hasMain bool) bool {
	if hasMain {
		return u.Main
	}
	if u.Block < 0 || int(u.Block) >= len(p.Blocks) {
		return true
	}
	k := p.Blocks[u.Block].Kind
	return k != Navigation && k != Advertisement
}

// hasMain says whether the page has a main text; of one that has none the whole is kept.
func (p *Page) hasMain() bool {
	return slices.ContainsFunc(p.Runs, func(u Run) bool { return u.Main })
}

// Saying is what the page says by itself, its title and main text: menus and the like are on all pages of its host.
func (p *Page) Saying() string { return p.Title + "\n" + p.MainText() }

// MainText is the clean text of the main block, one line per paragraph, and what is laid out in the lines it has. A page without
// one, like most hubs, gives all its text but navigation and advertisements.
func (p *Page) MainText() string {
	var b strings.Builder
	end := int32(nothing)
	main := p.hasMain()
	b.Grow(p.length(main))
	for i := range p.Runs {
		u := &p.Runs[i]
		if u.Position == Title || u.Position == Meta || !p.harvested(u, main) {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(p.gap(end, u.at))
		}
		if len(p.laid) > 0 && u.at >= 0 {
			b.WriteString(p.asLaid(u.at, u.at+int32(len(u.Text))))
		} else {
			b.WriteString(u.Text)
		}
		end = u.at + int32(len(u.Text))
	}
	return b.String()
}

// length is about how long the main text is.
func (p *Page) length(main bool) (n int) {
	for i := range p.Runs {
		if u := &p.Runs[i]; p.harvested(u, main) {
			n += len(u.Text) + 1
		}
	}
	return n
}

// gap is what stands between two runs.
func (p *Page) gap(end, at int32) string {
	if end < 0 || end > at || int(at) > len(p.prose) {
		return "\n"
	}
	if at <= end+1 {
		return p.asLaid(end, at)
	}
	if strings.IndexByte(p.prose[end:at], '\n') < 0 { // a few words are left out of a line
		if p.joins(end, at) {
			return ""
		}
		return " "
	}
	return "\n"
}

// Markdown is the main block as Markdown: headings, lists, quotations, tables of data, links, strong words, text as it was
// laid out. Like MainText it gives a page without a main block as a whole.
func (p *Page) Markdown() string {
	w := markdown{page: p, main: p.hasMain(), link: nothing, number: nothing}
	w.out.Grow(w.page.length(w.main) * 9 / 8) // with what marks it up
	for i := range p.Runs {
		u := &p.Runs[i]
		if u.at < 0 || u.Position == Title || u.Position == Meta {
			continue
		}
		w.at = i
		w.run(u)
	}
	w.marksUpTo(int32(len(p.prose)))
	w.closeStrong()
	w.close()
	w.keepHashes()
	w.endRow()
	w.endPre() // what the page has left open ends with it
	return strings.TrimSpace(w.out.String())
}

// markdown writes runs, and what the marks between and inside of them ask for. Line breaks, prefixes and opening
// brackets wait until there is text for them.
type markdown struct {
	page *Page
	main bool
	out  bytes.Buffer
	at   int // the run that is written
	mark int // the next mark
	end  int32

	breaks  int
	prefix  string
	heading bool
	pre     bool
	indent  string // of the next line of the block that is laid out
	fence   string // what stands around the block that is laid out
	opens   string // and before it
	cells   int    // of the row so far
	begins  int    // where the text of the line does

	link    int32 // the open link, or nothing
	inLink  bool  // its bracket is written
	counts  [16]int
	ordered [16]bool
	number  int // of the next item, where the page says it, or nothing

	stars
	codes
	nested
	grid
}

func (w *markdown) run(u *Run) {
	from, to := u.at, u.at+int32(len(u.Text))
	w.marksUpTo(from)
	if !w.page.harvested(u, w.main) {
		w.close()
		if strings.IndexByte(w.page.prose[min(w.end, from):to], '\n') >= 0 {
			w.breaks = 2
		}
		return
	}
	if w.end < from && !w.page.joins(w.end, from) {
		w.space(w.page.asLaid(w.end, from))
	}
	for from < to {
		next := to
		if w.mark < len(w.page.marks) {
			next = min(max(w.page.marks[w.mark].at, from), to)
		}
		w.text(w.page.asLaid(from, next))
		from = next
		if from < to {
			w.marksUpTo(from)
		}
	}
	w.end = to
}

func (w *markdown) marksUpTo(at int32) {
	for ; w.mark < len(w.page.marks) && w.page.marks[w.mark].at <= at; w.mark++ {
		w.change(&w.page.marks[w.mark])
	}
}

// change acts on one mark.
func (w *markdown) change(m *mark) {
	depth := min(max(int(m.arg), 1), len(w.counts)) - 1
	switch m.kind {
	case markParagraph:
		if !w.inCell() {
			w.newLine(2, "")
		}
	case markLine:
		if !w.heading && !w.inCell() { // which are one line
			w.newLine(1, w.prefix)
		}
	case markHeading:
		w.newLine(2, strings.Repeat("#", int(m.arg))+" ")
		w.heading = true
	case markHeadingEnd:
		w.keepHashes()
		w.newLine(2, "")
		w.heading = false
	case markList, markOrdered, markNumber, markItem, markItemEnd:
		w.listed(m, depth)
	case markTable:
		w.beginTable()
	case markTableEnd:
		w.endTable()
	case markRows:
		w.endRow()
		clear(w.places.down)
	case markRow:
		w.endRow()
		w.newLine(1, "")
		w.cells = 0
	case markCell:
		w.newCell(m.arg)
	case markQuote:
		w.newLine(2, "")
		w.enterQuote()
	case markQuoteEnd:
		w.newLine(2, "")
		w.leave(true)
	case markPre:
		w.beginPre(m.at, m.arg)
	case markPreEnd:
		w.endPre()
	case markCode, markCodeEnd:
		w.code = m.kind == markCode
	case markLink, markLinkEnd:
		w.close()
		w.link = nothing
		if m.kind == markLink {
			w.link = m.arg
		}
	case markStrongEnd:
		if next := w.mark + 1; next < len(w.page.marks) && w.page.marks[next] == (mark{at: m.at, kind: markStrong}) {
			return // it goes on
		}
		w.endStrong(m.at)
		w.strong = false
	case markStrong:
		w.strong = true
	}
}

// listed acts on a mark of a list. In a cell its items are parts of the line.
func (w *markdown) listed(m *mark, depth int) {
	if w.inCell() {
		w.item = w.item || m.kind == markItem && w.filled == w.column
		return
	}
	switch m.kind {
	case markList, markOrdered:
		w.ordered[depth], w.counts[depth], w.number = m.kind == markOrdered, 0, nothing
		w.newLine(2-min(depth, 1), "")
	case markNumber:
		w.number = int(m.arg)
	case markItem:
		w.newLine(1, "")
		w.beginItem(depth)
	case markItemEnd:
		w.newLine(1, "")
		w.leave(false)
	}
}

// beginItem begins an item of the list of a depth.
func (w *markdown) beginItem(depth int) {
	if w.counts[depth]++; w.number != nothing {
		w.counts[depth], w.number = w.number, nothing
	}
	sign := itemSign
	if w.ordered[depth] {
		sign = strconv.Itoa(w.counts[depth]) + ". "
	}
	w.enterItem(sign)
}

// newLine asks for line breaks before the next text, and for what stands before it on its line. In a block that is laid out it is
// just the next line.
func (w *markdown) newLine(breaks int, prefix string) {
	if w.pre {
		breaks, prefix = 1, w.prefix
	}
	w.breaks = max(w.breaks, breaks)
	w.prefix = prefix
}

// nextCell stands between the cells of a row.
const nextCell = " | "

// newCell separates the cells of a row that have text.
func (w *markdown) newCell(reach int32) {
	if w.columns > 0 {
		column, _ := w.places.cell(reach)
		w.column, w.item = w.shown.among(column), false
	} else if w.cells > 0 && w.breaks < 2 {
		w.closeStrong()
		w.close()
		w.breaks, w.prefix = 0, nextCell
	}
}

// space writes the white space between two words, unless more is due anyway.
func (w *markdown) space(gap string) {
	switch {
	case gap == "":
	case w.inCell():
		if w.filled == w.column && !w.item {
			w.putByte(' ')
		}
		return
	case w.pre && (w.breaks > 0 || w.prefix != ""):
		if w.indent = lastLine(gap); w.breaks > 0 && w.prefix != w.opens {
			w.breaks = max(w.breaks, strings.Count(gap, "\n"))
		}
	case w.pre:
		w.put(gap)
	}
	if gap == "" || w.pre || w.breaks > 0 || w.prefix != "" || w.out.Len() == 0 {
		return
	}
	if gap[0] == '\n' && !w.heading {
		w.putByte('\n')
		return
	}
	w.putByte(' ')
}

// text writes text, after what is due before it.
func (w *markdown) text(s string) {
	if !w.pre || w.breaks > 0 || w.prefix != "" {
		trimmed := strings.TrimLeftFunc(s, unicode.IsSpace)
		w.space(s[:len(s)-len(trimmed)])
		s = trimmed
	}
	if s == "" {
		return
	}
	if w.inCell() {
		w.reachCell()
		w.nextItem()
	}
	w.breakLines()
	begins := (w.out.Len() == 0 || w.fresh || w.prefix != "" && w.prefix != nextCell) && !strings.HasPrefix(w.prefix, "#")
	w.put(w.prefix)
	w.put(w.indent)
	w.prefix, w.indent = "", ""
	w.cells++
	if w.fresh {
		w.beginLine(s[0] == '\n')
	}
	bare := w.out.Len()
	if begins {
		w.begins = bare
	}
	if s = w.openStrong(s); s == "" {
		return
	}
	if w.link != nothing && !w.inLink && !w.pre {
		w.openLink()
	}
	if w.code && !w.pre {
		w.writeCode(s)
		return
	}
	w.escape(s, begins && w.out.Len() == bare)
}

// breakLines writes the line breaks that are due.
func (w *markdown) breakLines() {
	if w.breaks == 0 {
		return
	}
	w.closeStrong()
	w.close()
	w.keepHashes()
	begins := !w.pre || w.prefix == w.opens // what is laid out stands in quotations and items as a whole
	if begins {
		w.between()
	}
	if w.out.Len() > 0 {
		w.put(strings.Repeat("\n", w.breaks))
	}
	if begins {
		w.begin()
	}
	w.breaks = 0
}
