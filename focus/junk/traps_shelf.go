package junk

import (
	"slices"
	"strconv"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// A site that is being mended, or lets nobody in for a while, answers as traps do, and all that waits of it may have had its turn by the time
// that it is well again. What a rule refuses when its turn comes is put on a shelf: it comes back when a visit has shown that the rule is
// untrue. One of a shelf is visited now and then to see whether it is, and some when nothing else waits, the more of them the more there are: what
// shows one page for all may be let in by then.
const (
	mostShelves = 256  // rules whose items are remembered: the last that began to refuse some
	mostShelved = 4096 // items of a rule: the last
	mostLater   = 256  // addresses refused by a rule that wait all the same, to be refused when their turn comes
	firstLook   = 1000 // pages until one of a shelf is visited; each time twice as many
)

// shelf is what was refused by one rule.
type shelf struct {
	of    kind     // the addresses that were
	items []uint64 // their numbers in the frontier
	look  int      // by how many pages one of them is visited
	every int      // so many after the last one
	at    uint64   // the one that is being visited; 0 for none
	last  int      // so many were visited when nothing else waited
}

// What is done with shelves stands in a lesson behind its number, as what was used does: with the rule and the item.
const (
	putThere = iota + usedNext + 1
	allBack
	oneBack  // the last, which is least like those that the rule was learned of
	lastBack // when nothing else waits
	begun    // an item is visited
	over     // it was
	given    // the frontier was told that an item is given up
	forgotten
)

// pagesMet is the kind of all pages, and toLookAt that of an item that is visited though a rule refuses it.
var pagesMet = kindOf("pages")

func toLookAt(item uint64) kind { return kindOf("looked at", strconv.FormatUint(item, 36)) }

// isLookedAt tells of a rule that an item is being visited to see whether it is true: until that has ended no other needs to be.
func (w *TrapWatch) isLookedAt(r rule) bool {
	return slices.ContainsFunc(w.shelves, func(s shelf) bool { return s.of == r.refused && s.at != 0 })
}

// lookAt lets an item be visited to see whether a rule is true.
func (w *TrapWatch) lookAt(what uint64, of kind, item uint64) {
	if item != 0 {
		w.count(toLookAt(item))
		w.shelve(what, of, item)
	}
}

// hasShelf tells of a rule that items are remembered which it has refused.
func (w *TrapWatch) hasShelf(r rule) bool {
	return slices.ContainsFunc(w.shelves, func(s shelf) bool { return s.of == r.refused })
}

// doubt lets all come back that was refused by a rule, where what speaks against it is too much.
func (w *TrapWatch) doubt(r rule, known bool) {
	if !known {
		w.shelve(allBack, r.refused, 0)
	}
}

// shelve does something with the shelf of a rule, and notes it where it does.
func (w *TrapWatch) shelve(what uint64, of kind, item uint64) {
	if w.shelved(what, of, item) && w.noting {
		for _, n := range [...]uint64{what, uint64(of), item} {
			w.noted.Fixed64(&n)
		}
	}
}

func (w *TrapWatch) shelved(what uint64, of kind, item uint64) (done bool) {
	if what == given {
		had := len(w.leaving)
		w.leaving = takeOut(w.leaving, item)
		return len(w.leaving) < had
	}
	i := slices.IndexFunc(w.shelves, func(s shelf) bool { return s.of == of })
	if i < 0 && what != putThere && what != begun {
		return false
	}
	if i < 0 {
		w.shelves = append(w.shelves[max(0, len(w.shelves)+1-mostShelves):], shelf{of: of, look: w.met(pagesMet) + firstLook, every: firstLook})
		i = len(w.shelves) - 1
	}
	s := &w.shelves[i]
	switch what {
	case putThere:
		s.items = append(takeOut(s.items, item), item)
		s.items = s.items[max(0, len(s.items)-mostShelved):]
		w.back, w.leaving = takeOut(w.back, item), append(takeOut(w.leaving, item), item)
	case oneBack, lastBack:
		if len(s.items) == 0 { // here nobody knows of it
			return false
		}
		last := len(s.items) - 1
		s.at = s.items[last]
		s.items, w.back = s.items[:last], append(w.back, s.at)
		s.every *= 2
		if s.look = w.met(pagesMet) + s.every; what == lastBack {
			s.last++
		}
	case begun:
		s.at = item
	case over:
		s.at = 0
	case allBack:
		w.back = append(w.back, s.items...)
		fallthrough
	case forgotten:
		w.shelves = slices.Delete(w.shelves, i, i+1)
	}
	return true
}

// takeOut takes an item out of some.
func takeOut(items []uint64, item uint64) []uint64 {
	return slices.DeleteFunc(items, func(i uint64) bool { return i == item })
}

// Back are the items that are to wait again, now that the visit of one has ended, or nothing else waits: those of rules that have turned out to
// be untrue, and one of each rule that it is time to look at. What is not worth a look when nothing else waits is refused for good. What
// was refused comes back once the frontier has been told that it is given up, which is right after it has ended.
func (w *TrapWatch) Back(ended uint64, idle bool) []uint64 {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.decided(false)
	pages := w.met(pagesMet)
	for _, s := range slices.Clone(w.shelves) {
		if ended != 0 && s.at == ended && !slices.Contains(w.leaving, ended) {
			w.shelve(over, s.of, 0)
		}
		switch n := len(s.items); {
		case idle && !w.worthALook(&s):
			w.shelve(forgotten, s.of, 0)
		case idle:
			w.lookAt(lastBack, s.of, s.items[n-1])
		case n > 0 && pages >= s.look:
			w.lookAt(oneBack, s.of, s.items[n-1])
		}
	}
	var back []uint64
	w.back = slices.DeleteFunc(w.back, func(item uint64) bool {
		gone := !slices.Contains(w.leaving, item)
		if gone {
			back = append(back, item)
		}
		return gone
	})
	w.shelve(given, 0, ended)
	return back
}

// worthALook tells of a shelf that one more of it is visited when nothing else waits: half as many are worth the next one, and a sixteenth where
// many pages were repeated, which no outage shows.
func (w *TrapWatch) worthALook(s *shelf) bool {
	fewer := s.last
	if w.met(shownBy(s.of)) >= many {
		fewer *= 4
	}
	return len(s.items)/onTrust>>fewer > 0
}

// codeShelves are those behind what was counted, where there are any.
func (w *TrapWatch) codeShelves(k *pack.Coder) {
	if k.Read && len(k.Bytes) == 0 || !k.Read && len(w.shelves)+len(w.back)+len(w.leaving) == 0 {
		return
	}
	pack.List(k, &w.back, k.Number)
	pack.List(k, &w.leaving, k.Number)
	pack.List(k, &w.shelves, func(s *shelf) {
		k.Fixed64((*uint64)(&s.of))
		pack.List(k, &s.items, k.Number)
		k.Int(&s.look)
		k.Int(&s.every)
		k.Number(&s.at)
		k.Int(&s.last)
	})
}
