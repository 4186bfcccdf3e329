package frontier

// crowd is the hosts of one address. Of those among them that are ready, only the best stands among all the ready,
// under the crowd's number, and none while as many visits are out as the address may have: so no visit goes through
// a crowd.
type crowd struct {
	ready [2][]seated // hosts that are ready, by lane
	out   int         // visits under way
	place [2]uint32   // among the ready
}

// crowdBit tells the number of a crowd from that of a host.
const crowdBit = 1 << 31

// front is the host that stands for a place among the ready.
func (s *Schedule[P]) front(x seated, lane int) *host {
	if x.who&crowdBit != 0 {
		x = s.crowds[x.who&^crowdBit].ready[lane][0]
	}
	return s.hosts[x.who]
}

// seatCrowd puts a crowd where it belongs among the ready.
func (s *Schedule[P]) seatCrowd(k uint32, lane int) {
	c := s.crowds[k]
	x, in := seated{who: k | crowdBit}, c.out < s.manners.PerIP && len(c.ready[lane]) > 0
	if in {
		x.best = c.ready[lane][0].best
	}
	fit(byBest[P]{s, lane}, &s.ready[lane], x, c.place[lane], in)
}

// visits counts a visit of a host, for its address too.
func (s *Schedule[P]) visits(h *host, n int) {
	h.out += n
	if h.crowd == nowhere {
		return
	}
	s.crowds[h.crowd].out += n
	for lane := range s.lanes {
		s.seatCrowd(h.crowd, lane)
	}
}

// crowded tells whether a host's address has all the visits it may have.
func (s *Schedule[P]) crowded(h *host) bool {
	return h.crowd != nowhere && s.crowds[h.crowd].out >= s.manners.PerIP
}

// Locate says at which address a host is; empty if that is not known.
func (s *Schedule[P]) Locate(hostname, address string) {
	if s.manners.PerIP <= 0 {
		return
	}
	k := uint32(nowhere)
	if address != "" {
		k = s.crowd(address)
	}
	n := s.host(hostname)
	h := s.hosts[n]
	if h.crowd == k {
		return
	}
	for lane := range s.lanes {
		s.seat(n, lane, false)
	}
	out := h.out
	s.visits(h, -out)
	h.crowd = k
	s.visits(h, out)
	for lane := range s.lanes {
		s.seat(n, lane, h.stand == ready)
	}
}

// crowd answers an address's number; unknown addresses get one.
func (s *Schedule[P]) crowd(address string) uint32 {
	if k, ok := s.addresses[address]; ok {
		return k
	}
	k := uint32(len(s.crowds))
	s.crowds = append(s.crowds, &crowd{place: [2]uint32{nowhere, nowhere}})
	s.addresses[address] = k
	return k
}
