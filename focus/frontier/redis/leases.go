package redis

import (
	"errors"
	"slices"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// renewal is a question for Redis: leases of this process are to begin anew.
type renewal struct {
	ids    []any
	handed []uint64 // by which call each was handed over: what Redis answers is about that visit, and none that began since
	keeps  bool
}

// ask renews the leases, and notes which have been lost.
func (r *renewal) ask(f *Frontier, run func(*goredis.Script, ...any) ([]any, error)) error {
	since := f.o.Wall.Now()
	a, err := run(renew, append([]any{f.manners.Load().Lease.Microseconds(), f.worker(), r.keeps, f.budget.Load()}, r.ids...)...)
	if err != nil {
		return err
	}
	return f.renewed(r, a[1:], since)
}

// Renew lets a lease begin anew.
func (f *Frontier) Renew(id uint64) error {
	r := f.renewalOf(id)
	return r.ask(f, f.run)
}

// renewalOf is that of one lease, which may be another process's by now.
func (f *Frontier) renewalOf(id uint64) renewal {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, out := f.out[id]
	return renewal{[]any{id}, []uint64{l.handed}, out && f.o.KeepAlive}
}

// renewed notes that leases began anew, but for those that were lost. What was handed over since Redis was asked it leaves
// alone: that is another lease.
func (f *Frontier) renewed(r *renewal, lost []any, since time.Time) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range r.ids {
		id := r.ids[i].(uint64)
		l, out := f.out[id]
		if out && l.handed != r.handed[i] {
			continue
		}
		if slices.Contains(lost, any(int64(id))) {
			err = frontier.ErrNotLeased
			f.drop(id)
		} else if out {
			l.lapsed = l.lapsed || f.overdue(l)
			l.since = since
			f.out[id] = l
		}
	}
	return err
}

// Holds tells whether a visit is still this process's: its lease may have lapsed while the process slept or could not reach
// Redis, and then it is another's. Redis is asked only where that may be, and the lease begins anew.
func (f *Frontier) Holds(id uint64) bool {
	f.mu.Lock()
	l, out := f.out[id]
	f.mu.Unlock()
	if !out || f.manners.Load().Lease <= 0 || f.o.Wall.Now().Sub(l.since) < f.manners.Load().Lease/2 {
		return out
	}
	return !errors.Is(f.Renew(id), frontier.ErrNotLeased)
}

// Lapsed tells whether the lease of a visit may have lapsed since it began, because it could not be renewed in time: its host
// may be another's by now, so that a visit that has not begun must not.
func (f *Frontier) Lapsed(id uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, out := f.out[id]
	return out && (l.lapsed || f.overdue(l))
}

// overdue tells whether a lease is over unless Redis has renewed it.
func (f *Frontier) overdue(l lease) bool {
	return f.manners.Load().Lease > 0 && f.o.Wall.Now().Sub(l.since) >= f.manners.Load().Lease
}

// keeps tells whether this process visits an item and keeps its lease alive: one that has lapsed is taken again.
func (f *Frontier) keeps(id uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, out := f.out[id]
	return out && f.o.KeepAlive
}

// keepAlive renews the leases of this process while it lives.
func (f *Frontier) keepAlive() {
	for {
		ring, giveUp := f.o.Wall.After(f.manners.Load().Lease / 3)
		select {
		case <-f.stop.Done():
			giveUp()
			return
		case <-ring:
		}
		if r := f.leased(); len(r.ids) > 0 { // what fails is tried again at the next tick
			r.ask(f, func(s *goredis.Script, args ...any) ([]any, error) { return f.ask(f.stop, s, args...) })
		}
	}
}

// leased are the visits of this process.
func (f *Frontier) leased() renewal {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := renewal{keeps: true}
	for id, l := range f.out {
		r.ids, r.handed = append(r.ids, id), append(r.handed, l.handed)
	}
	return r
}
