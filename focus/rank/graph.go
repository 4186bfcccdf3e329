package rank

import "sort"

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
	v.fetched, v.relevance, v.seed = true, relevance, !linked
	g.done++
	if v.seed {
		g.seeds++
	}
	if g.purse != nil {
		g.purse.take(g, n)
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

// link tells the graph of a link, one of so many on its page. hint is what its words promise.
func (g *graph) link(from, to uint64, links int, sites [2]uint32, hint float32) {
	if len(g.out) >= maxLinks {
		return
	}
	a, b := g.node(from), g.node(to)
	g.nodes[a].site, g.nodes[b].site = sites[0], sites[1]
	if n := len(g.runs); n == 0 || g.runs[n-1].from != a {
		g.runs = append(g.runs, run{a, uint32(len(g.out))})
	}
	g.out = append(g.out, b)
	g.nodes[a].degree++
	if v := &g.nodes[b]; !v.fetched {
		v.relevance = max(v.relevance, hint)
	}
	for _, o := range g.order {
		o.reach(g)
		if int(b) >= o.solved {
			o.values[b] += float32(o.method.share(g, o, a, links))
		}
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

// method is a way to tell from the links which nodes are important.
type method interface {
	// solve works out the value of every node.
	solve(g *graph, values []float32)
	// base is the value of a node nobody has counted a link to, share what one of the links of a node adds to it:
	// what is said of a new address until the next solution.
	base(g *graph) float64
	share(g *graph, o *order, from uint32, links int) float64
}

// order is a method at work: the values as they were last worked out, and what came since.
type order struct {
	method method
	every  int
	values []float32 // by node
	solved int       // the nodes that were part of the last solution
	due    int       // the next solution comes when so many pages are fetched
	fresh  bool      // a solution was worked out that nobody was told of
	aside  *solution // that is being worked out
}

// How much a graph must have grown before it is worked out again, as a share of the pages: a young one by an eighth,
// at every page at first, because each page changes much; a large one by a twentieth, so that what all solutions cost
// together stays in proportion to the last one.
const (
	youngGrowth = 0.125
	growth      = 0.05
)

// solve works out the values anew, of a large graph aside, and sets the time of the next solution.
func (o *order) solve(g *graph) {
	o.reach(g)
	done := float64(g.done)
	o.due = g.done + max(1, min(o.every, int(youngGrowth*done)), int(growth*done))
	if len(g.out) >= g.large {
		o.beginAside(g)
		return
	}
	o.method.solve(g, o.values)
	o.solved, o.fresh = len(g.nodes), true
}

// reach makes place for nodes that were heard of since.
func (o *order) reach(g *graph) {
	base := float32(0)
	if len(o.values) < len(g.nodes) {
		base = float32(o.method.base(g))
	}
	for len(o.values) < len(g.nodes) {
		o.values = append(o.values, base)
	}
}

// ordered is the order a method makes of the graph, which is kept from now on.
func (m *Memory) ordered(by method, every int) *order {
	if o := m.graph.known(by, every); o != nil {
		return o
	}
	m.lesson.ordered(by, every)
	return m.graph.begin(by, every)
}

// known is the order a method makes of the graph, nil where there is none.
func (g *graph) known(by method, every int) *order {
	for _, o := range g.order {
		if o.method == by && o.every == every {
			return o
		}
	}
	return nil
}

// begin keeps an order of the graph from now on.
func (g *graph) begin(by method, every int) *order {
	o := &order{method: by, every: every}
	g.order = append(g.order, o)
	o.solve(g)
	return o
}

// solved tells whether there is a new solution nobody was told of.
func (g *graph) solved() bool {
	for _, o := range g.order {
		if o.fresh {
			return true
		}
	}
	return false
}

// promising are the waiting items whose values the last fetch raised: those that were handed cash, and after a new
// solution those of the highest values, the highest first, or the links of the best hubs; at most limit of each.
func (g *graph) promising(limit int) []uint64 {
	var found []uint64
	for _, n := range g.moved {
		if !g.nodes[n].fetched && len(found) < limit {
			found = append(found, g.nodes[n].item)
		}
	}
	g.moved = nil
	for _, o := range g.order {
		if !o.fresh {
			continue
		}
		o.fresh = false
		top := g.highest(o.values, false, limit)
		if h, ok := o.method.(hits); ok && h.Of == "hub" {
			top = g.linked(g.highest(o.values, true, limit), limit)
		}
		for _, n := range top {
			found = append(found, g.nodes[n].item)
		}
	}
	return found
}

// linked are the waiting nodes that some pages link to, each once, the first page's first, at most limit of them.
func (g *graph) linked(pages []uint32, limit int) []uint32 {
	wanted := map[uint32][]uint32{}
	for _, n := range pages {
		wanted[n] = nil
	}
	g.pages(func(from uint32, to []uint32) {
		if _, ok := wanted[from]; ok {
			wanted[from] = append(wanted[from], to...)
		}
	})
	var waiting []uint32
	named := map[uint32]bool{}
	for _, n := range pages {
		for _, to := range wanted[n] {
			if !g.nodes[to].fetched && !named[to] && len(waiting) < limit {
				waiting, named[to] = append(waiting, to), true
			}
		}
	}
	return waiting
}

// highest are the nodes of the highest values above 0, fetched pages or waiting ones, at most limit of them.
func (g *graph) highest(values []float32, fetched bool, limit int) []uint32 {
	var top []uint32
	cut := func() {
		sort.Slice(top, func(i, j int) bool {
			a, b := values[top[i]], values[top[j]]
			return a > b || a == b && top[i] < top[j]
		})
		top = top[:min(len(top), limit)]
	}
	for n := range values { // a page that was fetched since has none yet
		if g.nodes[n].fetched != fetched || values[n] <= 0 || limit == 0 {
			continue
		}
		if top = append(top, uint32(n)); len(top) > 8*limit {
			cut()
		}
	}
	cut()
	return top
}

// ordering is a factor that answers by an order of the graph.
type ordering struct {
	method method
	every  int
	parent bool // it asks for the page the link stands on, not for the address it leads to
}

func (f ordering) Score(e *Evidence) float64 { return f.Recall(e.Trace()) }

// Recall answers by the graph as it is now.
func (f ordering) Recall(t Trace) float64 {
	if t.memory == nil {
		return none
	}
	g := t.memory.connected()
	o := t.memory.ordered(f.method, f.every)
	if !f.parent {
		return unit(t.value(o))
	}
	if n, ok := g.index[t.parent()]; ok && int(n) < len(o.values) {
		return unit(float64(o.values[n]))
	}
	return 0
}

// value is what an order says of the address the link leads to, the link counted.
func (t Trace) value(o *order) float64 {
	g := t.memory.graph
	if t.link != nil {
		if n, ok := g.index[t.entry.item]; ok && int(n) < len(o.values) {
			return float64(o.values[n])
		}
		return o.method.base(g)
	}
	e := t.evidence
	value, solved := o.method.base(g), false
	if n, ok := g.index[e.Item]; ok && int(n) < len(o.values) {
		value, solved = float64(o.values[n]), int(n) < o.solved
	}
	if from, ok := g.index[e.Parent]; ok && !solved && e.Page != nil {
		value += o.method.share(g, o, from, len(e.Page.Links))
	}
	return value
}

// connected is the graph, which is kept from now on. What was fetched so far, the start page, is its beginning.
func (m *Memory) connected() *graph {
	if m.graph != nil {
		return m.graph
	}
	m.lesson.connected()
	m.graph = newGraph()
	for i := range m.entries {
		if en := &m.entries[i]; en.fetched {
			m.graph.fetched(en.item, en.relevance)
		}
	}
	return m.graph
}

// edge is what the graph is told of a link.
type edge struct {
	links int // of its page; 0 is no edge
	sites [2]uint32
	hint  float32
}

// edge is what the graph is told of the link.
func (m *Memory) edge(e *Evidence) edge {
	if m.graph == nil || e.Page == nil || e.Link == nil {
		return edge{}
	}
	from, _ := split(e.Page.URL)
	to, _ := split(e.Link.URL)
	return edge{len(e.Page.Links), [2]uint32{uint32(hash(0, from)), uint32(hash(0, to))}, float32(e.hint())}
}

// hint is what the words of a link promise: of the anchor or of those around it, whichever is nearer to the topic.
func (e *Evidence) hint() float64 {
	return max(orZero(e.AnchorSim()), orZero(e.ContextSim(hintWindow)))
}

// hintWindow is how many words on each side of a link belong to its hint.
const hintWindow = 10
