package redis

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Done ends a lease. Counters, lesson and file lengths are kept with it. However often it is sent to a Redis that comes
// and goes, it happens once.
func (f *Frontier) Done(id uint64, o frontier.Outcome) error {
	if err := told(o.Lesson); err != nil {
		return err
	}
	key := ""
	if o.Again && o.Score == o.Score {
		if err := frontier.Check(o.Score, 0); err != nil {
			return err
		}
		key = orderKey(0, o.Score)[4:]
	}
	// How long a host rests is worked out in the script, by the failures that all machines have counted. What only this machine knows,
	// how long the visit took, is taken into the usual delay here.
	m := f.manners.Load()
	usual := m.Delay
	if m.Adapt > 0 {
		usual = max(usual, time.Duration(min(m.Adapt*float64(o.Took), float64(m.Ceiling))))
	}
	call, answered := f.telling()
	defer answered()
	defer f.parting(id)()
	again := map[bool]int{true: 1}[o.Again]
	if o.Shelved {
		again = 2
	}
	args := []any{id, again, key, o.Idle, o.Failed, usual.Microseconds(), o.Wait.Microseconds(), m.Backoff.Microseconds(),
		m.ParkFor.Microseconds(), m.Park, m.GiveUp, o.Why, f.worker(), f.keeps(id), call, o.Lesson, f.budget.Load(), len(o.Counters)}
	for name, n := range o.Counters {
		args = append(args, name, n)
	}
	for name, n := range o.Files {
		args = append(args, name, n)
	}
	_, err := f.run(done, args...)
	if err == nil || errors.Is(err, frontier.ErrNotLeased) {
		f.returned(id)
	}
	if err != nil {
		return err
	}
	f.tell()
	return nil
}

// parting notes that the end of a visit is being told: who is handed the same item meanwhile waits until it is known what has
// become of it. over says that it is.
func (f *Frontier) parting(id uint64) (over func()) {
	told := make(chan struct{})
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ending[id] = told
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.ending, id)
		close(told)
	}
}

// endOf is closed when the end of a visit has been told; nil where none is being told.
func (f *Frontier) endOf(id uint64) chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ending[id]
}

// returned ends a lease here.
func (f *Frontier) returned(id uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drop(id)
}

// drop notes that an item is not visited here any more. f.mu must be held.
func (f *Frontier) drop(id uint64) {
	delete(f.out, id)
	for host, last := range f.hosts {
		if last == id {
			delete(f.hosts, host)
		}
	}
}

// call is the name of a call or a lease among all.
func (f *Frontier) call() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	return f.mark + strconv.FormatUint(f.calls, 36)
}

// telling numbers a call that must not be done twice, and says which is the first that is not answered: Redis need not know
// those before it any more. answered ends it.
func (f *Frontier) telling() (call string, answered func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	n := f.calls
	f.asked[n] = struct{}{}
	first := n
	for one := range f.asked {
		first = min(first, one)
	}
	return fmt.Sprintf("%d %d", n, first), func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.asked, n)
	}
}

// Len is the number of items that wait, 0 if the frontier was closed.
func (f *Frontier) Len() int {
	return int(number(f.sums("m")["waiting"]))
}

// sums reads a hash of the crawl; nothing if the frontier was closed.
func (f *Frontier) sums(key string) map[string]string {
	all, _ := insist(f, func(ctx context.Context) (map[string]string, error) {
		return stored(f.client.HGetAll(ctx, f.prefix+key).Result())
	})
	return all
}
