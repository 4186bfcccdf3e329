package rank

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// drawn is a graph of the given links, its nodes 1, 2, … of the given relevances. Nodes with links are fetched.
func drawn(relevances []float32, links ...[2]uint64) *graph {
	g := newGraph()
	for i, relevance := range relevances {
		g.reckon(g.node(uint64(i+1)), func(v *vertex) { v.relevance = relevance })
	}
	for _, l := range links {
		g.link(l[0], l[1], edge{links: 1, sites: [2]uint32{uint32(l[0]), uint32(l[1])}})
	}
	for i := range g.nodes {
		if g.nodes[i].degree > 0 {
			g.reckon(uint32(i), func(v *vertex) { v.fetched = true })
			g.done++
		}
	}
	return g
}

func solved(g *graph, m method) []float32 {
	values := make([]float32, len(g.nodes))
	m.solve(g, values)
	return values
}

func nearAll(t *testing.T, what string, have []float32, want ...float64) {
	t.Helper()
	if len(have) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(have), len(want))
	}
	for i := range want {
		near(t, fmt.Sprintf("%s of node %d", what, i+1), float64(have[i]), want[i])
	}
}

func ranked(surfer string, iterations int) pagerank {
	return pagerank{pagerankParams{Damping: 0.85, Iterations: iterations, Every: 100, Surfer: surfer}}
}

func TestPageRank(t *testing.T) {
	g := drawn([]float32{0, 0, 0}, [2]uint64{1, 2}, [2]uint64{1, 3}, [2]uint64{2, 3}, [2]uint64{3, 1})
	nearAll(t, "one step", solved(g, ranked("blind", 1)), 0.333333, 0.191667, 0.475)
	nearAll(t, "limit", solved(g, ranked("blind", 200)), 0.387790, 0.214811, 0.397400)
}

func TestPageRankOfADeadEnd(t *testing.T) {
	g := drawn([]float32{0, 0}, [2]uint64{1, 2}) // p1 = .075 + .425·p2, p1 + p2 = 1
	nearAll(t, "limit", solved(g, ranked("blind", 200)), 0.35087719, 0.64912281)
}

func TestTopicPageRank(t *testing.T) {
	g := drawn([]float32{0.2, 0.6, 0.2}, [2]uint64{1, 2}, [2]uint64{1, 3}, [2]uint64{2, 3}, [2]uint64{3, 1})
	nearAll(t, "one step", solved(g, ranked("topic", 1)), 0.313333, 0.302500, 0.384167)
	limit := solved(g, ranked("topic", 200))
	nearAll(t, "limit", limit, 0.335929, 0.304155, 0.359916)
	near(t, "importance, three times the value", 3*float64(limit[1]), 0.912465)
	// one pass over the plain PageRank .387790 .214811 .397400
	nearAll(t, "one pass", solved(g, ranked("topic_once", 200)), 0.03+0.85*0.397400, 0.09+0.85*0.387790*0.75, 0.03+0.85*(0.387790*0.25+0.214811))
}

// Between two solutions an address that was heard of since is worth what one step of the surfer, from the values before, makes
// of it: here of the graph of the vector, when A is read and is all there was.
func TestANewAddressIsWorthAStepOfItsSurfer(t *testing.T) {
	for _, surfer := range []string{"topic", "topic_once"} {
		s, m := tree(t, "{use: pagerank, with: {surfer: "+surfer+"}}"), NewMemory()
		m.Fetched(1, 0.2, false, 0)
		p := tellPage(page.Related, linkTold{2, 0.6, 0}, linkTold{2, 0.2, 0})
		p.memory = m
		b, c := p.link(0), p.link(1)
		near(t, surfer+": B, of A and B", score(s, b), 0.15*0.6/0.8+0.85*0.75)
		near(t, surfer+": C, of A and C", score(s, c), 0.15*0.2/0.4+0.85*0.25)
		m.Linked(2, b)
		m.Linked(3, c)
		near(t, surfer+": B", again(t, s, m, 2), 0.15*0.6+0.85*0.75)
		near(t, surfer+": C", again(t, s, m, 3), 0.15*0.2+0.85*0.25)
	}
}

