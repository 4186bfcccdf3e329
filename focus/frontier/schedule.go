package frontier

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Schedule is the order of what waits and the clocks of its hosts; it is what every backend in this process is
// built on. It knows numbers only: what a link is, the backend keeps beside them in a P, which should hold no
// pointers where there are many. Every operation costs O(log n). It is not safe for concurrent use.
//
// An item that waits stands in the queue of its host, or in that of its tier if the tier is held. A host that
// has items stands in one place (see stand):
//
//	ready      fewer visits than PerHost are out, and its time has come: a heap by the host's best item; hosts of
//	           one address stand in a heap of their own, whose best host stands for all (see crowd)
//	near, far  fewer visits than PerHost are out, and its time has not come: heaps by time
//	lost       the same of a host that is given up: nobody waits for it
//	busy       it is being visited
//
// What stands near or busy may be waited for, and is in a heap by the host's best item, too (see patience.go).
type Schedule[P any] struct {
	manners Manners
	chunks  []*[chunkSize]entry[P] // item i is entry i-1; never moved once made
	count   int

	names     names
	hosts     []*host
	ready     [2][]seated // hosts and crowds
	near      []uint32
	far       []uint32
	lost      []uint32
	soon      [2][]seated       // hosts near or busy; empty without patience
	addresses map[string]uint32 // a crowd's number by its address
	crowds    []*crowd
	served    uint64
	recent    []uint32 // the hosts of the last turns, by turn modulo shareWindow; nil where hosts have no share
	margin    uint32   // see Manners.Margin
	held      map[uint32]*[2][]slot
	returned  []uint32 // leases a crash left, in the order in which they go out again
	leases    []lease

	lanes    int // 1 until somebody asks for the second
	waiting  int // items that wait, held ones included
	leased   int
	building bool // no heap is kept until Build
	atOnce   bool // returned leases do not mind their hosts' clocks

	// Lapsed, if set, is told of every lease that runs out and of its host's next turn.
	Lapsed func(id uint64, next time.Time)
}

const chunkSize = 1 << 12

// entry is an item.
type entry[P any] struct {
	link  P
	host  uint32
	tier  uint32
	score [2]float32
	place [2]uint32 // in the queues of both lanes
	state State
}

// lease says until when an item is out.
type lease struct {
	id    uint32
	until time.Time
}

// NewSchedule is an empty schedule.
func NewSchedule[P any](m Manners) *Schedule[P] {
	m.settle()
	if m.Clock == nil {
		m.Clock = Wall{}
	}
	s := &Schedule[P]{manners: m, names: newNames(), addresses: map[string]uint32{}, held: map[uint32]*[2][]slot{},
		lanes: 1, margin: m.Steps()}
	if m.Share > 0 {
		s.recent = slices.Repeat([]uint32{nowhere}, shareWindow)
	}
	return s
}

// Clock is the clock of its manners, never nil.
func (s *Schedule[P]) Clock() Clock { return s.manners.Clock }

// Count is the number of items there ever were: their ids are 1 to Count.
func (s *Schedule[P]) Count() int { return s.count }

// Len is the number of items that wait.
func (s *Schedule[P]) Len() int { return s.waiting }

func (s *Schedule[P]) at(id uint32) *entry[P] {
	return &s.chunks[(id-1)/chunkSize][(id-1)%chunkSize]
}

// Check refuses what cannot be ordered.
func Check(score, alt float32) error {
	for _, x := range [...]float32{score, alt} {
		if !(-math.MaxFloat32 <= x && x <= math.MaxFloat32) {
			return fmt.Errorf("score %v is not finite", x)
		}
	}
	return nil
}

var errFull = errors.New("the frontier is full: an item's number needs 32 bits")

// Add makes a waiting item. Its scores are finite (see Check).
func (s *Schedule[P]) Add(hostname string, tier uint32, score, alt float32, link P) (uint64, error) {
	if uint64(s.count) == math.MaxUint32-1 {
		return 0, errFull
	}
	*s.grow() = entry[P]{link: link, host: s.host(hostname), tier: tier, score: [2]float32{score, alt},
		place: [2]uint32{nowhere, nowhere}}
	s.wait(uint32(s.count))
	return uint64(s.count), nil
}

