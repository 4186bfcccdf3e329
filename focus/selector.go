package focus

import (
	"errors"
	"fmt"
	"math"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/selection"
)

// appoint gives the steps the selector that their strategy asks for, if it asks for one.
func (st *Steps) appoint(o selection.Setting) error {
	s := st.strategy.Select
	if !s.Holds() {
		return nil
	}
	if st.can.hold == nil {
		return fmt.Errorf("focus: select %s: %s", s.Use, crawlfile.NoHolding)
	}
	o.Frontier, o.Memory, o.Alt, o.Push = st.can.hold, st.memory, st.strategy.Alt, st.pushMutant
	st.selector = selection.New(s, o)
	return nil
}

// errNoSelector is what a plain Colly program is told that asks for a strategy which lets links go by itself.
func errNoSelector(s *rank.Strategy) error {
	return fmt.Errorf("focus: attach: strategy %s selects by %s, which lets links go by itself: that takes a Crawler (focus.New); select: best, fifo, lifo or random work here",
		s.Name, s.Select.Use)
}

// selected tells the selector of a visit whose links have been pushed.
func (st *Steps) selected(v *Visit) {
	if st.selector == nil {
		return
	}
	said := selection.Visit{Item: v.Item, Page: v.Page != nil && !v.list, Raw: v.Judgement.Raw, Relevant: v.Judgement.Relevant}
	for i := range v.Found {
		if f := &v.Found[i]; f.Refused == "" && f.ID != 0 {
			said.Links = append(said.Links, selection.Link{ID: f.ID, Score: f.Score, Numbers: f.Numbers})
		}
	}
	st.selector.Told(&said)
}

// chosen says how an item came to be visited; it is empty where its score alone says it.
func (st *Steps) chosen(item frontier.Item) string {
	if st.selector == nil {
		return ""
	}
	return st.selector.Why(item)
}

// letGo lets the selector let links go while a visit ends. It comes before the frontier is told the outcome, so that a
// frontier which persists keeps both or neither. The turn must be held.
func (c *Crawler) letGo() {
	if c.steps.selector == nil {
		return
	}
	waiting, leased := c.can.hold.Open()
	c.opened(waiting, waiting == 0 && leased <= 1)
}

// opened lets the selector let links go, and stops the crawl if it says so.
func (c *Crawler) opened(waiting int, idle bool) {
	ended, err := c.steps.selector.Open(waiting, idle)
	c.steps.fail(err)
	if ended != "" {
		c.stop(ended)
	}
}

// held tells of an error of Pop whether all that waits is held, and lets the selector let some of it go: then it is
// worth popping again. before is how often links had been let go when the pop began: what others have let go since
// comes first. The turn must be held.
func (c *Crawler) held(err error, before uint64) (again bool) {
	if !errors.Is(err, frontier.ErrHeld) || c.steps.selector == nil {
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

// pushMutant lets an address in that no page has to link to, into the tier of its generation. The answer is 0 if it was
// refused, was visited before, or is in that generation by crossover.
func (st *Steps) pushMutant(m selection.Mutant, tier uint32) (uint64, error) {
	f := st.can.hold
	source, _ := f.Get(m.Parent)
	l := page.LinkTo(m.Address)
	if stands := f.Standing(f.Find(l.Identity)); stands.State == frontier.Waiting && stands.Tier == tier {
		return 0, nil
	}
	if st.scope.Admit(&l, int(source.Depth)+1) != "" || st.trap(&l) != "" || st.offer != nil && !st.offer(l.URL) || st.full(l.Host) {
		return 0, nil
	}
	n, err := run.ReadNote(source)
	if err != nil {
		return 0, err
	}
	n.Hops, n.Anchor = n.Step(run.HopMutation), ""
	if n.Trail.Depth < math.MaxUint16 {
		n.Trail.Depth++
	}
	item := frontier.Item{URL: l.URL, Identity: l.Identity, Host: l.Host, Via: m.Parent, Depth: source.Depth + 1, Tier: tier,
		Score: m.Fit, Note: n.Bytes()}
	id, fresh, err := st.frontier.Push(item)
	if err != nil {
		return 0, err
	}
	if _, state := f.Get(id); state != frontier.Waiting {
		return 0, nil
	}
	if fresh {
		d := run.Decision{Time: st.now(), Decision: "push", ID: id, Via: m.Parent, Hops: n.Hops, Score: math.NaN(), Relevance: math.NaN(), URL: l.URL}
		return id, st.log.Write(&d)
	}
	return id, nil
}
