package focus

import (
	"fmt"
	"math/rand/v2"
	"reflect"
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
		st := &Steps{frontier: f, can: powersOf(f), preparer: preparer{strategy: s}, arrivals: arrivals{evidence: make([]rank.Evidence, 1), onward: make([]rank.Trail, 1)}}
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

// What is remembered of allowances is what stands in the notes: a crawl that forgets it between any two links comes to the same.
func TestARememberedAllowanceIsTheWrittenOne(t *testing.T) {
	s, err := rank.Load("s.yaml", []byte("rank: {use: fish}\nadmit: {tunnel: {depth: 5, raise: reset}}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	const addresses, links = 4, 400
	var steps [2]*Steps
	for i := range steps {
		f := frontier.NewMemory(frontier.Manners{})
		steps[i] = &Steps{frontier: f, can: powersOf(f), preparer: preparer{strategy: s}, arrivals: arrivals{evidence: make([]rank.Evidence, 1), onward: make([]rank.Trail, 1)}}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range links {
		address := fmt.Sprintf("http://a.example/%d", r.IntN(addresses))
		score, allowance, redirect := float32(n)*r.Float32(), int16(r.IntN(6)), r.IntN(10) == 0
		var after [2]frontier.Item
		for i, st := range steps {
			if i == 1 {
				st.can = powersOf(st.frontier)
			}
			st.onward[0] = rank.Trail{Allowance: allowance}
			note := run.Note{Trail: st.onward[0], Hops: "L"}
			item := frontier.Item{URL: address, Identity: address, Host: "a", Via: uint64(n + 1), Score: score, Numbers: []float32{score}, Note: note.Bytes()}
			v := &Visit{Found: make([]Candidate, 1)}
			if redirect {
				_, _, err = st.pushOne(item)
			} else {
				st.evidence[0].Item = st.can.find.Find(address)
				st.lengthen(0, &item)
				st.items, st.places = append(st.items, item), append(st.places, 0)
				st.pushArrivals(v)
			}
			if err != nil || st.err != nil {
				t.Fatal(err, st.err)
			}
			after[i], _ = st.can.find.Get(st.can.find.Find(address))
		}
		if !reflect.DeepEqual(after[0], after[1]) {
			t.Fatalf("link %d to %s: %+v with what was remembered, %+v without", n, address, after[0], after[1])
		}
	}
}