// A link to a page that is known to be relevant takes its part of what the page has to give, whatever its words say.
func TestWhatIsKnownOfAnAddressCountsBesideItsLinks(t *testing.T) {
	s, m := tree(t, "{use: pagerank, with: {surfer: topic}}"), NewMemory()
	step(s, m, 1, 0.2, 2)
	m.Fetched(2, 0.8, true, 0)
	p := tellPage(page.Related, linkTold{2, 0, 0}, linkTold{2, 0.2, 0})
	p.memory = m
	known := p.link(0)
	known.Item, known.Parent = 2, 9
	score(s, known)
	m.Linked(2, known)
	near(t, "its part", float64(m.seen.edge.part), 0.8/(0.8+0.2))
	if m.graph.mass != m.graph.nodes[0].mass()+m.graph.nodes[1].mass()+m.graph.nodes[2].mass() || len(m.graph.nodes) != 3 {
		t.Errorf("%d nodes weigh %v together", len(m.graph.nodes), weightOf(m.graph.mass))
	}
}

func TestASurferWithoutRelevanceIsBlind(t *testing.T) {
	g := drawn([]float32{0, 0, 0}, [2]uint64{1, 2}, [2]uint64{1, 3}, [2]uint64{2, 3}, [2]uint64{3, 1})
	if blind, topic := solved(g, ranked("blind", 30)), solved(g, ranked("topic", 30)); !reflect.DeepEqual(blind, topic) {
		t.Errorf("blind %v, topic %v", blind, topic)
	}
}

func TestHITS(t *testing.T) {
	g := drawn([]float32{0, 0, 0, 0}, [2]uint64{1, 3}, [2]uint64{1, 4}, [2]uint64{2, 4})
	of := func(what string, iterations int) hits {
		return hits{hitsParams{Of: what, Edges: "all", Iterations: iterations, Every: 100}}
	}
	nearAll(t, "authority after one iteration", solved(g, of("authority", 1)), 0, 0, 0.447214, 0.894427)
	nearAll(t, "hub after one iteration", solved(g, of("hub", 1)), 0.832050, 0.554700, 0, 0)
	nearAll(t, "authority in the limit", solved(g, of("authority", 100)), 0, 0, 0.525731, 0.850651)
	nearAll(t, "hub in the limit", solved(g, of("hub", 100)), 0.850651, 0.525731, 0, 0)
}

// The distiller: a(v) = Σ h(u)·R(v), h(u) = Σ a(v)·R(u), between different sites and among relevant pages.
func TestTheDistillerCountsRelevantPagesOfOtherSites(t *testing.T) {
	hub := hits{hitsParams{Of: "hub", Edges: "relevant", Least: 0.3, Iterations: 50, Every: 100}}
	links := [][2]uint64{{1, 3}, {1, 4}, {2, 3}, {2, 5}, {3, 1}, {4, 1}, {5, 1}}
	g := drawn([]float32{0.8, 0.8, 0.9, 0.9, 0.1}, links...)
	values := solved(g, hub)
	if !(values[0] > values[1] && values[1] > 0) {
		t.Errorf("hubs %v: the one of two relevant pages must come before that of one", values)
	}
	for i := range g.nodes {
		g.nodes[i].site = 7
	}
	nearAll(t, "hub on one site", solved(g, hub), 0, 0, 0, 0, 0)
}

// step makes a memory live through one page: it is fetched, and links to others. It answers the scores of the links. A page
// that nobody has linked to is a start page.
func step(s *Strategy, m *Memory, id uint64, relevance float64, to ...uint64) []float64 {
	depth := uint16(0)
	if _, linked := m.index[id]; linked {
		depth = 1
	}
	return stepAt(depth, s, m, id, relevance, to...)
}

// stepAt is a step to a page so many links away from a start page.
func stepAt(depth uint16, s *Strategy, m *Memory, id uint64, relevance float64, to ...uint64) []float64 {
	m.Fetched(id, relevance, relevance >= 0.3, 256)
	defer m.LinksTold(256)
	var links []linkTold
	for range to {
		links = append(links, linkTold{2, 0.2, 0})
	}
	if len(links) == 0 {
		return nil
	}
	p := tellPage(page.Links, links...)
	p.memory = m
	p.page.URL = fmt.Sprintf("http://h%d.example/", id)
	var scores []float64
	var all []*Evidence
	for i, item := range to {
		e := p.link(i)
		e.Parent, e.Trail.Depth = id, depth
		e.Link.URL = fmt.Sprintf("http://h%d.example/", item)
		if _, known := m.index[item]; known {
			e.Item = item
		}
		scores = append(scores, score(s, e))
		all = append(all, e)
	}
	for i, item := range to {
		m.Linked(item, all[i])
	}
	return scores
}