// grow makes room for one more item.
func (s *Schedule[P]) grow() *entry[P] {
	if s.count%chunkSize == 0 {
		s.chunks = append(s.chunks, new([chunkSize]entry[P]))
	}
	s.count++
	return s.at(uint32(s.count))
}

// Link is what the backend keeps of an item; it may be changed through the pointer. It is nil for an unknown id.
func (s *Schedule[P]) Link(id uint64) *P {
	if !s.known(id) {
		return nil
	}
	return &s.at(uint32(id)).link
}

// Standing is how an item stands in a schedule.
type Standing struct {
	State State
	Host  string
	Tier  uint32
	Score float32
	Alt   float32
}

// Standing answers how an item stands; the zero Standing if there is no such item.
func (s *Schedule[P]) Standing(id uint64) Standing {
	if !s.known(id) {
		return Standing{}
	}
	e := s.at(uint32(id))
	return Standing{State: e.state, Host: s.hosts[e.host].name, Tier: e.tier, Score: e.score[0], Alt: e.score[1]}
}

func (s *Schedule[P]) known(id uint64) bool { return 0 < id && id <= uint64(s.count) }

// Raises tells what pushing an item again with this standing does to it: nothing, a raise of its score with
// all that belongs to it, or of Alt only.
func (s *Schedule[P]) Raises(id uint64, tier uint32, score, alt float32) (whole, altOnly bool) {
	e := s.at(uint32(id))
	return raises(e.state, e.tier, e.score, tier, score, alt)
}

func raises(state State, stands uint32, scores [2]float32, tier uint32, score, alt float32) (whole, altOnly bool) {
	switch state {
	case Dropped:
		return true, false
	case Waiting:
		whole = tier < stands || tier == stands && score > scores[0]
		return whole, !whole && alt > scores[1]
	}
	return false, false
}

// RaisedBy tells whether pushing an item that stands so changes anything.
func (s Standing) RaisedBy(it *Item) bool {
	whole, altOnly := raises(s.State, s.Tier, [2]float32{s.Score, s.Alt}, it.Tier, it.Score, it.Alt)
	return whole || altOnly
}

// Raise gives an item a new tier and score, and the higher of both second scores. A dropped item waits again.
func (s *Schedule[P]) Raise(id uint64, tier uint32, score, alt float32) {
	e := s.at(uint32(id))
	if e.state == Dropped {
		s.Set(id, tier, score, alt)
		s.wait(uint32(id))
		return
	}
	s.Set(id, tier, score, max(alt, e.score[1]))
}

// Set gives an item a new tier and new scores, whatever its state.
func (s *Schedule[P]) Set(id uint64, tier uint32, score, alt float32) {
	n := uint32(id)
	e := s.at(n)
	if s.building {
		e.tier, e.score = tier, [2]float32{score, alt}
		return
	}
	if e.state == Waiting && s.queued(n) && (tier >= Held || e.tier >= Held) && tier != e.tier {
		s.leaveQueue(n)
		e.tier, e.score = tier, [2]float32{score, alt}
		s.enterQueue(n)
		return
	}
	e.tier, e.score = tier, [2]float32{score, alt}
	if e.state == Waiting && s.queued(n) {
		s.reorder(n)
	}
}

// Drop forgets that an item waits.
func (s *Schedule[P]) Drop(id uint64) {
	n := uint32(id)
	if e := s.at(n); e.state == Waiting {
		s.unwait(n)
		e.state = Dropped
	}
}

// Unshelve lets an item wait again that was given up, and answers whether it was.
func (s *Schedule[P]) Unshelve(id uint64) (was bool) {
	if was = s.known(id) && s.at(uint32(id)).state == Shelved; was {
		s.wait(uint32(id))
	}
	return was
}

// wait makes an item wait that did not.
func (s *Schedule[P]) wait(id uint32) {
	s.at(id).state = Waiting
	if s.building {
		return
	}
	s.waiting++
	s.enterQueue(id)
}

// unwait takes a waiting item out of whatever it waits in.
func (s *Schedule[P]) unwait(id uint32) {
	s.waiting--
	if s.queued(id) {
		s.leaveQueue(id)
	} else {
		s.unreturn(id)
	}
}
