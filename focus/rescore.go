package focus

import (
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/selection"
)

// How much is scored again. What one page touches is scored again at once, the nearest first; the rest when its turn
// comes, and the best of all that wait where something has changed that every score is made of.
const (
	rescoreLimit = 256   // waiting links for one fetched page
	sweepBest    = 4_000 // of all that wait the best: what stands below them is scored again when it comes near its turn
	staleTries   = 3     // how often in a row a link that turns out to promise less is put back
)

// rescore scores waiting links again, without their pages.
func (st *Steps) rescore(ids []uint64) {
	f := st.can.rescore
	if f == nil || st.can.far != nil { // a frontier on another machine is asked at the pop only
		return
	}
	for _, id := range ids {
		stands := f.Standing(id)
		if stands.Alt >= seedScore || selection.Settled(st.selector, stands.Tier) { // start pages come first whatever else is known of them
			continue
		}
		own, said := st.given(id)
		if own {
			continue
		}
		if numbers, ok := st.strategy.Rescore(id, st.memory); ok {
			score := st.placeOf(stands.Score, numbers)
			if said.Floor != nil {
				score = max(score, *said.Floor)
			}
			st.fail(f.Rescore(id, score, st.strategy.Alt(numbers), numbers, nil))
		}
	}
}

// linksTold lets the memory work out what takes all links of the page, and scores again what that moves. What could not be
// read has none, and leaves the work to the next page.
func (st *Steps) linksTold(v *Visit) {
	if v.Page == nil {
		return
	}
	st.rescore(st.memory.LinksTold(rescoreLimit))
	if st.memory.Sweep() {
		st.rescore(st.waiting())
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
	if c.ledger.Stale() >= staleTries || item.Via == 0 || item.Alt >= seedScore || selection.Settled(st.selector, item.Tier) || !st.memory.Stale(item.ID) {
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
	st.ledger.Happen(&ledger.PutBack{ID: item.ID})
	st.fail(c.tell(item.ID, frontier.Outcome{Again: true, Idle: true, Score: score}))
	st.fail(f.Rescore(item.ID, score, alt, numbers, nil))
	return true
}

// putBackAgain gives the item that was put back last the numbers that the crawl, interrupted there, could not give it.
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
