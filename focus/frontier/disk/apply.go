package disk

import (
	"errors"
	"fmt"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// Applying the log leads to the same state as the calls that wrote it: each call changes order, table, leases and sums exactly as its
// frame does here, and whoever changes the one must change the other. A frame may be whole and yet be about an item that does not
// exist, where files of two logs were mixed; it is refused before it has changed anything.

// applyAll applies the frames of a transaction.
func (st *state) applyAll(xs []said) error {
	for _, x := range xs {
		if err := st.apply(x); err != nil {
			return &DamageError{st.path(x.at.segment()), x.at.offset(), err}
		}
		st.tally.add(x.kind, x.size)
	}
	return nil
}

// apply does what a frame says.
func (st *state) apply(x said) error {
	switch x.kind {
	case kindItem, kindRaise, kindScore, kindStand, kindDrop:
		return st.applyLink(x)
	case kindDone, kindLapse:
		var e ended
		err := read(x.body, e.code)
		if err != nil || !st.known(e.id) {
			return errors.Join(errUnknownItem, err)
		}
		st.applyEnded(x.kind, &e)
	case kindLease:
		var l leased
		err := read(x.body, l.code)
		if err != nil || !st.known(l.id) {
			return errors.Join(errUnknownItem, err)
		}
		st.order.RestoreState(l.id, frontier.Leased)
		st.order.RestoreStart(l.id, l.at, l.served)
		st.out = withLease(st.out, frontier.Lease{ID: l.id, Host: st.order.Standing(l.id).Host, At: l.at})
	case kindPace:
		var h hosted
		err := read(x.body, h.slow)
		if err == nil {
			st.order.Pace(h.name, h.pace)
		}
		return err
	case kindRest:
		var h hosted
		err := read(x.body, h.rest)
		if err == nil {
			st.order.Rest(h.name, h.until)
		}
		return err
	case kindState:
		var s stated
		if err := read(x.body, s.code); err != nil || !st.known(s.id) {
			return errors.Join(errUnknownItem, err)
		}
		st.order.RestoreState(s.id, s.now)
	case kindSums:
		s := summed{sums: &st.sums}
		err := read(x.body, s.code)
		st.lessons = append(st.lessons, s.lessons...)
		return err
	case kindCommit:
		var c committed
		if err := read(x.body, c.code); err != nil {
			return err
		}
		st.sums.add(&ended{at: st.sums.at, files: c.files})
		if len(c.lesson) > 0 {
			st.lessons = append(st.lessons, c.lesson)
		}
	default:
		return errFrame
	}
	return nil
}

func (st *state) known(id uint64) bool { return st.order.Link(id) != nil }

// applyLink does what a frame says of how an item stands.
func (st *state) applyLink(x said) error {
	var it frontier.Item
	if err := read(x.body, func(k *pack.Coder) { codeLink(k, x.kind, &it) }); err != nil {
		return err
	}
	if x.kind == kindItem {
		return st.applyItem(&it, x.at)
	}
	if !st.known(it.ID) {
		return errUnknownItem
	}
	l := st.order.Link(it.ID)
	switch x.kind {
	case kindDrop:
		st.order.RestoreState(it.ID, frontier.Dropped)
		st.out = withoutLease(st.out, it.ID)
		return nil
	case kindRaise:
		st.sums.live.replace(l, true)
		l.body, l.nums = x.at, 0
		if st.order.Standing(it.ID).State == frontier.Dropped {
			st.order.RestoreState(it.ID, frontier.Waiting)
		}
	case kindScore:
		st.sums.live.replace(l, false)
		l.nums = x.at
		it.Tier = st.order.Standing(it.ID).Tier
	}
	st.order.Set(it.ID, it.Tier, it.Score, it.Alt)
	return nil
}

// applyItem adds an item. Its number must be the next one: nothing but the order of the frames says which item a hash belongs to.
func (st *state) applyItem(it *frontier.Item, at position) error {
	if it.ID != uint64(st.order.Count()+1) {
		return fmt.Errorf("item %d follows item %d", it.ID, st.order.Count())
	}
	hash := st.key.hash(it.Known())
	if _, err := st.order.Add(it.Host, it.Tier, it.Score, it.Alt, link{hash: hash, base: at}); err != nil {
		return err
	}
	st.seen.put(hash, uint32(it.ID))
	st.sums.live.items++
	if it.Via == 0 {
		st.order.Pardon(it.ID)
	}
	return nil
}

// applyEnded ends a lease, by an outcome or because it ran out. One that ran out says nothing of the page or the host but when the
// host's next turn is.
func (st *state) applyEnded(k kind, e *ended) {
	now := frontier.Finished
	if e.shelved {
		now = frontier.Shelved
	} else if e.again {
		now = frontier.Waiting
	}
	st.order.RestoreState(e.id, now)
	st.out = withoutLease(st.out, e.id)
	if e.rescored {
		s := st.order.Standing(e.id)
		st.order.Set(e.id, s.Tier, e.score, s.Alt)
	}
	if k == kindLapse {
		st.order.Rest(st.order.Standing(e.id).Host, e.next)
		return
	}
	if !st.sums.at.IsZero() { // a clock that had run ahead is put right before it says of its host what follows
		st.order.RestoreClock(st.sums.at, e.at)
	}
	if !e.idle {
		st.order.RestoreEnd(e.id, e.next, e.failed)
	}
	st.sums.add(e)
	if e.lesson != nil {
		st.lessons = append(st.lessons, e.lesson)
	}
}
