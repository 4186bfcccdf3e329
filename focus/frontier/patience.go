package frontier

import (
	"math"
	"time"
)

// byHope orders the hosts that may be waited for by their best item in a lane.
type byHope[P any] struct {
	s    *Schedule[P]
	lane int
}

func (o byHope[P]) before(a, b seated) bool   { return byBest[P](o).before(a, b) }
func (o byHope[P]) moved(x seated, at uint32) { o.s.hosts[x.who].soon[o.lane] = at }

// hope puts a host among those that may be waited for, or takes it out.
func (s *Schedule[P]) hope(n uint32, lane int, in bool) {
	if s.manners.Patience > 0 {
		fit(byHope[P]{s, lane}, &s.soon[lane], s.seated(n, lane, in), s.hosts[n].soon[lane], in)
	}
}

// awaited tells how long the best that is ready must wait for something far better; zero if it need not.
func (s *Schedule[P]) awaited(lane int, best slot, now time.Time) (until time.Time) {
	for len(s.soon[lane]) > 0 {
		n := s.soon[lane][0].who
		h := s.hosts[n]
		if !h.best(lane).farBetter(best, s.margin) {
			return time.Time{}
		}
		if h.stand == near {
			until = h.next
		} else if until = h.since.Add(s.manners.Patience); !until.After(now) || max(s.manners.Delay, h.pace) > s.manners.Patience {
			s.hope(n, lane, false) // it takes too long: nobody waits for it until something about it changes
			continue
		}
		if soon := s.soonest(now); !soon.IsZero() && soon.Before(until) {
			until = soon
		}
		return until
	}
	return time.Time{}
}

// farBetter tells whether an item is so much better than another that it is worth waiting for.
func (a slot) farBetter(b slot, margin uint32) bool {
	if a.tier != b.tier {
		return a.tier < b.tier
	}
	return a.score < b.score && b.score-a.score > margin
}

// Steps is Margin as steps in the order of scores (see falling): each 1<<23 of them double a score.
func (m *Manners) Steps() uint32 {
	if !(m.Margin > 1) {
		return 0
	}
	return uint32(min(math.Log2(m.Margin)*(1<<23), math.MaxUint32))
}
