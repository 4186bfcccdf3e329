package rank

import (
	"math"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

const hedgedTree = "name: t\nrank: {use: anchor}\nhedge: {least: 0.1, most: 0.4, rank: {use: context}}\n"

// taking lets a memory take so many links, whose relevance depends on their lane, and answers the share of the hedge's.
func taking(m *Memory, first, links int, relevance [2]float64) float64 {
	hedged := 0
	for i := range links {
		lane := m.Lane(0)
		hedged += lane
		m.Taken(lane)
		m.Fetched(uint64(first+i), relevance[lane], false, 0)
	}
	return float64(hedged) / float64(links)
}

func TestTheHedgeIsScoredBesideTheTree(t *testing.T) {
	s := load(t, hedgedTree)
	e := linked(0.2, 0.7)
	v, numbers := s.Score(e, nil)
	near(t, "score", float64(v), float64(float32(0.2)))
	near(t, "in the hedge's order", float64(s.Alt(numbers)), float64(float32(0.7)))
	if have, want := s.Explain(numbers), "0.2      anchor\nhedge\n0.7      context\n"; have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
	if again, err := Load("again", s.YAML(), nil); err != nil || again.Fingerprint() != s.Fingerprint() {
		t.Errorf("written down it is %s: %v", s.YAML(), err)
	}
	if plain := tree(t, "{use: anchor}"); plain.Alt(numbers[:1]) != 0 {
		t.Error("a strategy without a hedge has an order for it")
	}
}

func TestOfSeveralLinksTheHedgeTakesItsOwnBest(t *testing.T) {
	s := load(t, hedgedTree)
	p := tellPage(page.Links, linkTold{2, 0.9, 0.1}, linkTold{2, 0.3, 0.8})
	for i := range p.page.Links {
		e := p.link(i)
		s.Score(e, nil)
		p.memory.Linked(10, e)
	}
	numbers, _ := s.Rescore(10, p.memory)
	near(t, "the best link's score", float64(numbers[0]), float64(float32(0.9)))
	near(t, "the best link in the hedge's order", float64(s.Alt(numbers)), float64(float32(0.8)))
}

func TestTheShareFollowsTheBetterLane(t *testing.T) {
	for _, test := range []struct {
		name      string
		relevance [2]float64
		want      float64
	}{
		{"the hedge does no better", [2]float64{0.5, 0.5}, 0.1},
		{"the hedge does worse", [2]float64{0.8, 0.1}, 0.1},
		{"the hedge does far better", [2]float64{0.1, 0.9}, 0.4},
	} {
		m := NewMemory()
		m.Serve(load(t, hedgedTree))
		near(t, "the share at the start", m.Share(), math.Sqrt(0.1*0.4))
		taking(m, 1, 1000, test.relevance)
		if share := m.Share(); math.Abs(share-test.want) > 0.05 || !(0.1 <= share && share <= 0.4) {
			t.Errorf("%s: its share is %.3f, want about %v", test.name, share, test.want)
		}
		if taken := taking(m, 5000, 2000, test.relevance); math.Abs(taken-m.Share()) > 0.03 {
			t.Errorf("%s: %.3f of the links were taken for a share of %.3f", test.name, taken, m.Share())
		}
	}
}

func TestLanesAreDecidedAhead(t *testing.T) {
	m := NewMemory()
	m.Serve(load(t, hedgedTree))
	taking(m, 1, 10, [2]float64{0.2, 0.9})
	var ahead []int
	for i := range 20 {
		ahead = append(ahead, m.Lane(i))
	}
	for i, want := range ahead {
		if have := m.Lane(0); have != want {
			t.Fatalf("link %d is taken from lane %d, decided was %d", i, have, want)
		}
		taking(m, 100+i, 1, [2]float64{0.2, 0.9})
	}
	var none *Memory
	none.Taken(1)
	if none.Lane(3) != 0 || NewMemory().Lane(0) != 0 || none.Share() != 0 {
		t.Error("without a hedge links are taken from its lane")
	}
}

func TestAHedgeThatIsNone(t *testing.T) {
	for text, want := range map[string]string{
		"rank: {use: anchor}\nhedge: {most: 0.4}\n":                              "strategy.hedge.rank: there is no tree",
		"rank: {use: anchor}\nhedge: {least: 0.5, rank: {use: depth}}\n":         "strategy.hedge.least: 0.5 is more than most, 0.4",
		"rank: {use: anchor}\nhedge: {lest: 0.5, rank: {use: depth}}\n":          `"least"`,
		"rank: {use: anchor}\nhedge: {least: .nan, rank: {use: depth}}\n":        "strategy.hedge.least",
		"rank: {use: anchor}\nhedge: {rank: {apprentice: [{use: depth}]}}\n":     "its own hedge",
		"rank: {use: anchor}\nhedge: {rank: {use: dept}}\n":                      `did you mean "depth"`,
		"rank: {use: anchor}\nhedge: {rank: {mix: [{use: depth, weight: 0}]}}\n": "all weights are 0",
		"rank: {use: anchor}\nhedge: [1]\n":                                      "strategy.hedge",
	} {
		if _, err := Load("s.yaml", []byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: err = %v, want %q", text, err, want)
		}
	}
}
