package rank

import (
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Evidence is all that a factor may know about one link. It knows no clock, no network, no frontier. What costs
// something is worked out when a factor first asks, and kept for the next: one Evidence serves all links of a page,
// with Link and Item set anew for each.
type Evidence struct {
	Topic     *topic.Topic
	Page      *page.Page      // the page the link stands on
	Judgement topic.Judgement // what was judged of it
	Trail     Trail           // the trail that led to that page
	Link      *page.Link
	Parent    uint64  // the item of the page
	Item      uint64  // the item of the link's target, 0 while it is not known to the frontier
	Memory    *Memory // may be nil
	// Block judges a block of the page; the crawl keeps what it answered.
	Block func(int32) topic.Judgement
	Ahead *Ahead // what was worked out of the links of the page before; may be nil

	known known
}

// Factor judges one aspect of one link. NaN means "no evidence", and so does what is infinite. A factor cannot fail. What it answers inside a mix
// lies in [0,1].
type Factor interface{ Score(*Evidence) float64 }

// Func is a function that is a Factor.
type Func func(*Evidence) float64

// Score calls f.
func (f Func) Score(e *Evidence) float64 { return f(e) }

// Carrier is a Factor that leaves something on the trail of a link's page.
type Carrier interface {
	Carry(e *Evidence, child *Trail)
}
