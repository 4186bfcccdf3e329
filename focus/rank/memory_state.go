package rank

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// stateVersion is the first byte of a state.
const stateVersion = 8

// State is what the memory holds, to be saved; Restore takes it back. The same memory gives the same bytes.
func (m *Memory) State() []byte { return m.AppendState(nil) }

// AppendState writes State behind what stands in b: there may be much of it.
func (m *Memory) AppendState(b []byte) []byte {
	if m == nil {
		return b
	}
	k := coder{pack.Coder{Bytes: append(b, stateVersion)}}
	k.memory(m)
	k.learned(m)
	return k.Bytes
}

// errState is what a state is that was cut short or changed.
var errState = errors.New("the saved memory is damaged; start the crawl afresh, or from an older snapshot")

// Restore takes back what State gave. What the memory held before is gone, but for the sites and examples it was told of
// and the bound on its size.
func (m *Memory) Restore(state []byte) error {
	if len(state) == 0 {
		return errState
	}
	if err := pack.Version(int(state[0]), stateVersion); err != nil {
		return fmt.Errorf("the saved memory: %w", err)
	}
	// Everything is read into a memory of its own, and takes the place of this one only when all of it has made sense.
	k := reading(state[1:])
	fresh := NewMemory()
	fresh.limit, fresh.beliefs, fresh.lesson.on = m.limit, m.beliefs, m.lesson.on
	fresh.lesson.others = m.lesson.others
	fresh.serves, fresh.off = m.serves, m.off
	k.memory(fresh)
	if fresh.apprentice != nil && m.apprentice == nil {
		return errors.New("the saved memory is that of an apprentice; restore it with the strategy that learned it (see Serve)")
	}
	if fresh.apprentice != nil {
		fresh.apprentice = m.apprentice.blank()
	}
	k.learned(fresh)
	if k.Done() != nil || len(fresh.groups) == 0 || !fresh.reindex() {
		return errState
	}
	*m = *fresh
	m.forget()
	return nil
}

// memory is all but what an apprentice has learned, and whether there is one: who reads must make it first.
func (k *coder) memory(m *Memory) {
	upTo(k, &m.wants, 1<<reaches-1)
	k.Number(&m.now)
	k.tally(&m.all)
	room(k, &m.groups, math.MaxInt)
	for i := range m.groups {
		k.group(&m.groups[i])
	}
	k.list(&m.spare, len(m.groups))
	k.entries(m)
	// What is kept of waiting addresses alone comes after all entries: by then it is known which of them wait.
	k.Number(&m.turned)
	k.Number(&m.swept)
	if there(k, &m.graph) {
		k.graph(m.graph)
	}
	for _, en := range m.entries.all() {
		if !en.fetched && there(k, &en.hints) {
			k.hint(en.hints)
		}
	}
	if there(k, &m.lanes) {
		k.lanes(m.lanes)
	}
	there(k, &m.apprentice)
}

// learned is what an apprentice has learned, and what it heard of the addresses that wait.
func (k *coder) learned(m *Memory) {
	if m.apprentice == nil {
		return
	}
	k.apprentice(m.apprentice)
	for _, en := range m.entries.all() {
		k.speech(&en.spoken, m.apprentice.Bits)
		k.Number(&en.finder)
	}
}

// entries are the addresses, from the oldest on.
func (k *coder) entries(m *Memory) {
	first, n := m.entries.first, m.entries.len()
	pack.Small(&k.Coder, &first)
	n = k.Count(n)
	if k.Read {
		k.must(int64(n) <= math.MaxUint32-int64(first))
		m.entries = roll{base: first, first: first, next: first}
		for i := 0; i < n && !k.Bad; i++ {
			_, en := m.entries.add()
			k.entry(en, len(m.groups))
		}
		return
	}
	for _, en := range m.entries.all() {
		k.entry(en, len(m.groups))
	}
}

// reindex builds what can be worked out from the rest, and tells whether the rest agrees.
func (m *Memory) reindex() bool {
	end := m.entries.next
	refs := make([]uint32, len(m.groups))
	for serial, en := range m.entries.all() {
		m.index[en.item] = serial
		for _, g := range en.groups {
			refs[g]++
		}
	}
	free := 0
	for i := 1; i < len(m.groups); i++ {
		g := &m.groups[i]
		if g.reach == reaches {
			free++
			continue
		}
		m.keys[g.key] = uint32(i)
		g.refs = refs[i]
		for _, serial := range g.members {
			if serial >= end {
				return false
			}
			if !m.waits(serial) {
				g.gone++
			}
		}
	}
	return len(m.index) == m.entries.len() && m.freed() == free
}

// freed is how many groups are said to be free, each once; -1 if one of them is not.
func (m *Memory) freed() int {
	free := slices.Clone(m.spare)
	slices.Sort(free)
	for i, g := range free {
		if g == 0 || m.groups[g].reach != reaches || i > 0 && free[i-1] == g {
			return -1
		}
	}
	return len(free)
}

func (k *coder) tally(t *Tally) {
	if upTo(k, &t.Fetched, math.MaxInt); t.Fetched > 0 {
		upTo(k, &t.Relevant, t.Fetched)
		k.positive(&t.Sum, float64(t.Fetched))
	}
}

func (k *coder) group(g *group) {
	if upTo(k, &g.reach, int(reaches)); g.reach == reaches {
		return
	}
	k.Fixed64(&g.key)
	k.Yes(&g.seed)
	k.tally(&g.Tally)
	k.Number(&g.changed)
	k.list(&g.members, math.MaxInt)
	upTo(k, &g.next, len(g.members))
	upTo(k, &g.owed, len(g.members))
	k.Float32(&g.heard.mean)
	k.Float32(&g.heard.share)
}

func (k *coder) entry(en *entry, groups int) {
	k.Number(&en.item)
	k.Yes(&en.fetched)
	if en.fetched {
		k.Yes(&en.relevant)
		k.share(&en.relevance)
		k.Number(&en.heir)
	}
	pack.Small(&k.Coder, &en.degree)
	k.Number(&en.scored)
	k.Number(&en.touched)
	k.Number(&en.told)
	room(k, &en.over, maxOvers)
	for i := range en.over {
		o := &en.over[i]
		k.Float64(&o.sum)
		k.Float32(&o.most)
		pack.Small(&k.Coder, &o.links)
	}
	for i := range en.address {
		upTo(k, &en.address[i], groups-1)
	}
	k.list(&en.groups, groups)
	room(k, &en.links, keptLinks)
	for i := range en.links {
		k.kept(&en.links[i], groups)
	}
}

func (k *coder) kept(link *kept, groups int) {
	k.Float32(&link.score)
	k.Number(&link.parent)
	for i := range link.groups {
		upTo(k, &link.groups[i], groups-1)
	}
	room(k, &link.numbers, maxNodes)
	for i := range link.numbers {
		k.Float32(&link.numbers[i])
	}
}
