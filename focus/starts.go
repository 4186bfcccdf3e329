package focus

import (
	"context"
	"errors"
	"sync"
	"time"
)

// errLate: the process slept, or Redis was away, between the moment that a link was handed over and that of its request.
var errLate = errors.New("focus: the process slept before the request could be made")

// starts keeps the requests to a host apart that may be visited several times at once. The frontier spaces what it hands
// out; what stands between that and the request (a turn that is waited for, a process that was stopped) would let two of
// them meet all the same.
type starts struct {
	mu   sync.Mutex
	last map[string]time.Time
}

// manyStarts is how many hosts are remembered before those are forgotten whose time is over.
const manyStarts = 1 << 12

// next notes a start now, or answers how long it must wait.
func (s *starts) next(host string, now time.Time, gap time.Duration) (wait time.Duration) {
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

// mayBegin is asked right before a request: who slept since the link was handed over must not make it any more where
// somebody else may be visiting the host by now.
func (c *Crawler) mayBegin(ctx context.Context, j *job) bool {
	if !c.clock.passes() {
		return true
	}
	id, delay := j.visit.Item.ID, c.config.Polite.Delay.Duration()
	if c.shared != nil {
		late := c.config.Polite.PerHost > 1 && !j.handed.IsZero() && c.now().Sub(j.handed) > delay/lateBy
		if late || c.shared.frontier.Lapsed(id) {
			return false
		}
	}
	if c.config.Polite.PerHost < 2 || delay <= 0 {
		return true
	}
	for {
		wait := c.starts.next(j.visit.Item.Host, time.Now(), delay)
		if wait <= 0 {
			return true
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return true // the request is given up by itself
		}
	}
}

// lateBy is the part of the delay by which a request may be late where other machines visit the same host at the same time.
const lateBy = 4
