package page

// columnsStart is startTag inside a group of columns.
func (r *reading) columnsStart(t tag) (again bool) {
	switch t {
	case tagHtml, tagTemplate:
		r.bodyStart(t)
		return false
	case tagCol:
		r.column()
		return false
	}
	if r.top().tag != tagColgroup {
		return false
	}
	r.pop()
	return true
}

// tableStart is startTag anywhere inside a table.
func (r *reading) tableStart(t tag, m mode) (again bool) {
	switch t {
	case tagCaption, tagCol, tagColgroup, tagTbody, tagTfoot, tagThead, tagTr, tagTd, tagTh:
		return r.tablePart(t, m)
	}
	if m == inCell || m == inCaption {
		r.bodyStart(t)
		return false
	}
	switch t {
	case tagTable:
		return r.popUntil(tableScope, tagTable)
	case tagForm:
		if r.form == 0 && !r.contains(tagTemplate) && r.push(t, false) {
			r.form = r.top().serial
			r.pop()
		}
		return false
	}
	r.bodyStart(t)
	return false
}

// tablePart is startTag for a part of a table. It closes parts that cannot hold t, opens parts that are implied, and
// asks to be called again until t stands where it belongs.
func (r *reading) tablePart(t tag, m mode) (again bool) {
	cell := t == tagTd || t == tagTh
	switch m {
	case inCell:
		return r.closeMarked(tagTd, tagTh)
	case inCaption:
		if t == tagTh {
			return false
		}
		return r.closeMarked(tagCaption)
	case inRow:
		if cell {
			r.clearTo(tagTr)
			if r.push(t, false) {
				r.mark()
			}
			return false
		}
		return r.closeRow()
	case inTableBody:
		switch {
		case t == tagTr:
			r.clearTo(tagTbody, tagThead, tagTfoot)
			r.push(t, false)
			return false
		case cell:
			r.clearTo(tagTbody, tagThead, tagTfoot)
			return r.push(tagTr, true)
		}
		return r.popUntil(tableScope, tagTbody, tagThead, tagTfoot)
	}
	return r.directPart(t, cell)
}

// directPart is tablePart right inside the table.
func (r *reading) directPart(t tag, cell bool) (again bool) {
	r.clearTo(tagTable)
	switch {
	case cell, t == tagTr:
		return r.push(tagTbody, true)
	case t == tagCol:
		return r.push(tagColgroup, true)
	}
	if !r.push(t, false) {
		return false
	}
	switch _, sized := r.attribute("width"); {
	case t == tagCaption:
		r.mark()
	case t == tagColgroup && sized:
		r.column()
	}
	return false
}

// closeRow closes the row that is open in this table.
func (r *reading) closeRow() bool {
	if r.inScope(tableScope, tagTr) == nothing {
		return false
	}
	r.clearTo(tagTr)
	r.pop()
	return true
}

// closeMarked closes a cell or a caption, with the formatting opened inside of it.
func (r *reading) closeMarked(wanted ...tag) bool {
	if !r.popUntil(tableScope, wanted...) {
		return false
	}
	r.unmark()
	return true
}
