package frontier

import "runtime"

// Ahead reads what Add and Raise are about to need for the links of a page, if the items' ids are these (0 is a new one): each
// thing for all of them before the next, so that the machine fetches it all at once from a memory that is far away, and need
// not wait for it once per link. It changes nothing.
func (s *Schedule[P]) Ahead(items []Item, ids []uint32) {
	hosts := s.hostsAhead(items, ids)
	read := 0
	for _, n := range hosts {
		if n != nowhere {
			read += len(s.hosts[n].queues[0])
		}
	}
	for lane := range s.lanes {
		read += s.queuesAhead(lane, hosts, ids)
	}
	runtime.KeepAlive(read) // or else nothing would be read
}

// hostsAhead is the hosts whose queues will change; nowhere for those that will not, and for what is not known yet.
func (s *Schedule[P]) hostsAhead(items []Item, ids []uint32) []uint32 {
	hosts, hashes := make([]uint32, len(items)), make([]uint64, len(items))
	read := uint64(0)
	for i := range items {
		if ids[i] == 0 {
			hashes[i] = s.names.hash(items[i].Host)
			read += s.names.slots[s.names.slot(hashes[i])]
		}
	}
	runtime.KeepAlive(read)
	for i := range items {
		it := &items[i]
		if ids[i] == 0 {
			hosts[i] = s.names.find(hashes[i], func(uint32) bool { return true })
			continue
		}
		hosts[i] = nowhere
		if whole, alt := s.Raises(uint64(ids[i]), it.Tier, it.Score, it.Alt); whole || alt {
			hosts[i] = s.at(ids[i]).host
		}
	}
	return hosts
}

// queuesAhead reads the items' places in their hosts' queues of a lane, and what stands above them.
func (s *Schedule[P]) queuesAhead(lane int, hosts, ids []uint32) (read int) {
	parents := make([]uint32, len(hosts))
	for i, n := range hosts {
		if n == nowhere {
			continue
		}
		h := s.hosts[n]
		q, at := h.queues[lane], len(h.queues[lane])
		if ids[i] != 0 {
			place := s.at(ids[i]).place[lane]
			if place == nowhere {
				continue
			}
			at = int(place)
		}
		if at < cap(q) {
			read += int(q[:at+1][at].id)
		}
		if parent := (at - 1) / arity; at > 0 && parent < len(q) {
			parents[i] = q[parent].id
		}
		if len(h.name) > 0 {
			read += int(h.name[0])
		}
	}
	for _, id := range parents {
		if id != 0 {
			read += int(s.at(id).place[lane])
		}
	}
	return read
}
