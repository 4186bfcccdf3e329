package rank

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

func TestANilMemoryRemembersNothing(t *testing.T) {
	var m *Memory
	m.Linked(1, &Evidence{})
	if m.Fetched(1, 1, true, 9) != nil || m.State() != nil || m.Stale(1) {
		t.Error("a nil memory answered")
	}
	s := shipped(t, "block-shark")
	if _, ok := s.Rescore(1, m); ok {
		t.Error("a nil memory scored a link again")
	}
	if v := score(s, judged(linked(0.6, 0.5), 0.4)); v == 0 {
		t.Error("without a memory a link scores 0")
	}
}

func TestFetchedAnswersTheNearestFirst(t *testing.T) {
	s := tree(t, "{mix: [{use: yield, with: {of: page}}, {use: yield, with: {of: block}}, {use: yield, with: {of: host}}]}")
	p := tellPage(page.Links, linkTold{3, 0, 0}, linkTold{2, 0, 0}, linkTold{3, 0, 0}, linkTold{2, 0, 0}, linkTold{2, 0, 0})
	p.rank(s)
	if have, want := p.memory.Fetched(11, 1, true, 256), []uint64{13, 14, 10, 12}; !reflect.DeepEqual(have, want) {
		t.Errorf("answers %v, want %v: the block first, then the page", have, want)
	}
	if have, want := p.memory.Fetched(13, 1, true, 2), []uint64{14, 10}; !reflect.DeepEqual(have, want) {
		t.Errorf("answers %v, want %v", have, want)
	}
	if have := p.memory.Fetched(13, 1, true, 256); have != nil {
		t.Errorf("a second outcome of one item answers %v", have)
	}
}

func TestEachOfALargeGroupHasItsTurn(t *testing.T) {
	s := tree(t, "{use: yield, with: {of: host}}")
	h := harvesting(s)
	const waiting = 100
	for i := range waiting + 10 {
		e := h.link("http://a.example/")
		h.s.Score(e, nil)
		h.m.Linked(uint64(1000+i), e)
	}
	told := map[uint64]int{}
	for i := range 10 {
		for _, item := range h.m.Fetched(uint64(1000+waiting+i), 1, true, 10) {
			told[item]++
		}
	}
	if len(told) != waiting {
		t.Errorf("%d of %d waiting items were told in ten fetches of ten", len(told), waiting)
	}
}

func TestALinkToWhatWasFetchedCounts(t *testing.T) {
	s := shipped(t, "block-shark")
	p := threeAnchors(page.Related)
	p.memory.Fetched(11, 0.8, true, 0) // link 1 leads to a page that was fetched long before
	p.rank(s)
	numbers, _ := s.Rescore(10, p.memory)
	for i, n := range s.Nodes() {
		if n.Use == "yield" && n.Name == "yield" {
			near(t, "mean of the siblings", float64(numbers[i]), 0.8)
		}
	}
}

func TestTheBestLinkCounts(t *testing.T) {
	s := shipped(t, "block-shark")
	p := threeAnchors(page.Related)
	p.rank(s)
	poor := p.link(4) // a poor link of the same page to what link 0 leads to
	s.Score(poor, nil)
	p.memory.Linked(10, poor)
	near(t, "score with a poor link beside it", p.again(t, s, 0), 0.415)
	if !p.memory.waits(p.memory.index[10]) {
		t.Fatal("item 10 does not wait")
	}
	p.fetch(map[int]float64{1: 0, 2: 0}) // the good link's block disappoints, the other does not
	p.fetch(map[int]float64{3: 1, 5: 1})
	numbers, _ := s.Rescore(10, p.memory)
	better, _ := s.Score(p.link(4), nil)
	worse, _ := s.Score(p.link(0), nil)
	near(t, "the better of the two links", float64(numbers[0]), float64(max(better, worse)))
}

// What a link is scored again must be what it would be scored if it were found now.
func TestScoredAgainIsScoredAfresh(t *testing.T) {
	for _, s := range allStrategies(t) {
		if !s.recalls || s.uses("pagerank") || s.uses("hits") || s.uses("opic") || s.uses("in-degree") {
			continue // these count the link that is scored, and it would be counted twice
		}
		p := threeAnchors(page.Related)
		p.rank(s)
		for i, relevance := range []float64{0.9, 0, 0.4, 0.2} {
			p.fetch(map[int]float64{i + 1: relevance})
			p.again(t, s, 0)
			p.again(t, s, 6)
		}
	}
}

// uses tells whether a factor stands in the tree.
func (s *Strategy) uses(factor string) bool {
	for _, n := range s.Nodes() {
		if n.Use == factor {
			return true
		}
	}
	return false
}

func TestStale(t *testing.T) {
	s := shipped(t, "block-shark")
	p := threeAnchors(page.Related)
	p.rank(s)
	if p.memory.Stale(10) {
		t.Error("stale before anything was fetched")
	}
	p.fetch(map[int]float64{1: 0.8})
	if !p.memory.Stale(10) {
		t.Error("not stale after a sibling was fetched")
	}
	s.Rescore(10, p.memory)
	if p.memory.Stale(10) || p.memory.Stale(11) || p.memory.Stale(999) {
		t.Error("stale after it was scored again, or fetched, or never heard of")
	}
}

