package focus

import (
	"context"

	"github.com/thresher-crawler/thresher/focus/ground"
)

// A clock is what time it is in a crawl, and how the crawl goes on in it.
type clock interface {
	ground.Clock
	// crawl visits until popping is over, and concluded is told, in the turn, that a visit has been concluded.
	crawl(c *Crawler, popping, inFlight context.Context)
	concluded(c *Crawler)
}

// clockOf lets a crawl go on as its web does.
func clockOf(g *ground.Ground) clock {
	if g.Clock.Passes() {
		return liveTime{g.Clock}
	}
	return recordedTime{g.Clock}
}

// liveTime passes by itself: each worker goes on when its visit is concluded.
type liveTime struct{ ground.Clock }

func (liveTime) crawl(c *Crawler, popping, inFlight context.Context) { c.live(popping, inFlight) }
func (liveTime) concluded(*Crawler)                                  {}

// recordedTime stands still but for visits: the next ones are decided when one is concluded.
type recordedTime struct{ ground.Clock }

func (recordedTime) crawl(c *Crawler, _, inFlight context.Context) { c.replay(inFlight) }
func (recordedTime) concluded(c *Crawler)                          { c.fill() }
