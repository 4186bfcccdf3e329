package rank

import "math"

// The methods that make an order of the graph, as they are saved.
const (
	savedPagerank = iota
	savedHits
)

func (w *writer) word(s string) {
	w.count(len(s))
	*w = append(*w, s...)
}

func (w *writer) method(by method, every int) {
	switch m := by.(type) {
	case pagerank:
		w.count(savedPagerank)
		w.real(m.Damping)
		w.count(m.Iterations)
		w.word(m.Surfer)
	case hits:
		w.count(savedHits)
		w.word(m.Of)
		w.word(m.Edges)
		w.real(m.Least)
		w.count(m.Iterations)
	}
	w.count(every)
}

func (w *writer) graph(g *graph) {
	w.count(len(g.nodes))
	for i := range g.nodes {
		v := &g.nodes[i]
		w.number(v.item)
		w.number(uint64(v.site))
		w.short(v.relevance)
		w.yes(v.fetched)
		w.yes(v.seed)
	}
	w.list(g.out)
	w.count(len(g.runs))
	for _, r := range g.runs {
		w.number(uint64(r.from))
		w.number(uint64(r.start))
	}
	w.count(len(g.order))
	for _, o := range g.order {
		w.method(o.method, o.every)
		w.count(len(o.values))
		for _, v := range o.values {
			w.short(v)
		}
		w.count(o.solved)
		w.count(o.due)
		w.yes(o.fresh)
	}
	w.yes(g.purse != nil)
	if g.purse != nil {
		w.purse(g.purse)
	}
}

func (w *writer) purse(p *purse) {
	w.real(p.dust)
	w.real(p.pot)
	w.number(uint64(p.page))
	w.count(len(p.cash))
	for i := range p.cash {
		w.real(p.cash[i])
		w.real(p.since[i])
	}
}

func (r *reader) word() string { return string(r.bytes(r.count(len(r.rest)))) }

// positive is a real number from 0 up to most.
func (r *reader) positive(most float64) float64 {
	v := r.real()
	if !(0 <= v && v <= most) {
		r.bad = true
		return 0
	}
	return v
}

func (r *reader) method() (m method, every int) {
	switch r.count(savedHits) {
	case savedPagerank:
		var p pagerank
		p.Damping, p.Iterations, p.Surfer = r.positive(1), r.count(1000), r.word()
		p.Every = r.count(math.MaxInt32)
		return p, p.Every
	default:
		var h hits
		h.Of, h.Edges, h.Least, h.Iterations = r.word(), r.word(), r.positive(1), r.count(1000)
		h.Every = r.count(math.MaxInt32)
		return h, h.Every
	}
}

func (r *reader) graph() *graph {
	g := newGraph()
	g.nodes = make([]vertex, r.count(len(r.rest)))
	for i := range g.nodes {
		v := &g.nodes[i]
		v.item, v.site, v.relevance = r.number(), uint32(r.count(math.MaxUint32)), r.short()
		v.fetched, v.seed = r.yes(), r.yes()
		g.index[v.item] = uint32(i)
		if v.fetched {
			g.done++
		}
		if v.seed {
			g.seeds++
		}
		r.bad = r.bad || !(0 <= v.relevance && v.relevance <= 1)
	}
	r.bad = r.bad || len(g.index) != len(g.nodes)
	g.out = r.list(len(g.nodes))
	r.runs(g)
	g.order = make([]*order, r.count(len(r.rest)))
	for i := range g.order {
		g.order[i] = r.order(len(g.nodes))
	}
	if r.yes() {
		g.purse = r.purse(len(g.nodes))
	}
	return g
}

func (r *reader) runs(g *graph) {
	g.runs = make([]run, r.count(len(r.rest)))
	last := uint32(0)
	for i := range g.runs {
		g.runs[i] = run{uint32(r.count(len(g.nodes) - 1)), uint32(r.count(len(g.out)))}
		if r.bad || g.runs[i].start < last || i == 0 && g.runs[i].start != 0 {
			r.bad, g.runs = true, nil
			return
		}
		last = g.runs[i].start
	}
	g.pages(func(from uint32, to []uint32) { g.nodes[from].degree += uint32(len(to)) })
}

func (r *reader) order(nodes int) *order {
	o := &order{}
	o.method, o.every = r.method()
	o.values = make([]float32, r.count(nodes))
	for i := range o.values {
		o.values[i] = r.short()
		r.bad = r.bad || !(0 <= o.values[i] && o.values[i] <= math.MaxFloat32)
	}
	o.solved, o.due, o.fresh = r.count(len(o.values)), r.count(math.MaxInt), r.yes()
	return o
}

func (r *reader) purse(nodes int) *purse {
	p := &purse{dust: r.positive(math.MaxFloat64), pot: r.positive(math.MaxFloat64), page: uint32(r.count(nodes))}
	n := r.count(nodes)
	r.bad = r.bad || n > 0 && int(p.page) >= n
	p.cash, p.since = make([]float64, n), make([]float64, n)
	for i := range p.cash {
		p.cash[i], p.since[i] = r.positive(math.MaxFloat64), r.positive(math.MaxFloat64)
	}
	return p
}
