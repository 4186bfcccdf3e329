package frontier

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Next answers what comes next in a lane at a time: an item, or when to ask again, or ErrIdle, ErrHeld or
// ErrEmpty. It leases nothing.
func (s *Schedule[P]) Next(lane int, now time.Time) (id uint64, ready time.Time, err error) {
	switch lane {
	case 0:
	case 1:
		s.second()
	default:
		return 0, ready, fmt.Errorf("there are lanes 0 and 1, and no lane %d", lane)
	}
	// The clock is looked at here and nowhere else: leases that ran out come back, and hosts that have rested become ready. What a
	// crash has interrupted goes out before anything else, in the order in which it was begun.
	s.lapse(now)
	s.wake(now)
	if n := s.returning(now); n != 0 {
		return uint64(n), time.Time{}, nil
	}
	if r := s.ready[lane]; len(r) > 0 {
		best := s.front(r[0], lane)
		if until := s.awaited(lane, best.best(lane), now); !until.IsZero() {
			return 0, until, nil
		}
		return uint64(best.queues[lane][0].id), time.Time{}, nil
	}
	soon := s.soonest(now)
	if len(s.lost) > 0 {
		h := s.hosts[s.lost[0]]
		if soon.IsZero() && s.leased == 0 { // nothing else is left: it is to be refused
			return uint64(h.queues[lane][0].id), time.Time{}, nil
		}
		if soon.IsZero() || h.next.Before(soon) {
			soon = h.next
		}
	}
	if !soon.IsZero() {
		return 0, soon, nil
	}
	switch {
	case s.leased > 0:
		err = ErrIdle
	case s.waiting > 0:
		err = ErrHeld
	default:
		err = ErrEmpty
	}
	return 0, time.Time{}, err
}

// soonest is when a host has rested that is waited for, or a lease lapses; zero if no time helps.
func (s *Schedule[P]) soonest(now time.Time) (soon time.Time) {
	earlier := func(t time.Time) {
		if soon.IsZero() || t.Before(soon) {
			soon = t
		}
	}
	for _, heap := range [...][]uint32{s.near, s.far} {
		if len(heap) > 0 {
			earlier(s.hosts[heap[0]].next)
		}
	}
	if len(s.leases) > 0 {
		earlier(s.leases[0].until)
	}
	for _, id := range s.returned {
		if h := s.hosts[s.at(id).host]; h.out < s.seats(h) && h.next.After(now) {
			earlier(h.next)
		}
	}
	return soon
}

// Lease hands out an item that waits, and answers whether its host was served by that: an interrupted visit that
// is repeated has had its turn.
func (s *Schedule[P]) Lease(id uint64, now time.Time) (served bool) {
	n := uint32(id)
	e := s.at(n)
	h := s.hosts[e.host]
	if served = s.queued(n); served {
		s.serve(e.host)
	}
	spaced := false
	if served || !s.atOnce { // over a recorded web, a visit that is repeated began when it first did
		h.since = now
		spaced = s.spaced(h, now)
	}
	s.unwait(n)
	e.state = Leased
	s.leased++
	s.visits(h, 1)
	if spaced {
		s.cool(e.host)
	} else {
		s.settle(e.host)
	}
	if served {
		s.shared(e.host)
	}
	if s.manners.Lease > 0 {
		s.leases = append(s.leases, lease{n, now.Add(s.manners.Lease)})
	}
	return served
}

// seats is how many visits of a host may be under way. One that has asked for a delay of its own is visited by one at a
// time: it means the time between two requests, whoever makes them. One that is given up is asked by one.
func (s *Schedule[P]) seats(h *host) int {
	if h.pace > 0 || s.manners.GivenUp(h.fails) {
		return 1
	}
	return s.manners.PerHost
}

// spaced sets a host's next turn when a visit of it begins, where another may begin before that one has ended: so starts
// are as far from each other as visits are elsewhere. It tells whether that changed anything.
func (s *Schedule[P]) spaced(h *host, began time.Time) bool {
	next := began.Add(s.manners.Delay)
	if s.seats(h) == 1 || s.manners.Delay <= 0 || !h.rests(next) {
		return false
	}
	h.longer = false
	return true
}

