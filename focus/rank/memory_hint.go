package rank

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Merger is a Factor that reads the hints of all links to an address together. Memory keeps them while the address waits, so
// that an earlier link to it is worth more, or less, by what a later one says.
type Merger interface {
	// Own is what it makes of the link's page.
	Own(*Evidence) float64
	// With is its number, by that and by what the hints of all links promise.
	With(own, hint float64) float64
	// Reach is how many words on each side of a link belong to its hint.
	Reach() int
}

// hinted is what is kept of the hints of all links to one waiting address.
type hinted struct {
	words   topic.Hint
	promise float32 // what they come to
}

// Hint is what the links to the address promise that were seen, this one included, reach words on each side of each: their
// anchors, or what stands around them, whichever are nearer to the topic.
func (e *Evidence) Hint(reach int) float64 {
	before := e.Memory.hintsOf(e.Item)
	if before == nil || e.Topic == nil || e.Link == nil {
		return max(orZero(e.AnchorSim()), orZero(e.ContextSim(reach)))
	}
	all := before.words.Clone()
	all.Add(e.ownHint(reach))
	return unit(e.Topic.SimHint(all))
}

// ownHint is what this link alone says.
func (e *Evidence) ownHint(reach int) topic.Hint {
	if e.Topic == nil || e.Link == nil {
		return topic.Hint{}
	}
	return e.Topic.Hint(e.Link.Anchor, e.Link.Before, e.Link.After, reach)
}

// hintsOf are the hints of the links to an address that waits; nil where none was seen.
func (m *Memory) hintsOf(item uint64) *hinted {
	if m == nil {
		return nil
	}
	if en := m.known(m.heir(item)); en != nil {
		return en.hints
	}
	return nil
}

// hint takes in what one more link to a waiting address says.
func (en *entry) hint(s *seenLink, now uint64) {
	if en.fetched {
		return
	}
	if en.hints == nil {
		en.hints = &hinted{}
	} else {
		en.touched = now
	}
	en.hints.words.Add(s.hint.words)
	en.hints.promise = s.hint.promise
}

func (k *coder) hint(h *hinted) {
	for _, all := range []*[]topic.Said{&h.words.Anchor, &h.words.Around} {
		room(k, all, math.MaxInt)
		for i := range *all {
			pack.Small(&k.Coder, &(*all)[i].Word)
			pack.Small(&k.Coder, &(*all)[i].Times)
		}
	}
	k.brief(&h.promise)
	k.must(0 <= h.promise && h.promise <= 1)
}
