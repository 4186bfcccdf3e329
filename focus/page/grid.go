package page

import (
	"strings"
	"unicode/utf8"
)

// grid is a table of data as it is written: a row a line, a rule below the first, and no row that has no text. Tables that lay a page out
// are none: what stands in their cells are parts of a page, with lines and blocks of their own.
type grid struct {
	columns int       // of the open table of data; 0 outside of one
	rows    int       // that are written
	column  int       // of the cell that is open, 0 outside of a row
	filled  int       // the columns of the row that are written
	shown   columnSet // that a cell begins in; there is no need to show others
	item    bool      // the next text is another item of a list in the cell
	places  places
}

// inCell says whether text stands in a cell of a table of data, which is one line.
func (g *grid) inCell() bool { return g.columns > 0 && g.column > 0 }

// beginTable begins a table of data if it is one. In a heading, and in what is laid out, there is no room for it.
func (w *markdown) beginTable() {
	w.newLine(2, "")
	if w.grid = (grid{}); !w.pre && !w.heading {
		w.columns, w.shown = w.dataColumns()
	}
}

func (w *markdown) endTable() {
	w.endRow()
	w.grid = grid{}
	w.newLine(2, "")
}

// reachCell writes the row up to the open cell, before the first text of it.
func (w *markdown) reachCell() {
	if w.filled < w.column {
		w.closeStrong()
		w.close()
	}
	if w.filled == 0 {
		w.breaks, w.prefix = 1, ""
		if w.rows == 0 {
			w.breaks = 2
		}
		w.breakLines()
		w.put("| ")
		w.filled = 1
	}
	w.fill(w.column)
	w.breaks = 0
}

// fill leaves the cells before a column empty that have had no text.
func (w *markdown) fill(column int) {
	for ; w.filled < column; w.filled++ {
		w.put(nextCell)
	}
}

// endRow ends a row. The first one has all columns, since what stands beyond it would not be shown.
func (w *markdown) endRow() {
	if w.filled > 0 {
		w.closeStrong()
		w.close()
		if w.fill(w.column); w.rows == 0 {
			w.fill(w.columns)
		}
		w.put(" |")
		if w.rows++; w.rows == 1 {
			w.put("\n|" + strings.Repeat(" --- |", w.columns))
		}
	}
	w.column, w.filled = 0, 0
	w.places.endRow()
}

// headedCell is how many characters a cell of a table may have that is headed: what something means, in a table of words or options.
const headedCell = 1000

// nextItem parts the items of a list in a cell, which has one line, before the text of the next.
func (w *markdown) nextItem() {
	if w.item {
		w.closeStrong()
		w.close()
		w.put("<br>")
		w.item = false
	}
}

// openRow is the row that is counted.
type openRow struct {
	last         int // column that a cell begins in
	begun        columnSet
	said, passed int // its cells that have text that is kept, and those that reach into it from above
	cells, heads int // all of its own, and those that head others
}

// census counts a table, to tell tables of data from those that lay a page out.
type census struct {
	w          *markdown
	run        int // the first run that may reach into the cell
	rows, full int // rows that have text that is kept, and those of them that have it in several cells
	last       int // the last column that a cell of them begins in; begun are the first of these
	begun      columnSet
	headed     bool // its first row heads the others: it is one of data whatever stands in them
	open       openRow
	cell       int32     // where the open cell begins, or nothing
	spoken     columnSet // in which the last cell has text that is kept
	places     places
}

// dataColumns is how many columns the table has that begins at the next mark, and which they are; 0 if it is none of data: one of data has
// several cells in most of its rows, and short text without blocks of their own in its cells, or a row of heads and lists or longer text below it.
func (w *markdown) dataColumns() (int, columnSet) {
	c := census{w: w, run: w.at, cell: nothing}
	marks := w.page.marks
	for i := w.mark + 1; i < len(marks); i++ {
		m := &marks[i]
		switch m.kind {
		case markList, markOrdered, markItem:
			if !c.headed {
				return 0, 0
			}
		case markHeading, markPre, markQuote, markTable:
			return 0, 0
		case markCell, markRow, markRows, markTableEnd:
			if !c.endCell(m.at) {
				return 0, 0
			}
		}
		switch m.kind {
		case markCell:
			c.beginCell(m)
		case markRow:
			c.endRow()
		case markRows:
			c.endRow()
			clear(c.places.down)
		case markTableEnd:
			return c.result()
		}
	}
	if len(marks) == maxMarks || !c.endCell(int32(len(w.page.prose))) {
		return 0, 0
	}
	return c.result()
}

func (c *census) result() (int, columnSet) {
	if c.endRow(); c.full < 2 && !c.headed || c.rows < 2 || 2*c.full <= c.rows && !c.headed {
		return 0, 0
	}
	return c.begun.among(c.last), c.begun
}

func (c *census) beginCell(m *mark) {
	c.open.cells++
	c.open.heads += int(m.arg / headCell)
	column, passed := c.places.cell(m.arg)
	c.cell = m.at
	c.open.last, c.open.begun = column, c.open.begun|1<<column
	c.open.passed += (passed & c.spoken).count()
}

// endCell counts the open cell, and answers false if it is too long for one of data.
func (c *census) endCell(at int32) bool {
	from := c.cell
	if c.cell = nothing; from == nothing {
		return true
	}
	most := smallCell
	if c.headed {
		most = headedCell
	}
	if utf8.RuneCountInString(c.w.page.prose[from:at]) > most {
		return false
	}
	own := allBefore(c.places.next) &^ allBefore(c.open.last)
	if c.spoken &^= own; from < at && c.kept(from, at) {
		c.spoken |= own
		c.open.said++
	}
	return true
}

func (c *census) endRow() {
	c.open.passed += (c.places.endRow() & c.spoken).count()
	if o := &c.open; o.said > 0 {
		c.headed = c.headed || c.rows == 0 && o.said > 1 && o.heads >= o.said && o.heads >= o.cells-1 // the first may be an empty corner
		c.rows++
		c.last, c.begun = max(c.last, o.last), c.begun|o.begun
		if o.said+o.passed > 1 {
			c.full++
		}
	}
	c.open = openRow{}
}

// kept says whether any of the page's text between two places is kept.
func (c *census) kept(from, to int32) bool {
	runs := c.w.page.Runs
	for ; c.run < len(runs) && runs[c.run].at < to; c.run++ {
		u := &runs[c.run]
		end := u.at + int32(len(u.Text))
		if end > from && c.w.page.harvested(u, c.w.main) {
			return true
		}
		if end > to {
			return false
		}
	}
	return false
}
