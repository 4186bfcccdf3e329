package rank

// pagerankParams are the parameters of pagerank.
type pagerankParams struct {
	Damping    float64 `yaml:"damping" doc:"how often the surfer follows a link instead of jumping" check:"(0..1)"`
	Iterations int     `yaml:"iterations" doc:"how often the values are passed on along the links" check:"1..1000"`
	Every      int     `yaml:"every" doc:"after how many pages it is worked out again; a small graph sooner, one of over 2,000 pages when it has grown by a twentieth" check:"1..1000000"`
	Surfer     string  `yaml:"surfer" doc:"blind follows all links alike; topic prefers what is relevant (recursive); topic_once is one pass of it over the blind one" check:"blind|topic|topic_once"`
}

func registerPagerank(r *Registry) {
	Register(r, "pagerank", "the share of a random surfer's time the address gets, on the graph crawled so far",
		pagerankParams{Damping: 0.85, Iterations: 30, Every: 100, Surfer: "blind"}, func(p pagerankParams) (Factor, error) {
			return ordering{method: pagerank{p}, every: p.Every}, nil
		})
}

// pagerank is the method of the random surfer.
type pagerank struct{ pagerankParams }

// base is what an address has that no link was seen to: its part of the jumps, had it been there when the values were worked out.
func (p pagerank) base(g *graph) float64 {
	if p.prefers() {
		return 0
	}
	return (1 - p.Damping) / float64(len(g.nodes)+1)
}

// share is what a link that was found since then adds to its address. It makes no value exact, but lets a new link count before all of
// them are worked out again.
func (p pagerank) share(from float64, e edge) float64 {
	switch {
	case p.prefers():
		return p.Damping * from * float64(e.part)
	case e.links == 0:
		return 0
	}
	return p.Damping * from / float64(e.links)
}

// jump is how often the surfer jumps to an address. To a blind one all are alike, which is the base.
func (p pagerank) jump(g *graph, v vertex) float64 {
	if !p.prefers() {
		return 0
	}
	all, weight := weightOf(g.mass), v.weight()
	if v.item == 0 { // it is not among them yet
		all += weight
	}
	if all == 0 {
		return (1 - p.Damping) / float64(len(g.nodes)+1)
	}
	return (1 - p.Damping) * weight / all
}

// prefers tells whether the surfer prefers what is relevant.
func (p pagerank) prefers() bool { return p.Surfer != "blind" }

// solve works all values out, by passing them on along the links a fixed number of times: as often for everybody, so that the same
// graph has the same values on every machine, where a bound of accuracy might be reached a step earlier or later.
func (p pagerank) solve(g *graph, values []float32) {
	if len(g.nodes) == 0 {
		return
	}
	in, now := g.sorted(true), make([]float64, len(g.nodes))
	for i := range now {
		now[i] = 1 / float64(len(now))
	}
	next := make([]float64, len(now))
	settles := p.blind(g, in)
	if p.Surfer == "topic" {
		settles = p.topic(g, in)
	}
	for range p.Iterations {
		settles.step(g, now, next)
		now, next = next, now
	}
	if p.Surfer == "topic_once" {
		p.topic(g, in).step(g, now, next)
		now = next
	}
	for i := range now {
		values[i] = float32(now[i])
	}
}

// surfer is where a random surfer goes: jump says how likely each node is when it jumps, weight how likely a link is
// taken beside the others of its page.
type surfer struct {
	damping float64
	jump    []float64
	weight  []float64 // by node linked to
	total   []float64 // by node: the weights of its links together
	in      links     // by the node they lead to
	share   []float64 // see hand
	alike   []float64
}

// blind is a surfer to whom all nodes are alike.
func (p pagerank) blind(g *graph, in links) surfer {
	return newSurfer(g, in, p.Damping, func(vertex) float64 { return 1 })
}

// leastRelevance is the relevance of an address of whose links no word speaks of the topic: it must be possible to get
// there.
const leastRelevance = 1e-6

// weight is how much a surfer who prefers the topic prefers an address. One that waits is as relevant as the best hint of its
// links.
func (v vertex) weight() float64 {
	if v.fetched {
		return float64(v.relevance)
	}
	return max(leastRelevance, float64(v.relevance))
}

// topic is a surfer who prefers what is relevant.
func (p pagerank) topic(g *graph, in links) surfer { return newSurfer(g, in, p.Damping, vertex.weight) }

// newSurfer is a surfer to whom the nodes weigh what weight says. Where all weigh nothing it jumps to all alike.
func newSurfer(g *graph, in links, damping float64, weight func(vertex) float64) surfer {
	byNode := func() []float64 { return make([]float64, len(g.nodes)) }
	s := surfer{damping: damping, jump: byNode(), weight: byNode(), total: byNode(), in: in, share: byNode(), alike: byNode()}
	sum := 0.0
	for i, v := range g.nodes {
		s.weight[i] = weight(v)
		sum += s.weight[i]
	}
	for i := range s.jump {
		s.jump[i] = 1 / float64(len(s.jump))
		if sum > 0 {
			s.jump[i] = s.weight[i] / sum
		}
	}
	g.pages(func(from uint32, to []uint32) {
		for _, n := range to {
			s.total[from] += s.weight[n]
		}
	})
	return s
}

// step passes the values on once. A page whose links lead nowhere relevant treats them alike; one without links jumps.
func (s surfer) step(g *graph, now, next []float64) {
	jumps, lost := s.hand(g, now)
	gather(len(next), func(from, to int) {
		for i := from; i < to; i++ {
			sum, weight := jumps*s.jump[i], s.weight[i]
			for _, n := range s.in.of(i) {
				sum += s.share[n] * weight
			}
			if lost {
				for _, n := range s.in.of(i) {
					sum += s.alike[n]
				}
			}
			next[i] = sum
		}
	})
}

// hand works out what each page gives to a link of weight 1 (share), or to each link where all weights are 0 (alike), and
// what is handed out in jumps; lost tells whether there is a page of the second kind.
func (s surfer) hand(g *graph, now []float64) (jumps float64, lost bool) {
	jumps = 1 - s.damping
	for i := range g.nodes {
		value := s.damping * now[i]
		s.share[i], s.alike[i] = 0, 0
		switch degree := g.nodes[i].degree; {
		case degree == 0:
			jumps += value
		case s.total[i] == 0:
			s.alike[i], lost = value/float64(degree), true
		default:
			s.share[i] = value / s.total[i]
		}
	}
	return jumps, lost
}
