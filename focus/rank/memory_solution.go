package rank

import "slices"

// asideFrom is the number of links from which a solution is worked out aside, while the crawl goes on: a smaller graph is
// solved within a tenth of a second.
const asideFrom = 1 << 20

// delay is after what share of the pages a solution that is worked out aside counts: at the same page whatever the
// machine's speed, so that a crawl is the same again.
const delay = 0.01

// solution is what is worked out aside, of the graph as it was when it was begun.
type solution struct {
	counts int       // it counts when so many pages are fetched
	values []float32 // by node; read them when it is done
	done   chan struct{}
}

// beginAside works out the values of the graph as it is, while it grows.
func (o *order) beginAside(g *graph) {
	was := &graph{nodes: slices.Clone(g.nodes), runs: slices.Clip(g.runs), out: slices.Clip(g.out)}
	s := &solution{counts: g.done + max(1, int(delay*float64(g.done))), values: make([]float32, len(was.nodes)), done: make(chan struct{})}
	o.aside = s
	go func() {
		defer close(s.done)
		o.method.solve(was, s.values)
	}()
}

// adopt lets the solution that was worked out aside count, once its time has come. What was said of nodes that were heard
// of meanwhile stays.
func (o *order) adopt(g *graph) {
	s := o.aside
	if s == nil || g.done < s.counts {
		return
	}
	<-s.done
	o.aside, o.solved, o.fresh = nil, len(s.values), true
	copy(o.values, s.values)
}
