package rank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// plainly scores a waiting address again as if nothing were the same for two links: each is walked through the whole tree.
func (s *Strategy) plainly(m *Memory, en *entry) (numbers []float32) {
	w := walk{s: s, trace: Trace{memory: m, entry: en}, whole: true}
	for i := range en.links {
		said := make([]float32, len(s.nodes))
		w.link(&en.links[i], said)
		switch {
		case numbers == nil:
			numbers = said
			continue
		case said[0] > numbers[0]:
			numbers, said = said, numbers
		}
		if s.hedge > 0 && said[s.hedge] > numbers[s.hedge] {
			copy(numbers[s.hedge:], said[s.hedge:])
		}
	}
	return numbers
}

// TestWhatIsAskedOnceIsTheSame: what holds for all links to an address is asked once, and the numbers are those of asking each time, to
// the last bit: of every strategy of the project, and of one whose hedge takes numbers over all links, too.
func TestWhatIsAskedOnceIsTheSame(t *testing.T) {
	own := "rank: {mix: [{over: max, use: anchor}, {use: yield, with: {of: host}}, {use: yield, with: {of: path}}, " +
		"{use: yield, with: {of: shape, wider: true}}, {use: yield, with: {of: host, wider: true, count: share}}, {use: yield, with: {of: block, wider: true}}]}\n" +
		"hedge: {rank: {mix: [{over: max, mix: [{use: anchor}, {use: context}]}, {over: mean, use: relevance}, {use: yield, with: {of: block}}]}}\n"
	hedged, err := Load("hedged.yaml", []byte(own), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append(allStrategies(t), hedged) {
		if s != hedged {
			s = schooled(t, s.Name)
		}
		t.Run(s.Name, func(t *testing.T) {
			p, r := eightyLinks(), rand.New(rand.NewPCG(3, 7))
			m, several := p.memory, 0
			const addresses = 300
			for n := range 15 {
				p.page.URL = fmt.Sprintf("http://site%d.example/%d.html", n%5, n)
				*p = told{page: &page.Page{URL: p.page.URL, Blocks: p.page.Blocks, Links: slices.Clone(p.page.Links)}, anchors: p.anchors, around: p.around, memory: m}
				for i := range p.page.Links {
					item := uint64(1 + r.IntN(addresses))
					p.page.Links[i].URL = fmt.Sprintf("http://site%d.example/section%d/%d.html", item%5, item%7, item)
					e := p.link(i)
					e.Parent, e.Item = uint64(addresses+1+n), item
					e.Judgement.Relevance = r.Float64()
					_, numbers := s.Score(e, nil)
					s.askedAlone(t, e, numbers)
					m.Linked(item, e)
				}
				m.Fetched(uint64(addresses+1+n), float64(n%5)/5, n%5 > 2, 0)
				m.Fetched(uint64(1+r.IntN(addresses)), r.Float64(), n%2 > 0, 0)
			}
			for item := uint64(1); item <= addresses; item++ {
				numbers, ok := s.Rescore(item, m)
				if !ok {
					continue
				}
				have := slices.Clone(numbers)
				en := m.waiting(item, s)
				if len(en.links) > 1 {
					several++
				}
				for i, want := range s.plainly(m, en) {
					if math.Float32bits(have[i]) != math.Float32bits(want) && !(have[i] != have[i] && want != want) {
						t.Fatalf("item %d, %s: %v, and asked each time %v", item, s.nodes[i].Name, have[i], want)
					}
				}
			}
			allAtOnce(t, s, m, addresses)
			if s.recalls && several < 100 {
				t.Errorf("%d addresses were scored again to which several pages link", several)
			}
		})
	}
}

// askedAlone looks whether each yield says the same when it is asked alone of a link that has been scored.
func (s *Strategy) askedAlone(t *testing.T, e *Evidence, numbers []float32) {
	for i := range s.nodes {
		y, ok := s.nodes[i].factor.(yield)
		if !ok {
			continue
		}
		if want := float32(y.Score(e)); math.Float32bits(numbers[i]) != math.Float32bits(want) && want == want {
			t.Fatalf("item %d, %s: %v in a score, and asked alone %v", e.Item, s.nodes[i].Name, numbers[i], want)
		}
	}
}

// allAtOnce scores all items again on several cores: what is answered is what Rescore answers, to the last bit, in order.
func allAtOnce(t *testing.T, s *Strategy, m *Memory, items uint64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var all []uint64
	for item := uint64(1); item <= items; item++ {
		all = append(all, item)
	}
	have := map[int][]float32{}
	last := -1
	s.RescoreAll(all, m, func(i int, numbers []float32) {
		if i <= last {
			t.Fatalf("item %d is told after item %d", i, last)
		}
		last, have[i] = i, slices.Clone(numbers)
	})
	for i, item := range all {
		want, ok := s.Rescore(item, m)
		if got, told := have[i]; told != ok || !slices.EqualFunc(got, want, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }) {
			t.Fatalf("item %d: all at once %v, one by one %v", item, got, want)
		}
	}
}
