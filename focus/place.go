package focus

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/selection"
	"github.com/thresher-crawler/thresher/focus/turn"
)

// appoint gives the steps the selector that their strategy asks for, if it asks for one.
func (st *Steps) appoint(o selection.Setting) error {
	s := st.strategy.Select
	if !s.Holds() {
		return nil
	}
	if st.can.hold == nil {
		return fmt.Errorf("select %s: %s", s.Use, crawlfile.NoHolding)
	}
	o.Frontier, o.Memory, o.Alt, o.Push = st.can.hold, st.memory, st.strategy.Alt, st.pushMutant
	o.From = func(page, item uint64) ([]float32, bool) { return st.strategy.From(page, item, st.memory) }
	st.selector = selection.New(s, o)
	return nil
}

// errHeldBefore: what a selection knows of the links that it holds is in no frontier. A crawl keeps it beside them.
var errHeldBefore = errors.New("focus.Attach: the frontier holds links of an earlier process, and what its selection knew of them is gone: begin with an empty frontier, or make a crawl (focus.New, focus.AttachFile), which keeps it")

// selects lets a Colly program run a strategy that holds links back: they are let go when a visit has ended, or when whoever
// runs what waits finds that all of it is held.
func (st *Steps) selects(c *colly.Collector) error {
	if err := st.appoint(selection.Setting{Seed: 1, Ahead: 1}); err != nil || st.selector == nil {
		return err
	}
	if waiting, leased := st.can.hold.Open(); st.frontier.Len() > waiting+leased {
		return errHeldBefore
	}
	c.Context = context.WithValue(c.Context, frontier.OpeningKey{}, frontier.Opening(st.opening))
	return nil
}

// opening is asked where all that waits is held, and lets some of it go. What others have let go meanwhile comes first.
func (st *Steps) opening() (again bool) {
	st.turn.Enter(0)
	defer st.turn.Leave(0)
	waiting, leased := st.can.hold.Open()
	if waiting+leased > 0 {
		return true
	}
	ended := st.opened(0, true)
	waiting, _ = st.can.hold.Open()
	return waiting > 0 && ended == "" && st.Err() == nil
}

