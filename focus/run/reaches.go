package run

import (
	"math"
	"sync"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Reaches gives an address that waits the longest allowance of all links to it, as fish-search and tunnelling ask for: the better
// trail may be the one with the lower score. It remembers allowances, so that notes need not be read for them; what it does not know
// stands in the notes. Reach is the same for a frontier on another machine.
type Reaches struct {
	find    frontier.Finder
	rescore frontier.Rescorer
	mu      sync.Mutex // a Visit of the program is pushed without having the turn
	known   []int16    // by the item's number; notKnown where it is not remembered
}

const (
	notKnown    = math.MinInt16 // no allowance that is remembered: should a trail have it, its note is read
	mostReaches = 1 << 24       // items with higher numbers are not remembered: some 32 MB
)

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
	r.mu.Lock()
	defer r.mu.Unlock()
	r.set(id, allowance)
}

// set is Set. The lock must be held.
func (r *Reaches) set(id uint64, allowance int16) {
	if id >= mostReaches {
		return
	}
	for uint64(len(r.known)) <= id {
		r.known = append(r.known, notKnown)
	}
	r.known[id] = allowance
}

// Forget is told of an item whose note may have changed otherwise.
func (r *Reaches) Forget(id uint64) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if id < uint64(len(r.known)) {
		r.known[id] = notKnown
	}
}

// Stands is how the item of a link stands; nothing is known of a new one, nor where the frontier cannot say.
func (r *Reaches) Stands(id uint64) frontier.Standing {
	if r == nil || r.rescore == nil || id == 0 {
		return frontier.Standing{}
	}
	return r.rescore.Standing(id)
}

// Lengthen gives a link that is about to be pushed the longer allowance of the item that waits there. If the item has the shorter one,
// and a score that the link does not raise, it gets another note and keeps its place.
func (r *Reaches) Lengthen(id uint64, found int16, link *frontier.Item) error {
	if r == nil || id == 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if id < uint64(len(r.known)) && r.known[id] == found {
		return nil
	}
	stands, was, waits := r.of(id)
	if !waits || was == found {
		return nil
	}
	defer r.set(id, max(was, found))
	switch raises := link.Tier < stands.Tier || link.Tier == stands.Tier && link.Score > stands.Score; {
	case raises && was > found:
		link.Note = lengthened(*link, was)
	case !raises && found > was && r.rescore != nil:
		item, _ := r.find.Get(id)
		return r.rescore.Rescore(id, item.Score, item.Alt, item.Numbers, lengthened(item, found))
	}
	return nil
}

// of tells of an item that waits how it stands and what its allowance is. What is not ranked has none. The lock must be held.
func (r *Reaches) of(id uint64) (stands frontier.Standing, allowance int16, waits bool) {
	if id < uint64(len(r.known)) && r.known[id] != notKnown && r.rescore != nil {
		stands = r.rescore.Standing(id)
		return stands, r.known[id], stands.State == frontier.Waiting
	}
	if r.rescore != nil && r.rescore.Standing(id).State != frontier.Waiting {
		return stands, 0, false // which is known without reading it
	}
	item, state := r.find.Get(id)
	n, err := ReadNote(item)
	if state != frontier.Waiting || err != nil || !n.Ranked {
		return stands, 0, false
	}
	r.set(id, n.Trail.Allowance)
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
