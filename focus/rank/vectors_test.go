package rank

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/page"
)

// TestBlockSharkNodeByNode: not only the priority of the worked example is right, but every number it is made of.
func TestBlockSharkNodeByNode(t *testing.T) {
	s := shipped(t, "block-shark")
	check := func(when string, numbers []float32, lb, siblings, dynamic, neighbourhood, potential, priority float64) {
		t.Helper()
		want := map[string]float64{"block": lb, "siblings": siblings, "dynamic": dynamic, "neighbourhood": neighbourhood,
			"potential": potential, "priority": priority}
		inside := false // shark has a neighbourhood, too
		for i, n := range s.Nodes() {
			inside = inside || n.Name == "priority"
			if w, ok := want[n.Name]; ok && inside {
				near(t, when+": "+n.Name, float64(numbers[i]), w)
				delete(want, n.Name)
			}
		}
		if len(want) > 0 {
			t.Errorf("%s: the tree has no %v", when, want)
		}
	}
	again := func(p *told, i int) []float32 {
		t.Helper()
		numbers, ok := s.Rescore(uint64(10+i), p.memory)
		if !ok {
			t.Fatalf("link %d cannot be scored again", i)
		}
		return numbers
	}
	p := threeAnchors(page.Related)
	p.rank(s)
	check("nothing is fetched", again(p, 0), 0.3, 0.2, 0.25, 0.58, 0.415, 0.415)
	p.fetch(map[int]float64{1: 0.8, 2: 0.4, 3: 0.9, 4: 0.1})
	check("siblings are fetched", again(p, 0), 0.3, 0.6, 0.45, 0.58, 0.515, 0.6325)
	p = threeAnchors(page.Related)
	p.rank(s)
	p.fetch(map[int]float64{0: 0.8, 1: 0.4, 3: 0.9, 4: 0.1})
	check("a weak link", again(p, 2), 0.3, 0.6, 0.45, 0.02, 0.235, 0.4925)
	links := []linkTold{{3, 0, 0}, {3, 0, 0}, {3, 0, 0}}
	for range 10 {
		links = append(links, linkTold{2, 0.1, 0})
	}
	p = tellPage(page.Related, links...)
	p.rank(s)
	p.fetch(map[int]float64{0: 0, 1: 0, 2: 0, 3: 0, 4: 0})
	check("a big weak block", again(p, 12), 0.1, 0, 0.05, 0.08, 0.065, 0.0325)
}

// TestOPICOnTheGraphOfItsVector: A links to B and C, B to C, C to nothing, and D waits and holds nothing.
func TestOPICOnTheGraphOfItsVector(t *testing.T) {
	const a, b, c, d = 1, 2, 3, 4
	g := newGraph()
	g.fetched(a, 0)
	p := openPurse(g)
	g.purse = p
	held := func(when string, want ...float64) {
		t.Helper()
		sum := p.pot
		for i, w := range want {
			n, ok := g.index[uint64(i+1)]
			if !ok {
				t.Fatalf("%s: %d is not known", when, i+1)
			}
			near(t, when+": "+string(rune('A'+i)), p.held(g, n), w)
			sum += p.held(g, n)
		}
		near(t, when+": all the cash", sum, 1)
	}
	near(t, "what A hands on, which is its history", p.pot, 1)
	g.link(a, b, edge{links: 1})
	g.link(a, c, edge{links: 1})
	g.fetched(b, 0)
	held("B is read", 0, 0, 0.5)
	near(t, "what B hands on", p.pot, 0.5)
	g.link(b, c, edge{links: 1})
	g.node(d)
	g.fetched(c, 0)
	held("C is read", 0, 0, 0, 0)
	near(t, "what C hands on", p.pot, 1)
	p.settle(g)
	held("C has no links", 0, 0, 0, 1)
}

// TestAnApprenticeBeginsWithTheWeightsItIsGiven: before it has learned anything the chance is that of the stated weights,
// and of links that differ in one part the order is that of the part.
func TestAnApprenticeBeginsWithTheWeightsItIsGiven(t *testing.T) {
	stated := []struct {
		part   string
		weight float64
	}{
		{"shark", 3}, {"anchor", 1}, {"context", 0.5}, {"parent", 0.5}, {"parents", 0.25}, {"block", 1}, {"host", 2},
		{"directory", 1.5}, {"shape", 1}, {"path", 1}, {"siblings", 1}, {"in-degree", 0.5}, {"keywords", 2}, {"drought", 0}, {"depth", 0},
	}
	s := shipped(t, "apprentice")
	values := map[int]*float64{} // by part: what it says now
	var parts []int
	root := &s.nodes[s.apprentice]
	for i := s.apprentice + saysEnd; i < root.end; i = s.nodes[i].end {
		n, v := &s.nodes[i], new(float64)
		n.kind, n.over, n.recaller = leaf, overThis, nil
		n.factor = Func(func(*Evidence) float64 { return *v })
		values[i], parts = v, append(parts, i)
	}
	if len(parts) != len(stated) {
		t.Fatalf("it has %d parts, want %d", len(parts), len(stated))
	}
	m := NewMemory()
	numbers := func() []float32 {
		_, numbers := s.Score(&Evidence{Page: &page.Page{}, Link: &page.Link{}, Memory: m}, nil)
		return numbers
	}
	for k, i := range parts {
		if n := s.nodes[i]; n.Name != stated[k].part || n.Weight != stated[k].weight {
			t.Errorf("part %d is %s of weight %v, want %s of %v", k, n.Name, n.Weight, stated[k].part, stated[k].weight)
		}
		for _, v := range values {
			*v = 0.25
		}
		before, last := 0.0, -1.0
		for _, w := range stated {
			before += 0.25 * w.weight
		}
		for _, v := range []float64{0, 0.1, 0.3, 0.6, 1} {
			*values[i] = v
			all := numbers()
			near(t, stated[k].part+": the chance", float64(all[s.apprentice+saysChance]), learn.Sigmoid(-3+before+(v-0.25)*stated[k].weight))
			near(t, stated[k].part+": the words say nothing yet", float64(all[s.apprentice+saysWords]), 0)
			if score := float64(all[0]); stated[k].weight > 0 && score <= last || stated[k].weight == 0 && last >= 0 && score != last {
				t.Errorf("%s of %v scores %v, the value before it %v", stated[k].part, v, score, last)
			} else {
				last = score
			}
		}
	}
}
