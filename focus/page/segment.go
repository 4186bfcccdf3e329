package page

// segments turns regions into blocks. A region is a block of its own if something stands right inside of it, with
// these exceptions: neighbours of one visual style are one block; a region around a single other one is that one; the
// cells of a table of data and the items of a list are one block.
type segments struct {
	g     []region
	first []int32 // first and next inner region of each, in the order of the page
	next  []int32
	into  []int32 // the region each has become part of, itself if none
	leaf  []bool  // no region inside of it is a block of its own
	flat  []bool  // all that is inside of it is part of it
	holds []bool  // small parts that have become part of it, though it may have no content of its own
	whole []weight
	block []int32 // of each region
}

// weight is what a region holds, inner regions included.
type weight struct{ chars, anchors, links int32 }

func (w *weight) add(more weight) {
	w.chars += more.chars
	w.anchors += more.anchors
	w.links += more.links
}

const (
	// smallCell is the text beyond which a cell of a table speaks of something of its own.
	smallCell = 200
	// smallCard is the text beyond which a part that repeats is more than an item in a list of items.
	smallCard = 600
	// fewChars is the text below which a part is too short to tell links from text by it.
	fewChars = 100
)

// newSegments strings the regions of each region together. They are numbered in the order of the page, a region after the one around
// it; gone through from the last to the first, each is put in front of its neighbours.
func newSegments(g []region) *segments {
	n := len(g)
	index := make([]int32, 4*n)
	flags := make([]bool, 3*n)
	s := &segments{
		g: g, first: index[:n], next: index[n : 2*n], into: index[2*n : 3*n], block: index[3*n:],
		leaf: flags[:n], flat: flags[n : 2*n], holds: flags[2*n:], whole: make([]weight, n),
	}
	for i := n - 1; i >= 0; i-- {
		s.into[i], s.first[i] = int32(i), nothing
		s.next[i] = nothing
	}
	for i := int32(n) - 1; i > 0; i-- {
		p := g[i].parent
		s.next[i], s.first[p] = s.first[p], i
	}
	return s
}

// join works from the inside out, so that what a region holds is settled before the region is.
func (s *segments) join() {
	for i := int32(len(s.g)) - 1; i >= 0; i-- {
		s.joinInside(i)
	}
}

// joinInside settles what stands right inside of a region: what is swallowed by it, what is one with its neighbour, and, where a single
// region is left and nothing beside it, that the two are one.
func (s *segments) joinInside(i int32) {
	g := &s.g[i]
	s.whole[i] = weight{g.chars, g.anchors, g.links}
	last, kept := int32(nothing), 0
	for c := s.first[i]; c != nothing; c = s.next[c] {
		if s.whole[c].chars+s.whole[c].links == 0 {
			continue
		}
		s.whole[i].add(s.whole[c])
		if isList(g.tag) && s.whole[c].chars <= smallCard && !s.g[c].framed {
			s.swallow(i, c)
			continue
		}
		if inText(s.g[c].tag) && s.whole[c].links < 2 && s.whole[c].chars < fewChars {
			s.swallow(i, c) // a word in another colour
			continue
		}
		if last != nothing && s.alike(last, c, g) {
			s.merge(last, c)
			continue
		}
		last = c
		kept++
	}
	s.leaf[i] = kept == 0
	if kept == 1 && i > 0 && g.chars+g.links == 0 && !s.holds[i] {
		s.absorb(i, last)
	}
}

// alike says whether two neighbours are one block.
func (s *segments) alike(a, b int32, around *region) bool {
	x, y := &s.g[a], &s.g[b]
	if x.framed || y.framed {
		return false
	}
	if x.cut || y.cut {
		return x.cut && y.cut && s.leaf[a] && s.leaf[b] && x.titled() && y.titled()
	}
	leaves := s.leaf[a] && s.leaf[b]
	if around.tag == tagTable && y.tag == tagTd && s.whole[a].chars <= smallCell && s.whole[b].chars <= smallCell && leaves && !opposed(x, y) {
		return true
	}
	if around.tag == tagTable && around.data() && s.whole[b].chars <= smallCell {
		return true
	}
	if !x.sameLook(y) {
		return false
	}
	if !leaves {
		return len(x.class) > 0 && s.whole[b].chars <= smallCard && (s.flat[a] || s.whole[a].chars <= smallCard)
	}
	return !opposed(x, y)
}

// titled says whether a section's heading is a link: the title of an item in a list, not the heading of a part.
func (g *region) titled() bool { return g.headLinked*2 > g.headChars }

// data says whether a table has several rows of several cells.
func (g *region) data() bool { return g.rows >= 2 && g.cells >= 2*g.rows }

// opposed says whether one region is made of links and the other of text.
func opposed(x, y *region) bool {
	return x.linky() && y.texty() || x.texty() && y.linky()
}

func (g *region) linky() bool { return g.links >= 3 && g.anchors*10 > g.chars*6 }
func (g *region) texty() bool { return g.chars >= fewChars && g.anchors*10 < g.chars*3 }

// merge makes b part of a.
func (s *segments) merge(a, b int32) {
	if !s.leaf[a] || !s.leaf[b] {
		s.flat[a] = true
		s.leaf[a] = true
	}
	s.into[b] = a
	s.g[a].add(&s.g[b])
	s.whole[a].add(s.whole[b])
	s.flat[b] = s.flat[a]
	s.holds[a] = s.holds[a] || s.holds[b]
}

// menu says whether a region holds next to nothing but links.
func (w *weight) menu() bool { return w.links >= 3 && w.anchors*10 >= w.chars*9 }

// add puts the content of b to that of g.
func (g *region) add(b *region) {
	g.chars += b.chars
	g.anchors += b.anchors
	g.links += b.links
	g.headChars += b.headChars
	g.headLinked += b.headLinked
	if g.title == nothing {
		g.title = b.title
	}
	g.width = max(g.width, b.width)
}

// isList says whether the parts of an element are items.
func isList(t tag) bool { return t == tagUl || t == tagOl || t == tagDl || t == tagMenu }

// swallow makes a small part c of a list i part of the list.
func (s *segments) swallow(i, c int32) {
	s.into[c] = i
	s.g[i].add(&s.g[c])
	s.flat[c], s.holds[i] = true, true
}

// absorb makes the only region c inside i part of i.
func (s *segments) absorb(i, c int32) {
	g := &s.g[i]
	s.into[c] = i
	g.add(&s.g[c])
	g.hints |= s.g[c].hints
	if w := s.g[c].width; w > 0 {
		g.width = w
	}
	g.cut = g.cut || s.g[c].cut
	g.framed = s.g[c].framed
	s.leaf[i], s.flat[i], s.holds[i] = s.leaf[c], s.flat[c], s.holds[c]
}

// number gives every region its block and answers which region begins each block. Blocks stand in the order of the
// page, and the first is the page itself.
func (s *segments) number() []int32 {
	begins := make([]int32, 1, 16)
	for i := int32(1); i < int32(len(s.g)); i++ {
		g := &s.g[i]
		switch to := s.into[i]; {
		case to != i:
			s.block[i] = s.block[to]
			s.flat[i] = s.flat[i] || s.flat[to]
		case s.flat[g.parent]:
			s.block[i], s.flat[i] = s.block[g.parent], true
		case g.chars+g.links == 0 && !s.flat[i] && !s.holds[i]:
			s.block[i] = s.block[g.parent]
		default:
			s.block[i] = int32(len(begins))
			begins = append(begins, i)
		}
	}
	return begins
}
