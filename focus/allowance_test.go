package focus

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
)

// An address that waits has the best score and the longest allowance of all links to it, which need not be the same
// link's: (.5, depth 1) and (1, depth 3) make (1, 3), in whatever order and combination they come.
func TestScoreAndDepthAreTheBestOfAllParents(t *testing.T) {
	for _, links := range [][2][2]float32{{{0.5, 1}, {1, 3}}, {{1, 3}, {0.5, 1}}, {{0.5, 3}, {1, 1}}, {{1, 1}, {0.5, 3}}, {{1, 1}, {1, 3}}} {
		s, err := rank.Load("s.yaml", []byte("rank: {use: fish}\nadmit: {tunnel: {depth: 3, raise: reset}}\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		f := frontier.NewMemory(frontier.Manners{})
		st := &Steps{frontier: f, can: powersOf(f), strategy: s, evidence: make([]rank.Evidence, 1), onward: make([]rank.Trail, 1)}
		if _, _, err := f.Push(frontier.Item{URL: "http://a.example/before", Host: "a", Score: 1}); err != nil {
			t.Fatal(err)
		}
		for via, l := range links {
			st.onward[0] = rank.Trail{Allowance: int16(l[1])}
			st.evidence[0].Item = f.Find("http://a.example/")
			n := run.Note{Trail: st.onward[0], Hops: "L"}
			item := frontier.Item{URL: "http://a.example/", Host: "a", Via: uint64(via + 1), Score: l[0], Alt: 0.25, Numbers: []float32{l[0]}, Note: n.Bytes()}
			st.lengthen(0, &item)
			if _, _, err := f.Push(item); err != nil {
				t.Fatal(err)
			}
		}
		item, _ := f.Get(2)
		n, err := run.ReadNote(item)
		if err != nil || item.Score != 1 || item.Numbers[0] != 1 || n.Trail.Allowance != 3 || item.Alt != 0.25 || st.err != nil {
			t.Errorf("%v: score %v, numbers %v, depth %d, second score %v (%v)", links, item.Score, item.Numbers, n.Trail.Allowance, item.Alt, err)
		}
		if first, _, _ := f.TryPop(0); first.URL != "http://a.example/before" {
			t.Errorf("%v: it overtook what waited with the same score", links)
		}
	}
}