// linkless is a step to a relevant page without links; it answers what is told then.
func linkless(m *Memory, id uint64, limit int) []uint64 {
	m.Fetched(id, 0.9, true, limit)
	return m.LinksTold(limit)
}

func again(t *testing.T, s *Strategy, m *Memory, item uint64) float64 {
	t.Helper()
	numbers, ok := s.Rescore(item, m)
	if !ok {
		t.Fatalf("item %d cannot be scored again", item)
	}
	return float64(numbers[0])
}

func TestOPICHandsCashOn(t *testing.T) {
	s, m := shipped(t, "opic"), NewMemory()
	for i, v := range step(s, m, 1, 0.5, 2, 3) { // A links to B and C
		near(t, fmt.Sprintf("link %d of A", i), v, 0.5)
	}
	near(t, "the link of B to C", step(s, m, 2, 0.5, 3)[0], 1) // B links to C
	near(t, "C", again(t, s, m, 3), 0.5)
	step(s, m, 3, 0.5, 4) // C is read: B has handed on its half, and C links to D
	m.Fetched(99, 0, false, 0)
	near(t, "D", again(t, s, m, 4), 0.5) // all the cash of the first start page, of two
	p := m.graph.purse
	near(t, "D holds", p.held(m.graph, m.graph.index[4]), 1)
	sum := p.pot
	for n := range m.graph.nodes {
		sum += p.held(m.graph, uint32(n))
	}
	near(t, "the cash of two start pages", sum, 2)
}

// Start pages may link to each other: each brings in its own cash, beside what it was handed.
func TestOPICOfStartPagesThatAreLinkedTo(t *testing.T) {
	s, m := shipped(t, "opic"), NewMemory()
	near(t, "a link of A", stepAt(0, s, m, 1, 0.5, 2, 3)[1], 0.5)      // A links to B and C, B being a start page, too
	near(t, "the link of B", stepAt(0, s, m, 2, 0.5, 4)[0], (1+0.5)/2) // its own cash and half of A's, of two start pages'
	near(t, "a link of C", stepAt(1, s, m, 3, 0.5, 5, 6)[0], 0.5/2/2)  // the other half of A's, in two parts
	near(t, "D holds what B handed on", again(t, s, m, 4), (1+0.5)/2)
	near(t, "how many start pages there are", float64(m.graph.seeds), 2)
}

func TestOPICOfAPageWithoutLinks(t *testing.T) {
	g := newGraph()
	g.fetched(1, 0)
	g.purse = openPurse(g)
	g.link(1, 2, edge{links: 1})
	g.fetched(2, 0)
	g.node(3) // D waits and holds nothing
	g.fetched(9, 0)
	p := g.purse
	near(t, "D holds", p.held(g, g.index[3]), 1)
	near(t, "C holds", p.held(g, g.index[2]), 0)
	near(t, "on its way", p.pot, 1) // of the start page 9
}

// A page that links to nothing gives its cash to all that wait, before the next is chosen; those that hold the most are scored again, since
// what is found from now on has its share of that from the start.
func TestOPICGivesToAllThatWait(t *testing.T) {
	s, m := shipped(t, "opic"), NewMemory()
	step(s, m, 1, 0.5, 2, 3, 4) // A links to B, C and D
	m.Fetched(2, 0, false, 0)
	told := m.LinksTold(10) // B links to nothing
	if want := []uint64{3, 4}; !slices.Equal(told, want) {
		t.Fatalf("%v are to be scored again, want %v", told, want)
	}
	near(t, "C", again(t, s, m, 3), 1./3+1./6)
	if told := m.LinksTold(10); len(told) > 0 {
		t.Errorf("%v are to be scored again, though nothing was given", told)
	}
	near(t, "the link of C", step(s, m, 3, 0.5, 5)[0], 1./3+1./6)
	near(t, "D", again(t, s, m, 4), 1./3+1./6)
}

func TestPageRankPrefersWhatManyLinkTo(t *testing.T) {
	for _, name := range []string{"pagerank", "hits", "in-degree", "topic-pagerank", "topic-pagerank-once"} {
		s, m := shipped(t, name), NewMemory()
		step(s, m, 1, 0.5, 2, 3, 4, 5)
		step(s, m, 2, 0.5, 10, 11)
		step(s, m, 3, 0.5, 10, 12)
		step(s, m, 4, 0.5, 10, 13)
		step(s, m, 5, 0.5)
		if ten, eleven := again(t, s, m, 10), again(t, s, m, 11); !(ten > eleven) {
			t.Errorf("%s: the address of three links scores %v, that of one %v", name, ten, eleven)
		}
	}
}

