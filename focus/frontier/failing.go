package frontier

import (
	"fmt"
	"hash/fnv"
	"math"
	"time"
)

// doubled is a wait after the nth failure in a row: the first wait, doubled each time, give or take a quarter, and
// never more than the ceiling. It is 0 for n below 1.
func (m *Manners) doubled(wait time.Duration, n int, host string) time.Duration {
	if n < 1 || wait <= 0 {
		return 0
	}
	for i := 1; i < n && wait < m.Ceiling; i++ {
		wait *= 2
	}
	_, part := math.Modf(chance(host) + golden*float64(n))
	return min(time.Duration(float64(wait)*(0.75+part/2)), m.Ceiling)
}

// golden steps through [0, 1) as evenly as can be.
const golden = 0.61803398875

// chance is a number in [0, 1) that is a host's own: waits differ by it, so that hosts that failed together do not come
// back together. A crawl repeated is the same crawl.
func chance(host string) float64 {
	f := fnv.New32a()
	f.Write([]byte(host))
	return float64(f.Sum32()) / (1 << 32)
}

// Parked tells whether a host that failed so often in a row is left alone for longer.
func (m *Manners) Parked(fails int) bool { return m.Park > 0 && fails >= m.Park && !m.GivenUp(fails) }

// GivenUp tells whether a host that failed so often in a row is given up.
func (m *Manners) GivenUp(fails int) bool { return m.GiveUp > 0 && fails >= m.GiveUp }

// lostFor is the least rest of a host that is given up, before it is asked again.
const lostFor = 5 * time.Minute

// ended takes the end of a visit into a host's health. It answers when the host may be visited again.
func (s *Schedule[P]) ended(h *host, now time.Time, o Outcome) (next time.Time) {
	if o.Failed {
		h.fails++
		h.why = o.Why
	} else {
		h.fails, h.why = 0, ""
	}
	h.pause = s.pause(h, o)
	if next = now.Add(h.pause); next.After(h.next) {
		h.longer = h.pause > max(s.manners.Delay, h.pace)
	}
	return next
}

// Pardon lets a host that was given up be visited again, of which a start page has come in: somebody expects an answer there.
func (s *Schedule[P]) Pardon(id uint64) {
	n := s.at(uint32(id)).host
	if h := s.hosts[n]; s.manners.GivenUp(h.fails) {
		h.fails, h.why, h.next, h.told = 0, "", time.Time{}, time.Time{}
		if h.stand == lost {
			s.place(n, s.resting(h))
		}
	}
}

// Health is how a host is doing.
func (s *Schedule[P]) Health(hostname string) Health {
	n := s.named(hostname)
	if n == nowhere {
		return Health{}
	}
	return s.health(s.hosts[n])
}

func (s *Schedule[P]) health(h *host) Health {
	return Health{Fails: h.fails, Next: h.next, Due: !h.next.After(s.manners.Clock.Now()), Pause: h.pause,
		Parked: s.manners.Parked(h.fails), GivenUp: s.manners.GivenUp(h.fails), Why: h.why}
}

// Rests says whose turn is next, and when, where nothing is under way and all that waits is at hosts that rest; it is empty otherwise.
func (s *Schedule[P]) Rests() string {
	var next *host
	for _, heap := range [...][]uint32{s.near, s.far, s.lost} {
		if len(heap) > 0 && (next == nil || s.hosts[heap[0]].next.Before(next.next)) {
			next = s.hosts[heap[0]]
		}
	}
	if next == nil || s.leased > 0 || len(s.ready[0]) > 0 {
		return ""
	}
	left := next.next.Sub(s.manners.Clock.Now()).Round(time.Second)
	if left <= 0 {
		return ""
	}
	said := fmt.Sprintf("%s rests for another %s", next.name, left)
	switch more := len(s.near) + len(s.far) + len(s.lost) - 1; more {
	case 0:
		return said
	case 1:
		return said + ", 1 more host too"
	default:
		return said + fmt.Sprintf(", %d more hosts too", more)
	}
}

// Resting tells of the hosts that are not to be visited yet.
func (s *Schedule[P]) Resting(each func(hostname string, is Health)) {
	now := s.manners.Clock.Now()
	for _, h := range s.hosts {
		if h.next.After(now) {
			each(h.name, s.health(h))
		}
	}
}
