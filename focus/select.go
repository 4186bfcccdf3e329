package focus

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// selection turns a promise into a place in the order. The frontier knows only one order (tier, score, arrival), so a
// selection is what it writes into tier and score.
type selection func(item *frontier.Item, visits uint64)

// selectionOf answers the selection of that name. The seed is only for random.
func selectionOf(name string, seed uint64) (selection, error) {
	switch name {
	case "", "best":
		return func(*frontier.Item, uint64) {}, nil
	case "fifo":
		return func(item *frontier.Item, _ uint64) { item.Score = 0 }, nil
	case "lifo":
		return lifo, nil
	case "random":
		return func(item *frontier.Item, _ uint64) { item.Score = lot(seed, item.Identity) }, nil
	}
	return nil, fmt.Errorf("focus: select %q: not yet; best, fifo, lifo and random work", name)
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
