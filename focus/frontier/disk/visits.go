package disk

import (
	"context"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Pop leases the best item that is ready, and waits until there is one.
func (f *Frontier) Pop(ctx context.Context, lane int) (frontier.Item, error) {
	for {
		if err := ctx.Err(); err != nil {
			return frontier.Item{}, err
		}
		if err := f.begin(); err != nil {
			return frontier.Item{}, err
		}
		id, ready, err := f.next(lane)
		if id != 0 || err != nil && err != frontier.ErrIdle {
			f.tell()
			return f.popped(id, err)
		}
		err = f.door.Wait(ctx, &f.mu, ready)
		f.mu.Unlock()
		if err != nil {
			return frontier.Item{}, err
		}
	}
}

// TryPop leases the best item that is ready, and never waits.
func (f *Frontier) TryPop(lane int) (frontier.Item, time.Time, error) {
	if err := f.begin(); err != nil {
		return frontier.Item{}, time.Time{}, err
	}
	id, ready, err := f.next(lane)
	it, err := f.popped(id, err)
	return it, ready, err
}

// next leases what comes next.
func (f *Frontier) next(lane int) (uint64, time.Time, error) {
	now := f.order.Clock().Now()
	id, ready, err := f.order.Next(lane, now)
	if id == 0 {
		return 0, ready, err
	}
	served := f.order.Lease(id, now)
	l := frontier.Lease{ID: id, Host: f.order.Standing(id).Host, At: now}
	if i := slices.IndexFunc(f.out, func(x frontier.Lease) bool { return x.ID == id }); i >= 0 && f.atOnce {
		l.At = f.out[i].At // over a recorded web, a visit that is repeated began when it first did
	}
	f.log.append(kindLease, false, (&leased{id, l.At, served}).code)
	f.told(false, false)
	f.out = withLease(f.out, l)
	return id, time.Time{}, nil
}

// popped gives up the lock and reads the item: what it says may be on the disk, and nobody waits for that.
func (f *Frontier) popped(id uint64, err error) (frontier.Item, error) {
	if id == 0 {
		f.mu.Unlock()
		return frontier.Item{}, err
	}
	l, st := *f.order.Link(id), f.order.Standing(id)
	f.mu.Unlock()
	return f.item(id, l, st)
}

// withLease adds a lease. An interrupted visit that is repeated keeps its place.
func withLease(out []frontier.Lease, l frontier.Lease) []frontier.Lease {
	for i := range out {
		if out[i].ID == l.ID {
			out[i] = l
			return out
		}
	}
	return append(out, l)
}

func withoutLease(out []frontier.Lease, id uint64) []frontier.Lease {
	return slices.DeleteFunc(out, func(l frontier.Lease) bool { return l.ID == id })
}

// Done ends a lease, and the transaction of the visit.
func (f *Frontier) Done(id uint64, o frontier.Outcome) error {
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.Unlock()
	now := f.order.Clock().Now()
	next, err := f.order.End(id, now, o)
	if err != nil {
		return err
	}
	// One frame says all that the visit changed, and ends the transaction: either all of it was told or the visit never ended.
	e := newEnded(id, now, next, &o)
	f.log.append(kindDone, true, e.code)
	f.told(true, true)
	f.out = withoutLease(f.out, id)
	f.sums.add(&e)
	f.tell()
	return nil
}

// lapsed notes a lease that has run out.
func (f *Frontier) lapsed(id uint64, next time.Time) {
	f.log.append(kindLapse, false, (&ended{id: id, next: next, again: true}).code)
	f.told(false, false)
	f.out = withoutLease(f.out, id)
}

// Renew lets a lease begin anew.
func (f *Frontier) Renew(id uint64) error {
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.Unlock()
	return f.order.Renew(id, f.order.Clock().Now())
}
