package page

import "slices"

// mode says which part of a table, if any, the innermost open element belongs to. The standard's other insertion
// modes follow from the stack.
type mode uint8

const (
	inBody mode = iota
	inTable
	inColumns
	inCaption
	inTableBody
	inRow
	inCell
)

var modes = [tagCount]mode{
	tagTable: inTable, tagColgroup: inColumns, tagCaption: inCaption, tagTbody: inTableBody, tagThead: inTableBody,
	tagTfoot: inTableBody, tagTr: inRow, tagTd: inCell, tagTh: inCell,
}

// element is an open element and what it passes on to all that stands inside of it.
type element struct {
	tag    tag
	mode   mode
	level  uint8 // of the heading it stands in, 0 for none
	lists  uint8 // how many lists it stands in
	loud   bool
	silent bool
	pre    bool
	bare   bool   // it is a q whose author has written the marks himself
	serial int32  // tells a reopened formatting element from others of its name
	own    int32  // the link this element is, or nothing
	link   int32  // the link it stands in, or nothing
	region int32  // the region it belongs to
	part   int32  // the part it belongs to
	name   []byte // as written
	class  []byte
	raised map[rune]rune // the letters for its text, where it stands higher or lower
}

// nothing is an index that points nowhere.
const nothing = -1

func (r *reading) top() *element { return &r.stack[len(r.stack)-1] }

// push opens an element. Implied elements have no attributes. It answers false when nesting is at its bound.
func (r *reading) push(t tag, implied bool) bool {
	if len(r.stack) >= r.o.MaxDepth {
		r.bound("depth")
		return false
	}
	above := r.top()
	r.serial++
	e := element{
		tag: t, mode: above.mode, serial: r.serial, own: nothing, region: above.region, part: above.part, lists: above.lists,
		pre: above.pre || t == tagPre || t == tagListing, silent: above.silent, raised: above.raised,
	}
	if m := modes[t]; m != inBody {
		e.mode = m
	}
	if !implied {
		e.name = r.name
		e.class, _ = r.attribute("class")
	}
	if t == tagUl || t == tagOl || t == tagDl {
		e.lists++
	}
	if facts[t]&isSilent != 0 {
		e.silent = true
	}
	inherit(&e, above)
	r.stack = append(r.stack, e)
	if t == tagP {
		r.paragraphs++
	}
	r.opening(t, implied)
	return true
}

// inherit works out what depends on the elements around, which misnested end tags may take away later.
func inherit(e, above *element) {
	e.link, e.level = above.link, above.level
	e.loud = above.loud || facts[e.tag]&isEmphasis != 0
	if e.own != nothing {
		e.link = e.own
	}
	if facts[e.tag]&isHeading != 0 {
		e.level = uint8(e.tag-tagH1) + 1
	}
}

// inheritFrom works it out again for the elements from i on.
func (r *reading) inheritFrom(i int) {
	for i = max(i, 1); i < len(r.stack); i++ {
		inherit(&r.stack[i], &r.stack[i-1])
	}
}

// popTo closes all elements from i on.
func (r *reading) popTo(i int) {
	for n := len(r.stack) - 1; n >= max(i, 1); n-- {
		e := &r.stack[n]
		if e.tag == tagP {
			r.paragraphs--
		}
		r.closing(e)
		r.stack = r.stack[:n]
	}
}

func (r *reading) pop() { r.popTo(len(r.stack) - 1) }

// scope says what hides an open element from the search for it.
type scope uint8

const (
	defaultScope scope = iota
	itemScope
	buttonScope
	tableScope
)

// inScope finds the innermost open element that is one of wanted, or nothing.
func (r *reading) inScope(s scope, wanted ...tag) int {
	for i := len(r.stack) - 1; i >= 0; i-- {
		t := r.stack[i].tag
		if slices.Contains(wanted, t) {
			return i
		}
		switch {
		case s == tableScope:
			if t == tagHtml || t == tagTable || t == tagTemplate {
				return nothing
			}
		case facts[t]&endsScope != 0, s == itemScope && (t == tagUl || t == tagOl), s == buttonScope && t == tagButton:
			return nothing
		}
	}
	return nothing
}

// popUntil closes the innermost open element that is one of wanted, and all inside of it, if it is in scope.
func (r *reading) popUntil(s scope, wanted ...tag) bool {
	i := r.inScope(s, wanted...)
	if i == nothing {
		return false
	}
	r.popTo(i)
	return true
}

// closeP closes an open paragraph.
func (r *reading) closeP() {
	if r.paragraphs == 0 {
		return
	}
	for i := len(r.stack) - 1; i >= 0; i-- {
		t := r.stack[i].tag
		if t == tagP {
			r.popTo(i)
			return
		}
		if t == tagButton || facts[t]&endsScope != 0 {
			return
		}
	}
}

// impliedEnds closes the innermost elements whose end tags may be left out.
func (r *reading) impliedEnds(except tag) {
	for {
		t := r.top().tag
		if facts[t]&isImplied == 0 || t == except && except != none {
			return
		}
		r.pop()
	}
}

// clearTo closes elements until the innermost one is one of context.
func (r *reading) clearTo(context ...tag) {
	for i := len(r.stack) - 1; i >= 0; i-- {
		t := r.stack[i].tag
		if t == tagHtml || t == tagTemplate {
			r.popTo(i + 1)
			return
		}
		if slices.Contains(context, t) {
			r.popTo(i + 1)
			return
		}
	}
}

// contains says whether an element of that name is open.
func (r *reading) contains(t tag) bool {
	for i := range r.stack {
		if r.stack[i].tag == t {
			return true
		}
	}
	return false
}

// special says whether an element of that name ends the search for a matching start tag.
func special(t tag) bool { return facts[t]&isSpecial != 0 }
