package redis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

var errLane = errors.New("the frontier has no such lane")

// TryPop leases the best item that is ready, and never waits.
func (f *Frontier) TryPop(lane int) (frontier.Item, time.Time, error) {
	return f.tryPop(f.stop, lane)
}

// sees notes from what was answered how many visits other machines have, where nothing else keeps what waits.
func (f *Frontier) sees(popped []any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.others, f.turn = 0, time.Time{}
	if popped[0] == "at" && len(f.out) == 0 {
		f.others, f.turn = popped[3].(int64), f.ready(popped[1], popped[2])
	}
}

// Rests says that all that waits is at hosts that rest, and for how long; it is empty where that is not so.
func (f *Frontier) Rests() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	left := f.turn.Sub(f.clock.Now()).Round(time.Second)
	if f.others > 0 || f.turn.IsZero() || left <= 0 {
		return ""
	}
	return fmt.Sprintf("the hosts of all that waits rest for another %s", left)
}

// Elsewhere says that all that waits is at hosts which other machines visit; it is empty where that is not so.
func (f *Frontier) Elsewhere() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.others == 0 {
		return ""
	}
	return fmt.Sprintf("what waits is at hosts that other machines visit, %d now", f.others)
}

// asking is a question for an item whose answer did not come: Redis may have handed one over.
type asking struct {
	call     string
	answered func()
}

// asks is a question for an item: one whose answer did not come, where there is such a one, is asked again.
func (f *Frontier) asks() asking {
	f.mu.Lock()
	if len(f.unheard) > 0 {
		u := f.unheard[0]
		f.unheard = slices.Delete(f.unheard, 0, 1)
		f.mu.Unlock()
		return u
	}
	f.mu.Unlock()
	call, answered := f.telling()
	return asking{call, answered}
}

// tryPop asks Redis once. since is read before that, so that a lease is never believed to be younger than Redis has it. A question
// that was not answered is kept and asked again under the same name, by whoever asks next: if Redis has handed an item over, it answers
// the same one, and no item is out that nobody visits.
func (f *Frontier) tryPop(ctx context.Context, lane int) (none frontier.Item, ready time.Time, err error) {
	if lane < 0 || lane >= f.o.Lanes {
		return none, ready, fmt.Errorf("%w: there are %d, counted from 0, and no lane %d", errLane, f.o.Lanes, lane)
	}
	for {
		since, u := f.o.Wall.Now(), f.asks()
		a, err := f.ask(ctx, pop, lane, f.worker(), f.manners.Load().Lease.Microseconds(), f.budget.Load(), u.call)
		if isAway(err) || err != nil && ctx.Err() != nil {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.unheard = append(f.unheard, u)
			return none, ready, err
		}
		u.answered()
		if err != nil {
			return none, ready, err
		}
		f.sees(a)
		if a[0] == "at" {
			return none, f.ready(a[1], a[2]), nil
		}
		it, _, err := f.item(uint64(a[1].(int64)), a[2], a[3], a[4], a[5])
		health := f.health(a[6:])
		health.Due = a[10] == "0"
		fresh, lost := f.lease(it, health, since)
		if lost != nil {
			return none, ready, lost
		}
		if fresh {
			return it, ready, err
		}
	}
}

// lease notes that an item is visited here. It answers false if it is already, and this process keeps its leases alive: the
// lease lapsed and nobody else has taken it, so that the visit goes on under the new one. Where the end of a visit is just
// being told, Redis knows whether that ended the lease that it handed over, too.
func (f *Frontier) lease(it frontier.Item, health frontier.Health, since time.Time) (fresh bool, err error) {
	if told := f.endOf(it.ID); told != nil {
		select {
		case <-told:
		case <-f.stop.Done():
			return false, frontier.ErrClosed
		}
		a, err := f.run(renew, f.manners.Load().Lease.Microseconds(), f.worker(), false, 0, it.ID)
		if err != nil || len(a) > 1 {
			return false, err
		}
	}
	name := f.call()
	f.mu.Lock()
	defer f.mu.Unlock()
	l, still := f.out[it.ID]
	if still = still && f.o.KeepAlive; !still {
		l.name, l.health = name, health
	}
	f.calls++
	l.handed, l.since = f.calls, since
	f.out[it.ID], f.hosts[it.Host] = l, it.ID
	return !still, nil
}

// worker is this process in the list of leases.
func (f *Frontier) worker() string { return f.o.Worker + " " + f.mark }

// ready is a time of Redis' clock by the clock of this machine.
func (f *Frontier) ready(at, now any) time.Time {
	if f.manners.Load().Clock != nil {
		return time.UnixMicro(number(at))
	}
	return f.clock.Now().Add(time.Duration(number(at)-number(now)) * time.Microsecond)
}

// Pop leases the best item that is ready, and waits until there is one. While Redis does not answer it waits too. Nobody is told what
// other machines do, so it asks again every Poll, or sooner where a host is ready sooner or something changes here.
func (f *Frontier) Pop(ctx context.Context, lane int) (frontier.Item, error) {
	patience := f.o.Poll
	w := waiter{f: f}
	defer w.leaves()
	for {
		if err := ctx.Err(); err != nil {
			return frontier.Item{}, err
		}
		f.mu.Lock()
		before := f.changes
		f.mu.Unlock()
		it, ready, err := f.tryPop(ctx, lane)
		now := f.clock.Now()
		away := w.isAway(err)
		if !away {
			patience = f.o.Poll
		}
		switch {
		case it.ID != 0:
			f.pass()
			return it, err
		case err == nil:
			if soon := now.Add(f.o.Poll); soon.Before(ready) {
				ready = soon
			}
		case err == frontier.ErrIdle:
			ready = now.Add(f.o.Poll)
		case away:
			ready = now.Add(patience)
			patience = min(2*patience, longest)
		default:
			err = f.refusal(err)
			f.end(err)
			return frontier.Item{}, err
		}
		if err := f.wait(ctx, ready, before); err != nil {
			return frontier.Item{}, err
		}
	}
}

// pass wakes one of those who wait, because whoever left may have watched the clock for them.
func (f *Frontier) pass() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.door.Tell(time.Time{}, nil)
}

func (f *Frontier) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes++
	f.door.Tell(time.Time{}, err)
}

// wait waits until ready, unless something has changed meanwhile.
func (f *Frontier) wait(ctx context.Context, ready time.Time, before int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return frontier.ErrClosed
	}
	if f.changes != before {
		return nil
	}
	return f.door.Wait(ctx, &f.mu, ready)
}
