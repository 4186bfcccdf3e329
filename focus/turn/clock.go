package turn

import (
	"sync/atomic"
	"time"
)

// Stage is a part of a page's way.
type Stage int

// The stages, in the order in which a page goes through them. From Judge on it has the turn, and before that in Pop.
const (
	Pop     Stage = iota // it is taken from the frontier, and robots.txt is asked
	Fetch                // its host is waited for, and the bytes, also those of a robots.txt before it
	Prepare              // it is read, its words are cut, its links held against the scope
	Hooks                // callbacks of the collector, and Colly itself
	Wait                 // others have the turn
	Judge
	Keep // with extraction, the record, and what the sinks do with it
	Learn
	Again  // waiting links are scored again, on all cores
	Admit  // its links are
	Rank   // likewise
	Push   // likewise
	Write  // the log, the meter, and hooks of a visit that is over
	Settle // the frontier is told, and what is learned is saved
	stages
)

var stageNames = [stages]string{"pop", "fetch", "prepare", "hooks", "wait", "judge", "keep", "learn", "again", "admit", "rank", "push", "write", "settle"}

func (s Stage) String() string { return stageNames[s] }

// InTurn tells that a page has the turn there, so that no other page can be in such a stage at the same time.
func (s Stage) InTurn() bool { return s == Pop || s >= Judge }

// Clock sums up what the stages of all visits took. Each visit has a watch of its own.
type Clock struct {
	Now func() time.Time // tells the time; nil is the wall's

	spent  [stages]atomic.Int64
	visits atomic.Int64 // that were judged
}

// Watch tells a clock how long one visit was in each stage. The zero value belongs to no clock and tells nothing.
type Watch struct {
	clock *Clock
	last  time.Time
	asked bool // a stage before the turn was told
}

// Begin is a watch that begins now.
func (c *Clock) Begin() Watch { return Watch{clock: c, last: c.time()} }

func (c *Clock) time() time.Time {
	if c.Now != nil {
		return c.Now()
	}
	return time.Now()
}

// Running tells that the watch belongs to a clock.
func (w *Watch) Running() bool { return w.clock != nil }

// Lap says that what came since the last lap was this stage. What no answer came to is the fetch, whatever it is told as.
func (w *Watch) Lap(s Stage) {
	if w.clock == nil {
		return
	}
	now := w.clock.time()
	switch {
	case s == Prepare:
		w.asked = true
	case s == Hooks && !w.asked:
		s = Fetch
	}
	if s == Judge {
		w.clock.visits.Add(1)
	}
	w.clock.spent[s].Add(int64(now.Sub(w.last)))
	w.last = now
}

// Times are what each stage took, all visits together.
func (c *Clock) Times() Times {
	t := Times{Visits: int(c.visits.Load()), Stages: make([]Time, stages)}
	for s := range stages {
		t.Stages[s] = Time{Name: s.String(), Spent: time.Duration(c.spent[s].Load()), InTurn: s.InTurn()}
	}
	return t
}

// Times are where the time of a crawl went.
type Times struct {
	Wall    time.Duration `json:"wall"`    // how long it went on
	Workers int           `json:"workers"` // at the same time
	Visits  int           `json:"visits"`  // of this process, those of an interrupted run not among them
	Stages  []Time        `json:"stages"`
}

// Time is what one stage took.
type Time struct {
	Name   string        `json:"stage"`
	Spent  time.Duration `json:"spent"`
	InTurn bool          `json:"in_turn"`
}

// Turn is how long somebody had the turn.
func (t *Times) Turn() time.Duration {
	var all time.Duration
	for _, s := range t.Stages {
		if s.InTurn {
			all += s.Spent
		}
	}
	return all
}

// Of is what a stage took.
func (t *Times) Of(s Stage) time.Duration {
	if int(s) >= len(t.Stages) {
		return 0
	}
	return t.Stages[s].Spent
}

// Idle is how long workers had nothing to do, all together: no link waited whose host might be visited, or the budget was out.
func (t *Times) Idle() time.Duration {
	idle := time.Duration(t.Workers) * t.Wall
	for _, s := range t.Stages {
		idle -= s.Spent
	}
	return max(idle, 0)
}
