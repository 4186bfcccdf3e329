package rank

import "math"

// The methods that make an order of the graph, as they are saved.
const (
	savedPagerank = iota
	savedHits
)

func (w *writer) method(by method, every int) {
	switch m := by.(type) {
	case pagerank:
		w.Count(savedPagerank)
		w.Float64(m.Damping)
		w.Count(m.Iterations)
		w.Text(m.Surfer)
	case hits:
		w.Count(savedHits)
		w.Text(m.Of)
		w.Text(m.Edges)
		w.Float64(m.Least)
		w.Count(m.Iterations)
	}
	w.Count(every)
}

func (w *writer) graph(g *graph) {
	w.Count(len(g.nodes))
	for i := range g.nodes {
		v := &g.nodes[i]
		w.Number(v.item)
		w.Number(uint64(v.site))
		w.Float32(v.relevance)
		w.Yes(v.fetched)
		w.Yes(v.seed)
	}
	w.list(g.out)
	w.Count(len(g.runs))
	for _, r := range g.runs {
		w.Number(uint64(r.from))
		w.Number(uint64(r.start))
	}
	w.Count(len(g.order))
	for _, o := range g.order {
		w.method(o.method, o.every)
		w.values(o.values)
		w.Count(o.solved)
		w.Count(o.due)
		w.Yes(o.fresh)
		w.solution(o.aside)
	}
	w.Yes(g.purse != nil)
	if g.purse != nil {
		w.purse(g.purse)
	}
}

func (w *writer) purse(p *purse) {
	w.Float64(p.dust)
	w.Float64(p.pot)
	w.Number(uint64(p.page))
	w.Count(len(p.cash))
	for i := range p.cash {
		w.Float64(p.cash[i])
		w.Float64(p.since[i])
	}
}

// positive is a real number from 0 up to most.
func (r *reader) positive(most float64) float64 {
	v := r.Float64()
	if !(0 <= v && v <= most) {
		r.Bad = true
		return 0
	}
	return v
}

func (r *reader) method() (m method, every int) {
	switch r.UpTo(savedHits) {
	case savedPagerank:
		var p pagerank
		p.Damping, p.Iterations, p.Surfer = r.positive(1), r.UpTo(1000), r.Text()
		p.Every = r.UpTo(math.MaxInt32)
		return p, p.Every
	default:
		var h hits
		h.Of, h.Edges, h.Least, h.Iterations = r.Text(), r.Text(), r.positive(1), r.UpTo(1000)
		h.Every = r.UpTo(math.MaxInt32)
		return h, h.Every
	}
}

func (r *reader) graph() *graph {
	g := newGraph()
	g.nodes = make([]vertex, r.Count(1))
	for i := range g.nodes {
		v := &g.nodes[i]
		v.item, v.site, v.relevance = r.Number(), r.Number32(), r.Float32()
		v.fetched, v.seed = r.Yes(), r.Yes()
		g.index[v.item] = uint32(i)
		g.mass += v.mass()
		if v.fetched {
			g.done++
		}
		if v.seed {
			g.seeds++
		}
		r.Bad = r.Bad || !(0 <= v.relevance && v.relevance <= 1)
	}
	r.Bad = r.Bad || len(g.index) != len(g.nodes)
	g.out = r.list(len(g.nodes))
	r.runs(g)
	g.order = make([]*order, r.Count(1))
	for i := range g.order {
		g.order[i] = r.order(len(g.nodes))
	}
	if r.Yes() {
		g.purse = r.purse(len(g.nodes))
	}
	return g
}

func (r *reader) runs(g *graph) {
	g.runs = make([]run, r.Count(1))
	last := uint32(0)
	for i := range g.runs {
		g.runs[i] = run{uint32(r.UpTo(len(g.nodes) - 1)), uint32(r.UpTo(len(g.out)))}
		if r.Bad || g.runs[i].start < last || i == 0 && g.runs[i].start != 0 {
			r.Bad, g.runs = true, nil
			return
		}
		last = g.runs[i].start
	}
	g.pages(func(from uint32, to []uint32) { g.nodes[from].degree += uint32(len(to)) })
}

func (r *reader) order(nodes int) *order {
	o := &order{}
	o.method, o.every = r.method()
	o.values = r.values(nodes)
	o.solved, o.due, o.fresh = r.UpTo(len(o.values)), r.UpTo(math.MaxInt), r.Yes()
	o.aside = r.solution(len(o.values))
	return o
}

func (w *writer) values(values []float32) {
	w.Count(len(values))
	for _, v := range values {
		w.Float32(v)
	}
}

// values are those of at most so many nodes.
func (r *reader) values(nodes int) []float32 {
	values := make([]float32, r.UpTo(nodes))
	for i := range values {
		values[i] = r.Float32()
		r.Bad = r.Bad || !(0 <= values[i] && values[i] <= math.MaxFloat32)
	}
	return values
}

func (r *reader) purse(nodes int) *purse {
	p := &purse{dust: r.positive(math.MaxFloat64), pot: r.positive(math.MaxFloat64), page: uint32(r.UpTo(nodes))}
	n := r.UpTo(nodes)
	r.Bad = r.Bad || n > 0 && int(p.page) >= n
	p.cash, p.since = make([]float64, n), make([]float64, n)
	for i := range p.cash {
		p.cash[i], p.since[i] = r.positive(math.MaxFloat64), r.positive(math.MaxFloat64)
	}
	return p
}
