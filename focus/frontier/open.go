package frontier

// Counter counts what can be handed over and what was.
type Counter interface {
	// Open is how many items wait in tiers that are not held, and how many are being visited.
	Open() (waiting, leased int)
}

// Open is how many items wait in tiers that are not held, and how many are out.
func (s *Schedule[P]) Open() (waiting, leased int) {
	waiting = s.waiting
	for _, q := range s.held {
		waiting -= len(q[0])
	}
	for _, id := range s.returned {
		if s.at(id).tier >= Held { // it waits in no queue
			waiting--
		}
	}
	return waiting, s.leased
}

// Open is how many items wait in tiers that are not held, and how many are being visited.
func (m *Memory) Open() (waiting, leased int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.order.Open()
}
