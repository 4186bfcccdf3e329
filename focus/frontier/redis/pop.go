package redis

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

var errLane = errors.New("redis: no such lane")

// TryPop leases the best item that is ready, and never waits.
func (f *Frontier) TryPop(lane int) (frontier.Item, time.Time, error) {
	return f.tryPop(f.stop, lane)
}

func (f *Frontier) tryPop(ctx context.Context, lane int) (it frontier.Item, ready time.Time, err error) {
	if lane < 0 || lane >= f.o.Lanes {
		return it, ready, fmt.Errorf("%w: there are %d, counted from 0, and no lane %d", errLane, f.o.Lanes, lane)
	}
	if len(f.shards) == 1 {
		return f.popFrom(ctx, f.shards[0], lane)
	}
	if err := f.room(ctx); err != nil {
		return it, ready, err
	}
	it, ready, err = f.popUnheard(ctx, lane)
	if it.ID != 0 || err != nil && !nothing(err) {
		return it, ready, err
	}
	it, ready, err = f.popShards(ctx, lane)
	if over, ok := err.(noPage); ok {
		err = over.error
	}
	return it, ready, err
}

// popShards leases the better item of those of two shards, or any.
func (f *Frontier) popShards(ctx context.Context, lane int) (it frontier.Item, ready time.Time, err error) {
	if sh, err := f.better(ctx, lane); err != nil || sh != nil {
		if err == nil {
			it, ready, err = f.popFrom(ctx, sh, lane)
		}
		if it.ID != 0 || err != nil && !nothing(err) {
			return it, ready, err
		}
	}
	return f.anywhere(ctx, lane)
}

// better is the shard with the better link of two that are drawn; nil if neither has one that is ready.
func (f *Frontier) better(ctx context.Context, lane int) (best *shard, err error) {
	key := ""
	one := rand.IntN(len(f.shards))
	two := (one + 1 + rand.IntN(len(f.shards)-1)) % len(f.shards)
	for _, i := range [...]int{one, two} {
		a, err := f.ask(ctx, f.shards[i], pop, lane, "", 0, "peek", 0, "")
		if err != nil && !nothing(err) {
			return nil, err
		}
		if err != nil || a[0] != "best" {
			continue
		}
		if k := a[1].(string); best == nil || k < key {
			best, key = f.shards[i], k
		}
	}
	return best, nil
}

// nothing tells that an error only says that no item is there.
func nothing(err error) bool {
	return err == frontier.ErrIdle || err == frontier.ErrHeld || err == frontier.ErrEmpty
}

// anywhere pops from the first shard that has something, or answers what is true of all: when the first of them will be
// ready, or that one of them is idle, or holds something, or that all are empty. They are asked one after the other, and links
// may come into one that was empty while another is asked; so that all are empty is believed if they are so twice, and
// nothing has come into any of them in between.
func (f *Frontier) anywhere(ctx context.Context, lane int) (it frontier.Item, ready time.Time, err error) {
	if it, ready, err = f.around(ctx, lane); err != frontier.ErrEmpty {
		return it, ready, err
	}
	before := f.known()
	if it, ready, err = f.around(ctx, lane); err == frontier.ErrEmpty && !slices.Equal(before, f.known()) {
		err = frontier.ErrIdle
	}
	return it, ready, err
}

// known is how many items each shard has ever had.
func (f *Frontier) known() (ids []string) {
	for _, all := range f.sums("m") {
		ids = append(ids, all["ids"])
	}
	return ids
}

// around asks one shard after the other.
func (f *Frontier) around(ctx context.Context, lane int) (it frontier.Item, ready time.Time, err error) {
	all := frontier.ErrEmpty
	from := rand.IntN(len(f.shards))
	for i := range f.shards {
		it, at, err := f.popFrom(ctx, f.shards[(from+i)%len(f.shards)], lane)
		switch {
		case it.ID != 0 || err != nil && !nothing(err):
			return it, at, err
		case err == nil && (ready.IsZero() || at.Before(ready)):
			ready = at
		case err == frontier.ErrIdle, err == frontier.ErrHeld && all == frontier.ErrEmpty:
			all = err
		}
	}
	if !ready.IsZero() {
		return it, ready, nil
	}
	return it, ready, all
}

