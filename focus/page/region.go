package page

// region is a part of the page that may become a block: an element that cuts blocks, or what follows a heading or a
// rule inside one. Region 0 is the body.
type region struct {
	parent  int32
	section int32 // where its text goes since the last heading or rule inside it; 0 means to itself
	heading int32 // the last heading that speaks for what stands in it now, or nothing
	title   int32 // the first heading inside of it, or nothing
	before  int32 // the nearest heading before it, or nothing
	width   int32 // in pixels, 0 where unknown
	style   uint64
	hints   hint
	tag     tag
	begun   bool // it has had content other than headings
	framed  bool // it is a frame
	cut     bool // it began at a heading or a rule
	class   []byte
	chars   int32
	anchors int32
	links   int32
	rows    int32 // of a table: how many rows and cells it has
	cells   int32

	headChars  int32 // characters of headings, and those of them that are links
	headLinked int32
}

// maxRegions bounds the parts of a page.
const maxRegions = 20000

// current is where content of region i goes now.
func (r *reading) current(i int32) int32 {
	if s := r.regions[i].section; s != 0 {
		return s
	}
	return i
}

// addRegion adds a region inside parent, or answers parent at the bound.
func (r *reading) addRegion(parent int32, g region) int32 {
	if len(r.regions) >= maxRegions {
		r.bound("blocks")
		return parent
	}
	g.parent, g.title, g.before = parent, nothing, r.headingOf(parent)
	r.regions = append(r.regions, g)
	return int32(len(r.regions) - 1)
}

// openRegion lets the innermost element begin a region, if it is one that does.
func (r *reading) openRegion(t tag, f fact, h hint) {
	e := r.top()
	if e.link != nothing && r.links[e.link].width <= maxAnchor {
		return // what stands in a link is the link's anchor
	}
	look, styled := r.look(t)
	if f&cutsBlock == 0 && !styled {
		return
	}
	if t == tagUl || t == tagOl {
		if e.lists > 1 && !styled && len(e.class) == 0 && r.insideItem() {
			return // a list in an item of a list, in the same style
		}
	}
	parent := r.current(e.region)
	r.regions[parent].begun = true
	g := region{heading: nothing, tag: t, class: e.class, style: look, hints: h & hintsOfBlocks, width: r.width(t, e.region)}
	if t == tagTd || t == tagTh {
		r.regions[e.region].cells++
	}
	e.region = r.addRegion(parent, g)
}

// insideItem says whether the element below the innermost is an item of a list.
func (r *reading) insideItem() bool {
	n := len(r.stack)
	return n >= 2 && r.stack[n-2].tag == tagLi
}

// split begins a new region inside the innermost one, unless that one has only just begun.
func (r *reading) split() {
	e := r.top()
	at := r.current(e.region)
	if !r.regions[at].begun {
		return
	}
	from := &r.regions[e.region]
	g := region{heading: from.heading, tag: from.tag, class: from.class, style: from.style, cut: true, width: from.width}
	if s := r.addRegion(e.region, g); s != e.region {
		r.regions[e.region].section = s
	}
}

// openHeading begins a new region at a heading.
func (r *reading) openHeading() {
	r.split()
	r.heading = int32(len(r.prose.buf))
}

// closeHeading notes a heading's text; it speaks for what follows it in its region, and in the region around that,
// since authors like to wrap headings.
func (r *reading) closeHeading(e *element) {
	from, to := r.heading, int32(len(r.prose.buf))
	for from < to && isSpace(r.prose.buf[from]) {
		from++
	}
	if from >= to {
		return
	}
	h := int32(len(r.headings))
	r.headings = append(r.headings, span{from, to})
	at := r.current(e.region)
	r.speak(at, h)
	if p := r.regions[at].parent; p != nothing {
		r.speak(p, h)
	}
}

// speak lets a heading speak for region i.
func (r *reading) speak(i, heading int32) {
	g := &r.regions[i]
	if g.heading = heading; g.title == nothing {
		g.title = heading
	}
}

// headingOf is the nearest heading before what stands in region i now, or nothing.
func (r *reading) headingOf(i int32) int32 {
	for ; i != nothing; i = r.regions[i].parent {
		if h := r.regions[i].heading; h != nothing {
			return h
		}
	}
	return nothing
}

// frame adds a frame's link, in a region of its own: a frame always cuts.
func (r *reading) frame(s Source) {
	if r.inert > 0 {
		return
	}
	before := r.current(r.top().region)
	r.regions[before].begun = true
	own := r.addRegion(before, region{heading: nothing, tag: tagIframe, framed: true})
	if i := r.addLink(s); i != nothing {
		r.regions[r.links[i].region].links--
		r.links[i].region = own
		r.regions[own].links++
	}
}
