package turn

import (
	"testing"
	"time"
)

// What is not told as a stage is what came before it, and nothing is told twice.
func TestLapsAddUpToTheWay(t *testing.T) {
	var c Clock
	began := time.Now()
	w := c.Begin()
	for s := range stages {
		w.Lap(s)
	}
	took, all := time.Since(began), time.Duration(0)
	times := c.Times()
	for s, stage := range times.Stages {
		all += stage.Spent
		if got := times.Of(Stage(s)); got != stage.Spent || stage.Name == "" {
			t.Errorf("stage %d is %q with %v, Of answers %v", s, stage.Name, stage.Spent, got)
		}
	}
	if all > took {
		t.Errorf("the stages took %v together, the whole way %v", all, took)
	}
	times.Wall, times.Workers = took, 2
	if got := times.Idle() + all; got != 2*took {
		t.Errorf("two workers were busy or idle for %v, want %v", got, 2*took)
	}
}

// A visit without an answer waited for one, and was not in a callback.
func TestWithoutAnAnswerItWasTheFetch(t *testing.T) {
	var c Clock
	w := Watch{clock: &c, last: time.Now().Add(-time.Hour)}
	w.Lap(Hooks)
	if times := c.Times(); times.Of(Hooks) != 0 || times.Of(Fetch) < time.Hour {
		t.Errorf("%v was told as hooks and %v as the fetch", times.Of(Hooks), times.Of(Fetch))
	}
	w.Lap(Prepare)
	w.last = w.last.Add(-time.Hour)
	w.Lap(Hooks)
	if times := c.Times(); times.Of(Hooks) < time.Hour {
		t.Errorf("%v was told as hooks after an answer", times.Of(Hooks))
	}
	var none Watch
	none.Lap(Judge) // belongs to no clock
	if none.Running() {
		t.Error("a watch without a clock runs")
	}
}

func TestTheTurnIsWhatNoOtherPageIsIn(t *testing.T) {
	times := Times{Stages: []Time{{"pop", 3, true}, {"fetch", 100, false}, {"rank", 4, true}}}
	if got := times.Turn(); got != 7 {
		t.Errorf("the turn took %v, want 7ns", got)
	}
}
