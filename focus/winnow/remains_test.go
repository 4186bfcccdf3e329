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
		noError(t, err)
		if said := blind(&run.Run{Strategy: s}); said != why && (why == "" || said != "its strategy "+why) {
			t.Errorf("%s: it says %q, want %q", text, said, why)
		}
	}
}

// What the second look dropped counts by how likely it is, and what it has of the clearly foreign pages is a sample of them all, also
// where it is kept or labelled. A label is no likelihood. A trained judge is not believed alone: what is clearly foreign by the first look
// is not likely because it says so.
func TestWhatIsDoubted(t *testing.T) {
	r := Report{Archive: Archive{Options: Options{Threshold: .3, Labels: map[string]bool{"c": true, "d": false}},
		Pages: []Page{{URL: "a", Relevance: .5}, {URL: "b", Relevance: .28}, {URL: "c", Relevance: .02}, {URL: "d", Relevance: .2}, {URL: "e"}, {URL: "f"}}}}
	r.Verdicts = []Verdict{{Kept: true}, {}, {}, {}, {}, {Kept: true}}
	r.unsaid = []float64{.9, .3, .3, .3, .06, .9}
	var c audit.Course
	noError(t, r.doubted(&c, &sheaf{material: *held(r.Archive.Pages)}, &Cut{}))
	if c.Dropped != 4 || math.Abs(c.Expected-1.5) > .01 || c.Sampled != 3 || math.Abs(c.Found-2) > .01 {
		t.Errorf("%+v, want 1.5 of 4, and in the sample 2 of 3", c)
	}
	c = audit.Course{}
	if err := r.doubted(&c, &sheaf{material: *held(r.Archive.Pages)}, &Cut{Model: "a.judge"}); err != nil || math.Abs(c.Expected-(1+.336)) > .001 || math.Abs(c.Found-1) > .001 {
		t.Errorf("by a trained judge and the second look: %v, %+v", err, c)
	}
	c, r.Archive.Pages[4].Near = audit.Course{}, true
	if err := r.doubted(&c, &sheaf{material: *held(r.Archive.Pages)}, &Cut{}); err != nil || c.Dropped != 4 || c.Sampled != 2 {
		t.Errorf("a page whose site gives much stands for itself alone: %v, %+v", err, c)
	}
	c, r.Archive.Options.All = audit.Course{}, true
	if err := r.doubted(&c, &sheaf{material: *held(r.Archive.Pages)}, &Cut{}); err != nil || c.Sampled != 0 {
		t.Errorf("where all pages are looked at there is no sample: %v, %+v", err, c)
	}
}
