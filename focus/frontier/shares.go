package frontier

// shareWindow is how many of the last links handed over a host's share is taken of.
const shareWindow = 100

// handicap is what the links of a host with more than its share lose: a sixteenth of the way to half the score, which is
// between 3 and 6 hundredths of it.
const handicap = 1 << 19

// lower is a score's place in the order (see falling) a few steps further down. Each 1<<23 of them halve a score.
func lower(score, steps uint32) uint32 {
	if score > ^uint32(0)-steps {
		return ^uint32(0)
	}
	return score + steps
}

// shared counts a link handed over, and lets the one go that was a hundred before.
func (s *Schedule[P]) shared(n uint32) {
	if s.recent == nil {
		return
	}
	at := s.served % shareWindow
	gone := s.recent[at]
	s.recent[at] = n
	if gone == n {
		return
	}
	if gone != nowhere {
		s.countRecent(gone, -1)
	}
	s.countRecent(n, 1)
}

// countRecent changes how many of the last links were a host's, and with that perhaps what its others count.
func (s *Schedule[P]) countRecent(n uint32, by int) {
	h := s.hosts[n]
	h.recent += by
	over := float64(h.recent) > s.manners.Share*shareWindow
	if over == h.over {
		return
	}
	h.over = over
	if !s.building {
		s.place(n, h.stand)
	}
}

// Turns are the numbers of the hosts that had the last turns, as far as their shares need them: the oldest first.
func (s *Schedule[P]) Turns() (hosts []uint32) {
	for turn := s.served - min(s.served, shareWindow) + 1; s.recent != nil && turn <= s.served; turn++ {
		if n := s.recent[turn%shareWindow]; n != nowhere {
			hosts = append(hosts, n)
		}
	}
	return hosts
}

// RestoreTurns takes back what Turns answered, when all hosts have been restored. It answers false if one is not known.
func (s *Schedule[P]) RestoreTurns(hosts []uint32) bool {
	for i, n := range hosts {
		if int(n) >= len(s.hosts) || uint64(len(hosts)) > s.served {
			return false
		}
		if s.recent != nil {
			s.recent[(s.served-uint64(len(hosts))+uint64(i)+1)%shareWindow] = n
			s.countRecent(n, 1)
		}
	}
	return true
}
