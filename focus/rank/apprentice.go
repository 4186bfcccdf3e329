package rank

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// Apprenticeship is the parameters of an apprentice, a branch that learns from every page how much its parts, and the
// words around a link, are worth. It starts from the weights that are written on its parts.
type Apprenticeship struct {
	Bias       float64 `yaml:"bias" doc:"what is believed of a link of which nothing is known, as log-odds" check:"-20..20"`
	Future     float64 `yaml:"future" doc:"how much of what is hoped for behind the link counts beside the link itself" check:"0..10"`
	Best       int     `yaml:"best" doc:"what lies behind a page is the mean of so many of its best new links: their chance, or fade times what is hoped for behind them, and when they were fetched, what they came to" check:"1..10"`
	Hops       int     `yaml:"hops" doc:"how many links back a page's outcome is told of" check:"1..10"`
	Fade       float64 `yaml:"fade" doc:"what lies behind a page counts so much for the page before it" check:"0..1"`
	Riches     float64 `yaml:"riches" doc:"how much more a page with t behind it teaches: 1 + riches·t times" check:"0..100"`
	Step       float64 `yaml:"step" doc:"how far the weights of words move: step/√(squares so far + floor)" check:"0..10"`
	Floor      float64 `yaml:"floor" doc:"see step" check:"(0..10)"`
	PartStep   float64 `yaml:"part_step" doc:"the same for the weights of the parts" check:"0..10"`
	PartFloor  float64 `yaml:"part_floor" doc:"see part_step" check:"(0..10)"`
	Success    float64 `yaml:"success" doc:"how much more a page of relevance R teaches: 1 + success·R times" check:"0..100"`
	Buckets    float64 `yaml:"buckets" doc:"what a part's level counts beside the part: levels are eighths of its root, each with a weight of its own" check:"0..4"`
	Every      int     `yaml:"every" doc:"the best waiting links are scored again after so many pages" check:"1..1000000"`
	Growth     float64 `yaml:"growth" doc:"… or when the pages have grown by this share, whichever is more" check:"0..1"`
	Bits       int     `yaml:"bits" doc:"words are told apart by so many bits of a hash; 16 bytes of memory for each number of so many bits" check:"8..20"`
	Links      int     `yaml:"links" doc:"the words of so many links to an address are averaged, the first ones found" check:"1..16"`
	Window     int     `yaml:"window" doc:"how many words on each side of the link count" check:"0..20"`
	Address    float64 `yaml:"address" doc:"what the words of the address count together" check:"0..4"`
	Anchor     float64 `yaml:"anchor" doc:"those of the link" check:"0..4"`
	Around     float64 `yaml:"around" doc:"those around it" check:"0..4"`
	Heading    float64 `yaml:"heading" doc:"those of the nearest heading" check:"0..4"`
	Path       float64 `yaml:"path" doc:"the link's tag path" check:"0..4"`
	PathOnHost float64 `yaml:"path_on_host" doc:"the tag path on this host" check:"0..4"`
	Block      float64 `yaml:"block" doc:"the block of this page" check:"0..4"`
}

// defaultApprenticeship is what was measured to work on recorded webs; see the manual of strategies.
var defaultApprenticeship = Apprenticeship{
	Bias: -3, Future: 0.3, Best: 3, Hops: 3, Fade: 0.5, Riches: 4, Step: 0.08, Floor: 0.01, PartStep: 0.05, PartFloor: 0.05, Success: 2, Buckets: 0.5,
	Every: 10, Growth: 0.03, Bits: 19, Links: 6, Window: 10,
	Address: 1, Anchor: 1, Around: 0.7, Heading: 0.5, Path: 0.7, PathOnHost: 0.7, Block: 1,
}

// What an apprentice says of a link beside its parts, in the nodes that stand before them.
const (
	saysChance = 1 + iota // how likely the link leads to a relevant page
	saysFuture            // how much is hoped for behind it
	saysWords             // what the words add to the log-odds of the chance
	saysEnd
)

var sayings = [...]string{saysChance: "chance", saysFuture: "future", saysWords: "words"}

// levels is how many levels a part has: nine, and one for no evidence.
const (
	levels  = 10
	unknown = levels - 1
)

// level is the level of a part's number: the eighths of its root, so that small numbers are told apart.
func level(v float64) int {
	if v != v {
		return unknown
	}
	return int(8 * math.Sqrt(unit(v)))
}

// apprentice is an apprentice at work: what it has learned so far.
type apprentice struct {
	Apprenticeship
	parts  int           // how many it has
	chance *learn.Online // the log-odds that a link leads to a relevant page
	future *learn.Online // what lies behind it
	due    int           // when so many pages are fetched, the best links are scored again

	page    uint64              // the page whose links are told now
	visited map[uint64]*visited // by item, the last that were fetched
	order   []uint64            // their items, in the order in which they were fetched
	x       learn.Vector        // of the link that was scored last: the parts …
	words   learn.Vector        // … and the rest
}