// selected tells the selector of a visit whose links have been pushed.
func (st *Steps) selected(v *Visit) {
	if st.selector == nil {
		return
	}
	said := selection.Visit{Item: v.Item, Page: v.Page != nil && !v.list, Raw: v.Judgement.Raw, Relevant: v.finds()}
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
// frontier which persists keeps both or neither. What it answers ends a crawl. The turn must be held.
func (st *Steps) letGo() (ended string) {
	if st.selector == nil {
		return ""
	}
	waiting, leased := st.can.hold.Open()
	return st.opened(waiting, waiting == 0 && leased <= 1)
}

// opened lets the selector let links go.
func (st *Steps) opened(waiting int, idle bool) (ended string) {
	ended, err := st.selector.Open(waiting, idle)
	st.fail(err)
	return ended
}

// held tells of an error of Pop whether all that waits is held, and lets the selector let some of it go: then it is
// worth popping again. So it is where nothing waits, and something was refused that is to be looked at again. before is how often links
// had been let go when the pop began: what others have let go since comes first. The turn must be held.
func (c *Crawler) held(err error, before uint64) (again bool) {
	empty := errors.Is(err, frontier.ErrEmpty)
	if !empty && (!errors.Is(err, frontier.ErrHeld) || c.steps.selector == nil) {
		return false
	}
	if c.openings.Load() != before {
		return true
	}
	if empty && !c.steps.comeBack(0, true) {
		return false
	}
	if c.openings.Add(1); empty {
		c.steps.fail(c.keep())
		return true
	}
	if ended := c.steps.opened(0, true); ended != "" {
		c.stop(ended)
	}
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
	if st.mayEnter(&l, int(source.Depth)+1) != "" || st.trap(&l, f.Find(l.Identity)) != "" || st.full(l.Host) || st.withheld(l.URL) {
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
	id, fresh, err := st.pushOne(item)
	if err != nil {
		return 0, err
	}
	if _, state := f.Get(id); state != frontier.Waiting {
		return 0, nil
	}
	if fresh {
		d := run.Decision{Time: st.now(), Decision: "push", ID: id, Via: m.Parent, Hops: n.Hops, Score: math.NaN(), Relevance: math.NaN(), URL: l.URL}
		return id, st.results.Log.Write(&d)
	}
	return id, nil
}

// How much is scored again. What one page touches is scored again at once, the nearest first; the rest when its turn
// comes, and the best of all that wait where something has changed that every score is made of. The bounds keep the work of a
// page from growing with the crawl: on portals, the links of all pages that link here are thousands a fetch.
const (
	rescoreLimit = 256   // waiting links for one fetched page
	sweepBest    = 2_000 // of all that wait the best: what stands below them is scored again when it comes near its turn
	staleTries   = 3     // how often in a row a link that turns out to promise less is put back; then it is visited, or a memory that moves with every page could put back for ever
)

// rescore scores again the waiting links that a visit touches, and the best of all where it is time for that.
func (st *Steps) rescore(v *Visit, touched []uint64) {
	v.watch.Lap(turn.Learn)
	st.scoreAgain(touched)
	if st.memory.Sweep() {
		st.scoreAgain(st.waiting())
	}
	v.watch.Lap(turn.Again)
}

// scoreAgain scores waiting links again, without their pages.
func (st *Steps) scoreAgain(ids []uint64) {
	f := st.can.rescore
	if f == nil || st.can.far != nil { // a frontier on another machine is asked at the pop only
		return
	}
	again, floors := ids[:0], map[uint64]float32{} // the least that a program has said a link is worth
	for _, id := range ids {
		own, said := st.owner.means(id)
		if stands := f.Standing(id); own || stands.Alt >= run.SeedScore || selection.Settled(st.selector, stands.Tier) {
			continue // start pages come first whatever else is known of them
		}
		if again = append(again, id); said.Floor != nil {
			floors[id] = *said.Floor
		}
	}
	st.strategy.RescoreAll(again, st.memory, func(i int, numbers []float32) {
		id := again[i]
		score := st.placeOf(f.Standing(id).Score, numbers)
		if floor, ok := floors[id]; ok {
			score = max(score, floor)
		}
		st.fail(f.Rescore(id, score, st.strategy.Alt(numbers), numbers, nil))
	})
}

// linksTold lets the memory work out what takes all links of the page, and scores again what that moves. What could not be
// read has none, and leaves the work to the next page.
func (st *Steps) linksTold(v *Visit) {
	if v.Page != nil {
		st.rescore(v, st.memory.LinksTold(rescoreLimit))
	}
}

// placeOf is the score of an item that has a new promise: the promise, or the score it has where a selection orders by
// something else.
func (st *Steps) placeOf(score float32, numbers []float32) float32 {
	if selection.ByPromise(st.strategy.Select) {
		return numbers[0]
	}
	return score
}

// waiting are the links a sweep goes over, the most promising first.
func (st *Steps) waiting() []uint64 {
	if st.can.tiers == nil || st.can.far != nil {
		return nil
	}
	var ids []uint64
	st.can.tiers.Each(0, func(id uint64) bool {
		ids = append(ids, id)
		return len(ids) < sweepBest
	})
	return ids
}

// putBack scores a popped link again if what its score is made of has changed since. If it promises less now, it goes
// back to wait for a better turn; its host keeps its own. What a repair puts in front, as start pages are, stays there. The
// turn must be held.
func (c *Crawler) putBack(item frontier.Item, lane int) bool {
	st := c.steps
	if c.ledger.Stale() >= staleTries || item.Via == 0 || item.Alt >= run.SeedScore || selection.Settled(st.selector, item.Tier) || !st.memory.Stale(item.ID) {
		return false
	}
	numbers, ok := st.strategy.Rescore(item.ID, st.memory)
	f := st.can.rescore
	if !ok || f == nil {
		return false
	}
	score := st.placeOf(item.Score, numbers)
	alt := st.strategy.Alt(numbers)
	if lane == 0 && score >= item.Score || lane == 1 && alt >= item.Alt {
		return false
	}
	// The outcome can carry a score but no numbers. Should the process die between the two calls, the ledger knows to which item
	// the numbers are still owed (putBackAgain).
	st.ledger.Record(&ledger.PutBack{ID: item.ID})
	st.fail(c.tell(item.ID, frontier.Outcome{Again: true, Idle: true, Score: score}))
	st.fail(f.Rescore(item.ID, score, alt, numbers, nil))
	return true
}

// putBackAgain gives the item that was put back last the numbers that an interrupted crawl may still owe it.
func (c *Crawler) putBackAgain() error {
	id := c.ledger.PutBackLast()
	if id == 0 {
		return nil
	}
	f := c.can.rescore
	numbers, ok := c.steps.strategy.Rescore(id, c.steps.memory)
	if !ok || f == nil {
		return nil
	}
	return f.Rescore(id, c.steps.placeOf(f.Standing(id).Score, numbers), c.steps.strategy.Alt(numbers), numbers, nil)
}

// take says from which lane of the frontier the visit's link was taken, and for the hedge's, why.
func (v *Visit) take(lane int) {
	v.lane = lane
	if lane == 1 && v.Item.Via != 0 {
		v.Chosen = fmt.Sprintf("taken in the order of the hedge, where it promised %.4g", v.Item.Alt)
	}
}

// taken tells the strategy, once a visit, from which lane its link was taken: before it hears how the link turned out.
func (st *Steps) taken(v *Visit) {
	if !v.laned {
		v.laned = true
		st.memory.Taken(v.lane)
	}
}

// lengthen gives a link the longest allowance of all links to its address (see run.Reaches).
func (st *Steps) lengthen(i int, item *frontier.Item) {
	if st.strategy.Admit.Tunnel.Depth >= 0 {
		st.fail(st.can.reach.Lengthen(st.evidence[i].Item, st.onward[i].Allowance, item))
	}
}

// remind lets a link that is about to be pushed bring along what a Colly program said of its address, which waits already.
func (st *Steps) remind(i int, item *frontier.Item) {
	id := st.evidence[i].Item
	if st.can.rescore == nil || id == 0 {
		return
	}
	own, was := st.owner.means(id)
	if !own && was.Floor == nil && was.Request == nil {
		return
	}
	stands := st.can.rescore.Standing(id)
	if stands.State != frontier.Waiting {
		return
	}
	if own {
		was.Floor = &stands.Score
	}
	if n, err := run.ReadNote(*item); err == nil && (was.Floor != nil || was.Request != nil) {
		n.Floor, n.Request = was.Floor, was.Request
		item.Note = n.Bytes()
	}
}
