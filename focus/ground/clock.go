package ground

import (
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A Clock is what time it is on a web: the time on the wall, or that of a recorded web.
type Clock interface {
	Now() time.Time
	// Passes tells whether the time passes by itself, whatever the crawl does.
	Passes() bool
	// Set goes on at a moment: the one at which an earlier run was interrupted, or the next at which a host may be visited.
	Set(at time.Time)
	// Begun is when a visit began that an earlier run had begun and not ended, and Ended is told when one ends.
	Begun(l frontier.Lease) time.Time
	Ended(began time.Time, took time.Duration)
	// Took is how long an answer from an address took, that was so long in coming.
	Took(address string, measured time.Duration) time.Duration
	// Keep puts the rules of visiting on this clock.
	Keep(m *frontier.Manners)
	// Ahead is how many visits are under way at the same time: so many workers, or a window of so many.
	Ahead(parallel, window int) int
}

// Wall is the time of the live web, as a program's own clock tells it where there is one.
type Wall struct{ Own frontier.Clock }

func (Wall) Passes() bool                                        { return true }
func (Wall) Set(time.Time)                                       {}
func (Wall) Ended(time.Time, time.Duration)                      {}
func (Wall) Took(_ string, measured time.Duration) time.Duration { return measured }
func (Wall) Ahead(parallel, _ int) int                           { return parallel }

// Now is the time of the program's own clock, where it has one.
func (w Wall) Now() time.Time {
	if w.Own != nil {
		return w.Own.Now()
	}
	return time.Now()
}

func (w Wall) Begun(frontier.Lease) time.Time { return w.Now() }
func (w Wall) Keep(m *frontier.Manners)       { m.Clock = w.Own }

// epoch is when the time of a recorded web begins: a fixed moment, so that the same crawl writes the same bytes.
var epoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// recorded is the time of a recorded web. A visit takes as long as it took when it was recorded, and nothing else takes any
// time.
type recorded struct {
	*frontier.Manual
	latency func(address string) time.Duration
}

func newRecorded(latency func(address string) time.Duration) recorded {
	return recorded{frontier.NewManual(epoch), latency}
}

func (recorded) Passes() bool                                         { return false }
func (recorded) Begun(l frontier.Lease) time.Time                     { return l.At }
func (r recorded) Ended(began time.Time, took time.Duration)          { r.Set(began.Add(took)) }
func (r recorded) Took(address string, _ time.Duration) time.Duration { return r.latency(address) }
func (recorded) Ahead(_, window int) int                              { return window }

// Keep also takes back what is done for a host that is slow or failing: a recorded one does not recover by being left alone.
func (r recorded) Keep(m *frontier.Manners) { m.Clock, m.Adapt, m.Backoff = r.Manual, 0, 0 }
