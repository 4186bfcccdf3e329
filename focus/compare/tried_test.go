package compare

import (
	"context"
	"math"
	"strings"
	"testing"
)

// TestALeftOutTerm: each topic is tried once without each of its terms, the means stay those of all terms, and what a term is
// worth is told with the term that was missed most.
func TestALeftOutTerm(t *testing.T) {
	o := Options{Webs: []string{"../../testdata/webs/small"}, Strategies: []string{"keywords", "breadth"}, OwnJudge: true, Seed: 1}
	all, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.LeaveOut = true
	less, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(less.Cells) != len(all.Cells) {
		t.Fatalf("%d cells, want those of all terms alone: %d", len(less.Cells), len(all.Cells))
	}
	terms := map[string]bool{}
	for _, w := range less.without {
		terms[w.Topic+w.Term] = true
	}
	for i := range less.Means {
		m := &less.Means[i]
		if m.Focus != all.Means[i].Focus || all.Means[i].LeftOut != nil {
			t.Errorf("%s: focus %v and %v, want the same", m.Strategy, m.Focus, all.Means[i].Focus)
		}
		l := m.LeftOut
		if l == nil || l.Terms != len(terms) || l.Terms < 4 || l.Worst.Change > l.Median {
			t.Fatalf("%s: %+v of %d terms", m.Strategy, l, len(terms))
		}
		if m.Strategy == "breadth" && (l.Worst.Change != 0 || math.Abs(l.Focus-m.Focus) > 1e-9) {
			t.Errorf("breadth-first looks at no term, and gained or lost: %+v", l)
		}
		if m.Strategy == "keywords" && !(l.Worst.Change < 0 && l.Worst.Term != "") {
			t.Errorf("to what follows words alone no word is worth anything: %+v", l)
		}
	}
	var text strings.Builder
	if err := less.Text(&text); err != nil || !strings.Contains(text.String(), "one term left out, each in turn") {
		t.Errorf("not told: %v %s", err, text.String())
	}
}

// TestLearningFromLabels: what a strategy learns from is the label then, so that the order is another one; which pages are kept
// is still the judge's to say, and when all have been fetched it has said the same.
func TestLearningFromLabels(t *testing.T) {
	o := Options{Webs: []string{"../../testdata/webs/small"}, Strategies: []string{"best-first"}, OwnJudge: true, Seed: 1}
	judged, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.ByLabels = true
	labelled, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range labelled.Cells {
		if was := judged.Cells[i].Kept; c.Kept.Pages != was.Pages || c.Kept.F1 != was.F1 {
			t.Errorf("%s: %d pages are kept, and %d where a judge says what is relevant", c.Topic, c.Kept.Pages, was.Pages)
		}
		if c.Focus == judged.Cells[i].Focus {
			t.Errorf("%s: the order is that of the judge", c.Topic)
		}
	}
}
