package focus

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// selection turns a promise into a place in the order. The frontier knows only one order (tier, score, arrival), so a
// selection is what it writes into tier and score.
type selection func(item *frontier.Item, visits uint64)

// selectionOf answers a selection's order. The seed is only for those that draw lots. What rounds, genetic and groups
// do beyond that is the work of a steward.
func selectionOf(s rank.Selection, seed uint64) selection {
	byLot := func(item *frontier.Item, _ uint64) { item.Score = lot(seed, item.Identity) }
	switch s.Use {
	case "fifo", "rounds":
		return func(item *frontier.Item, _ uint64) { item.Score = 0 }
	case "lifo":
		return lifo
	case "random":
		return byLot
	case "groups":
		if s.Groups.Inside == "random" {
			return byLot
		}
	}
	return func(*frontier.Item, uint64) {}
}

// byPromise tells whether a selection orders by what links promise: in the others a new promise moves nothing.
func byPromise(s rank.Selection) bool {
	switch s.Use {
	case "fifo", "lifo", "random", "rounds":
		return false
	case "groups":
		return s.Groups.Inside != "random"
	}
	return true
}

// lifo puts the links of the newest page first, in the order of the page.
func lifo(item *frontier.Item, visits uint64) {
	item.Score = 0
	item.Tier = frontier.Held - 1 - uint32(min(visits, uint64(frontier.Held-1)))
}

// lot draws a number in [0,1) for an address: the same for the same seed, whatever else the crawl has seen.
func lot(seed uint64, identity string) float32 {
	h := fnv.New64a()
	h.Write([]byte(identity))
	return rand.New(rand.NewPCG(seed, h.Sum64())).Float32()
}

// errNoSteward is what a plain Colly program is told that asks for a strategy which lets links go by itself.
func errNoSteward(s *rank.Strategy) error {
	return fmt.Errorf("focus: attach: strategy %s selects by %s, which lets links go by itself: that takes a Crawler (focus.New); select: best, fifo, lifo or random work here",
		s.Name, s.Select.Use)
}
