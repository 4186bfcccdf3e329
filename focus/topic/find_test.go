package topic

import (
	"fmt"
	"math"
	"testing"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// TestWhatEachFindingKeeps measures the three thresholds that a crawl file may name by a word, terms alone, over the topics of
// both recorded webs, and holds them to what findings says of them.
//
//	THRESHER_SHARED=1 go test ./focus/topic -run WhatEachFindingKeeps -v
func TestWhatEachFindingKeeps(t *testing.T) {
	const steps = 60
	var at [steps]kept // by threshold, in hundredths
	for _, name := range []string{"webkb", "zh_portals"} {
		w := openWeb(t, name)
		for _, wt := range w.Topics {
			share := 1 / float64(2*len(w.Topics)) // both webs count the same
			w.keptAt(t, wt, share, at[:])
		}
	}
	for i := 10; i < steps; i += 2 {
		t.Logf("%.2f  %s", float64(i)/100, &at[i])
	}
	best := at[0]
	for i := range at {
		best.half, best.one, best.two = max(best.half, at[i].half), max(best.one, at[i].one), max(best.two, at[i].two)
	}
	const flat = .01
	more, surer := -1, 0
	for i := range at {
		if more < 0 && at[i].two >= best.two-flat {
			more = i
		}
		if at[i].half >= best.half-flat {
			surer = i
		}
	}
	for _, f := range Findings() {
		i := int(math.Round(100 * f.Threshold))
		t.Logf("%-8s %.2f  %s", f.Word, f.Threshold, &at[i])
		want := map[string]int{"more": more, "surer": surer}[f.Word]
		switch {
		case f.Word == "balanced" && at[i].one < best.one-flat:
			t.Errorf("balanced is %.2f, with F1 %.3f; it could be %.3f", f.Threshold, at[i].one, best.one)
		case f.Word != "balanced" && want != i:
			t.Errorf("%s is %.2f, and by what it means it is %.2f", f.Word, f.Threshold, float64(want)/100)
		}
	}
}

// kept is what a threshold keeps, on the mean of topics.
type kept struct{ half, one, two, precision, recall float64 }

func (k *kept) String() string {
	return fmt.Sprintf("F½ %.3f  F1 %.3f  F2 %.3f  precision %.3f  recall %.3f", k.half, k.one, k.two, k.precision, k.recall)
}

// keptAt adds what each threshold keeps of a topic's pages, told by its terms alone.
func (w *web) keptAt(t *testing.T, wt webTopic, share float64, at []kept) {
	t.Helper()
	c, err := w.cell(wt, 1)
	if err != nil {
		t.Fatal(err)
	}
	about, err := New(Spec{Terms: c.terms})
	if err != nil {
		t.Fatal(err)
	}
	relevance := make([]float64, len(c.pages))
	spread(len(c.pages), func(i int) { relevance[i] = about.Judge(w.docs[c.pages[i]]).Relevance })
	for i := range at {
		var found learn.Confusion
		for n, r := range relevance {
			found.Add(r >= float64(i)/100, c.truth[n])
		}
		p, r, k := found.Precision(), found.Recall(), &at[i]
		k.half, k.one, k.two = k.half+share*fBeta(p, r, .5), k.one+share*fBeta(p, r, 1), k.two+share*fBeta(p, r, 2)
		k.precision, k.recall = k.precision+share*p, k.recall+share*r
	}
}

// fBeta is the mean of precision and recall in which recall counts beta times as much.
func fBeta(p, r, beta float64) float64 {
	if p+r == 0 {
		return 0
	}
	return (1 + beta*beta) * p * r / (beta*beta*p + r)
}
