package frontier

import (
	"hash/fnv"
	"time"
)

// host is a host's clock and its links.
type host struct {
	name   string
	queues [2][]slot // what waits, by lane
	next   time.Time // not visited before
	pace   time.Duration
	out    int    // visits that are under way
	fails  int    // failed visits in a row
	turn   uint64 // when it was last served
	ready  [2]uint32
	cool   uint32
}

// byBest orders the ready hosts by their best item in a lane.
type byBest[P any] struct {
	s    *Schedule[P]
	lane int
}

func (o byBest[P]) before(a, b uint32) bool {
	x, y := o.s.hosts[a], o.s.hosts[b]
	p, q := x.queues[o.lane][0], y.queues[o.lane][0]
	if o.s.manners.Turns && p.tier == q.tier && p.score == q.score && x.turn != y.turn {
		return x.turn < y.turn
	}
	return p.before(q)
}

func (o byBest[P]) moved(h, at uint32) { o.s.hosts[h].ready[o.lane] = at }

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
	if n, ok := s.numbers[name]; ok {
		return n
	}
	n := uint32(len(s.hosts))
	s.hosts = append(s.hosts, &host{name: name, ready: [2]uint32{nowhere, nowhere}, cool: nowhere})
	s.numbers[name] = n
	return n
}

// settle puts a host where it belongs after anything about it has changed. A host that was ready stays so until
// its next time is set, and one that cools down until the clock is looked at.
func (s *Schedule[P]) settle(n uint32) {
	h := s.hosts[n]
	has := len(h.queues[0]) > 0 && h.out < s.manners.PerHost
	ready := has && h.ready[0] != nowhere
	s.place(n, ready, has && !ready)
}

// place puts a host into the heap of the ready or of the cooling, or into neither.
func (s *Schedule[P]) place(n uint32, ready, cooling bool) {
	h := s.hosts[n]
	for lane := range s.lanes {
		o, at := byBest[P]{s, lane}, h.ready[lane]
		switch {
		case ready && at == nowhere:
			heapPush(o, &s.ready[lane], n)
		case ready:
			heapFix(o, s.ready[lane], int(at))
		case at != nowhere:
			heapRemove(o, &s.ready[lane], at)
		}
	}
	o := byTime[P]{s}
	switch {
	case cooling && h.cool == nowhere:
		heapPush(o, &s.cooling, n)
	case cooling:
		heapFix(o, s.cooling, int(h.cool))
	case h.cool != nowhere:
		heapRemove(o, &s.cooling, h.cool)
	}
}

// wake moves the hosts whose time has come to the ready ones: each of them once per visit.
func (s *Schedule[P]) wake(now time.Time) {
	for len(s.cooling) > 0 && !s.hosts[s.cooling[0]].next.After(now) {
		s.place(s.cooling[0], true, false)
	}
}

// rest makes a host wait until a time at least.
func (s *Schedule[P]) rest(n uint32, until time.Time) {
	h := s.hosts[n]
	if !until.After(h.next) {
		return
	}
	h.next = until
	if s.building {
		return
	}
	if h.ready[0] != nowhere {
		s.place(n, false, true)
	} else if h.cool != nowhere {
		s.place(n, false, true)
	}
}

// Rest makes a host wait until a time at least.
func (s *Schedule[P]) Rest(hostname string, until time.Time) { s.rest(s.host(hostname), until) }

// NextTurn is the time before which a host is not visited.
func (s *Schedule[P]) NextTurn(hostname string) time.Time { return s.hosts[s.host(hostname)].next }

// Pace sets the least delay between two visits of a host.
func (s *Schedule[P]) Pace(hostname string, delay time.Duration) {
	s.hosts[s.host(hostname)].pace = delay
}

// pause is how long a host is left alone after a visit.
func (s *Schedule[P]) pause(h *host, o Outcome) time.Duration {
	m := &s.manners
	d := max(m.Delay, h.pace)
	if m.Adapt > 0 {
		d = max(d, time.Duration(min(m.Adapt*float64(o.Took), float64(m.Ceiling))))
	}
	if o.Failed && m.Backoff > 0 {
		wait := m.Backoff
		for i := 1; i < h.fails && wait < m.Ceiling; i++ {
			wait *= 2
		}
		d = max(d, min(jitter(wait, h), m.Ceiling))
	}
	return max(d, o.Wait)
}

// jitter changes a wait by up to a quarter, so that hosts that failed together do not come back together. It
// is a matter of the host's name and of its failures: a crawl repeated is the same crawl.
func jitter(wait time.Duration, h *host) time.Duration {
	f := fnv.New32a()
	f.Write([]byte(h.name))
	f.Write([]byte{byte(h.fails), byte(h.fails >> 8)})
	part := float64(f.Sum32()) / (1 << 32) // [0, 1)
	return time.Duration(float64(wait) * (0.75 + part/2))
}
