package frontier

import (
	"time"
)

// stand is where a host stands.
type stand uint8

const (
	absent stand = iota // nothing waits there
	ready               // it may be visited
	near                // it rests, and its links are waited for if they are far better than others
	far                 // it rests for longer than anybody waits
	lost                // it is given up, and rests until it is asked again
	busy                // as many visits of it are out as may be
)

// host is a host's clock and its links.
type host struct {
	name   string
	queues [2][]slot // what waits, by lane
	next   time.Time // not visited before
	told   time.Time // next as far as it is written down: without the rest that every host takes after a restart (restAll)
	since  time.Time // when its last visit began
	pace   time.Duration
	pause  time.Duration // after its last visit
	out    int           // visits that are under way
	fails  int           // failed visits in a row
	why    string        // how the last of them failed
	turn   uint64        // when it was last served
	recent int           // how many of the last links handed over were its own
	over   bool          // that is more than its share
	longer bool          // it rests for something else than the usual delay
	crowd  uint32        // the crowd it belongs to; nowhere if its address is not known
	stand  stand
	ready  [2]uint32 // places: among the ready, or those of its crowd
	soon   [2]uint32 // among those that may be waited for
	cool   uint32    // among the near or the far
}

// seated is a host or a crowd in a heap of those that may be visited or waited for, with the best item for which it stands
// there: to compare two of them, neither is looked at.
type seated struct {
	best slot
	who  uint32
}

// seated is how a host enters a heap. A host that leaves it may have no item left to stand there with.
func (s *Schedule[P]) seated(n uint32, lane int, in bool) seated {
	if !in {
		return seated{who: n}
	}
	return seated{s.hosts[n].best(lane), n}
}

// byBest orders the ready, hosts and crowds, by their best item in a lane.
type byBest[P any] struct {
	s    *Schedule[P]
	lane int
}

func (o byBest[P]) before(a, b seated) bool {
	if o.s.manners.Turns && a.best.tier == b.best.tier && a.best.score == b.best.score {
		if x, y := o.s.front(a, o.lane).turn, o.s.front(b, o.lane).turn; x != y {
			return x < y
		}
	}
	return a.best.before(b.best)
}

func (o byBest[P]) moved(x seated, at uint32) {
	if x.who&crowdBit != 0 {
		o.s.crowds[x.who&^crowdBit].place[o.lane] = at
		return
	}
	o.s.hosts[x.who].ready[o.lane] = at
}

// best is the first of what waits in a lane, as it counts among hosts: for less where the host has more than its share.
func (h *host) best(lane int) slot {
	x := h.queues[lane][0]
	if h.over {
		x.score = lower(x.score, handicap)
	}
	return x
}

// byTime orders the hosts that cool down.
type byTime[P any] struct{ s *Schedule[P] }

func (o byTime[P]) before(a, b uint32) bool {
	x, y := o.s.hosts[a], o.s.hosts[b]
	if !x.next.Equal(y.next) {
		return x.next.Before(y.next)
	}
	return a < b
}

func (o byTime[P]) moved(h, at uint32) { o.s.hosts[h].cool = at }

// host answers a host's number; unknown hosts get one.
func (s *Schedule[P]) host(name string) uint32 {
	n := s.named(name)
	if n != nowhere {
		return n
	}
	n = uint32(len(s.hosts))
	s.hosts = append(s.hosts, &host{name: name, crowd: nowhere, ready: [2]uint32{nowhere, nowhere},
		soon: [2]uint32{nowhere, nowhere}, cool: nowhere})
	s.names.put(s.names.hash(name), n)
	return n
}

// settle puts a host where it belongs after anything about it has changed. A host that was ready stays so until
// its next time is set, and one that rests until the clock is looked at. It must come after every change: the heaps hold copies of
// a host's best item, and one that is out of date hides a link or hands out another.
func (s *Schedule[P]) settle(n uint32) {
	if to := s.hosts[n].stand; to != absent && to != busy {
		s.stands(n, to)
		return
	}
	s.cool(n)
}

// resting is where a host goes whatever its clock says: wake sees where it belongs.
func (s *Schedule[P]) resting(h *host) stand {
	switch {
	case s.manners.GivenUp(h.fails):
		return lost
	case s.manners.Patience > 0:
		return far
	}
	return near
}

