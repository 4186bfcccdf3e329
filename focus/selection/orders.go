package selection

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// The selections that hold nothing back: what they write into tier and score is all there is to them.
func init() {
	register("best", rule{})
	register("fifo", rule{order: inSequence, anyway: always})
	register("lifo", rule{order: func(rank.Selection, uint64) Order { return newestFirst }, anyway: always})
	register("random", rule{order: byLot, anyway: always})
}

func always(rank.Selection) bool { return true }

// byPromise leaves the promise as it is.
func byPromise(*frontier.Item, uint64) {}

// inSequence lets links be visited as they came.
func inSequence(rank.Selection, uint64) Order {
	return func(item *frontier.Item, _ uint64) { item.Score = 0 }
}

// newestFirst puts the links of the newest page first, in the order of the page.
func newestFirst(item *frontier.Item, visits uint64) {
	item.Score = 0
	item.Tier = frontier.Held - 1 - uint32(min(visits, uint64(frontier.Held-1)))
}

// byLot draws a number in [0,1) for an address: the same for the same seed, whatever else the crawl has seen.
func byLot(_ rank.Selection, seed uint64) Order {
	return func(item *frontier.Item, _ uint64) { item.Score = lot(seed, item.Identity) }
}

func lot(seed uint64, identity string) float32 {
	h := fnv.New64a()
	h.Write([]byte(identity))
	return rand.New(rand.NewPCG(seed, h.Sum64())).Float32()
}
