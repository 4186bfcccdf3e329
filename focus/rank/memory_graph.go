package rank

// graph is the web as far as it was crawled: the fetched pages, the addresses they link to, and the links. It is kept
// from the moment a factor first asks for it. Nodes are numbered in the order in which they were heard of; the links of
// one page stand together, in the order in which the pages were read, so that the graph is compressed as it grows.
type graph struct {
	index map[uint64]uint32 // item → node
	nodes []vertex
	runs  []run
	out   []uint32 // the nodes linked to, run after run
	done  int      // how many nodes were fetched
	seeds int      // how many of them are start pages
	order []*order
	purse *purse   // the cash of opic, once it is asked for
	moved []uint32 // the nodes whose cash was raised since anybody was told
	large int      // with so many links it is solved aside
	mass  uint64   // the weights of all nodes together
}

// vertex is one address.
type vertex struct {
	item      uint64
	site      uint32  // a hash of its host
	relevance float32 // of a fetched page; of an address that waits, the best hint a link gave
	degree    uint32  // how many links leave it
	fetched   bool
	seed      bool // fetched before anybody linked to it, or known to be a start page
}

// run is the links of one page: those from start up to the start of the next run.
type run struct{ from, start uint32 }

// hear takes in what the words of a link promise.
func (v *vertex) hear(hint float32) {
	if !v.fetched {
		v.relevance = max(v.relevance, hint)
	}
}

// Weights are summed up as whole numbers, so that the sum is the same in whatever order they came: one of 1 is oneWeight, of
// which maxLinks fit into 64 bits.
const oneWeight = 1 << 36

func (v vertex) mass() uint64      { return uint64(v.weight() * oneWeight) }
func weightOf(mass uint64) float64 { return float64(mass) / oneWeight }

// reckon changes what is known of a node.
func (g *graph) reckon(n uint32, change func(*vertex)) {
	v := &g.nodes[n]
	g.mass -= v.mass()
	change(v)
	g.mass += v.mass()
}

// maxLinks bounds the graph: 64 MiB of links. Beyond it the orders go on with the links they know.
const maxLinks = 16 << 20

func newGraph() *graph { return &graph{index: map[uint64]uint32{}, large: asideFrom} }

// node is the number of an item, which is taken in if it is not known.
func (g *graph) node(item uint64) uint32 {
	if n, ok := g.index[item]; ok {
		return n
	}
	n := uint32(len(g.nodes))
	g.nodes = append(g.nodes, vertex{item: item})
	g.mass += g.nodes[n].mass()
	g.index[item] = n
	return n
}

// fetched tells the graph how a page turned out.
func (g *graph) fetched(item uint64, relevance float32) {
	if g.purse != nil {
		g.moved = g.targets(g.purse.page)
		g.purse.settle(g)
	}
	_, linked := g.index[item]
	n := g.node(item)
	v := &g.nodes[n]
	if v.fetched {
		return
	}
	g.reckon(n, func(v *vertex) { v.fetched, v.relevance, v.seed = true, relevance, !linked })
	g.done++
	if v.seed {
		g.seeds++
	}
	if g.purse != nil {
		g.purse.take(g, n)
	}
}

// settle works out anew what it is time for. It comes after the links of the page that was fetched last: an order that was
// worked out before them would be a page late.
func (g *graph) settle() {
	if p := g.purse; p != nil && len(g.targets(p.page)) == 0 { // it links to nothing: all that wait have its cash before the next is chosen
		p.settle(g)
	}
	for _, o := range g.order {
		o.adopt(g)
		if g.done >= o.due {
			o.solve(g)
		}
	}
}

// targets are the nodes a page links to, if it is the last one that was read.
func (g *graph) targets(page uint32) []uint32 {
	if n := len(g.runs); n > 0 && g.runs[n-1].from == page {
		return g.out[g.runs[n-1].start:]
	}
	return nil
}

// link tells the graph of a link. The links of a page come one after the other, and before those of any other page.
func (g *graph) link(from, to uint64, e edge) {
	if len(g.out) >= maxLinks {
		return
	}
	a, b := g.node(from), g.node(to)
	g.nodes[a].site, g.nodes[b].site = e.sites[0], e.sites[1]
	if n := len(g.runs); n == 0 || g.runs[n-1].from != a {
		g.runs = append(g.runs, run{a, uint32(len(g.out))})
	}
	g.out = append(g.out, b)
	g.nodes[a].degree++
	g.reckon(b, func(v *vertex) { v.hear(e.hint) })
	for _, o := range g.order {
		o.reach(g)
		o.values[b] += float32(o.method.share(o.value(g, a), e)) // also of an address that was found again
	}
}

// pages calls visit for the links of every page.
func (g *graph) pages(visit func(from uint32, to []uint32)) {
	for i, r := range g.runs {
		end := len(g.out)
		if i+1 < len(g.runs) {
			end = int(g.runs[i+1].start)
		}
		visit(r.from, g.out[r.start:end])
	}
}

// connected is the graph, which is kept from now on. What was fetched so far, the start page, is its beginning.
func (m *Memory) connected() *graph {
	if m.graph != nil {
		return m.graph
	}
	m.lesson.connected()
	m.graph = newGraph()
	for _, en := range m.entries.all() {
		if en.fetched {
			m.graph.fetched(en.item, en.relevance)
		}
	}
	return m.graph
}

// edge is what the graph is told of a link.
type edge struct {
	links int     // of its page; 0 is no edge
	part  float32 // of all that the links of its page promise; 0 where nobody asks
	sites [2]uint32
	hint  float32 // what its words promise
}

// edge is what the graph is told of the link, which leads to an item.
func (m *Memory) edge(item uint64, e *Evidence) edge {
	if m.graph == nil || e.Page == nil || e.Link == nil {
		return edge{}
	}
	from, _ := split(e.Page.URL)
	to, _ := split(e.Link.URL)
	told := edge{links: len(e.Page.Links), sites: [2]uint32{uint32(hash(0, from)), uint32(hash(0, to))}, hint: float32(e.hint())}
	for _, o := range m.graph.order {
		if o.method.prefers() {
			var v vertex
			if n, ok := m.graph.index[item]; ok {
				v = m.graph.nodes[n]
			}
			v.hear(told.hint)
			told.part = e.part(v)
			break
		}
	}
	return told
}

// part is the share of an address the link leads to in all that the links of its page promise.
func (e *Evidence) part(v vertex) float32 {
	own, weight := vertex{relevance: float32(e.hint())}.weight(), v.weight()
	if all := e.sheet().promise(e) - own + weight; all > 0 {
		return float32(unit(weight / all))
	}
	return 0
}

// hint is what the words of a link promise: of the anchor or of those around it, whichever is nearer to the topic.
func (e *Evidence) hint() float64 {
	if e.Link == nil {
		return 0
	}
	return e.sheet().hint(e, e.Link)
}

// hintWindow is how many words on each side of a link belong to its hint.
const hintWindow = 10
