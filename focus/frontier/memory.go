package frontier

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Memory is a frontier that lives as long as the process.
type Memory struct {
	mu     sync.Mutex
	order  *Schedule[link]
	seen   map[string]uint64
	door   Door
	closed bool
}

var (
	_ Frontier = (*Memory)(nil)
	_ Trier    = (*Memory)(nil)
	_ Finder   = (*Memory)(nil)
	_ Rescorer = (*Memory)(nil)
	_ Holder   = (*Memory)(nil)
	_ Pacer    = (*Memory)(nil)
	_ Renewer  = (*Memory)(nil)
	_ Locator  = (*Memory)(nil)
	_ Examiner = (*Memory)(nil)
	_ Batcher  = (*Memory)(nil)
	_ Behaver  = (*Memory)(nil)
	_ Shelver  = (*Memory)(nil)
)

// link is what the schedule does not know of an item.
type link struct {
	url, identity string
	via           uint64
	depth         uint16
	numbers       []float32
	note          []byte
}

// NewMemory is an empty frontier.
func NewMemory(m Manners) *Memory {
	s := NewSchedule[link](m)
	return &Memory{order: s, seen: map[string]uint64{}, door: Door{Clock: s.Clock()}}
}

var errNoAddress = errors.New("push: the item has no address")

// Check refuses an item that no frontier takes.
func (it *Item) Check() error {
	if it.URL == "" {
		return errNoAddress
	}
	return Check(it.Score, it.Alt)
}

// Known is what an item is known by: its identity, or else its address.
func (it *Item) Known() string {
	if it.Identity != "" {
		return it.Identity
	}
	return it.URL
}

// Push adds an item or raises one that waits.
func (m *Memory) Push(it Item) (id uint64, fresh bool, err error) {
	pushed, err := m.PushAll([]Item{it})
	if err != nil {
		return 0, false, err
	}
	return pushed[0].ID, pushed[0].Fresh, nil
}

// PushAll is Push of each, in order.
func (m *Memory) PushAll(items []Item) ([]Pushed, error) {
	for i := range items {
		if err := items[i].Check(); err != nil {
			return nil, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, ErrClosed
	}
	defer m.tell()
	pushed := make([]Pushed, len(items))
	for i := range items {
		var err error
		if pushed[i], err = m.push(&items[i]); err != nil {
			return nil, err
		}
	}
	return pushed, nil
}

func (m *Memory) push(it *Item) (Pushed, error) {
	known := it.Known()
	if id := m.seen[known]; id != 0 {
		return m.again(id, it), nil
	}
	id, err := m.order.Add(it.Host, it.Tier, it.Score, it.Alt, link{url: it.URL, identity: it.Identity,
		via: it.Via, depth: it.Depth, numbers: clone(it.Numbers), note: clone(it.Note)})
	if err != nil {
		return Pushed{}, err
	}
	m.seen[known] = id
	if it.Via == 0 {
		m.order.Pardon(id)
	}
	return Pushed{ID: id, Fresh: true}, nil
}

// again pushes a known item. It is fresh only if it had been dropped.
func (m *Memory) again(id uint64, it *Item) Pushed {
	st := m.order.Standing(id)
	whole, altOnly := m.order.Raises(id, it.Tier, it.Score, it.Alt)
	switch {
	case whole:
		m.order.Raise(id, it.Tier, it.Score, it.Alt)
		l := m.order.Link(id)
		l.via, l.depth, l.numbers, l.note = it.Via, it.Depth, clone(it.Numbers), clone(it.Note)
	case altOnly:
		m.order.Set(id, st.Tier, st.Score, it.Alt)
	}
	dropped := st.State == Dropped
	return Pushed{ID: id, Fresh: dropped, Raised: whole && !dropped}
}

func clone[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return append(make([]T, 0, len(s)), s...)
}

// TryPop leases the best item that is ready, and never waits.
func (m *Memory) TryPop(lane int) (Item, time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tryPop(lane)
}

func (m *Memory) tryPop(lane int) (Item, time.Time, error) {
	if m.closed {
		return Item{}, time.Time{}, ErrClosed
	}
	now := m.order.Clock().Now()
	id, ready, err := m.order.Next(lane, now)
	if id == 0 {
		return Item{}, ready, err
	}
	m.order.Lease(id, now)
	return m.item(id), time.Time{}, nil
}

// Pop leases the best item that is ready, and waits until there is one.
func (m *Memory) Pop(ctx context.Context, lane int) (Item, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		if err := ctx.Err(); err != nil {
			return Item{}, err
		}
		it, ready, err := m.tryPop(lane)
		if it.ID != 0 || err != nil && err != ErrIdle {
			m.tell() // who leaves calls the next: one call stands for any number of items that have become ready
			return it, err
		}
		if err := m.door.Wait(ctx, &m.mu, ready); err != nil {
			return Item{}, err
		}
	}
}