func TestAStrategyWithoutFeedbackKeepsNothing(t *testing.T) {
	s := shipped(t, "shark")
	h := harvesting(s)
	h.m.Fetched(1, 1, true, 0)
	for i := range 100 {
		h.fetch(fmt.Sprintf("http://a.example/%d", i), 1)
	}
	if h.m.Len() != 0 {
		t.Errorf("%d addresses are kept", h.m.Len())
	}
}

// crawl tells a memory the life of a crawl drawn by lot, from step to step, and answers what it said.
func crawl(s *Strategy, m *Memory, seed uint64, from, to int) (said []uint64) {
	for step := from; step < to; step++ {
		r := rand.New(rand.NewPCG(seed, uint64(step)))
		id := uint64(1 + step)
		relevance := r.Float64()
		m.Taken(m.Lane(int(r.Uint32() % 3)))
		for _, item := range m.Fetched(id, relevance, relevance > 0.5, 16) {
			said = append(said, item)
			if numbers, ok := s.Rescore(item, m); ok {
				said = append(said, uint64(numbers[0]*1e6))
			}
		}
		if m.Sweep() {
			said = append(said, id)
		}
		if from := uint64(1 + r.IntN(400)); step%7 == 3 {
			m.Moved(from, uint64(500+step))
		}
		p := tellPage(page.Kind(r.IntN(6)), linkTold{2, r.Float64(), r.Float64()}, linkTold{3, r.Float64(), 0}, linkTold{1, 0.5, 0.5}, linkTold{2, 0.1, 0})
		p.memory = m
		p.page.URL = fmt.Sprintf("http://h%d.example/%d/", r.IntN(5), r.IntN(3))
		for i := range p.page.Links {
			e := p.link(i)
			e.Parent = id
			e.Item = uint64(1 + r.IntN(400))
			s.Score(e, nil)
			m.Linked(e.Item, e)
		}
		said = append(said, m.LinksTold(16)...)
		if m.Sweep() {
			said = append(said, id)
		}
	}
	return said
}

// everyMemory is a tree of every factor that reads Memory.
func everyMemory(t testing.TB) *Strategy {
	return tree(t, `{mix: [{use: yield}, {use: yield, with: {of: page, count: share}}, {use: yield, with: {of: path, wider: true}},
  {use: yield, with: {of: shape, wider: true}}, {use: site}, {use: site, with: {key: host+dir, score: upper}}, {use: in-degree}, {use: block}]}`)
}

func TestAMemoryThatWasSavedGoesOnTheSame(t *testing.T) {
	s := everyMemory(t)
	for _, limit := range []int{1 << 20, 50} {
		whole := NewMemory()
		whole.Bound(limit)
		crawl(s, whole, 1, 0, 100)
		state := whole.State()
		want := crawl(s, whole, 1, 100, 200)

		resumed := NewMemory()
		resumed.Bound(limit)
		if err := resumed.Restore(state); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(resumed.State(), state) {
			t.Errorf("limit %d: saved again it is another state", limit)
		}
		if have := crawl(s, resumed, 1, 100, 200); !reflect.DeepEqual(have, want) {
			t.Errorf("limit %d: it went on differently: %d answers, want %d", limit, len(have), len(want))
		}
		if len(want) < 100 {
			t.Errorf("limit %d: the crawl said %d things only", limit, len(want))
		}
	}
}

func TestTheSameCrawlGivesTheSameState(t *testing.T) {
	s := everyMemory(t)
	a, b := NewMemory(), NewMemory()
	crawl(s, a, 7, 0, 150)
	crawl(s, b, 7, 0, 150)
	if !bytes.Equal(a.State(), b.State()) {
		t.Error("two memories of one crawl differ")
	}
}

func TestMemoryIsBounded(t *testing.T) {
	s := everyMemory(t)
	m := NewMemory()
	m.Bound(50)
	crawl(s, m, 3, 0, 400)
	if m.Len() != 50 {
		t.Errorf("%d addresses are kept, want 50", m.Len())
	}
	if len(m.keys) > 50*(groupsPerEntry+maxGroups) || len(m.groups) > 4*len(m.keys)+16 {
		t.Errorf("%d groups in %d places for 50 addresses", len(m.keys), len(m.groups))
	}
	before := len(m.groups)
	crawl(s, m, 3, 400, 800)
	if len(m.groups) > before*2 {
		t.Errorf("%d groups after 400 pages, %d after 800", before, len(m.groups))
	}
}

func TestADamagedStateIsRefused(t *testing.T) {
	s := everyMemory(t)
	m := NewMemory()
	crawl(s, m, 5, 0, 20)
	state := m.State()
	for i := range state {
		if err := NewMemory().Restore(state[:i]); err == nil {
			t.Fatalf("a state cut to %d of %d bytes is taken", i, len(state))
		}
	}
	if err := NewMemory().Restore(append([]byte{9}, state[1:]...)); err == nil {
		t.Error("a state of another version is taken")
	}
}

func FuzzRestore(f *testing.F) {
	s := everyMemory(f)
	m := NewMemory()
	crawl(s, m, 5, 0, 5)
	f.Add(m.State())
	graph, m := everyGraph(f), NewMemory()
	crawl(graph, m, 5, 0, 5)
	f.Add(m.State())
	f.Fuzz(func(t *testing.T, state []byte) {
		m := NewMemory()
		if m.Restore(state) != nil {
			return
		}
		if m.graph != nil {
			crawl(graph, m, 5, 5, 10)
		} else {
			crawl(s, m, 5, 5, 10)
		}
		m.State()
	})
}
