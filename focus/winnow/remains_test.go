package winnow

import (
	"math"
	"testing"

	"github.com/thresher-crawler/thresher/focus/audit"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
)

// Of the last visits those that promised least are counted, start pages left out; what was linked before them is told from what only
// they led to.
func TestTheLastVisits(t *testing.T) {
	var visits []visited
	kept := map[uint64]bool{}
	for n := range uint64(150) { // each finds ten links, and promises less than the one before
		visits = append(visits, visited{id: n + 1, newest: 10 * (n + 1), score: 1 - float64(n)/150})
	}
	visits[149].score = math.NaN()
	for _, id := range []uint64{5, 120, 148, 149} { // two of them among the last quarter
		kept[id] = true
	}
	visits[110].id = 1050 // found after the last third had begun
	kept[1050] = true
	var c audit.Course
	lately(&c, visits, kept)
	if c.Late != 25 || c.Yielded != 2 || c.Known != 3 || c.New != 1 {
		t.Errorf("%+v", c)
	}
	c = audit.Course{}
	if lately(&c, nil, nil); c != (audit.Course{}) {
		t.Errorf("no visit: %+v", c)
	}
	if lately(&c, visits[:30], kept); c.Late != 15 {
		t.Errorf("a short crawl: %+v", c)
	}
}

// What waits is told of where links are visited by what was learned of their worth, and nowhere else.
func TestWhoCannotTellWhatWaits(t *testing.T) {
	tree := map[string]string{
		"": "rank: {apprentice: [{use: anchor}]}",
		"does not learn what its links are worth": "rank: {mix: [{use: anchor}, {use: context}]}",
		"does not visit first what promises most": "rank: {apprentice: [{use: anchor}]}\nselect: fifo",
	}
	for why, text := range tree {
		s, err := rank.Load("own.yaml", []byte("version: 1\n"+text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if said := blind(&run.Run{Strategy: s}); said != why && (why == "" || said != "its strategy "+why) {
			t.Errorf("%s: it says %q, want %q", text, said, why)
		}
	}
}

// What the second look dropped counts by how likely it is, and what it has of the clearly foreign pages is a sample of them all, also
// where it is kept; a label is no likelihood, and tells of no other page.
func TestWhatIsDoubted(t *testing.T) {
	r := Report{Archive: Archive{Options: Options{Threshold: .3, Labels: map[string]bool{"c": true, "d": false}},
		Pages: []Page{{URL: "a", Relevance: .5}, {URL: "b", Relevance: .28}, {URL: "c", Relevance: .02}, {URL: "d", Relevance: .2}, {URL: "e"}, {URL: "f"}}}}
	r.Verdicts = []Verdict{{Kept: true}, {}, {}, {}, {}, {Kept: true}}
	r.unsaid = []float64{.9, .3, .3, .3, .06, .9}
	var c audit.Course
	r.doubted(&c, &Cut{})
	if c.Dropped != 4 || math.Abs(c.Expected-1.5) > .01 || c.Sampled != 2 || math.Abs(c.Found-1) > .01 {
		t.Errorf("%+v, want 1.5 of 4, and in the sample 1 of 2", c)
	}
	c = audit.Course{}
	if r.doubted(&c, &Cut{Model: "a.judge"}); math.Abs(c.Expected-(1+.3+.06)) > 1e-9 || math.Abs(c.Found-.96) > 1e-9 {
		t.Errorf("by a trained judge, whose numbers are likelihoods: %+v", c)
	}
	c, r.Archive.Options.All = audit.Course{}, true
	if r.doubted(&c, &Cut{}); c.Sampled != 0 {
		t.Errorf("where all pages are looked at there is no sample: %+v", c)
	}
}