// newApprentice makes one that has learned nothing.
func newApprentice(a Apprenticeship, weights []float64) *apprentice {
	p := &apprentice{Apprenticeship: a, parts: len(weights), visited: map[uint64]*visited{}}
	size := 1 + p.parts*(1+levels) + 1<<a.Bits
	p.chance, p.future = learn.NewOnline(size), learn.NewOnline(size)
	p.chance.Set(0, float32(a.Bias), 0)
	for i, w := range weights {
		p.chance.Set(1+i, float32(w), 0)
	}
	return p
}

// Where the weights stand: the bias, the parts, the levels of each part, the words that mean the same everywhere, and
// those of one host or page.
func (p *apprentice) level(part int, v float64) int { return 1 + p.parts + part*levels + level(v) }
func (p *apprentice) hashed() int                   { return 1 + p.parts*(1+levels) }

// weights are the parts' weights at the start.
func (s *Strategy) weights() (weights []float64) {
	n := &s.nodes[s.apprentice]
	for j := s.apprentice + saysEnd; j < n.end; j = s.nodes[j].end {
		weights = append(weights, s.nodes[j].Weight)
	}
	return weights
}

// apprentice scores a link by an apprentice's weights. What it says of the words and of the two heads stands in the
// nodes before its parts.
func (w *walk) apprentice(n *node, i int) float64 {
	p := w.learner()
	if p == nil {
		return w.novice(n, i)
	}
	chance, future := float64(p.chance.Weight[0]), float64(p.future.Weight[0])
	part := 0
	for j := i + saysEnd; j < n.end; j = w.s.nodes[j].end {
		var a added
		if w.later && w.s.nodes[j].same {
			a = w.added[part] // its number has been written down, too
		} else if a = p.added(part, w.node(j)); w.added != nil {
			w.added[part] = a
		}
		chance = chance + a.chanceLevel + a.chance
		future = future + a.futureLevel + a.future
		part++
	}
	if !w.heard {
		w.words[0], w.words[1] = w.spoken(p)
		w.heard = true
	}
	return w.say(i, chance, future, p.Future)
}

// added is what a part adds to the log-odds of the two heads: by its level and by its number.
type added struct{ chanceLevel, chance, futureLevel, future float64 }

// nothing changes no number it is added to, not even -0.
var nothing = math.Copysign(0, -1)

// added is rounded before it is added, so that it is the same whether it was kept or is worked out.
func (p *apprentice) added(part int, v float64) added {
	at := p.level(part, v)
	a := added{float64(p.Buckets * float64(p.chance.Weight[at])), nothing, float64(p.Buckets * float64(p.future.Weight[at])), nothing}
	if v == v {
		a.chance, a.future = float64(v*float64(p.chance.Weight[1+part])), float64(v*float64(p.future.Weight[1+part]))
	}
	return a
}

// say writes down what an apprentice says, and answers its score.
func (w *walk) say(i int, chance, future, share float64) float64 {
	chance = learn.Sigmoid(chance + w.words[0])
	future = unit(future + w.words[1])
	w.numbers[i+saysChance], w.numbers[i+saysFuture], w.numbers[i+saysWords] = float32(chance), float32(future), float32(w.words[0])
	return chance + share*future
}

// novice scores a link where there is no memory to learn in.
func (w *walk) novice(n *node, i int) float64 {
	a := n.with.(Apprenticeship)
	chance := a.Bias
	for j := i + saysEnd; j < n.end; j = w.s.nodes[j].end {
		if v := w.node(j); v == v {
			chance += w.s.nodes[j].Weight * v
		}
	}
	return w.say(i, chance, 0, a.Future)
}

// learner is the apprentice that has learned from this crawl.
func (w *walk) learner() *apprentice {
	m := w.trace.memory
	if w.evidence != nil {
		m = w.evidence.Memory
	}
	if m == nil {
		return nil
	}
	return m.apprentice
}

// spoken is what the words of the links to the address come to.
func (w *walk) spoken(p *apprentice) (chance, future float64) {
	var own, links []uint32
	n := 0
	if known := w.trace.entry; known != nil {
		own, links, n = known.spoken.own(), known.spoken.links(), int(known.spoken.count)
	}
	hashed := p.hashed()
	a, b := p.chance.Weight[hashed:], p.future.Weight[hashed:]
	c, f := sum(links, a, b)
	if w.evidence != nil && n < p.Links {
		s := w.evidence.speech(&p.Apprenticeship)
		if n == 0 {
			own = s.own()
		}
		c1, f1 := sum(s.links(), a, b)
		c, f, n = c+c1, f+f1, n+1
	}
	chance, future = sum(own, a, b)
	if n > 0 {
		chance += c / float64(n)
		future += f / float64(n)
	}
	return chance, future
}

// sum adds up what two heads say of some words.
func sum(words []uint32, a, b []float32) (x, y float64) {
	for _, word := range words {
		at, value := unpack(word)
		x += float64(value) * float64(a[at])
		y += float64(value) * float64(b[at])
	}
	return x, y
}
