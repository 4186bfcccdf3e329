package rank

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// Hedge is a second tree, for what learns may be mistaken: a share of the links is taken in its order.
type Hedge struct {
	Least float64 `yaml:"least" doc:"the smallest share of the links that are taken in the order of the hedge's tree" check:"0..1"`
	Most  float64 `yaml:"most" doc:"the largest; the share grows while the pages it leads to are the better ones" check:"0..1"`
}

var defaultHedge = Hedge{Least: 0.05, Most: 0.4}

// Alt is the score of a link in the order of the hedge, by its numbers; 0 where there is none.
func (s *Strategy) Alt(numbers []float32) float32 {
	if s.hedge == 0 || len(numbers) != len(s.nodes) {
		return 0
	}
	return numbers[s.hedge]
}

// Hedged tells whether the strategy has a second tree, and how its share is bounded.
func (s *Strategy) Hedged() (h Hedge, ok bool) { return s.shares, s.hedge > 0 }

// hedge reads the second tree. Its nodes stand after those of the first.
func (l *loader) hedge(n strict.Node) {
	h, ok := n.Get("hedge")
	if !ok {
		return
	}
	s := l.strategy
	if bad := h.Only("least", "most", "rank"); len(bad) > 0 {
		l.problems = append(l.problems, bad...)
		return
	}
	s.shares = defaultHedge
	l.decodeOnly(h, &s.shares, "least", "most")
	if s.shares.Least > s.shares.Most {
		l.wrong(h.KeyProblem("least", "%v is more than most, %v; make it less", s.shares.Least, s.shares.Most))
	}
	tree, ok := h.Get("rank")
	if !ok {
		l.wrong(h.KeyProblem("rank", "there is no tree; write the one in whose order a share of the links is taken"))
		return
	}
	s.hedge, s.recalls = len(s.nodes), true
	learned := s.learns
	l.node(tree, 0, false)
	if s.learns != learned {
		l.wrong(tree.Problem("an apprentice cannot be its own hedge; put a tree there that learns nothing"))
	}
}

// lanes say from which lane links are taken, the first tree's or the hedge's, and how those turned out that were.
type lanes struct {
	share  float64
	sum    [2]float64 // of the relevance of the links taken, the latest counting most
	weight [2]float64
	ahead  uint64 // a bit for each of the next links: those taken for the hedge
	ended  uint64 // visits
	taken  int    // 1 + the lane of the link whose visit ends now; 0 if nobody said
}

// How fast a lane's past is forgotten, from link to link; how many links of the mean of all are added to each; and how
// fast the share follows.
const (
	laneMemory = 0.97
	lanePrior  = 2
	laneSpeed  = 0.05
)

func newLanes(h Hedge) *lanes {
	l := &lanes{share: math.Sqrt(h.Least * h.Most)}
	for range 64 {
		l.draw()
	}
	return l
}

// draw decides for one more link which lane it is taken from.
func (l *lanes) draw() {
	l.ahead >>= 1
	if lot := blend64(blend64(golden, l.ended), 7); float64(lot>>11)/(1<<53) < l.share {
		l.ahead |= 1 << 63
	}
	l.ended++
}

// Lane says from which lane of the frontier the next link is to be taken while so many visits are under way. It was
// decided 64 visits ago, so that a crawl that was interrupted takes its links from the same lanes again.
func (m *Memory) Lane(underway int) int {
	if m == nil || m.lanes == nil || underway < 0 {
		return 0
	}
	return int(m.lanes.ahead >> (underway % 64) & 1)
}

// Taken tells from which lane the link was taken whose visit has ended. It comes before Fetched.
func (m *Memory) Taken(lane int) {
	if m == nil || m.lanes == nil || lane < 0 || lane > 1 {
		return
	}
	m.lesson.taken(lane)
	m.lanes.draw()
	m.lanes.taken = 1 + lane
}

// judge hears how a link turned out, and lets the share follow the lane that does better: twice as good is the most it
// can have.
func (l *lanes) judge(h Hedge, relevance float64, all Tally) {
	if l.taken == 0 {
		return
	}
	lane := l.taken - 1
	l.taken = 0
	l.sum[lane] = laneMemory*l.sum[lane] + relevance
	l.weight[lane] = laneMemory*l.weight[lane] + 1
	usual := all.Toward(belief, beliefWeight)
	learned := (l.sum[0] + lanePrior*usual) / (l.weight[0] + lanePrior)
	hedged := (l.sum[1] + lanePrior*usual) / (l.weight[1] + lanePrior)
	lead := unit(hedged/max(learned, 1e-9) - 1)
	l.share += laneSpeed * (h.Least + lead*(h.Most-h.Least) - l.share)
}

// Share is the share of the links that is taken for the hedge now; 0 where there is none.
func (m *Memory) Share() float64 {
	if m == nil || m.lanes == nil {
		return 0
	}
	return m.lanes.share
}

func (k *coder) lanes(l *lanes) {
	k.positive(&l.share, 1)
	for i := range l.sum {
		k.positive(&l.sum[i], math.MaxFloat64)
		k.positive(&l.weight[i], math.MaxFloat64)
	}
	k.Number(&l.ahead)
	k.Number(&l.ended)
	upTo(k, &l.taken, 2)
}
