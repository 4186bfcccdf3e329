package run

import (
	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Reaches gives an address that waits the longest allowance of all links to it, as fish-search and tunnelling ask for: the better
// trail may be the one with the lower score. It remembers allowances, so that notes need not be read for them; what it does not know
// stands in the notes. Reach is the same for a frontier on another machine.
type Reaches struct {
	find    frontier.Finder
	rescore frontier.Rescorer
	known   map[uint64]int16
}

// mostReaches bounds what is remembered: some 6 MB.
const mostReaches = 1 << 18

// NewReaches makes one for a frontier that can be asked for its items. Without the second power no item gets another note before a
// better link comes.
func NewReaches(find frontier.Finder, rescore frontier.Rescorer) *Reaches {
	return &Reaches{find: find, rescore: rescore}
}

// Set remembers the allowance of an item that is new.
func (r *Reaches) Set(id uint64, allowance int16) {
	if r == nil {
		return
	}
	if r.known == nil || len(r.known) >= mostReaches {
		r.known = make(map[uint64]int16)
	}
	r.known[id] = allowance
}

// Forget is told of an item whose note may have changed otherwise.
func (r *Reaches) Forget(id uint64) {
	if r != nil {
		delete(r.known, id)
	}
}

// Lengthen gives a link that is about to be pushed the longer allowance of the item that waits there. If the item has the shorter one,
// and a score that the link does not raise, it gets another note and keeps its place.
func (r *Reaches) Lengthen(id uint64, found int16, link *frontier.Item) error {
	if r == nil || id == 0 {
		return nil
	}
	stands, was, waits := r.of(id)
	if !waits || was == found {
		return nil
	}
	defer r.Set(id, max(was, found))
	switch raises := link.Tier < stands.Tier || link.Tier == stands.Tier && link.Score > stands.Score; {
	case raises && was > found:
		link.Note = lengthened(*link, was)
	case !raises && found > was && r.rescore != nil:
		item, _ := r.find.Get(id)
		return r.rescore.Rescore(id, item.Score, item.Alt, item.Numbers, lengthened(item, found))
	}
	return nil
}

// of tells of an item that waits how it stands and what its allowance is. What is not ranked has none.
func (r *Reaches) of(id uint64) (stands frontier.Standing, allowance int16, waits bool) {
	if allowance, known := r.known[id]; known && r.rescore != nil {
		stands = r.rescore.Standing(id)
		return stands, allowance, stands.State == frontier.Waiting
	}
	if r.rescore != nil && r.rescore.Standing(id).State != frontier.Waiting {
		return stands, 0, false // which is known without reading it
	}
	item, state := r.find.Get(id)
	n, err := ReadNote(item)
	if state != frontier.Waiting || err != nil || !n.Ranked {
		return stands, 0, false
	}
	r.Set(id, n.Trail.Allowance)
	return frontier.Standing{State: state, Tier: item.Tier, Score: item.Score}, n.Trail.Allowance, true
}

// lengthened is the note of an item with another allowance.
func lengthened(i frontier.Item, allowance int16) []byte {
	n, err := ReadNote(i)
	if err != nil {
		return i.Note
	}
	n.Trail.Allowance = allowance
	return n.Bytes()
}
