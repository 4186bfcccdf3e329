package focus

import (
	"errors"
	"fmt"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/page"
)

// steward is a selection that holds links back in held tiers of the frontier and lets them go by itself: in whole
// rounds, generation by generation, group by group. It runs while the turn is held. What it lets go goes into tiers of
// its own below frontier.Held, so that an item's tier tells later what it was let go for. Every steward is a learner, too.
type steward interface {
	// hold says where a link waits, before it is pushed. known is the item its address is already; its ID is 0 if none.
	hold(item *frontier.Item, l *page.Link, known frontier.Item)
	// told hears of a visit whose links have been pushed.
	told(v *Visit)
	// open lets links go. waiting is how many that were let go wait still; idle tells that nothing else is under way. If
	// it answers a reason, the crawl ends with it.
	open(waiting int, idle bool) (ended string, err error)
	// why says in a line how an item came to be visited; it is empty for start pages.
	why(item frontier.Item) string
}

// holding is what a steward asks of a frontier.
type holding interface {
	frontier.Holder
	frontier.Finder
	frontier.Rescorer
	frontier.Counter
}

// stewarding says how a steward is to work.
type stewarding struct {
	seed   uint64
	rounds int // how many rounds or generations the crawl may have; 0 means no bound
	ahead  int // how many visits go on at the same time
}

// appoint gives the steps the steward that their strategy asks for, if it asks for one.
func (st *Steps) appoint(o stewarding) error {
	s := st.strategy.Select
	if !s.Holds() {
		return nil
	}
	f := st.can.hold
	if f == nil {
		return fmt.Errorf("focus: select %s: %s", s.Use, crawlfile.NoHolding)
	}
	switch s.Use {
	case "rounds":
		st.steward = &rounds{Rounds: s.Rounds, frontier: f, most: o.rounds}
	case "genetic":
		st.steward = newGenetic(st, f, s.Genetic, o)
	case "groups":
		st.steward = newGroups(f, s.Groups, o)
	}
	return nil
}

// waitsAs is where a link waits, for the steward, before it is pushed.
func (st *Steps) waitsAs(item *frontier.Item, l *page.Link) {
	if st.steward == nil {
		return
	}
	var known frontier.Item
	f := st.can.hold
	if id := f.Find(item.Known()); id != 0 {
		var state frontier.State
		if known, state = f.Get(id); state == frontier.Dropped {
			known = frontier.Item{} // it waits anew
		}
	}
	st.steward.hold(item, l, known)
}

// asBred keeps what waits in a generation that was let go as it was bred, before its address is pushed once more.
func (st *Steps) asBred(item *frontier.Item) {
	if f := st.can.hold; f != nil {
		stands := f.Standing(f.Find(item.Known()))
		if stands.State == frontier.Waiting && st.settled(stands.Tier) {
			item.Tier, item.Score, item.Alt = stands.Tier, stands.Score, stands.Alt
		}
	}
}

// chosen says how an item came to be visited; it is empty where its score alone says it.
func (st *Steps) chosen(item frontier.Item) string {
	if st.steward == nil {
		return ""
	}
	return st.steward.why(item)
}

// letGo lets the steward let links go while a visit ends. It comes before the frontier is told the outcome, so that a
// frontier which persists keeps both or neither. The turn must be held.
func (c *Crawler) letGo() {
	if c.steps.steward == nil {
		return
	}
	waiting, leased := c.can.hold.Open()
	c.opened(waiting, waiting == 0 && leased <= 1)
}

// opened lets the steward let links go, and stops the crawl if it says so.
func (c *Crawler) opened(waiting int, idle bool) {
	ended, err := c.steps.steward.open(waiting, idle)
	c.steps.fail(err)
	if ended != "" {
		c.stop(ended)
	}
}

// held tells of an error of Pop whether all that waits is held, and lets the steward let some of it go: then it is
// worth popping again. before is how often links had been let go when the pop began: what others have let go since
// comes first. The turn must be held.
func (c *Crawler) held(err error, before uint64) (again bool) {
	if !errors.Is(err, frontier.ErrHeld) || c.steps.steward == nil {
		return false
	}
	if c.openings.Load() != before {
		return true
	}
	c.openings.Add(1)
	c.opened(0, true)
	waiting, _ := c.can.hold.Open()
	return waiting > 0 && !c.stopped()
}