// The graph is worked out when the links of a page are all told: what a page links to counts before anything is popped after
// it, also where all of its links were found before.
func TestASolutionKnowsTheLinksOfThePageReadLast(t *testing.T) {
	const a, b, c, d = 1, 2, 3, 4
	s, m := shipped(t, "pagerank"), NewMemory()
	step(s, m, a, 0.5, b, c, d)
	near(t, "C, linked from A", again(t, s, m, c), 0.264605)
	step(s, m, b, 0.5, c, a)
	near(t, "C, linked from A and B", again(t, s, m, c), 0.314196)
	near(t, "D, linked from A", again(t, s, m, d), 0.220488)

	s, m = shipped(t, "hits"), NewMemory()
	step(s, m, a, 0.5, b, c, d)
	near(t, "B, an authority", again(t, s, m, b), 0.577350)
}

// Between two solutions a link to an address that is known already counts as one to a new address does.
func TestALinkThatIsFoundAgainCountsBeforeTheNextSolution(t *testing.T) {
	const a, b, c, d = 1, 2, 3, 4
	s, m := shipped(t, "pagerank"), NewMemory()
	step(s, m, a, 0.5, b, c, d)
	m.graph.order[0].due = 1000 // no solution before the end of this test
	before, page := again(t, s, m, c), float64(m.graph.order[0].values[m.graph.index[b]])
	scored := step(s, m, b, 0.5, c, a)[0]
	near(t, "C when its link is ranked", scored, before+0.85*page/2)
	near(t, "C when it is scored again", again(t, s, m, c), before+0.85*page/2)
}

func TestSoftFocusPrefersTheLinksOfHubs(t *testing.T) {
	s, m := shipped(t, "soft-focus"), NewMemory()
	step(s, m, 1, 0.9, 2, 3, 10)
	step(s, m, 2, 0.9, 11)
	step(s, m, 3, 0.9, 11)
	step(s, m, 99, 0.9)
	ofHub, ofOther := again(t, s, m, 10), again(t, s, m, 11)
	if !(ofHub > ofOther) {
		t.Errorf("the link of a hub scores %v, that of another page %v", ofHub, ofOther)
	}
}

// What a hub is worth, its waiting links hear of: they are what is scored by it, and no waiting address is a hub.
func TestANewSolutionTellsTheLinksOfTheBestHubs(t *testing.T) {
	s, m := shipped(t, "soft-focus"), NewMemory()
	step(s, m, 1, 0.9, 2, 3, 10, 12)
	step(s, m, 2, 0.9, 11)
	step(s, m, 3, 0.9, 11)
	if told := linkless(m, 99, 256); !slices.Equal(told, []uint64{10, 12}) {
		t.Errorf("told %v, want the links of the hub that wait", told)
	}
	step(s, m, 4, 0.9, 12)
	if told := linkless(m, 98, 1); !slices.Equal(told, []uint64{10}) {
		t.Errorf("told %v, want one", told)
	}
}

// Two hubs of one menu name the same links: each is told once, and takes no other's place.
func TestLinksOfSeveralHubsAreToldOnce(t *testing.T) {
	s, m := shipped(t, "soft-focus"), NewMemory()
	step(s, m, 1, 0.9, 3, 4, 10, 20)
	step(s, m, 2, 0.9, 3, 4, 10, 20, 11)
	step(s, m, 3, 0.9, 5)
	step(s, m, 4, 0.9, 5)
	if told := linkless(m, 99, 3); !slices.Equal(told, []uint64{10, 20, 11}) {
		t.Errorf("told %v, want each of the three once", told)
	}
}

func TestANewSolutionTellsTheMostPromising(t *testing.T) {
	s, m := shipped(t, "pagerank"), NewMemory()
	step(s, m, 1, 0.5, 2, 3, 4, 5)
	step(s, m, 2, 0.5, 10, 11)
	m.Sweep()
	told := linkless(m, 3, 2)
	if len(told) != 2 {
		t.Fatalf("told %v, want two", told)
	}
	waiting := map[uint64]float64{}
	for _, item := range []uint64{4, 5, 10, 11} {
		if !m.Stale(item) {
			t.Errorf("item %d is not stale", item)
		}
		waiting[item] = again(t, s, m, item)
	}
	for _, item := range told {
		for other, v := range waiting {
			if other != told[0] && other != told[1] && v > waiting[item] {
				t.Errorf("told %v, but item %d is worth more: %v", told, other, waiting)
			}
		}
	}
	if !m.Sweep() || m.Sweep() {
		t.Error("a new solution asks for one sweep")
	}
}

