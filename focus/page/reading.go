package page

import "unicode/utf8"

// reading is the state of reading one page: the markup, what has been found in it so far, and what is made of that.
type reading struct {
	scanner
	building
	blocking

	o       Options
	lists   *Lists
	own     string // the host of the page
	page    *Page
	address string
	valid   bool // the page is valid UTF-8
	unseen  bool // there are signs in it that nobody sees

	prose    prose
	regions  []region
	headings []span
	heading  int32 // where the open heading's text begins
	links    []occurrence
	base     string
	said     said
	paths    paths
	tables   []tableShape
	parts    []part
	tried    int   // texts that were tried for the name of an author
	heeded   int   // parts that were looked through for who speaks in them
	sender   int32 // the part that says who wrote the letter that the page is, 0 or nothing for none
	article  bool  // author and date that stand on the page are its own, not those of the pages that it lists
}

// building is where the building of the tree stands: which elements are open, and what was there already.
type building struct {
	stack   []element
	formats []reopened
	serial  int32
	form    int32 // the serial of the open form, 0 for none
	foreign int   // how many svg and math elements are open
	inert   int   // how many template elements are open

	texScript bool // the open script is a formula
	island    bool // the open script is XML
	jump      jump // what the select does that was opened last
	source    int  // where the next script stands that is a formula
	sought    int  // bytes that were looked through for the source of formulas
	counted   int  // those that were looked through for the numbers of lines, and for what stands higher
	buttons   int  // how many there were
	annotated bool // a formula was written whose letters follow, set for the eye

	paragraphs int // how many p elements are open

	hasBody    bool
	framesetOK bool // a frameset may still take the body's place
	framesets  int
	wasFrames  bool // the page is a frameset
}

// blocking is what the regions of a page come to when its end has been read.
type blocking struct {
	block    []int32 // of each region, once blocks are made
	begins   []int32 // the region each block begins with
	hints    []hint  // of each block
	features []features
	claims   []int32          // for each heading, the region its links stand in, plus one
	weighed  []candidate      // what stands in each part
	seen     map[string]int32 // where the link to an address stands among the page's
	shingles []uint32         // scratch space
	other    string           // the host asked about last, and whether it is one of the page's site
	ours     bool
	theirs   bool    // whether it serves advertisements
	site     *string // the page's registered domain, once it was asked for
}

// span is a part of the page's text.
type span struct{ from, to int32 }

// run reads the markup from one end to the other, once. Nothing goes back: what can be said only when the rest is known, such as where a
// block ends and what surrounds a link, is noted by its place in the text and made in finish.
func (r *reading) run() {
	for {
		switch r.next() {
		case eofToken:
			if r.cut {
				r.bound("attributes")
			}
			return
		case textToken:
			r.readText()
		case startToken:
			r.startTag(r.tag)
		case endToken:
			r.endTag(r.tag)
		}
	}
}

// bound notes the first bound that cut the page short.
func (r *reading) bound(name string) {
	if r.page.Cut == "" {
		r.page.Cut = name
	}
}

// selfClosed tells of a tag that ends in "/>".
func (r *reading) selfClosed() bool {
	return r.pos >= 2 && r.src[r.pos-2] == '/'
}

// readText acts on a text token.
func (r *reading) readText() {
	switch r.raw {
	case none:
	case tagTitle:
		if r.said.title == "" && r.foreign == 0 && r.inert == 0 {
			r.said.title = plainText(Cut(r.text, maxSaid))
		}
		return
	case tagScript:
		if r.texScript {
			r.formula(r.text)
		}
		r.script(r.text)
		r.keptTime(r.text)
		if r.hidden {
			r.hiddenIn(r.text)
		}
		return
	case tagXmp, tagPlaintext:
		r.prose.line()
		defer r.prose.line()
	default:
		return
	}
	if blank(r.text) {
		if r.hasBody {
			r.prose.space(r.text, r.top().pre)
		}
		return
	}
	if r.inFrameset() || r.foreign > 0 {
		return
	}
	r.say()
}

// say adds the text token to what the page says where it stands.
func (r *reading) say() {
	r.needBody()
	if r.top().tag == tagColgroup {
		r.pop()
	}
	r.framesetOK = false
	r.reopen()
	e := r.top()
	if e.silent {
		return
	}
	where := e.region
	if facts[e.tag]&fosters != 0 {
		where = r.outsideTable()
	}
	r.write(e, r.current(where))
}

// outsideTable is the region in which the innermost table stands: text right inside a table is shown before it.
func (r *reading) outsideTable() int32 {
	for i := len(r.stack) - 1; i > 0; i-- {
		if r.stack[i].tag == tagTable {
			return r.stack[i-1].region
		}
	}
	return 0
}

// maxRuns bounds the runs of a page: nonsense may change its voice with every letter.
const maxRuns = 100000

