package run

import (
	"slices"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/recent"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// NumbersOf zips a score's numbers with the tree they belong to.
func NumbersOf(s *rank.Strategy, numbers []float32) []sink.Number {
	nodes := s.Nodes()
	if len(numbers) != len(nodes) {
		return nil
	}
	tree := make([]sink.Number, len(nodes))
	for i, n := range nodes {
		tree[i] = sink.Number{Name: n.Name, Depth: n.Depth, Value: float64(numbers[i])}
	}
	return tree
}

// Trails finds how a crawl got to its pages.
type Trails struct {
	find frontier.Finder // nil where the frontier finds nothing again
	hops *recent.Map[uint64, hop]
}

// manyHops is how many ancestors are remembered: most pages of a stretch have the same ones, and a frontier has to read them.
const manyHops = 1 << 14

// NewTrails are the trails of the items of a frontier.
func NewTrails(find frontier.Finder) Trails {
	return Trails{find, recent.New[uint64, hop](manyHops)}
}

// To is the way to a page by the page that it stands on: its ancestors, the start page first, each with the words of the link
// that led on. It follows the items' ids; a trail is cut after maxHops.
func (t *Trails) To(via uint64, anchor string, relevanceOf func(id uint64) (float32, bool)) []sink.Step {
	if t.find == nil {
		return nil
	}
	var steps []sink.Step
	for via != 0 && len(steps) < maxHops {
		on, ok := t.hop(via)
		if !ok {
			break
		}
		relevance, _ := relevanceOf(via)
		steps = append(steps, sink.Step{URL: on.url, Anchor: anchor, Relevance: float64(relevance)})
		if !on.noted {
			break
		}
		anchor, via = on.anchor, on.via
	}
	slices.Reverse(steps)
	return steps
}

// AddressOf is the address of an item, which nothing changes: it may be asked by anybody, at any time. It is empty where there is
// none, or nobody can tell.
func AddressOf(find frontier.Finder, item uint64) string {
	if find == nil || item == 0 {
		return ""
	}
	i, _ := find.Get(item)
	return i.URL
}

// hop is an ancestor of pages: its address, the words of the link to it, and the page that this stands on. Nothing of it changes
// any more.
type hop struct {
	url, anchor string
	via         uint64
	noted       bool // its note can be read
}

func (t *Trails) hop(id uint64) (hop, bool) {
	if known, ok := t.hops.Get(id); ok {
		return known, true
	}
	item, state := t.find.Get(id)
	if state == frontier.Unknown {
		return hop{}, false
	}
	n, err := ReadNote(item)
	h := hop{url: item.URL, anchor: n.Anchor, via: item.Via, noted: err == nil}
	t.hops.Put(id, h)
	return h, true
}
