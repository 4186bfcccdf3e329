package page

import (
	"bytes"
	"math/bits"
	"strconv"
)

// maxSpanned is the column from which on each cell is one column and one row, whatever it says: a line of the source could ask for
// thousands of empty cells otherwise.
const maxSpanned = 50

// The cell's mark says how far the cell reaches: how many columns in its lower bits, how many rows above them. 0 is a cell of its own.
const columnBits = 10

// headCell says of a cell that it heads others.
const headCell = 1 << 30

// reach is what the attributes of the cell that opens say of it.
func (r *reading) reach() (reach int32) {
	if r.top().tag == tagTh {
		reach = headCell
	}
	columns, rows := r.span("colspan", 1<<columnBits-1), r.span("rowspan", 1<<16-1)
	if columns <= 1 && rows <= 1 {
		return reach
	}
	return reach | max(columns, 1) | max(rows, 1)<<columnBits
}

func (r *reading) span(name string, most int32) int32 {
	v, ok := r.attribute(name)
	if !ok {
		return 1
	}
	n, err := strconv.ParseUint(string(bytes.TrimSpace(v)), 10, 31)
	if err != nil {
		return 1
	}
	return min(int32(n), most)
}

// places tells which column a cell of a table stands in, where others reach into its row from above, or over several columns.
type places struct {
	down []int32 // of each column, the rows to come that a cell reaches into
	next int     // the column after the last cell of the open row
}

// columnSet is a set of the first columns of a table: all those that a cell may reach over or down into.
type columnSet uint64

func (c columnSet) count() int { return bits.OnesCount64(uint64(c)) }

// allBefore are the columns before one.
func allBefore(column int) columnSet { return 1<<min(column, 64) - 1 }

// among is the place of a column among those that are shown, the first being 1.
func (c columnSet) among(column int) int {
	return (c & allBefore(column)).count() + max(column-64, 0) + 1
}

// cell is the column of the next cell of the row, the first being 0, and which ones it passed that belong to rows above.
func (p *places) cell(reach int32) (column int, passed columnSet) {
	if reach &^= headCell; reach == 0 && len(p.down) == 0 {
		p.next++
		return p.next - 1, 0
	}
	for p.next < len(p.down) && p.down[p.next] > 0 {
		passed |= p.pass()
	}
	column = p.next
	wide, rows := int(reach&(1<<columnBits-1)), max(reach>>columnBits, 1)
	if column >= maxSpanned {
		rows = 1
	}
	for range max(min(wide, maxSpanned-column), 1) {
		if p.next < maxSpanned {
			for p.next >= len(p.down) {
				p.down = append(p.down, 0)
			}
			p.down[p.next] = rows - 1
		}
		p.next++
	}
	return column, passed
}

// pass goes past a column, and answers with it if it belongs to a row above.
func (p *places) pass() (passed columnSet) {
	if p.down[p.next] > 0 {
		p.down[p.next]--
		passed = 1 << p.next
	}
	p.next++
	return passed
}

// endRow ends the row, and tells which columns behind its last cell belong to rows above.
func (p *places) endRow() (passed columnSet) {
	for p.next < len(p.down) {
		passed |= p.pass()
	}
	p.next = 0
	return passed
}
