package frontier

import (
	"context"
	"sync"
	"time"
)

// Budget counts the pages that may still be fetched, those in flight included, so that no page too many is popped.
type Budget struct {
	mu     sync.Mutex
	freed  sync.Cond
	most   int // pages; 0 means no bound
	spent  int // pages that cost a request
	flight int // visits under way
}

// Init gives it so many pages; 0 bounds nothing. It comes before all else.
func (b *Budget) Init(most int) {
	b.freed.L = &b.mu
	b.most = most
}

// Bound lets it have so many pages in all from now on; 0 bounds nothing.
func (b *Budget) Bound(most int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.most = most
	b.freed.Broadcast()
}

// Most is how many pages there may be; 0 means no bound.
func (b *Budget) Most() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.most
}

// Try reserves a page, or answers false when there may be none left.
func (b *Budget) Try() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.most > 0 && b.spent+b.flight >= b.most {
		return false
	}
	b.flight++
	return true
}

// Take reserves a page. While the last pages are in flight it waits to see whether one is given back. It answers false
// when the budget is spent or the context is done.
func (b *Budget) Take(ctx context.Context) bool {
	defer context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.freed.Broadcast()
	})()
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.most > 0 && b.spent < b.most && b.spent+b.flight >= b.most && ctx.Err() == nil {
		b.freed.Wait()
	}
	if ctx.Err() != nil || (b.most > 0 && b.spent >= b.most) {
		return false
	}
	b.flight++
	return true
}

// GiveBack returns a reservation for which nothing was popped.
func (b *Budget) GiveBack() { b.Done(false) }

// Done ends a visit: spent if it cost a page.
func (b *Budget) Done(spent bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flight--
	if spent {
		b.spent++
	}
	b.freed.Broadcast()
}

// Leased is how many visits are under way.
func (b *Budget) Leased() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.flight
}

// Used tells whether the pages have been fetched.
func (b *Budget) Used() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.most > 0 && b.spent >= b.most
}

// Others takes what all machines together have spent into a budget, when it is more than is known here.
func (b *Budget) Others(spent int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = max(b.spent, spent)
	b.freed.Broadcast()
}

// Recount sets what of a budget is spent.
func (b *Budget) Recount(spent int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = spent
	b.freed.Broadcast()
}

// Starts keeps the requests to a host apart that may be visited several times at once. The frontier spaces what it hands
// out; what stands between that and the request (a turn that is waited for, a process that was stopped) would let two of
// them meet all the same.
type Starts struct {
	mu   sync.Mutex
	last map[string]time.Time
}

// manyStarts is how many hosts are remembered before those are forgotten whose time is over.
const manyStarts = 1 << 12

// Next notes a start now, or answers how long it must wait.
func (s *Starts) Next(host string, now time.Time, gap time.Duration) (wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if wait = s.last[host].Add(gap).Sub(now); wait > 0 {
		return wait
	}
	if s.last == nil || len(s.last) >= manyStarts {
		still := map[string]time.Time{}
		for h, at := range s.last {
			if at.Add(gap).After(now) {
				still[h] = at
			}
		}
		s.last = still
	}
	s.last[host] = now
	return 0
}