// tell lets those who wait know that something has changed. It asks for lane 0 alone: a host is ready in both lanes or in neither.
func (m *Memory) tell() {
	if m.door.Waiting() == 0 {
		return
	}
	_, ready, err := m.order.Next(0, m.order.Clock().Now())
	if m.closed {
		err = ErrClosed
	}
	m.door.Tell(ready, err)
}

// Done ends a lease.
func (m *Memory) Done(id uint64, o Outcome) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	defer m.tell()
	_, err := m.order.End(id, m.order.Clock().Now(), o)
	return err
}

// Renew lets a lease begin anew.
func (m *Memory) Renew(id uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.order.Renew(id, m.order.Clock().Now())
}

// Len is the number of items that wait.
func (m *Memory) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.order.Len()
}

// Close ends the waiting of whoever waits.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.tell()
	return nil
}

// Find answers the id of an identity, 0 if it was never pushed.
func (m *Memory) Find(identity string) uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[identity]
}

// FindAll is Find of each.
func (m *Memory) FindAll(identities []string) []uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	ids := make([]uint64, len(identities))
	for i, identity := range identities {
		ids[i] = m.seen[identity]
	}
	return ids
}

// Get answers an item and its state.
func (m *Memory) Get(id uint64) (Item, State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.order.Link(id) == nil {
		return Item{}, Unknown
	}
	return m.item(id), m.order.Standing(id).State
}

// Standing answers how an item stands.
func (m *Memory) Standing(id uint64) Standing {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.order.Standing(id)
}

func (m *Memory) item(id uint64) Item {
	l, st := m.order.Link(id), m.order.Standing(id)
	return Item{ID: id, URL: l.url, Identity: l.identity, Host: st.Host, Via: l.via, Depth: l.depth, Tier: st.Tier,
		Score: st.Score, Alt: st.Alt, Numbers: l.numbers, Note: l.note}
}

// Rescore changes the scores of a waiting item, and its note if one is given.
func (m *Memory) Rescore(id uint64, score, alt float32, numbers []float32, note []byte) error {
	if err := Check(score, alt); err != nil {
		return err
	}
	return m.waiting(id, func(st Standing) {
		m.order.Set(id, st.Tier, score, alt)
		l := m.order.Link(id)
		l.numbers = clone(numbers)
		if note != nil {
			l.note = clone(note)
		}
	})
}

// Promote moves a waiting item to another tier.
func (m *Memory) Promote(id uint64, tier uint32, score float32) error {
	if err := Check(score, 0); err != nil {
		return err
	}
	return m.waiting(id, func(st Standing) { m.order.Set(id, tier, score, st.Alt) })
}

// Drop forgets that an item waits.
func (m *Memory) Drop(id uint64) error {
	return m.waiting(id, func(Standing) { m.order.Drop(id) })
}

// Unshelve lets an item wait again that was given up.
func (m *Memory) Unshelve(id uint64) (was bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false, ErrClosed
	}
	defer m.tell()
	return m.order.Unshelve(id), nil
}

// waiting does something with an item if it waits.
func (m *Memory) waiting(id uint64, do func(Standing)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	defer m.tell()
	if st := m.order.Standing(id); st.State == Waiting {
		do(st)
	}
	return nil
}

// Each visits the waiting items of a tier in order.
func (m *Memory) Each(tier uint32, visit func(id uint64) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.order.Each(tier, visit)
}

// Pace sets the least delay between two visits of a host.
func (m *Memory) Pace(host string, delay time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.order.Pace(host, delay)
}

// Rest leaves a host alone until a time at least.
func (m *Memory) Rest(host string, until time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.order.Rest(host, until)
	m.tell()
}

// Locate says at which address a host is.
func (m *Memory) Locate(host, address string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.order.Locate(host, address)
	m.tell()
}

// Health is how a host is doing.
func (m *Memory) Health(host string) Health {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.order.Health(host)
}

// Rests says whose turn is next, and when, where all that waits is at hosts that rest.
func (m *Memory) Rests() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.order.Rests()
}
