package rank

func registerOPIC(r *Registry) {
	Register(r, "opic", "the cash the address holds: every page that is read hands its own on to the pages it links to, in equal parts",
		struct{}{}, without(opic{}))
}

// opic is online page importance: no link matrix, a pass of coins.
type opic struct{}

func (o opic) Score(e *Evidence) float64 { return o.Recall(e.Trace()) }

// Recall answers with the cash the address holds now.
func (opic) Recall(t Trace) float64 {
	if t.memory == nil {
		return none
	}
	g := t.memory.connected()
	if g.purse == nil {
		t.memory.lesson.paid()
		g.purse = openPurse(g)
	}
	p := g.purse
	t.memory.endow(t.evidence)
	held := 0.0
	if n, ok := g.index[t.item()]; ok {
		held = p.held(g, n)
	}
	if e := t.evidence; e != nil && e.Page != nil && p.holds(g, e.Parent) {
		held += p.pot / float64(max(len(e.Page.Links), 1))
	}
	return unit(held / float64(max(g.seeds, 1)))
}

// purse is the cash of the whole graph. Every start page brings in 1, and none is ever lost: the sum of what the
// addresses hold and of what is on its way is the number of start pages.
type purse struct {
	cash  []float64 // by node, without what was given to all
	dust  float64   // what each waiting address was given by pages without links
	since []float64 // by node: the dust when it was first heard of
	page  uint32    // the page read last, which hands on pot when its links are known
	pot   float64

	toAll bool      // all that wait were given some since anybody was told
	shown []float32 // by node: what it holds, for whoever is told
}

// endow gives a start page the cash that it brings in, where another page has linked to it before it was read: until its
// links are ranked nobody says that it is one.
func (m *Memory) endow(e *Evidence) {
	if e == nil || e.Page == nil || e.Trail.Depth > 0 {
		return
	}
	g := m.graph
	if n, ok := g.index[e.Parent]; ok && g.begins(n) {
		m.lesson.endowed()
		g.endow()
	}
}

// begins tells whether a page may still be taken for a start page: it was read last, and is not taken for one.
func (g *graph) begins(n uint32) bool {
	return n == g.purse.page && g.nodes[n].fetched && !g.nodes[n].seed
}

// endow takes the page that was read last for a start page.
func (g *graph) endow() {
	g.nodes[g.purse.page].seed = true
	g.seeds++
	g.purse.pot++
}

// openPurse begins to count when a factor first asks: the start pages were read already, and the last one has its
// links still to come.
func openPurse(g *graph) *purse {
	p := &purse{}
	for n := range g.nodes {
		if g.nodes[n].fetched {
			p.settle(g)
			p.take(g, uint32(n))
		}
	}
	return p
}

// extend makes place for nodes that were heard of since.
func (p *purse) extend(g *graph) {
	for len(p.cash) < len(g.nodes) {
		p.cash, p.since = append(p.cash, 0), append(p.since, p.dust)
	}
}

// held is the cash of an address.
func (p *purse) held(g *graph, n uint32) float64 {
	switch {
	case int(n) >= len(p.cash):
		return 0
	case g.nodes[n].fetched:
		return p.cash[n]
	}
	return p.cash[n] + p.dust - p.since[n]
}

// holds tells whether an item's page is about to hand on its cash.
func (p *purse) holds(g *graph, item uint64) bool {
	n, ok := g.index[item]
	return ok && p.pot > 0 && p.page == n
}

// take puts the cash of a page that was read into the pot. The page before must have handed on its own.
func (p *purse) take(g *graph, n uint32) {
	p.extend(g)
	p.page, p.pot = n, p.cash[n]+p.dust-p.since[n]
	p.cash[n] = 0
	if g.nodes[n].seed {
		p.pot = 1
	}
}

// settle hands on the pot: to the pages linked to in equal parts; without any, to all addresses that wait.
func (p *purse) settle(g *graph) {
	p.extend(g)
	if p.pot == 0 {
		return
	}
	pot := p.pot
	p.pot = 0
	targets := g.targets(p.page)
	waiting := len(g.nodes) - g.done
	switch {
	case len(targets) > 0:
		for _, n := range targets {
			p.cash[n] += pot / float64(len(targets))
		}
	case waiting > 0:
		p.dust += pot / float64(waiting)
		p.toAll = true
	default:
		p.cash[p.page] += pot
	}
}

// richest are the nodes that wait and hold the most, at most limit of them, where all that wait were given some since anybody was told:
// links that are found from now on have that from the start, and must not go before those that hold more.
func (p *purse) richest(g *graph, limit int) []uint32 {
	if p == nil || !p.toAll {
		return nil
	}
	p.toAll, p.shown = false, p.shown[:0]
	for n := range g.nodes {
		p.shown = append(p.shown, float32(p.held(g, uint32(n))))
	}
	return g.highest(p.shown, false, limit)
}
