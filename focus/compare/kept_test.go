package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/measure"
)

func TestWhatWasKept(t *testing.T) {
	s := measure.Sequence{Relevant: []bool{true, false, true, true, false, false, true, false, false, false}, Total: 5, Reach: 10}
	k := kept(s, []bool{true, true, true, false, false, false, true, false, false, false})
	if k.Pages != 4 || *k.Precision != .75 || k.Recall != .75 || k.F1 != .75 {
		t.Errorf("of all that was fetched: %+v", k)
	}
	for share, want := range map[string]float64{"10": 2. / 6, "20": 2. / 7, "50": 4. / 8} {
		if k.Reach[share] != want {
			t.Errorf("after %s %%: %v, want %v", share, k.Reach[share], want)
		}
	}
	if n := differ([]verdict{taken, dropped, unfetched, taken}, []verdict{dropped, dropped, taken, unfetched}); n != 1 {
		t.Errorf("%d verdicts differ, want the one on a page that both fetched", n)
	}
}

// Whatever the order, a page gets one verdict by the default judge; by one that learns as it goes it does not.
func TestVerdictsOfTwoStrategies(t *testing.T) {
	for judge, same := range map[string]bool{"bm25": true, "vsm-restricted": false} {
		r := run(t, Options{Webs: []string{small}, Strategies: []string{"breadth", "shark"}, Set: []Choice{{"topic.judge", []string{judge}}, {"topic.threshold", []string{map[bool]string{true: "0.3", false: "0.6"}[same]}}}})
		n := *slices.MaxFunc(r.Means, func(a, b Mean) int { return *a.Kept.Differ - *b.Kept.Differ }).Kept.Differ
		if (n == 0) != same {
			t.Errorf("%s: %d verdicts differ", judge, n)
		}
		for _, c := range r.Cells {
			if c.Kept.Pages == 0 || c.Kept.F1 == 0 || c.Kept.Reach["50"] == 0 {
				t.Errorf("%s %s: %+v", judge, c.Strategy, c.Kept)
			}
		}
	}
}

// A second look is measured beside the first, and without it nothing of it is told.
func TestASecondLookIsMeasured(t *testing.T) {
	o := Options{Webs: []string{small}, Strategies: []string{"breadth"}, SecondLook: true, Labels: 7}
	r := run(t, o)
	for _, c := range r.Cells {
		s := c.Second
		if s == nil || s.Pages+s.Out != c.Kept.Pages+s.In && s.Stood == 0 || s.Stood == 1 && s.F1 != c.Kept.F1 {
			t.Errorf("%s: first %+v, second %+v", c.Topic, c.Kept, s)
		}
		if s != nil && (s.Labelled == nil || s.Labelled.F1 == 0 || s.Labelled.Pages > s.Pages+7) {
			t.Errorf("%s: with labels %+v", c.Topic, s.Labelled)
		}
	}
	if m := r.Means[0].Second; m == nil || m.Reach["50"] == 0 {
		t.Errorf("the mean: %+v", m)
	}
	var text strings.Builder
	if err := r.Text(&text, true); err != nil || !strings.Contains(text.String(), "second look") || !strings.Contains(text.String(), "ceiling") || !strings.Contains(text.String(), "with labels") {
		t.Errorf("%v\n%s", err, &text)
	}
	o.Labels = 0
	if r := run(t, o); r.Cells[0].Second.Labelled != nil || r.Means[0].Second.Labelled != nil {
		t.Error("labels that nobody asked for")
	}
	o.SecondLook = false
	if r := run(t, o); r.Cells[0].Second != nil || r.Means[0].Second != nil {
		t.Error("a second look that nobody asked for")
	}
}

// Pages that were asked about are in no sum.
func TestLabelledPagesAreInNoSum(t *testing.T) {
	all := tracker{s: measure.Sequence{Relevant: []bool{true, false, true, false}, Total: 3, Reach: 6}}
	k := all.without([]int{0, 1}, []bool{true, true, true, true})
	if k.Pages != 2 || *k.Precision != .5 || k.Recall != 1 || k.Reach["50"] != 2./4 {
		t.Errorf("%+v", k)
	}
}