// write adds the text token to the page's text.
func (r *reading) write(e *element, where int32) {
	chunk := r.room(r.text)
	if r.unseen {
		chunk = seen(chunk)
	}
	if len(chunk) == 0 {
		return
	}
	if !r.valid {
		chunk = toValid(chunk)
	}
	if e.raised != nil {
		chunk = spelt(chunk, e.raised)
	}
	link := e.link
	if link != nothing && r.links[link].width > maxAnchor {
		link = nothing
	}
	from := len(r.prose.buf)
	r.prose.voice(where, e.part, position(e, link), link)
	chars := r.prose.write(chunk, e.pre, r.raw == none)
	if chars == 0 {
		return
	}
	g := &r.regions[where]
	g.chars += chars
	if e.level == 0 {
		g.begun = true
	} else {
		g.headChars += chars
		if link != nothing {
			g.headLinked += chars
		}
	}
	if link != nothing {
		g.anchors += chars
		r.links[link].said(r, from, chars)
	}
}

// room is as much of a text as the bounds leave room for.
func (r *reading) room(text []byte) []byte {
	room := r.o.MaxText - len(r.prose.buf)
	if len(r.prose.runs) >= maxRuns {
		room = 0
	}
	if room >= len(text) {
		return text
	}
	r.bound("text")
	return Cut(text, room)
}

// position ranks the text inside e.
func position(e *element, link int32) Position {
	switch {
	case e.level == 1:
		return Top
	case e.level > 1:
		return Heading
	case e.loud:
		return Emphasis
	case link != nothing:
		return Anchor
	}
	return Body
}

// opening acts on an element that was just opened.
func (r *reading) opening(t tag, implied bool) {
	f := facts[t]
	switch {
	case breaksUp(r.top()):
		r.prose.line()
		r.prose.begun = r.top().pre
		if !implied {
			h, value := r.hintsHere(t)
			if f&(cutsBlock|cutsIfStyled) != 0 {
				r.openRegion(t, f, h)
			}
			r.openPart(t, h, value, true)
		}
		r.markOpen(t)
		if f&isHeading != 0 {
			r.openHeading()
		}
	case (inText(t) || r.isComponent(t)) && !implied:
		h, value := r.hintsHere(t)
		if h&hintsOfBlocks != 0 && !inText(t) {
			f |= cutsBlock
		}
		r.openRegion(t, f, h)
		r.openPart(t, h, value, false)
	case t == tagTemplate:
		r.inert++
	case t == tagSvg || t == tagMath:
	case t == tagCode && !implied:
		r.codeStart()
	case t == tagCode && !r.top().pre:
		r.prose.mark(markCode, 0)
	case t == tagQ:
		r.quote(0)
	case t == tagStrong || t == tagB:
		r.prose.mark(markStrong, 0)
	}
	titled := r.top().level == 1
	r.prose.apart = r.prose.apart || titled
	if inLine(t) && !implied {
		h, value := r.hintsHere(t)
		r.openPart(t, h, value, t == tagButton && r.top().level < 2)
	}
}

// closing acts on an element that is about to be closed.
func (r *reading) closing(e *element) {
	f := facts[e.tag]
	r.prose.apart = r.prose.apart || e.level == 1
	switch {
	case breaksUp(e):
		if r.prose.ends(); !e.pre || e.tag == tagPre {
			r.prose.empty = 0
		}
		r.prose.line()
		if f&isHeading != 0 {
			r.closeHeading(e)
		}
		r.markClose(e)
	case e.tag == tagTemplate:
		r.inert--
	case e.tag == tagSvg || e.tag == tagMath:
		r.enterForeign(-1)
	case e.own != nothing:
		r.prose.mark(markLinkEnd, e.own)
	case r.labels(e):
		r.prose.gap = spaced
	case e.tag == tagCode && !e.pre:
		r.prose.mark(markCodeEnd, 0)
	case e.tag == tagQ:
		r.quote(1)
	case e.tag == tagStrong || e.tag == tagB:
		r.prose.mark(markStrongEnd, 0)
	}
}

// content acts on an element without content.
func (r *reading) content(t tag) {
	switch t {
	case tagBr:
		r.newLine()
	case tagImg:
		if link := r.top().link; link != nothing {
			r.links[link].picture(&r.scanner)
		}
		r.formula(r.texPicture())
		r.insert(r.face())
	case tagArea:
		r.addLink(Area)
	}
}

// rule acts on a horizontal rule: what follows is another block.
func (r *reading) rule() {
	r.prose.line()
	r.prose.mark(markParagraph, 0)
	r.split()
}

func blank(b []byte) bool {
	for _, c := range b {
		if !isSpace(c) {
			return false
		}
	}
	return true
}

// Cut is the longest prefix of whole characters within n bytes.
func Cut[Text string | []byte](s Text, n int) Text {
	if len(s) <= n {
		return s
	}
	for n = max(n, 0); n > 0 && !utf8.RuneStart(s[n]); {
		n--
	}
	return s[:n]
}
