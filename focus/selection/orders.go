package selection

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// The selections that hold nothing back: what they write into tier and score is all there is to them.
func init() {
	type none = struct{}
	always := func(none) bool { return true }
	does("best", Rule[none]{})
	does("fifo", Rule[none]{Order: func(none, uint64) Order { return inSequence }, Anyway: always})
	does("lifo", Rule[none]{Order: func(none, uint64) Order { return newestFirst }, Anyway: always})
	does("random", Rule[none]{Order: func(_ none, seed uint64) Order { return byLot(seed) }, Anyway: always})
}

// byPromise leaves the promise as it is.
func byPromise(*frontier.Item, uint64) {}

// inSequence lets links be visited as they came.
func inSequence(item *frontier.Item, _ uint64) { item.Score = 0 }

// newestFirst puts the links of the newest page first, in the order of the page.
func newestFirst(item *frontier.Item, visits uint64) {
	item.Score = 0
	item.Tier = frontier.Held - 1 - uint32(min(visits, uint64(frontier.Held-1)))
}

// byLot draws a number in [0,1) for an address: the same for the same seed, whatever else the crawl has seen.
func byLot(seed uint64) Order {
	return func(item *frontier.Item, _ uint64) { item.Score = lot(seed, item.Identity) }
}

func lot(seed uint64, identity string) float32 {
	h := fnv.New64a()
	h.Write([]byte(identity))
	return rand.New(rand.NewPCG(seed, h.Sum64())).Float32()
}