// serve gives a host its turn.
func (s *Schedule[P]) serve(n uint32) {
	s.served++
	s.hosts[n].turn = s.served
}

// End takes an item back and answers its host's next turn.
func (s *Schedule[P]) End(id uint64, now time.Time, o Outcome) (next time.Time, err error) {
	if !s.known(id) || s.at(uint32(id)).state != Leased {
		return next, ErrNotLeased
	}
	if o.Again && !math.IsNaN(float64(o.Score)) {
		if err := Check(o.Score, 0); err != nil {
			return next, err
		}
	}
	h := s.hosts[s.at(uint32(id)).host]
	if o.Idle { // nobody asked the host for anything: its clock stays as it is
		s.back(uint32(id), h.told, o)
		return h.told, nil
	}
	next = s.ended(h, now, o)
	s.back(uint32(id), next, o)
	return next, nil
}

// back ends a lease: the host rests, and the item is finished or waits again.
func (s *Schedule[P]) back(id uint32, next time.Time, o Outcome) {
	e := s.at(id)
	s.leased--
	s.leases = slices.DeleteFunc(s.leases, func(l lease) bool { return l.id == id })
	h := s.hosts[e.host]
	s.visits(h, -1)
	h.rests(next)
	if e.state = Finished; o.Shelved {
		e.state = Shelved
	} else if o.Again {
		if !math.IsNaN(float64(o.Score)) {
			e.score[0] = o.Score
		}
		s.wait(id)
	}
	s.cool(e.host)
}

// cool makes a host rest, whatever its clock says: wake sees where it belongs.
func (s *Schedule[P]) cool(n uint32) { s.stands(n, s.resting(s.hosts[n])) }

// stands puts a host there, where it has a link to hand out and a seat for one more visit.
func (s *Schedule[P]) stands(n uint32, to stand) {
	h := s.hosts[n]
	switch {
	case len(h.queues[0]) == 0:
		to = absent
	case h.out >= s.seats(h):
		to = busy
	}
	s.place(n, to)
}

// lapse takes back the leases that have run out; their hosts rest as after any visit. All leases last equally long, so that the
// list, to which renewed ones are appended, is in the order of their ends.
func (s *Schedule[P]) lapse(now time.Time) {
	for len(s.leases) > 0 && !s.leases[0].until.After(now) {
		id := s.leases[0].id
		h := s.hosts[s.at(id).host]
		next := now.Add(s.pause(h, Outcome{}))
		s.back(id, next, Outcome{Again: true, Score: float32(math.NaN())})
		if s.Lapsed != nil {
			s.Lapsed(uint64(id), next)
		}
	}
}

// Renew lets a lease begin anew. It goes through the leases that are out, and these are no more than the visits that go on at
// the same time, however many links wait.
func (s *Schedule[P]) Renew(id uint64, now time.Time) error {
	if !s.known(id) || s.at(uint32(id)).state != Leased {
		return ErrNotLeased
	}
	for i, l := range s.leases {
		if l.id == uint32(id) {
			s.leases = slices.Delete(s.leases, i, i+1)
			s.leases = append(s.leases, lease{l.id, now.Add(s.manners.Lease)})
			break
		}
	}
	return nil
}

// returning is the first of the returned leases that may go out. There are at most as many as there were visits under way
// when the process before this one ended, and fewer from then on.
func (s *Schedule[P]) returning(now time.Time) uint32 {
	for _, id := range s.returned {
		h := s.hosts[s.at(id).host]
		if s.atOnce || h.out < s.seats(h) && !s.crowded(h) && !h.next.After(now) {
			return id
		}
	}
	return 0
}

// unreturn takes an item off the list of returned leases: it goes out, or is dropped.
func (s *Schedule[P]) unreturn(id uint32) {
	if i := slices.Index(s.returned, id); i >= 0 {
		s.returned = slices.Delete(s.returned, i, i+1)
	}
}
