package page

import "bytes"

// nominal is the width a page is taken to have where it says only percentages.
const nominal = 1000

// maxWidth bounds what is believed of a width.
const maxWidth = 10000

// tableShape are the widths of an open table's columns, and which column comes next.
type tableShape struct {
	depth   int // of the stack at the table
	columns []int32
	next    int
}

// maxColumns bounds the columns of a table.
const maxColumns = 200

// column notes a col element, or a colgroup with a width of its own.
func (r *reading) column() {
	t := r.shape()
	if t == nil {
		return
	}
	v, _ := r.attribute("width")
	width := measure(v, r.regions[r.top().region].width)
	v, _ = r.attribute("span")
	for span := max(measure(v, 0), 1); span > 0 && len(t.columns) < maxColumns; span-- {
		t.columns = append(t.columns, width)
	}
}

// shape is the open table's shape, or nil.
func (r *reading) shape() *tableShape {
	depth := nothing
	for i := len(r.stack) - 1; i > 0 && depth == nothing; i-- {
		if r.stack[i].tag == tagTable {
			depth = i
		}
	}
	if depth == nothing {
		return nil
	}
	for n := len(r.tables); n > 0 && r.tables[n-1].depth > depth; n-- {
		r.tables = r.tables[:n-1]
	}
	if n := len(r.tables); n > 0 && r.tables[n-1].depth == depth {
		return &r.tables[n-1]
	}
	r.tables = append(r.tables, tableShape{depth: depth})
	return &r.tables[len(r.tables)-1]
}

// width is the width of the element whose tag was read: from its attributes, its inline style, its column, or the
// region around it. 0 is unknown.
func (r *reading) width(t tag, around int32) int32 {
	outer := r.regions[around].width
	if style, ok := r.attribute("style"); ok {
		if w := measure(declared(style), outer); w > 0 {
			return w
		}
	}
	if v, ok := r.attribute("width"); ok {
		if w := measure(v, outer); w > 0 {
			return w
		}
	}
	switch t {
	case tagTd, tagTh:
		return r.columnWidth()
	case tagTable:
		return 0 // as wide as its content
	}
	return outer
}

// columnWidth is the width of the column the cell that was read stands in, as far as col elements say it.
func (r *reading) columnWidth() int32 {
	if len(r.tables) == 0 {
		return 0
	}
	t := r.shape()
	if t == nil || t.next >= len(t.columns) {
		return 0
	}
	t.next++
	return t.columns[t.next-1]
}

// newRow begins a row of the open table.
func (r *reading) newRow() {
	if len(r.tables) == 0 {
		return
	}
	if t := r.shape(); t != nil {
		t.next = 0
	}
}

// declared is the value of the width property of an inline style.
func declared(style []byte) []byte {
	const name = "width"
	for at := 0; ; {
		i := bytes.Index(style[at:], []byte(name))
		if i < 0 {
			return nil
		}
		at += i
		whole := at == 0 || isSpace(style[at-1]) || style[at-1] == ';'
		at += len(name)
		rest := bytes.TrimLeft(style[at:], " \t\r\n")
		if !whole || len(rest) == 0 || rest[0] != ':' {
			continue
		}
		rest = rest[1:]
		if end := bytes.IndexByte(rest, ';'); end >= 0 {
			rest = rest[:end]
		}
		return rest
	}
}

// measure reads a length: "300", "300px" or "50%" of outer. 0 is one that cannot be read.
func measure(v []byte, outer int32) int32 {
	v = bytes.TrimSpace(v)
	n, i := int32(0), 0
	for i < len(v) && '0' <= v[i] && v[i] <= '9' && n <= maxWidth {
		n = n*10 + int32(v[i]-'0')
		i++
	}
	if i == 0 || n > maxWidth {
		return 0
	}
	if i < len(v) && v[i] == '.' {
		for i++; i < len(v) && '0' <= v[i] && v[i] <= '9'; i++ {
		}
	}
	switch unit := bytes.TrimSpace(v[i:]); {
	case len(unit) == 0, foldEqual(unit, "px"):
		return n
	case unit[0] == '%' && n <= 100:
		if outer == 0 {
			outer = nominal
		}
		return max(outer*n/100, 1)
	}
	return 0
}
