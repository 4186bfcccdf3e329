package frontier

import "time"

// Record is an item as a backend writes it down.
type Record[P any] struct {
	Link  P
	Host  uint32 // the host's number: hosts are numbered from 0 in the order in which they were first named
	Tier  uint32
	Score float32
	Alt   float32
	State State
}

// HostRecord is a host as a backend writes it down.
type HostRecord struct {
	Name  string
	Next  time.Time // zero if it was never visited
	Pace  time.Duration
	Fails int
	Turn  uint64
}

// Records copies the items from the id on into dst, and answers how many there were.
func (s *Schedule[P]) Records(id uint64, dst []Record[P]) int {
	n := 0
	for ; n < len(dst) && id <= uint64(s.count); n++ {
		e := s.at(uint32(id))
		dst[n] = Record[P]{e.link, e.host, e.tier, e.score[0], e.score[1], e.state}
		id++
	}
	return n
}

// HostRecords is all hosts in the order of their numbers.
func (s *Schedule[P]) HostRecords() []HostRecord {
	out := make([]HostRecord, len(s.hosts))
	for i, h := range s.hosts {
		out[i] = HostRecord{h.name, h.told, h.pace, h.fails, h.turn}
	}
	return out
}

// Served is how many leases there were: the clock of HostRecord.Turn.
func (s *Schedule[P]) Served() uint64 { return s.served }

// Restore begins to fill an empty schedule with what was written down. Until Build, items and hosts are added and
// changed in any order by Add, Raise, Set, Rest, Pace and the Restore methods, and nothing is handed out.
func (s *Schedule[P]) Restore(served uint64) { s.building, s.served = true, served }

// RestoreHost adds the next host.
func (s *Schedule[P]) RestoreHost(r HostRecord) {
	h := s.hosts[s.host(r.Name)]
	h.next, h.told = r.Next, r.Next
	h.pace, h.fails, h.turn = r.Pace, r.Fails, r.Turn
	h.longer = true // for what, is not written down
}

// RestoreItem adds the next item. It answers false if there is no such host.
func (s *Schedule[P]) RestoreItem(r Record[P]) bool {
	if int(r.Host) >= len(s.hosts) {
		return false
	}
	e := s.grow()
	*e = entry[P]{link: r.Link, host: r.Host, tier: r.Tier, score: [2]float32{r.Score, r.Alt},
		place: [2]uint32{nowhere, nowhere}, state: r.State}
	return true
}

// RestoreState says that an item was leased, finished, dropped or given back.
func (s *Schedule[P]) RestoreState(id uint64, st State) { s.at(uint32(id)).state = st }

// RestoreStart says when a visit began, and whether its host was served by that.
func (s *Schedule[P]) RestoreStart(id uint64, at time.Time, served bool) {
	n := s.at(uint32(id)).host
	s.spaced(s.hosts[n], at)
	if !served {
		return
	}
	s.serve(n)
	s.shared(n)
}

// RestoreEnd says how a visit ended for the item's host.
func (s *Schedule[P]) RestoreEnd(id uint64, next time.Time, failed bool) {
	h := s.hosts[s.at(uint32(id)).host]
	h.fails++
	if !failed {
		h.fails = 0
	}
	h.longer = h.rests(next) || h.longer
}

// Build ends Restore. What was leased waits again: the interrupted visits go out first, in the order given. That is at
// once over a recorded web. Elsewhere every host rests first as after a visit: nobody knows when an interrupted request
// was made, nor whether there were others of which nothing was written any more. last is when something was written last:
// if that lies ahead, the clock that told it ran ahead, and what it says of hosts is taken back by as much.
func (s *Schedule[P]) Build(interrupted []Lease, atOnce bool, last time.Time) {
	s.atOnce = atOnce
	for _, l := range interrupted {
		h := s.hosts[s.at(uint32(l.ID)).host]
		h.since = l.At
		s.at(uint32(l.ID)).state = returnedState
		s.returned = append(s.returned, uint32(l.ID))
	}
	s.fill()
	if !atOnce {
		s.RestoreClock(last, s.manners.Clock.Now())
		s.restAll()
	}
	s.building = false
	for _, h := range s.hosts {
		heapBuild(byScore[P]{s, 0}, h.queues[0])
	}
	for _, q := range s.held {
		heapBuild(byScore[P]{s, 0}, q[0])
	}
	for n := range s.hosts {
		s.settle(uint32(n))
	}
}

// RestoreClock says what time was told, one after the other. If the second is the earlier one, the clock ran ahead before
// and was set right: what it said of hosts is taken back by as much. None rests longer than anything here lets a host rest.
func (s *Schedule[P]) RestoreClock(before, now time.Time) {
	ahead := before.Sub(now)
	if ahead < clockSteps {
		return
	}
	for _, h := range s.hosts {
		longest := now.Add(max(s.manners.Ceiling, s.manners.Delay, h.pace))
		if h.next.IsZero() {
			continue
		}
		if h.next = h.next.Add(-ahead); h.next.After(longest) {
			h.next = longest
		}
		h.told = h.next
	}
}

// clockSteps is by how much a clock that is kept right may be set back.
const clockSteps = time.Second

// restAll lets every host that has had items rest as after a visit. Whoever opens next does so again: it is not written down.
func (s *Schedule[P]) restAll() {
	now := s.manners.Clock.Now()
	for id := uint32(1); id <= uint32(s.count); id++ {
		h := s.hosts[s.at(id).host]
		if next := now.Add(max(s.manners.Delay, h.pace)); next.After(h.next) {
			h.next, h.longer = next, false
		}
	}
}

// returnedState marks, while a schedule is built, an item that is in no queue though it waits.
const returnedState State = 1 << 7

// fill counts the items and puts those that wait at the end of their queues, which have the room they need.
func (s *Schedule[P]) fill() {
	sizes := make([]int, len(s.hosts))
	for id := uint32(1); id <= uint32(s.count); id++ {
		e := s.at(id)
		if e.state == Leased { // its lease is not among the interrupted: it waits like any other
			e.state = Waiting
		}
		if e.state == Waiting && e.tier < Held {
			sizes[e.host]++
		}
	}
	for n, h := range s.hosts {
		h.queues[0] = make([]slot, 0, sizes[n])
	}
	for id := uint32(1); id <= uint32(s.count); id++ {
		e := s.at(id)
		switch e.state {
		case returnedState:
			e.state = Waiting
			s.waiting++
		case Waiting:
			s.waiting++
			q := s.queues(e)
			q[0] = append(q[0], s.slot(id, 0))
		}
	}
}
