package frontier

// byScore orders the items of one queue in one lane.
type byScore[P any] struct {
	s    *Schedule[P]
	lane int
}

func (o byScore[P]) before(a, b slot) bool   { return a.before(b) }
func (o byScore[P]) moved(x slot, at uint32) { o.s.at(x.id).place[o.lane] = at }
func (s *Schedule[P]) slot(id uint32, lane int) slot {
	e := s.at(id)
	return slot{tier: e.tier, score: falling(e.score[lane]), id: id}
}

// queues are where an item with this standing waits, one per lane.
func (s *Schedule[P]) queues(e *entry[P]) *[2][]slot {
	if e.tier < Held {
		return &s.hosts[e.host].queues
	}
	q := s.held[e.tier]
	if q == nil {
		q = new([2][]slot)
		s.held[e.tier] = q
	}
	return q
}

// queued tells a waiting item that stands in a queue from a returned lease.
func (s *Schedule[P]) queued(id uint32) bool { return s.at(id).place[0] != nowhere }

// enterQueue lets an item wait in the queues of both lanes. Its host has to settle only if the item came to be first there, which
// few of the links of a page do.
func (s *Schedule[P]) enterQueue(id uint32) {
	e := s.at(id)
	q := s.queues(e)
	for lane := range s.lanes {
		heapPush(byScore[P]{s, lane}, &q[lane], s.slot(id, lane))
	}
	if e.tier < Held && s.first(e) {
		s.settle(e.host)
	}
}

// leaveQueue takes an item out of its queues. Whether it was first is asked before, as its places are gone afterwards.
func (s *Schedule[P]) leaveQueue(id uint32) {
	e := s.at(id)
	q := s.queues(e)
	first := s.first(e)
	for lane := range s.lanes {
		heapRemove(byScore[P]{s, lane}, &q[lane], e.place[lane])
	}
	if e.tier < Held && first {
		s.settle(e.host)
	} else if e.tier >= Held && len(q[0]) == 0 {
		delete(s.held, e.tier)
	}
}

// first tells whether an item is the first of its queue in some lane: only then does it matter for its host.
func (s *Schedule[P]) first(e *entry[P]) bool {
	return e.place[0] == 0 || s.lanes == 2 && e.place[1] == 0
}

// reorder moves a queued item to where its new standing belongs. Its host must settle where the item was the first or has become it.
func (s *Schedule[P]) reorder(id uint32) {
	e := s.at(id)
	q := s.queues(e)
	first := s.first(e)
	for lane := range s.lanes {
		o, at := byScore[P]{s, lane}, int(e.place[lane])
		was, is := q[lane][at], s.slot(id, lane)
		if q[lane][at] = is; is.before(was) {
			heapUp(o, q[lane], at)
		} else {
			heapDown(o, q[lane], at)
		}
	}
	if e.tier < Held && (first || s.first(e)) {
		s.settle(e.host)
	}
}

// second makes the queues of the second lane, which few crawls need, when they are first asked for.
func (s *Schedule[P]) second() {
	if s.lanes == 2 {
		return
	}
	s.lanes = 2
	double := func(q *[2][]slot) {
		q[1] = make([]slot, 0, len(q[0]))
		for _, x := range q[0] {
			q[1] = append(q[1], s.slot(x.id, 1))
		}
		heapBuild(byScore[P]{s, 1}, q[1])
	}
	for _, q := range s.held {
		double(q)
	}
	for _, h := range s.hosts {
		double(&h.queues)
	}
	for n := range s.hosts {
		s.place(uint32(n), s.hosts[n].stand)
	}
}
