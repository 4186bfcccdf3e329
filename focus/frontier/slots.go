package frontier

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

// Slots are bounds on top of each host's own clock: so many requests at once to all hosts together that a rule matches. The first
// rule that matches a host counts.
type Slots []bound

type bound struct {
	match        func(host string) bool
	delay, extra time.Duration
	free         chan struct{}
}

// Add lets a rule hold behind those that are there. A request that has ended keeps its slot for the delay, and for a random part
// of extra.
func (s *Slots) Add(match func(host string) bool, parallel int, delay, extra time.Duration) {
	*s = append(*s, bound{match, delay, extra, make(chan struct{}, max(1, parallel))})
}

// Enter waits for the rule that holds for a host. It answers how to leave it, with a rest where the rule's delay is to be taken;
// false where the wait was given up.
func (s Slots) Enter(ctx context.Context, halted <-chan struct{}, host string) (leave func(rest bool), ok bool) {
	i := slices.IndexFunc(s, func(one bound) bool { return one.match(host) })
	if i < 0 {
		return nil, true
	}
	rule := s[i]
	select {
	case rule.free <- struct{}{}:
	case <-halted:
		return nil, false
	case <-ctx.Done():
		return nil, false
	}
	return func(rest bool) {
		if wait := rule.delay + rand.N(max(1, rule.extra)); rest && wait > 1 {
			timer := time.NewTimer(wait)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-halted:
			case <-ctx.Done():
			}
		}
		<-rule.free
	}, true
}
