package focus

import (
	"context"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A clock is what time it is in a crawl: the time on the wall, or that of a recorded web.
type clock interface {
	Now() time.Time
	// passes tells whether the time passes by itself, whatever the crawl does.
	passes() bool
	// set goes on at a moment: the one at which an earlier run was interrupted, or the next at which a host may be visited.
	set(at time.Time)
	// begun is when a visit began that an earlier run had begun and not ended, and ended is told when one ends.
	begun(l frontier.Lease) time.Time
	ended(began time.Time, took time.Duration)
	// took is how long an answer from an address took, that was so long in coming.
	took(address string, measured time.Duration) time.Duration
	// keep puts the rules of visiting on this clock.
	keep(m *frontier.Manners)
	// ahead is how many visits are under way at the same time: so many workers, or a window of so many.
	ahead(parallel, window int) int
	// crawl visits until popping is over, and concluded is told, in the turn, that a visit has been concluded.
	crawl(c *Crawler, popping, inFlight context.Context)
	concluded(c *Crawler)
}

// wall is the time of the live web, as a program's own clock tells it where there is one.
type wall struct{ own frontier.Clock }

func (wall) passes() bool                                        { return true }
func (wall) set(time.Time)                                       {}
func (wall) ended(time.Time, time.Duration)                      {}
func (wall) took(_ string, measured time.Duration) time.Duration { return measured }
func (wall) ahead(parallel, _ int) int                           { return parallel }
func (wall) crawl(c *Crawler, popping, inFlight context.Context) { c.live(popping, inFlight) }
func (wall) concluded(*Crawler)                                  {}

func (w wall) Now() time.Time {
	if w.own != nil {
		return w.own.Now()
	}
	return time.Now()
}

func (w wall) begun(frontier.Lease) time.Time { return w.Now() }
func (w wall) keep(m *frontier.Manners)       { m.Clock = w.own }

// epoch is when the time of a recorded web begins: a fixed moment, so that the same crawl writes the same bytes.
var epoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// recordedTime is that of a recorded web. A visit takes as long as it took when it was recorded, and nothing else takes any
// time; the next visits are decided when one is concluded.
type recordedTime struct {
	*frontier.Manual
	latency func(address string) time.Duration
}

func newRecordedTime(latency func(address string) time.Duration) recordedTime {
	return recordedTime{frontier.NewManual(epoch), latency}
}

func (r recordedTime) passes() bool                                       { return false }
func (r recordedTime) set(at time.Time)                                   { r.Set(at) }
func (r recordedTime) begun(l frontier.Lease) time.Time                   { return l.At }
func (r recordedTime) ended(began time.Time, took time.Duration)          { r.Set(began.Add(took)) }
func (r recordedTime) took(address string, _ time.Duration) time.Duration { return r.latency(address) }
func (r recordedTime) ahead(_, window int) int                            { return window }
func (r recordedTime) crawl(c *Crawler, popping, inFlight context.Context) {
	c.replay(popping, inFlight)
}
func (r recordedTime) concluded(c *Crawler) { c.fill() }

// keep also takes back what a tired host would be spared: a recorded one is not tired by anything.
func (r recordedTime) keep(m *frontier.Manners) { m.Clock, m.Adapt, m.Backoff = r.Manual, 0, 0 }
