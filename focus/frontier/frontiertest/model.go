package frontiertest

import (
	"math"
	"slices"
	"sort"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// model is a frontier so simple that it can be seen to be right: it looks at everything each time.
type model struct {
	manners frontier.Manners
	now     time.Time
	items   []*modelItem // item i is items[i-1]
	hosts   map[string]*modelHost
	out     []modelLease // in the order in which they first began
	served  int
	recent  []string          // the hosts of the last hundred turns
	address map[string]string // of hosts
}

type modelItem struct {
	frontier.Item
	state frontier.State
}

type modelHost struct {
	name  string
	next  time.Time
	woken time.Time // what it rests since it was opened last; that is not written down
	since time.Time // when its last visit began
	pace  time.Duration
	out   int
	turn  int
}

type modelLease struct {
	id uint64
	at time.Time
	// until is when it lapses, if leases do.
	until time.Time
	// returned says that it was interrupted, and has not been repeated yet.
	returned bool
}

// ready is when it may be visited.
func (h *modelHost) ready() time.Time {
	if h.woken.After(h.next) {
		return h.woken
	}
	return h.next
}

func newModel(m frontier.Manners) *model {
	m.PerHost = max(m.PerHost, 1)
	return &model{manners: m, now: Start, hosts: map[string]*modelHost{}, address: map[string]string{}}
}

func (m *model) host(name string) *modelHost {
	h := m.hosts[name]
	if h == nil {
		h = &modelHost{name: name}
		m.hosts[name] = h
	}
	return h
}

func (m *model) find(url string) *modelItem {
	for _, it := range m.items {
		if it.URL == url {
			return it
		}
	}
	return nil
}

func (m *model) push(it frontier.Item) frontier.Pushed {
	old := m.find(it.URL)
	switch {
	case old == nil:
		it.ID = uint64(len(m.items) + 1)
		m.items = append(m.items, &modelItem{it, frontier.Waiting})
		return frontier.Pushed{ID: it.ID, Fresh: true}
	case old.state == frontier.Dropped,
		old.state == frontier.Waiting && (it.Tier < old.Tier || it.Tier == old.Tier && it.Score > old.Score):
		fresh := old.state == frontier.Dropped
		if !fresh {
			it.Alt = max(it.Alt, old.Alt)
		}
		it.ID, it.Host = old.ID, old.Host
		*old = modelItem{it, frontier.Waiting}
		return frontier.Pushed{ID: it.ID, Fresh: fresh, Raised: !fresh}
	case old.state == frontier.Waiting:
		old.Alt = max(old.Alt, it.Alt)
	}
	return frontier.Pushed{ID: old.ID}
}

func (m *model) get(id uint64) *modelItem {
	if id == 0 || id > uint64(len(m.items)) {
		return nil
	}
	return m.items[id-1]
}

// waiting is the item if it waits.
func (m *model) waiting(id uint64) *modelItem {
	if it := m.get(id); it != nil && it.state == frontier.Waiting {
		return it
	}
	return nil
}

func (m *model) count(st frontier.State) (n int) {
	for _, it := range m.items {
		if it.state == st {
			n++
		}
	}
	return n
}

// tryPop goes through all items for the best, and through all hosts for the next time.
func (m *model) tryPop(lane int) (frontier.Item, time.Time, error) {
	m.lapse()
	var best *modelItem
	var soon time.Time
	for _, it := range m.items {
		if it.state != frontier.Waiting || it.Tier >= frontier.Held && !m.isReturned(it) {
			continue
		}
		h := m.host(it.Host)
		if h.out >= m.seats(h) {
			continue
		}
		if next := h.ready(); next.After(m.now) {
			soon = earlier(soon, next)
			continue
		}
		if m.crowded(it.Host) {
			continue
		}
		if best == nil || m.before(it, best, lane) {
			best = it
		}
	}
	if m.manners.Lease > 0 {
		for _, l := range m.out {
			if !l.returned {
				soon = earlier(soon, l.until)
			}
		}
	}
	if best != nil && !m.isReturned(best) {
		if until := m.awaited(best, lane); !until.IsZero() {
			return frontier.Item{}, earlier(soon, until), nil
		}
	}
	if best != nil {
		m.lease(best)
		return best.Item, time.Time{}, nil
	}
	switch {
	case !soon.IsZero():
		return frontier.Item{}, soon, nil
	case m.count(frontier.Leased) > 0:
		return frontier.Item{}, time.Time{}, frontier.ErrIdle
	case m.count(frontier.Waiting) > 0:
		return frontier.Item{}, time.Time{}, frontier.ErrHeld
	}
	return frontier.Item{}, time.Time{}, frontier.ErrEmpty
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

func (m *model) place(id uint64) int {
	return slices.IndexFunc(m.out, func(l modelLease) bool { return l.id == id })
}

func (m *model) isReturned(it *modelItem) bool {
	i := m.place(it.ID)
	return i >= 0 && m.out[i].returned
}

func (m *model) before(a, b *modelItem, lane int) bool {
	if m.isReturned(a) || m.isReturned(b) {
		return m.isReturned(a) && (!m.isReturned(b) || m.place(a.ID) < m.place(b.ID))
	}
	if a.Tier != b.Tier {
		return a.Tier < b.Tier
	}
	if x, y := m.standing(a, lane), m.standing(b, lane); x != y {
		return x < y
	}
	if m.manners.Turns {
		if x, y := m.host(a.Host).turn, m.host(b.Host).turn; x != y {
			return x < y
		}
	}
	return a.ID < b.ID
}

func (m *model) lease(it *modelItem) {
	it.state = frontier.Leased
	h := m.host(it.Host)
	h.out++
	h.since = m.now
	if next := m.now.Add(m.manners.Delay); m.seats(h) > 1 && next.After(h.next) {
		h.next = next
	}
	l := modelLease{id: it.ID, at: m.now, until: m.now.Add(m.manners.Lease)}
	if i := m.place(it.ID); i >= 0 {
		m.out[i] = l
		return
	}
	m.served++
	h.turn = m.served
	m.recent = append(m.recent, it.Host)
	m.recent = m.recent[max(0, len(m.recent)-100):]
	m.out = append(m.out, l)
}

// seats is how many visits of a host may be under way.
func (m *model) seats(h *modelHost) int {
	if h.pace > 0 {
		return 1
	}
	return m.manners.PerHost
}

func (m *model) end(id uint64) {
	m.out = slices.DeleteFunc(m.out, func(l modelLease) bool { return l.id == id })
}

func (m *model) done(id uint64, o frontier.Outcome) error {
	it := m.get(id)
	if it == nil || it.state != frontier.Leased {
		return frontier.ErrNotLeased
	}
	h := m.host(it.Host)
	h.out--
	if next := m.now.Add(max(m.manners.Delay, h.pace, o.Wait)); !o.Idle && next.After(h.next) {
		h.next = next
	}
	m.end(id)
	it.state = frontier.Finished
	if o.Shelved {
		it.state = frontier.Shelved
	} else if o.Again {
		it.state = frontier.Waiting
		if !math.IsNaN(float64(o.Score)) {
			it.Score = o.Score
		}
	}
	return nil
}

func (m *model) lapse() {
	if m.manners.Lease == 0 {
		return
	}
	for _, l := range slices.Clone(m.out) {
		if !l.returned && !l.until.After(m.now) {
			m.done(l.id, frontier.Outcome{Again: true, Score: float32(math.NaN())})
		}
	}
}

func (m *model) unshelve(id uint64) (was bool) {
	it := m.get(id)
	if was = it != nil && it.state == frontier.Shelved; was {
		it.state = frontier.Waiting
	}
	return was
}

func (m *model) drop(it *modelItem) {
	it.state = frontier.Dropped
	m.end(it.ID)
}

// tier is the waiting items of a tier in order.
func (m *model) tier(tier uint32) (ids []uint64) {
	for _, it := range m.items {
		if it.state == frontier.Waiting && it.Tier == tier {
			ids = append(ids, it.ID)
		}
	}
	sort.SliceStable(ids, func(i, j int) bool { return m.items[ids[i]-1].Score > m.items[ids[j]-1].Score })
	return ids
}

// reopen is what closing and opening again does: who is out comes back first, after a polite while.
func (m *model) reopen() {
	for i := range m.out {
		l := &m.out[i]
		it := m.get(l.id)
		h := m.host(it.Host)
		if !l.returned {
			h.out--
		}
		it.state, l.returned = frontier.Waiting, true
	}
	for _, it := range m.items {
		h := m.host(it.Host)
		h.woken = m.now.Add(max(m.manners.Delay, h.pace))
	}
}
