package frontier

// A spot is a place in a queue while the waiting items are gone through in order: below it stand only items
// that come later.
type spot struct {
	queue []slot
	at    int
}

// spots is the heap of the spots that may come next.
type spots struct{}

func (spots) before(a, b spot) bool { return a.queue[a.at].before(b.queue[b.at]) }
func (spots) moved(spot, uint32)    {}

// Each visits the waiting items of a tier in order until visit answers false, which must not change the
// schedule. To see the first k of n costs O(hosts + k log k), whatever n is.
func (s *Schedule[P]) Each(tier uint32, visit func(id uint64) bool) {
	var next []spot
	begin := func(q []slot) {
		if len(q) > 0 {
			heapPush(spots{}, &next, spot{q, 0})
		}
	}
	if tier >= Held {
		if q := s.held[tier]; q != nil {
			begin(q[0])
		}
	} else {
		for _, h := range s.hosts {
			begin(h.queues[0])
		}
	}
	for _, id := range s.returned {
		if s.at(id).tier == tier {
			begin([]slot{s.slot(id, 0)})
		}
	}
	for len(next) > 0 {
		p := next[0]
		x := p.queue[p.at]
		if x.tier > tier || x.tier == tier && !visit(uint64(x.id)) {
			return
		}
		heapRemove(spots{}, &next, 0)
		for child := arity*p.at + 1; child <= arity*(p.at+1) && child < len(p.queue); child++ {
			heapPush(spots{}, &next, spot{p.queue, child})
		}
	}
}