// place makes a host stand where it is told, or anew where it stood. In the end it is in exactly the heaps of its stand: that of
// the ready or that of hope, lane by lane, and one of those by time, or none.
func (s *Schedule[P]) place(n uint32, to stand) {
	h := s.hosts[n]
	was := h.stand
	h.stand = to
	for lane := range s.lanes {
		s.seat(n, lane, to == ready)
		s.hope(n, lane, to == near || to == busy)
	}
	o := byTime[P]{s}
	if q := s.clocks(was); q != nil && was != to {
		heapRemove(o, q, h.cool)
	}
	if q := s.clocks(to); q != nil {
		fit(o, q, n, h.cool, true)
	}
}

// clocks is the heap of those who stand somewhere and wait for the clock; nil if they do not.
func (s *Schedule[P]) clocks(st stand) *[]uint32 {
	switch st {
	case near:
		return &s.near
	case far:
		return &s.far
	case lost:
		return &s.lost
	}
	return nil
}

// seat puts a host into the heap of the ready, that of its crowd if it has one, or takes it out.
func (s *Schedule[P]) seat(n uint32, lane int, in bool) {
	h := s.hosts[n]
	if h.crowd == nowhere {
		fit(byBest[P]{s, lane}, &s.ready[lane], s.seated(n, lane, in), h.ready[lane], in)
		return
	}
	fit(byBest[P]{s, lane}, &s.crowds[h.crowd].ready[lane], s.seated(n, lane, in), h.ready[lane], in)
	s.seatCrowd(h.crowd, lane)
}

// wake moves the hosts whose time has come to the ready ones, each of them once per visit, and those whose time will
// come soon to the near ones.
func (s *Schedule[P]) wake(now time.Time) {
	for soon := now.Add(s.manners.Patience); len(s.far) > 0 && !s.hosts[s.far[0]].next.After(soon); {
		s.place(s.far[0], near)
	}
	for _, q := range [...]*[]uint32{&s.near, &s.lost} {
		for len(*q) > 0 && !s.hosts[(*q)[0]].next.After(now) {
			s.place((*q)[0], ready)
		}
	}
}

// rests sets a host's next turn, if it is not a later one already: a rest can only be made longer, so that the order in which
// visits end does not matter. It tells whether that changed anything.
func (h *host) rests(until time.Time) bool {
	if until.After(h.told) {
		h.told = until
	}
	if !until.After(h.next) {
		return false
	}
	h.next = until
	return true
}

// rest makes a host wait until a time at least.
func (s *Schedule[P]) rest(n uint32, until time.Time) {
	h := s.hosts[n]
	if !h.rests(until) || s.building {
		return
	}
	if h.stand != absent && h.stand != busy {
		s.place(n, s.resting(h))
	}
}

// Rest makes a host wait until a time at least.
func (s *Schedule[P]) Rest(hostname string, until time.Time) {
	n := s.host(hostname)
	s.hosts[n].longer = s.hosts[n].longer || until.After(s.hosts[n].next)
	s.rest(n, until)
}

// Pace sets the least delay between two visits of a host.
func (s *Schedule[P]) Pace(hostname string, delay time.Duration) {
	n := s.host(hostname)
	h := s.hosts[n]
	h.pace = delay
	if s.building || h.stand == absent {
		return
	}
	if h.out >= s.seats(h) { // whether it is waited for may depend on it
		s.place(n, busy)
	} else if h.stand == busy {
		s.settle(n)
	}
}

// pause is how long a host is left alone after a visit: of all that asks for a pause, the longest.
func (s *Schedule[P]) pause(h *host, o Outcome) time.Duration {
	m := &s.manners
	d := max(m.Delay, h.pace)
	if m.Adapt > 0 {
		d = max(d, time.Duration(min(m.Adapt*float64(o.Took), float64(m.Ceiling))))
	}
	if o.Failed {
		d = max(d, m.doubled(m.Backoff, h.fails, h.name))
		if m.Park > 0 {
			d = max(d, m.doubled(m.ParkFor, h.fails-m.Park+1, h.name))
		}
		if m.GivenUp(h.fails) {
			d = max(d, min(lostFor, m.Ceiling))
		}
	}
	return max(d, o.Wait)
}
