package measure_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus/measure"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s is %.6f, want %.6f", what, got, want)
	}
}

// eight is a crawl of eight pages that found four of five relevant ones.
func eight() measure.Sequence {
	s := measure.Sequence{Total: 5, Reach: 8}
	for _, r := range []int{1, 0, 1, 1, 0, 0, 1, 0} {
		s.Relevant = append(s.Relevant, r == 1)
	}
	return s
}

func TestFigures(t *testing.T) {
	s := eight()
	near(t, "harvest after 8", s.Harvest(8), .5)
	near(t, "harvest after 5", s.Harvest(5), .6)
	near(t, "area under recall", s.AUC(), .525)
	near(t, "recall after 4", s.Recall(4), .6)
	near(t, "drift after 8", s.Drift(8), .5)
	near(t, "harvest of the last four", s.Windowed(8, 4), .25)
	near(t, "harvest of a window longer than the crawl", s.Windowed(8, 100), .5)
	if got := s.PagesTo(.5); got != 4 {
		t.Errorf("half of the relevant pages were found after %d, want 4", got)
	}
	if got := s.PagesTo(.9); got != 0 {
		t.Errorf("nine tenths were found after %d, want never", got)
	}
	if got := s.At(.5); got != 4 {
		t.Errorf("half of the reach is %d, want 4", got)
	}
}

// A crawl that ended early is measured over the whole reach, at its last value.
func TestACrawlThatEndedEarlyGoesOnAtItsLastValue(t *testing.T) {
	s := measure.Sequence{Relevant: []bool{true}, Total: 2, Reach: 4}
	near(t, "area", s.AUC(), .5)
	near(t, "recall beyond the end", s.Recall(4), .5)
	near(t, "harvest beyond the end", s.Harvest(4), 1)
}

func TestFiguresOfNothing(t *testing.T) {
	var s measure.Sequence
	for what, got := range map[string]float64{"area": s.AUC(), "recall": s.Recall(3), "harvest": s.Harvest(3)} {
		near(t, what, got, 0)
	}
	near(t, "focus without room between random and oracle", measure.Focus(.5, .7, .7), 0)
}

func TestSignFlip(t *testing.T) {
	near(t, "p of three wins", measure.SignFlip([]float64{.1, .2, .3}, 1), 1./8)
	near(t, "p of three losses", measure.SignFlip([]float64{-.1, -.2, -.3}, 1), 1)
	near(t, "p of no differences", measure.SignFlip(nil, 1), 1)
	many := make([]float64, 30)
	for i := range many {
		many[i] = .1
	}
	if p := measure.SignFlip(many, 1); p > .001 {
		t.Errorf("p of thirty wins is %v", p)
	}
	if measure.SignFlip(many[:20], 7) != measure.SignFlip(many[:20], 7) {
		t.Error("the same seed draws differently")
	}
}

func TestHolm(t *testing.T) {
	got := measure.Holm([]float64{.04, .01, .03})
	for i, want := range []float64{.06, .03, .06} {
		near(t, fmt.Sprintf("p %d", i), got[i], want)
	}
	if got := measure.Holm([]float64{.9, .8}); !slices.Equal(got, []float64{1, 1}) {
		t.Errorf("got %v, want no p above 1", got)
	}
}

func TestInterval(t *testing.T) {
	x := []float64{.1, .2, .3, .4, .5, .6}
	low, high := measure.Interval(x, 1)
	if !(low < .35 && .35 < high && low >= .1 && high <= .6) {
		t.Errorf("the interval of %v is [%v, %v]", x, low, high)
	}
	l2, h2 := measure.Interval(x, 1)
	if l2 != low || h2 != high {
		t.Error("the same seed draws differently")
	}
	if low, high := measure.Interval([]float64{.7}, 1); math.Abs(low-.7) > 1e-9 || math.Abs(high-.7) > 1e-9 {
		t.Errorf("the interval of one figure is [%v, %v]", low, high)
	}
}

// What was not fetched by then was missed.
func TestF1OfReach(t *testing.T) {
	s := measure.Sequence{Relevant: []bool{true, false, true, true, false}, Total: 5, Reach: 20}
	have := s.F1OfReach([]bool{true, true, false, true, false})
	for share, want := range map[string]float64{"5": 2. / 6, "10": 2. / 7, "20": 4. / 8, "50": 4. / 8} {
		if have[share] != want {
			t.Errorf("after %s %%: %v, want %v", share, have[share], want)
		}
	}
}
