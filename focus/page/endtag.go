package page

// endTag closes what an end tag closes.
func (r *reading) endTag(t tag) {
	if r.inFrameset() {
		r.framesetEnd(t)
		return
	}
	if r.foreign > 0 && r.foreignEnd(t) {
		return
	}
	if r.hidden && conceals(t) {
		for i := len(r.stack) - 1; i > 0; i-- {
			if r.stack[i].tag == t {
				r.popTo(i)
				break
			}
		}
		return
	}
	for again := true; again; {
		switch m := r.top().mode; {
		case m == inBody:
			r.bodyEnd(t)
			return
		default:
			again = r.tableEnd(t, m)
		}
	}
}

// tableEnd is endTag anywhere inside a table.
func (r *reading) tableEnd(t tag, m mode) (again bool) {
	switch m {
	case inColumns:
		return r.columnsEnd(t)
	case inCell:
		return r.cellEnd(t)
	case inCaption:
		return r.captionEnd(t)
	}
	switch t {
	case tagBody, tagCaption, tagCol, tagColgroup, tagHtml, tagTd, tagTh:
		return false
	case tagTr:
		if m == inRow {
			r.closeRow()
		}
		return false
	case tagTbody, tagTfoot, tagThead:
		return r.tableBodyEnd(t, m)
	case tagTable:
		return r.wholeTableEnd(m)
	}
	r.bodyEnd(t)
	return false
}

func (r *reading) tableBodyEnd(t tag, m mode) (again bool) {
	if m == inTable || r.inScope(tableScope, t) == nothing {
		return false
	}
	if m == inRow {
		return r.closeRow()
	}
	r.clearTo(tagTbody, tagThead, tagTfoot)
	r.pop()
	return false
}

func (r *reading) wholeTableEnd(m mode) (again bool) {
	switch m {
	case inRow:
		return r.closeRow()
	case inTableBody:
		return r.popUntil(tableScope, tagTbody, tagThead, tagTfoot)
	}
	r.popUntil(tableScope, tagTable)
	return false
}

func (r *reading) columnsEnd(t tag) (again bool) {
	switch t {
	case tagColgroup:
		if r.top().tag == tagColgroup {
			r.pop()
		}
		return false
	case tagCol:
		return false
	case tagTemplate:
		r.bodyEnd(t)
		return false
	}
	if r.top().tag != tagColgroup {
		return false
	}
	r.pop()
	return true
}

func (r *reading) cellEnd(t tag) (again bool) {
	switch t {
	case tagTd, tagTh:
		r.closeMarked(t)
		return false
	case tagBody, tagCaption, tagCol, tagColgroup, tagHtml:
		return false
	case tagTable, tagTbody, tagTfoot, tagThead, tagTr:
		return r.inScope(tableScope, t) != nothing && r.closeMarked(tagTd, tagTh)
	}
	r.bodyEnd(t)
	return false
}

func (r *reading) captionEnd(t tag) (again bool) {
	switch t {
	case tagCaption:
		r.closeMarked(tagCaption)
		return false
	case tagTable:
		return r.closeMarked(tagCaption)
	case tagBody, tagCol, tagColgroup, tagHtml, tagTbody, tagTd, tagTfoot, tagTh, tagThead, tagTr:
		return false
	}
	r.bodyEnd(t)
	return false
}

// bodyEnd is endTag outside of tables and inside cells.
func (r *reading) bodyEnd(t tag) {
	switch {
	case t == tagTemplate:
		r.templateEnd()
	case !r.hasBody && r.inert == 0:
		if t == tagBr || t == tagBody || t == tagHtml {
			r.needBody()
		}
		if t == tagBr {
			r.content(tagBr)
		}
	case t == tagBody || t == tagHtml:
	case t == tagA || facts[t]&isFormatting != 0:
		r.adopt(t)
	case t == tagP:
		if r.inScope(buttonScope, tagP) == nothing {
			r.push(tagP, true)
		}
		r.popUntil(buttonScope, tagP)
	case t == tagLi:
		r.popUntil(itemScope, tagLi)
	case t == tagDd || t == tagDt:
		r.popUntil(defaultScope, t)
	case facts[t]&isHeading != 0:
		r.popUntil(defaultScope, tagH1, tagH2, tagH3, tagH4, tagH5, tagH6)
	case t == tagForm:
		r.formEnd()
	case t == tagApplet || t == tagMarquee || t == tagObject:
		if r.popUntil(defaultScope, t) {
			r.unmark()
		}
	case t == tagBr:
		r.reopen()
		r.content(tagBr)
	case t == tagButton || t == tagListing || t == tagPre || t == tagSelect || facts[t]&closesP != 0:
		if r.inScope(defaultScope, t) != nothing {
			r.impliedEnds(none)
			r.popUntil(defaultScope, t)
		}
	default:
		r.otherEnd(t)
	}
}

// formEnd takes the form out of the open elements and leaves open what was opened inside of it.
func (r *reading) formEnd() {
	form := r.form
	if r.contains(tagTemplate) {
		if i := r.inScope(defaultScope, tagForm); i != nothing {
			r.popTo(i)
		}
		return
	}
	r.form = 0
	i := r.inScope(defaultScope, tagForm)
	if form == 0 || i == nothing || r.stack[i].serial != form {
		return
	}
	r.impliedEnds(none)
	if i == len(r.stack)-1 {
		r.pop()
		return
	}
	r.take(i)
}

func (r *reading) templateEnd() {
	for i := len(r.stack) - 1; i > 0; i-- {
		if r.stack[i].tag == tagTemplate {
			r.popTo(i)
			r.unmark()
			return
		}
	}
}

// otherEnd closes the innermost element of that name, unless a special element is open inside of it.
func (r *reading) otherEnd(t tag) {
	for i := len(r.stack) - 1; i > 0; i-- {
		e := &r.stack[i]
		if e.tag == t && (t != none || sameName(e.name, r.name)) {
			r.popTo(i)
			return
		}
		if special(e.tag) {
			return
		}
	}
}

func sameName(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i], b[i]
		if 'A' <= x && x <= 'Z' {
			x |= 0x20
		}
		if 'A' <= y && y <= 'Z' {
			y |= 0x20
		}
		if x != y {
			return false
		}
	}
	return true
}
