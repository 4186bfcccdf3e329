package rank

import (
	"errors"
	"math"
)

// hitsParams are the parameters of hits.
type hitsParams struct {
	Of         string  `yaml:"of" doc:"authority of the address the link leads to, or the page it stands on as a hub" check:"authority|hub"`
	Edges      string  `yaml:"edges" doc:"all links alike; relevant: those between different sites, weighed by the relevance of both pages" check:"all|relevant"`
	Least      float64 `yaml:"least" doc:"with relevant edges, the relevance a page must have to count" check:"0..1"`
	Iterations int     `yaml:"iterations" doc:"how often hubs and authorities are worked out from each other" check:"1..1000"`
	Every      int     `yaml:"every" doc:"after how many pages it is worked out again; a small graph sooner, one of over 2,000 pages when it has grown by a twentieth" check:"1..1000000"`
}

func registerHits(r *Registry) {
	Register(r, "hits", "how good an authority the address is, or how good a hub its page, on the graph crawled so far",
		hitsParams{Of: "authority", Edges: "all", Least: 0.3, Iterations: 30, Every: 100}, func(p hitsParams) (Factor, error) {
			if p.Of == "authority" && p.Edges == "relevant" {
				return nil, errors.New("edges: relevant counts the links between pages that were fetched, so that an address that waits is always 0; write of: hub, or edges: all")
			}
			return ordering{method: hits{p}, every: p.Every, parent: p.Of == "hub"}, nil
		})
}

// hits is the method of hubs and authorities.
type hits struct{ hitsParams }

// An address that was heard of since the last solution has no value before the next one.
func (hits) base(*graph) float64         { return 0 }
func (hits) share(float64, edge) float64 { return 0 }
func (hits) jump(*graph, vertex) float64 { return 0 }
func (hits) prefers() bool               { return false }

// solve works out hubs and authorities from each other. Both are scaled so that their squares sum up to 1.
func (h hits) solve(g *graph, values []float32) {
	hub, authority := make([]float64, len(g.nodes)), make([]float64, len(g.nodes))
	for i := range hub {
		hub[i] = 1
	}
	in, out := g.sorted(true), g.sorted(false)
	for range h.Iterations {
		if h.Edges == "all" {
			pass(authority, hub, in, nil)
			pass(hub, authority, out, nil)
			continue
		}
		pass(authority, hub, in, func(to, from uint32) float64 { return worth(g, from, to, to, h.Least) })
		pass(hub, authority, out, func(from, to uint32) float64 { return worth(g, from, to, from, h.Least) })
	}
	result := authority
	if h.Of == "hub" {
		result = hub
	}
	for i, v := range result {
		values[i] = float32(v)
	}
}

// pass gives each node what the other ends of its links have, each by the weight of the link; 1 where there is no weight.
func pass(to, from []float64, along links, weight func(node, other uint32) float64) {
	gather(len(to), func(first, last int) {
		for i := first; i < last; i++ {
			sum := 0.0
			for _, n := range along.of(i) {
				if weight == nil {
					sum += from[n]
				} else {
					sum += from[n] * weight(uint32(i), n)
				}
			}
			to[i] = sum
		}
	})
	normalise(to)
}

// worth is the weight of a link that may count or not: the relevance of the page that gains by it, where both are relevant
// and on different sites.
func worth(g *graph, from, to, gains uint32, least float64) float64 {
	a, b := &g.nodes[from], &g.nodes[to]
	if a.site == b.site || !a.fetched || !b.fetched || float64(a.relevance) <= least || float64(b.relevance) <= least {
		return 0
	}
	return float64(g.nodes[gains].relevance)
}

// normalise scales a vector so that its squares sum up to 1; one of zeros stays.
func normalise(v []float64) {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	if sum == 0 {
		return
	}
	scale := 1 / math.Sqrt(sum)
	for i := range v {
		v[i] *= scale
	}
}
