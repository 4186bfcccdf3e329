package compare

import (
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus/measure"
)

func TestWhatWasKept(t *testing.T) {
	s := measure.Sequence{Relevant: []bool{true, false, true, true, false, false, true, false, false, false}, Total: 5, Reach: 10}
	k := kept(s, []bool{true, true, true, false, false, false, true, false, false, false})
	if k.Pages != 4 || k.Precision != .75 || k.Recall != .75 || k.F1 != .75 {
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
		n := slices.MaxFunc(r.Means, func(a, b Mean) int { return a.Kept.Differ - b.Kept.Differ }).Kept.Differ
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
