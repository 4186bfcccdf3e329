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
	noError(t, err)
	o.LeaveOut = true
	less, err := Run(context.Background(), o)
	noError(t, err)
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
	if err := less.Text(&text, true); err != nil || !strings.Contains(text.String(), "one term left out, each in turn") {
		t.Errorf("not told: %v %s", err, text.String())
	}
}

// judgedAndLabelled compares with the judge, and with the labels in its place.
func judgedAndLabelled(t *testing.T, o Options) (judged, labelled *Result) {
	t.Helper()
	judged, err := Run(context.Background(), o)
	noError(t, err)
	o.ByLabels = true
	if labelled, err = Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	return judged, labelled
}

// TestLearningFromLabels: what a strategy learns from is the label then, so that the order is another one; which pages are kept
// is still the judge's to say, and when all have been fetched it has said the same.
func TestLearningFromLabels(t *testing.T) {
	o := Options{Webs: []string{"../../testdata/webs/small"}, Strategies: []string{"best-first"}, OwnJudge: true, Seed: 1}
	judged, labelled := judgedAndLabelled(t, o)
	for i, c := range labelled.Cells {
		if was := judged.Cells[i].Kept; c.Kept.Pages != was.Pages || c.Kept.F1 != was.F1 {
			t.Errorf("%s: %d pages are kept, and %d where a judge says what is relevant", c.Topic, c.Kept.Pages, was.Pages)
		}
		if c.Focus == judged.Cells[i].Focus {
			t.Errorf("%s: the order is that of the judge", c.Topic)
		}
	}
}

// TestLearningFromLabelsIsNoVerdict: what goes by the judge's own number learns from the label, too, and a second look begins
// with what the judge found: where it leaves everything as it was, that is what the first look kept.
func TestLearningFromLabelsIsNoVerdict(t *testing.T) {
	o := Options{Webs: []string{"../../testdata/webs/small"}, Strategies: []string{"genetic"}, OwnJudge: true, Seed: 1, Examples: 4, SecondLook: true}
	judged, labelled := judgedAndLabelled(t, o)
	for i, c := range labelled.Cells {
		if c.Focus == judged.Cells[i].Focus {
			t.Errorf("%s: the order is that of the judge", c.Topic)
		}
		if s := c.Second; s.Stood != 1 || s.Pages != c.Kept.Pages || s.F1 != c.Kept.F1 {
			t.Errorf("%s: the first look keeps %d pages with F1 %v, and the second, which changes nothing, %d with %v", c.Topic, c.Kept.Pages, c.Kept.F1, s.Pages, s.F1)
		}
	}
}

// TestALeftOutTermInTheReport: the report for people tells of it, and what cannot be measured is named once, not for each term.
func TestALeftOutTermInTheReport(t *testing.T) {
	o := Options{Webs: []string{"../../testdata/webs/small"}, Topics: []string{"sailing"}, Strategies: []string{"keywords", "layers"}, OwnJudge: true, Seed: 1, LeaveOut: true}
	r, err := Run(context.Background(), o)
	noError(t, err)
	if len(r.Skipped) != 1 {
		t.Errorf("%d are skipped, want layers alone, once: %+v", len(r.Skipped), r.Skipped)
	}
	var page strings.Builder
	if err := r.HTML(&page); err != nil || !strings.Contains(page.String(), "One term left out") || !strings.Contains(page.String(), r.Means[0].LeftOut.Worst.Term) {
		t.Errorf("the report does not tell of terms that were left out: %v", err)
	}
}
