package rank

import "sort"

// method is a way to tell from the links which nodes are important.
type method interface {
	// solve works out the value of every node.
	solve(g *graph, values []float32)
	// What is said of an address until the next solution: base is the value of a new one before anybody has counted a link
	// to it, and share what a link adds that was found since, to a new address or to one that was known. jump comes on top of
	// a new one's and is not kept: it changes with all that is known of the graph.
	base(g *graph) float64
	share(from float64, e edge) float64
	jump(g *graph, v vertex) float64
	// prefers tells that share asks for the part of what the links of a page promise.
	prefers() bool
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

// value is what is said of a node.
func (o *order) value(g *graph, n uint32) float64 {
	v := float64(o.values[n])
	if int(n) >= o.solved {
		v += o.method.jump(g, g.nodes[n])
	}
	return v
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

// begin keeps an order of the graph from now on. It is asked for while the links of a page are ranked, and works the graph
// out again as soon as they are told.
func (g *graph) begin(by method, every int) *order {
	o := &order{method: by, every: every}
	g.order = append(g.order, o)
	o.solve(g)
	o.due = g.done
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

// handed are the waiting items that were handed cash since somebody last asked.
func (g *graph) handed() []uint64 {
	var found []uint64
	for _, n := range g.moved {
		if !g.nodes[n].fetched {
			found = append(found, g.nodes[n].item)
		}
	}
	g.moved = nil
	return found
}

// promising are the waiting items that new solutions put first: those of the highest values, the highest first, or the
// links of the best hubs; at most limit of each. So are those that hold the most, where all were given cash.
func (g *graph) promising(limit int) []uint64 {
	var found []uint64
	for _, n := range g.purse.richest(g, limit) {
		found = append(found, g.nodes[n].item)
	}
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
	least := float32(0) // of the highest so far, once there are enough: later ones of the same value stand behind them
	cut := func() {
		sort.Slice(top, func(i, j int) bool {
			a, b := values[top[i]], values[top[j]]
			return a > b || a == b && top[i] < top[j]
		})
		if top = top[:min(len(top), limit)]; len(top) == limit && limit > 0 {
			least = values[top[limit-1]]
		}
	}
	for n := range values { // a page that was fetched since has none yet
		if g.nodes[n].fetched != fetched || values[n] <= least || limit == 0 {
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
		return unit(t.valueIn(o))
	}
	if n, ok := g.index[t.parent()]; ok && int(n) < len(o.values) {
		return unit(float64(o.values[n]))
	}
	return 0
}

// valueIn is what an order says of the address the link leads to, the link counted.
func (t Trace) valueIn(o *order) float64 {
	g := t.memory.graph
	n, known := g.index[t.item()]
	known = known && int(n) < len(o.values)
	switch {
	case known && t.link != nil:
		return o.value(g, n)
	case t.link != nil:
		return o.method.base(g)
	}
	var v vertex
	value := o.method.base(g)
	if known {
		v, value = g.nodes[n], float64(o.values[n])
	}
	e := t.evidence
	link := edge{}
	if e.Page != nil {
		link.links = len(e.Page.Links)
	}
	if e.Page != nil && o.method.prefers() {
		v.hear(float32(e.hint()))
		link.part = e.part(v)
	}
	if !known || int(n) >= o.solved {
		value += o.method.jump(g, v)
	}
	if from, ok := g.index[e.Parent]; ok && int(from) < len(o.values) {
		value += o.method.share(o.value(g, from), link)
	}
	return value
}
