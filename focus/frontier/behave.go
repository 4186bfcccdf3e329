package frontier

import (
	"math"
	"slices"
	"time"
)

// settle says what manners mean that leave something out.
func (m *Manners) settle() {
	if m.PerHost <= 0 {
		m.PerHost = 1
	}
	if m.Ceiling <= 0 {
		m.Ceiling = time.Hour
	}
}

// With is other manners for a frontier that is open. What it may not change stays. Where addresses had a bound, or hosts a share,
// and have none now, they get one that nothing reaches: what was counted for them is counted on.
func (m *Manners) With(other Manners) Manners {
	other.settle()
	other.Clock, other.Lease, other.Turns = m.Clock, m.Lease, m.Turns
	if m.PerIP > 0 && other.PerIP <= 0 {
		other.PerIP = math.MaxInt32
	}
	if m.Share > 0 && other.Share <= 0 {
		other.Share = 1
	}
	return other
}

// Behave takes other manners. Where a host stands depends on them, so all leave their places by the old ones and take them anew
// by the new ones: that costs as much as Build, and nobody changes manners often.
func (s *Schedule[P]) Behave(m Manners) {
	for n, h := range s.hosts {
		if h.stand != absent {
			s.place(uint32(n), absent)
		}
	}
	was := s.manners
	s.manners = was.With(m)
	s.margin = s.manners.Steps()
	if s.manners.Share > 0 && s.recent == nil {
		s.recent = slices.Repeat([]uint32{nowhere}, shareWindow)
	}
	for _, h := range s.hosts {
		h.over = s.recent != nil && float64(h.recent) > s.manners.Share*shareWindow
		if !h.longer && !h.next.IsZero() {
			by := max(s.manners.Delay, h.pace) - max(was.Delay, h.pace)
			h.moved(h.next.Add(by))
			if h.pause > 0 {
				h.pause += by
			}
		}
	}
	for n := range s.hosts {
		s.settle(uint32(n))
	}
}

// moved sets a host's next turn, though not before what is written down, where that is something else.
func (h *host) moved(next time.Time) {
	if h.told.Equal(h.next) {
		h.told = next
	} else if next.Before(h.told) {
		next = h.told
	}
	h.next = next
}

// Behave takes other manners.
func (m *Memory) Behave(manners Manners) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.order.Behave(manners)
	m.tell()
}