func TestSolutionsGrowRare(t *testing.T) {
	m := ranked("blind", 1)
	g, solutions := newGraph(), 0
	g.begin(m, 100)
	for i := range 20_000 {
		g.fetched(uint64(i+1), 0.5)
		g.settle()
		if g.order[0].fresh {
			solutions++
			g.order[0].fresh = false
		}
	}
	if solutions < 90 || solutions > 150 {
		t.Errorf("%d solutions in 20,000 pages, want 16 + ln(50)/ln(1.125) + 12 + ln(10)/ln(1.05), about 110", solutions)
	}
}

// everyGraph is a tree of every factor that reads the graph.
func everyGraph(t testing.TB) *Strategy {
	return tree(t, `{mix: [{use: pagerank, with: {every: 5}}, {use: pagerank, with: {every: 7, surfer: topic}}, {use: hits, with: {every: 3}},
  {use: hits, with: {of: hub, edges: relevant, every: 3}}, {use: opic}]}`)
}

func TestAGraphThatWasSavedGoesOnTheSame(t *testing.T) {
	s, whole := everyGraph(t), NewMemory()
	crawl(s, whole, 1, 0, 60)
	state := whole.State()
	want := crawl(s, whole, 1, 60, 120)
	resumed := NewMemory()
	if err := resumed.Restore(state); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(resumed.State(), state) {
		t.Error("saved again it is another state")
	}
	if have := crawl(s, resumed, 1, 60, 120); !reflect.DeepEqual(have, want) {
		t.Errorf("it went on differently: %d answers, want %d", len(have), len(want))
	}
	if len(want) < 100 {
		t.Errorf("the crawl said %d things only", len(want))
	}
}

// A large graph is solved aside while the crawl goes on: what counts when is the same however long that takes, and in a
// crawl that was resumed meanwhile.
func TestALargeGraphIsSolvedAside(t *testing.T) {
	s, pending := everyGraph(t), 0
	begin := func() *Memory {
		m := NewMemory()
		crawl(s, m, 1, 0, 1)
		m.graph.large = 1
		return m
	}
	straight := begin()
	want := crawl(s, straight, 1, 1, 90)
	at := NewMemory()
	crawl(s, at, 1, 0, 90)
	if reflect.DeepEqual(straight.graph.order[0].values, at.graph.order[0].values) {
		t.Error("it was solved at once, as a small graph is")
	}
	for _, page := range []int{40, 41, 42, 43, 44, 45} {
		m := begin()
		have := crawl(s, m, 1, 1, page)
		for _, o := range m.graph.order {
			if o.aside != nil {
				pending++
			}
		}
		resumed := NewMemory()
		if err := resumed.Restore(m.State()); err != nil {
			t.Fatal(err)
		}
		resumed.graph.large = 1
		if have = append(have, crawl(s, resumed, 1, page, 90)...); !reflect.DeepEqual(have, want) {
			t.Errorf("resumed at page %d it went on differently: %d answers, want %d", page, len(have), len(want))
		}
		if !bytes.Equal(resumed.State(), straight.State()) {
			t.Errorf("resumed at page %d it ends in another state", page)
		}
	}
	if pending == 0 {
		t.Error("no solution was under way when the state was saved")
	}
}

func TestADamagedGraphIsRefused(t *testing.T) {
	s, m := everyGraph(t), NewMemory()
	crawl(s, m, 1, 0, 5)
	state := m.State()
	for i := range state {
		if err := NewMemory().Restore(state[:i]); err == nil {
			t.Fatalf("a state cut to %d of %d bytes is taken", i, len(state))
		}
		for _, b := range []byte{0, 1, 2, 127, 255} { // it may be one that could be, but nothing panics
			changed := slices.Clone(state)
			changed[i] = b
			NewMemory().Restore(changed)
		}
	}
	none := reading([]byte{0, 0, 1, 0, 0, 0, 0, 0, 0}) // no pages, and links of one
	if none.graph(&graph{}); !none.Bad {
		t.Error("a graph of links without pages is taken")
	}
}
