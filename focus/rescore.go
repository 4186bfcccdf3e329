package focus

import (
	"github.com/thresher-crawler/thresher/focus/frontier"
)

// How much is scored again. What one page touches is scored again at once, the nearest first; the rest when its turn
// comes, and everything only where something has changed that every score is made of.
const (
	rescoreLimit = 256     // waiting links for one fetched page
	sweepAll     = 200_000 // up to so many waiting links are all scored again,
	sweepBest    = 10_000  // and of more than that only the best
	staleTries   = 3       // how often in a row a link that turns out to promise less is put back
)

// rescore scores waiting links again, without their pages.
func (st *Steps) rescore(ids []uint64) {
	f, ok := st.frontier.(frontier.Rescorer)
	if _, far := st.frontier.(paging); !ok || far { // a frontier on another machine is asked at the pop only
		return
	}
	for _, id := range ids {
		item := st.known(id)
		if item.Via == 0 { // start pages come first whatever else is known of them
			continue
		}
		if numbers, ok := st.strategy.Rescore(id, st.memory); ok {
			st.fail(f.Rescore(id, st.scoreOf(item, numbers), st.strategy.Alt(numbers), numbers))
		}
	}
}

// known is what the frontier knows of an item; a frontier that cannot say takes it for a link of some page.
func (st *Steps) known(id uint64) frontier.Item {
	f, ok := st.frontier.(frontier.Finder)
	if !ok {
		return frontier.Item{ID: id, Via: id}
	}
	item, _ := f.Get(id)
	return item
}

// scoreOf is the place in the order that a selection gives to a new promise of an item.
func (st *Steps) scoreOf(known frontier.Item, numbers []float32) float32 {
	item := frontier.Item{ID: known.ID, Identity: known.Identity, Score: numbers[0]}
	st.choose(&item, uint64(st.counts.Pages))
	return item.Score
}

// waiting are the links a sweep goes over, the most promising first.
func (st *Steps) waiting() []uint64 {
	h, ok := st.frontier.(frontier.Holder)
	if _, far := st.frontier.(paging); !ok || far {
		return nil
	}
	most := sweepAll
	if st.frontier.Len() > sweepAll {
		most = sweepBest
	}
	var ids []uint64
	h.Each(0, func(item frontier.Item) bool {
		ids = append(ids, item.ID)
		return len(ids) < most
	})
	return ids
}

// putBack scores a popped link again if what its score is made of has changed since. If it promises less now, it goes
// back to wait for a better turn; its host keeps its own. The turn must be held.
func (c *Crawler) putBack(item frontier.Item, lane int) bool {
	st := c.steps
	if c.stale >= staleTries || item.Via == 0 || !st.memory.Stale(item.ID) {
		c.stale = 0
		return false
	}
	numbers, ok := st.strategy.Rescore(item.ID, st.memory)
	f, can := st.frontier.(frontier.Rescorer)
	if !ok || !can {
		return false
	}
	score := st.scoreOf(item, numbers)
	alt := st.strategy.Alt(numbers)
	if lane == 0 && score >= item.Score || lane == 1 && alt >= item.Alt {
		c.stale = 0
		return false
	}
	st.happen(&wasPutBack{item.ID})
	st.fail(c.tell(item.ID, frontier.Outcome{Again: true, Idle: true, Score: score}))
	st.fail(f.Rescore(item.ID, score, alt, numbers))
	return true
}

// putBackAgain gives the item that was put back last the numbers that the crawl, interrupted there, could not give it.
func (c *Crawler) putBackAgain() error {
	if c.redo == 0 {
		return nil
	}
	f, can := c.frontier.(frontier.Rescorer)
	numbers, ok := c.steps.strategy.Rescore(c.redo, c.steps.memory)
	if !ok || !can {
		return nil
	}
	return f.Rescore(c.redo, c.steps.scoreOf(c.steps.known(c.redo), numbers), c.steps.strategy.Alt(numbers), numbers)
}