// asking is a question for an item whose answer did not come: Redis may have handed one over.
type asking struct {
	sh       *shard
	call     string
	answered func()
}

// recall is a question whose answer did not come, and which is to be asked again: of a shard, or of any if that is nil.
func (f *Frontier) recall(sh *shard) (u asking, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.unheard {
		if u = f.unheard[i]; sh == nil || u.sh == sh {
			f.unheard = slices.Delete(f.unheard, i, i+1)
			return u, true
		}
	}
	return asking{}, false
}

// popUnheard is handed what it may have been handed over before, by whichever shard, and nobody has heard of.
func (f *Frontier) popUnheard(ctx context.Context, lane int) (it frontier.Item, ready time.Time, err error) {
	u, ok := f.recall(nil)
	if !ok {
		return it, ready, frontier.ErrIdle
	}
	return f.popBy(ctx, u, lane)
}

func (f *Frontier) popFrom(ctx context.Context, sh *shard, lane int) (it frontier.Item, ready time.Time, err error) {
	u, ok := f.recall(sh)
	if !ok {
		u.sh = sh
		u.call, u.answered = f.telling()
	}
	return f.popBy(ctx, u, lane)
}

// popBy asks a shard by a call that may have been asked before.
func (f *Frontier) popBy(ctx context.Context, u asking, lane int) (it frontier.Item, ready time.Time, err error) {
	since, sh := f.o.Wall.Now(), u.sh
	a, err := f.ask(ctx, sh, pop, lane, f.worker(), f.manners.Lease.Microseconds(), "", f.pagesHere(), u.call)
	if isAway(err) || err != nil && ctx.Err() != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.unheard = append(f.unheard, u)
		return it, ready, err
	}
	u.answered()
	if err != nil {
		return it, ready, err
	}
	if a[0] == "at" {
		return it, f.ready(a[1], a[2]), nil
	}
	it, _, err = f.item(f.global(sh, uint64(a[1].(int64))), a[2], a[3], a[4], a[5])
	fresh, lost := f.lease(it, f.health(a[6], a[7], a[8]), since)
	if lost != nil {
		return frontier.Item{}, ready, lost
	}
	if !fresh {
		return f.popFrom(ctx, sh, lane)
	}
	if err != nil || len(f.shards) == 1 {
		return it, ready, err
	}
	ip, _ := a[9].(string)
	granted, err := f.granted(sh, it, ip, a[10] == "1")
	if err == nil && !granted {
		return f.popFrom(ctx, sh, lane)
	}
	if err != nil {
		it = frontier.Item{}
	}
	return it, ready, err
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
		sh, local := f.local(it.ID)
		a, err := f.run(sh, renew, f.manners.Lease.Microseconds(), f.worker(), false, 0, local)
		if err != nil || len(a) > 1 {
			return false, err
		}
	}
	name := f.call()
	f.mu.Lock()
	defer f.mu.Unlock()
	l, still := f.out[it.ID]
	if still = still && f.o.KeepAlive; !still {
		l.name, l.health, l.host = name, health, it.Host
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
	if f.manners.Clock != nil {
		return time.UnixMicro(number(at))
	}
	return f.clock.Now().Add(time.Duration(number(at)-number(now)) * time.Microsecond)
}

// Pop leases the best item that is ready, and waits until there is one. While Redis does not answer it waits too.
func (f *Frontier) Pop(ctx context.Context, lane int) (frontier.Item, error) {
	patience := f.o.Poll
	for {
		if err := ctx.Err(); err != nil {
			return frontier.Item{}, err
		}
		f.mu.Lock()
		before := f.changes
		f.mu.Unlock()
		it, ready, err := f.tryPop(ctx, lane)
		now := f.clock.Now()
		away := f.isAway(err)
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
