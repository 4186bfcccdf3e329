package frontier

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Door is where workers wait for their turn, without spinning: a condition that also knows the time. However
// many wait, only one of them (the leader) watches the clock: who comes and knows of an earlier time takes the watch over,
// and whoever leaves with an item calls the next.
//
// Its methods are called with the backend's lock held.
type Door struct {
	Clock   Clock
	queue   []chan struct{} // who waits, first come first called
	leader  chan struct{}   // who of them watches the clock
	due     time.Time       // what the leader waits for
	relieve func()          // takes the clock from the leader
}

// Wait gives up the lock until somebody calls, the context ends, or the clock shows ready (zero: no matter what
// it shows). Only the context's end is an error. The lock is held again when it returns.
func (d *Door) Wait(ctx context.Context, lock sync.Locker, ready time.Time) error {
	me := make(chan struct{}, 1)
	d.queue = append(d.queue, me)
	var rung <-chan time.Time
	if !ready.IsZero() && (d.leader == nil || ready.Before(d.due)) {
		if d.leader != nil {
			d.relieve()
		}
		ring, giveUp := d.Clock.After(ready.Sub(d.Clock.Now()))
		defer giveUp()
		rung, d.leader, d.due, d.relieve = ring, me, ready, giveUp
	}
	lock.Unlock()
	var err error
	select {
	case <-me:
	case <-rung:
	case <-ctx.Done():
		err = ctx.Err()
	}
	lock.Lock()
	d.leave(me, err != nil)
	return err
}

// leave takes a waiting worker off the queue. One who gives up passes on what was meant for it: a call, or the
// watch over the clock.
func (d *Door) leave(me chan struct{}, gaveUp bool) {
	called := true
	if i := slices.Index(d.queue, me); i >= 0 {
		d.queue = slices.Delete(d.queue, i, i+1)
		called = false
	}
	led := d.leader == me
	if led {
		d.leader = nil
	}
	if gaveUp && (called || led) {
		d.callOne()
	}
}

// Tell lets the right ones know what Schedule.Next answers by now: everybody if the end has come, one if there
// is an item, the leader if the next host is ready earlier than it believed.
func (d *Door) Tell(ready time.Time, err error) {
	switch {
	case len(d.queue) == 0 || err == ErrIdle:
	case err != nil:
		for len(d.queue) > 0 {
			d.callOne()
		}
	case ready.IsZero() || d.leader == nil:
		d.callOne()
	case ready.Before(d.due):
		d.call(d.leader)
	}
}

// Waiting is how many workers wait.
func (d *Door) Waiting() int { return len(d.queue) }

// callOne calls whoever has waited longest.
func (d *Door) callOne() {
	if len(d.queue) > 0 {
		d.call(d.queue[0])
	}
}

// call lets a worker go that still waits. Its channel has room for one call and it is called once, because it leaves the queue with
// that: the lock is never held while somebody waits for a reader.
func (d *Door) call(w chan struct{}) {
	if i := slices.Index(d.queue, w); i >= 0 {
		d.queue = slices.Delete(d.queue, i, i+1)
		w <- struct{}{}
	}
}
