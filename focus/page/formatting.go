package page

import "slices"

// reopened is an entry in the list of formatting elements that are reopened after a block has closed them, or a
// marker (serial 0), beyond which nothing is reopened.
type reopened struct {
	serial int32
	own    int32 // the link, if it is an a element
	tag    tag
}

// mark bounds the reopening of formatting elements: those from outside of a cell are not reopened inside.
func (r *reading) mark() { r.formats = append(r.formats, reopened{}) }

// unmark forgets the formatting elements opened since the last marker.
func (r *reading) unmark() {
	for n := len(r.formats); n > 0; n-- {
		marker := r.formats[n-1].serial == 0
		r.formats = r.formats[:n-1]
		if marker {
			return
		}
	}
}

// family is how many formatting elements of one name are reopened at most (the standard's Noah's Ark clause, which
// also compares attributes: that matters for how a page looks, not for what it says).
const family = 3

// remember puts the innermost open element in the list.
func (r *reading) remember() {
	e := r.top()
	count, first := 0, nothing
	for i := len(r.formats) - 1; i >= 0 && r.formats[i].serial != 0; i-- {
		if r.formats[i].tag == e.tag {
			count, first = count+1, i
		}
	}
	if count >= family {
		r.formats = slices.Delete(r.formats, first, first+1)
	}
	r.formats = append(r.formats, reopened{serial: e.serial, own: e.own, tag: e.tag})
}

// open is the place of an element among the open ones, or nothing.
func (r *reading) open(serial int32) int {
	for i := len(r.stack) - 1; i >= 0; i-- {
		if r.stack[i].serial == serial {
			return i
		}
	}
	return nothing
}

// listed is the place of an element in the list, or nothing.
func (r *reading) listed(serial int32) int {
	for i := len(r.formats) - 1; i >= 0; i-- {
		if r.formats[i].serial == serial {
			return i
		}
	}
	return nothing
}

// reopen opens again the formatting elements that a block's end has closed and their own end tag has not.
func (r *reading) reopen() {
	i := len(r.formats)
	for i > 0 && r.formats[i-1].serial != 0 && r.open(r.formats[i-1].serial) == nothing {
		i--
	}
	for ; i < len(r.formats); i++ {
		f := &r.formats[i]
		if !r.push(f.tag, true) {
			return
		}
		e := r.top()
		e.own, f.serial = f.own, e.serial
		r.inheritFrom(len(r.stack) - 1)
	}
}

// take removes one element from among the open ones and leaves those inside of it open.
func (r *reading) take(i int) {
	switch r.stack[i].tag {
	case tagSvg, tagMath:
		r.enterForeign(-1)
	case tagP:
		r.paragraphs--
	}
	r.stack = slices.Delete(r.stack, i, i+1)
	r.inheritFrom(i)
}

func (r *reading) unlist(i int) { r.formats = slices.Delete(r.formats, i, i+1) }

// adopt acts on the end tag of a formatting element: the standard's adoption agency algorithm, of which only what it
// does to the open elements matters here.
func (r *reading) adopt(t tag) {
	if e := r.top(); e.tag == t && r.listed(e.serial) == nothing {
		r.pop()
		return
	}
	for range 8 {
		at := r.lastFormat(t)
		if at == nothing {
			r.otherEnd(t)
			return
		}
		format := r.formats[at]
		i := r.open(format.serial)
		if i == nothing {
			r.unlist(at)
			return
		}
		if r.inScope(defaultScope, t) == nothing {
			return
		}
		block := i
		for block < len(r.stack) && !special(r.stack[block].tag) {
			block++
		}
		if block == len(r.stack) {
			r.popTo(i)
			r.unlist(at)
			return
		}
		r.reparent(format, i, block)
	}
}

// lastFormat is the last element of that name in the list, up to a marker, or nothing.
func (r *reading) lastFormat(t tag) int {
	for i := len(r.formats) - 1; i >= 0 && r.formats[i].serial != 0; i-- {
		if r.formats[i].tag == t {
			return i
		}
	}
	return nothing
}

// reparent is one round of adopt: the formatting element at i moves inside the block.
func (r *reading) reparent(format reopened, i, block int) {
	serial := r.stack[block].serial
	bookmark, innermost := r.listed(format.serial), true
	for n, x := 1, block-1; x > i; n, x = n+1, x-1 {
		e := &r.stack[x]
		at := r.listed(e.serial)
		switch {
		case at != nothing && n > 3:
			r.unlist(at)
			if at <= bookmark {
				bookmark--
			}
		case at == nothing:
			r.take(x)
		default:
			r.serial++
			e.serial, r.formats[at].serial = r.serial, r.serial
			if innermost {
				bookmark, innermost = at+1, false
			}
		}
	}
	r.serial++
	old := r.listed(format.serial)
	if old < bookmark {
		bookmark--
	}
	r.unlist(old)
	r.formats = slices.Insert(r.formats, bookmark, reopened{serial: r.serial, own: format.own, tag: format.tag})
	moved := r.stack[i]
	moved.serial = r.serial
	r.stack = slices.Delete(r.stack, i, i+1)
	r.stack = slices.Insert(r.stack, r.open(serial)+1, moved)
	r.inheritFrom(i)
}
