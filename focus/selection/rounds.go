package selection

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
)

func init() {
	does("rounds", Rule[rank.Rounds]{
		Order:  func(rank.Rounds, uint64) Order { return inSequence },
		Anyway: func(rank.Rounds) bool { return true },
		Selector: func(p rank.Rounds, o Setting) Selector {
			return &rounds{Rounds: p, frontier: o.Frontier, most: o.Rounds}
		},
	})
}

// rounds visits links in whole layers. A link waits in one of several queues, the better its score the earlier the
// queue. When the open round is visited, all of the first queue that is not empty is the next, in the order in which
// its links were found. Start pages are round 0.
type rounds struct {
	rank.Rounds
	frontier Frontier
	most     int    // rounds
	round    uint32 // the open one
	untold   bool   // it was opened since anybody asked for a lesson
}

// queueSlack lets a score stay in its queue that is a whole share of their number and was rounded.
const queueSlack = 1e-4

// queue is the queue for a score, from 1 to Queues.
func (r *rounds) queue(score float32) int {
	share := math.Ceil(float64(score)*float64(r.Queues) - queueSlack)
	return min(max(r.Queues-int(share)+1, 1), r.Queues)
}

// promise is the score an item was ranked with: in its queue it has none.
func promise(item *frontier.Item) float32 {
	if len(item.Numbers) == 0 {
		return 0
	}
	return item.Numbers[0]
}

// Hold puts a link into its queue. One that was found before stays where it is if it has been let go or if the first link to an
// address is to decide; otherwise the latest decides.
func (r *rounds) Hold(item *frontier.Item, _ string, known frontier.Item) {
	item.Tier = frontier.Held + uint32(r.queue(promise(item)))
	if known.ID != 0 && (r.Again == "first" || known.Tier < frontier.Held) {
		item.Tier = known.Tier
	}
}

// Told has nothing to learn from: rounds go by the scores alone.
func (r *rounds) Told(*Visit) {}

// Open lets the next round go, once nothing of the open one is waited for any more. The links keep the order in which they were
// found: within a round their scores do not count.
func (r *rounds) Open(_ int, idle bool) (ended string, err error) {
	if !idle {
		return "", nil
	}
	for queue := 1; queue <= r.Queues; queue++ {
		waiting := tierOf(r.frontier, frontier.Held+uint32(queue))
		if len(waiting) == 0 {
			continue
		}
		if r.most > 0 && int(r.round) >= r.most {
			return roundsUsedUp(r.most, "round"), nil
		}
		r.round++
		r.untold = true
		for _, id := range waiting {
			if err := r.frontier.Promote(id, r.round, 0); err != nil {
				return "", err
			}
		}
		return "", nil
	}
	return "", nil
}

func roundsUsedUp(most int, what string) string {
	if most != 1 {
		what += "s"
	}
	return fmt.Sprintf("the budget of %d %s is used up", most, what)
}

// tierOf are the items that wait in a tier, in order.
func tierOf(h frontier.Holder, tier uint32) []uint64 {
	var waiting []uint64
	h.Each(tier, func(id uint64) bool {
		waiting = append(waiting, id)
		return true
	})
	return waiting
}

// Why says which round a link was visited in. Start pages, which are round 0, need no reason.
func (r *rounds) Why(item frontier.Item) string {
	if item.Tier == 0 {
		return ""
	}
	return fmt.Sprintf("round %d, from queue %d of %d", item.Tier, r.queue(promise(&item)), r.Queues)
}

// State is which round is open; Lesson is the same where it has changed.
func (r *rounds) State() []byte {
	b, err := json.Marshal(r.round)
	if err != nil {
		panic(err) // a number can be written
	}
	return b
}

// Restore takes back what State gave.
func (r *rounds) Restore(state []byte) error {
	if err := json.Unmarshal(state, &r.round); err != nil {
		return fmt.Errorf("saved rounds: %w; start the crawl afresh, or from an older snapshot", err)
	}
	return nil
}

// Lesson is nil where no round was opened.
func (r *rounds) Lesson() []byte {
	if !r.untold {
		return nil
	}
	r.untold = false
	return r.State()
}

// Relearn is told a Lesson again.
func (r *rounds) Relearn(lesson []byte) error {
	if len(lesson) == 0 {
		return nil
	}
	return r.Restore(lesson)
}
