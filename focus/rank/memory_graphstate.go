package rank

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// The methods that make an order of the graph, as they are saved.
const (
	savedPagerank uint8 = iota
	savedHits
)

// method is a method that makes an order of the graph, with its parameters, and how often it does.
func (k *coder) method(by *method, every *int) {
	p, _ := (*by).(pagerank)
	h, hubs := (*by).(hits)
	saved := savedPagerank
	if hubs {
		saved = savedHits
	}
	if upTo(k, &saved, int(savedHits)); saved == savedPagerank {
		k.positive(&p.Damping, 1)
		upTo(k, &p.Iterations, 1000)
		k.Text(&p.Surfer)
	} else {
		k.Text(&h.Of)
		k.Text(&h.Edges)
		k.positive(&h.Least, 1)
		upTo(k, &h.Iterations, 1000)
	}
	if upTo(k, every, math.MaxInt32); !k.Read {
		return
	}
	if p.Every, h.Every = *every, *every; saved == savedPagerank {
		*by = p
	} else {
		*by = h
	}
}

func (k *coder) graph(g *graph) {
	room(k, &g.nodes, math.MaxInt)
	for i := range g.nodes {
		v := &g.nodes[i]
		k.Number(&v.item)
		pack.Small(&k.Coder, &v.site)
		k.share(&v.relevance)
		k.Yes(&v.fetched)
		k.Yes(&v.seed)
	}
	k.list(&g.out, len(g.nodes))
	room(k, &g.runs, math.MaxInt)
	for i := range g.runs {
		upTo(k, &g.runs[i].from, len(g.nodes)-1)
		upTo(k, &g.runs[i].start, len(g.out))
	}
	room(k, &g.order, math.MaxInt)
	for i := range g.order {
		if k.Read {
			g.order[i] = &order{}
		}
		k.order(g.order[i], len(g.nodes))
	}
	if there(k, &g.purse) {
		k.purse(g.purse, len(g.nodes))
	}
	if k.Read && !k.Bad { // what was not read whole need not agree
		k.must(g.reindex())
	}
}

// reindex builds what can be worked out from nodes and links, and tells whether they agree.
func (g *graph) reindex() bool {
	g.index, g.large = map[uint64]uint32{}, asideFrom
	for i := range g.nodes {
		v := &g.nodes[i]
		g.index[v.item] = uint32(i)
		g.mass += v.mass()
		if v.fetched {
			g.done++
		}
		if v.seed {
			g.seeds++
		}
	}
	last := uint32(0)
	for i, r := range g.runs {
		if r.start < last || i == 0 && r.start != 0 {
			return false
		}
		last = r.start
	}
	g.pages(func(from uint32, to []uint32) { g.nodes[from].degree += uint32(len(to)) })
	return len(g.index) == len(g.nodes)
}

func (k *coder) order(o *order, nodes int) {
	k.method(&o.method, &o.every)
	k.values(&o.values, nodes)
	upTo(k, &o.solved, len(o.values))
	upTo(k, &o.due, math.MaxInt)
	k.Yes(&o.fresh)
	if there(k, &o.aside) {
		k.solution(o.aside, len(o.values))
	}
}

// solution is one that is worked out aside. It is waited for: what is read is done.
func (k *coder) solution(s *solution, nodes int) {
	if k.Read {
		s.done = make(chan struct{})
		close(s.done)
	}
	<-s.done
	upTo(k, &s.counts, math.MaxInt)
	k.values(&s.values, nodes)
}

// values are those of at most so many nodes.
func (k *coder) values(values *[]float32, nodes int) {
	room(k, values, nodes)
	for i := range *values {
		v := &(*values)[i]
		k.Float32(v)
		k.must(0 <= *v && *v <= math.MaxFloat32)
	}
}

func (k *coder) purse(p *purse, nodes int) {
	k.positive(&p.dust, math.MaxFloat64)
	k.positive(&p.pot, math.MaxFloat64)
	upTo(k, &p.page, nodes)
	room(k, &p.cash, nodes)
	if k.Read {
		p.since = make([]float64, len(p.cash))
	}
	k.must(len(p.cash) == 0 || int(p.page) < len(p.cash))
	for i := range p.cash {
		k.positive(&p.cash[i], math.MaxFloat64)
		k.positive(&p.since[i], math.MaxFloat64)
	}
}
