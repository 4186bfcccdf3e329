package rank

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// stateVersion is the first byte of a state.
const stateVersion = 7

// State is what the memory holds, to be saved; Restore takes it back. The same memory gives the same bytes.
func (m *Memory) State() []byte { return m.AppendState(nil) }

// AppendState writes State behind what stands in b: there may be much of it.
func (m *Memory) AppendState(b []byte) []byte {
	if m == nil {
		return b
	}
	w := newWriter(append(b, stateVersion)...)
	w.Count(int(m.wants))
	w.Number(m.now)
	w.tally(m.all)
	w.Count(len(m.groups))
	for i := range m.groups {
		w.group(&m.groups[i])
	}
	w.list(m.spare)
	w.Count(int(m.entries.first))
	w.Count(m.entries.len())
	for _, en := range m.entries.all() {
		w.entry(en)
	}
	// What is kept of waiting addresses alone comes after all entries: Restore must know by then which of them wait.
	w.Number(m.turned)
	w.Number(m.swept)
	w.Yes(m.graph != nil)
	if m.graph != nil {
		w.graph(m.graph)
	}
	w.hints(m)
	w.Yes(m.lanes != nil)
	if m.lanes != nil {
		w.lanes(m.lanes)
	}
	w.Yes(m.apprentice != nil)
	if m.apprentice != nil {
		w.apprentice(m.apprentice)
		for _, en := range m.entries.all() {
			w.speech(&en.spoken)
			w.Number(en.finder)
		}
	}
	return w.Writer
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
	r := newReader(state[1:])
	fresh := NewMemory()
	fresh.limit, fresh.beliefs, fresh.lesson.on = m.limit, m.beliefs, m.lesson.on
	fresh.lesson.others = m.lesson.others
	fresh.serves, fresh.off = m.serves, m.off
	fresh.wants = uint32(r.UpTo(1<<reaches - 1))
	fresh.now = r.Number()
	fresh.all = r.tally()
	fresh.groups = make([]group, r.Count(1))
	for i := range fresh.groups {
		r.group(&fresh.groups[i])
	}
	fresh.spare = r.list(len(fresh.groups))
	first := r.Number32()
	fresh.entries = roll{base: first, first: first, next: first}
	for range r.UpTo(int(min(int64(len(r.Left)), math.MaxUint32-int64(first)))) {
		_, en := fresh.entries.add()
		r.entry(en, len(fresh.groups))
	}
	fresh.turned, fresh.swept = r.Number(), r.Number()
	if r.Yes() {
		fresh.graph = r.graph()
	}
	r.hints(fresh)
	if err := r.learned(fresh, m.apprentice); err != nil {
		return err
	}
	if r.Bad || len(r.Left) > 0 || len(fresh.groups) == 0 || !fresh.reindex() {
		return errState
	}
	*m = *fresh
	m.forget()
	return nil
}

// learned takes back what the hedge and the apprentice have learned; was is the apprentice of the memory that restores.
func (r *reader) learned(m *Memory, was *apprentice) error {
	if r.Yes() {
		m.lanes = r.lanes()
	}
	if !r.Yes() {
		return nil
	}
	if was == nil {
		return errors.New("the saved memory is that of an apprentice; restore it with the strategy that learned it (see Serve)")
	}
	m.apprentice = r.apprentice(was)
	for _, en := range m.entries.all() {
		en.spoken = r.speech(was.Bits)
		en.finder = r.Number()
	}
	return nil
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

func (w *writer) tally(t Tally) {
	w.Count(t.Fetched)
	if t.Fetched > 0 {
		w.Count(t.Relevant)
		w.Float64(t.Sum)
	}
}

func (w *writer) group(g *group) {
	w.Count(int(g.reach))
	if g.reach == reaches {
		return
	}
	w.Fixed64(g.key)
	w.Yes(g.seed)
	w.tally(g.Tally)
	w.Number(g.changed)
	w.list(g.members)
	w.Number(uint64(g.next))
	w.Number(uint64(g.owed))
	w.Float32(g.heard.mean)
	w.Float32(g.heard.share)
}

func (w *writer) entry(en *entry) {
	w.Number(en.item)
	w.Yes(en.fetched)
	if en.fetched {
		w.Yes(en.relevant)
		w.Float32(en.relevance)
		w.Number(en.heir)
	}
	w.Number(uint64(en.degree))
	w.Number(en.scored)
	w.Number(en.touched)
	w.Number(en.told)
	w.Count(len(en.over))
	for _, o := range en.over {
		w.Float64(o.sum)
		w.Float32(o.most)
		w.Number(uint64(o.links))
	}
	w.list(en.address[:])
	w.list(en.groups)
	w.Count(len(en.links))
	for i := range en.links {
		link := &en.links[i]
		w.Float32(link.score)
		w.Number(link.parent)
		w.list(link.groups[:])
		w.Count(len(link.numbers))
		for _, v := range link.numbers {
			w.Float32(v)
		}
	}
}

func (r *reader) tally() (t Tally) {
	if t.Fetched = r.UpTo(math.MaxInt); t.Fetched > 0 {
		t.Relevant = r.UpTo(t.Fetched)
		t.Sum = r.Float64()
	}
	if !(0 <= t.Sum && t.Sum <= float64(t.Fetched)) {
		r.Bad = true
	}
	return t
}

func (r *reader) group(g *group) {
	g.reach = reach(r.UpTo(int(reaches)))
	if g.reach == reaches {
		return
	}
	g.key = r.Fixed64()
	g.seed = r.Yes()
	g.Tally = r.tally()
	g.changed = r.Number()
	g.members = r.list(math.MaxInt)
	g.next = uint32(r.UpTo(len(g.members)))
	g.owed = uint32(r.UpTo(len(g.members)))
	g.heard = moved{r.Float32(), r.Float32()}
}

func (r *reader) entry(en *entry, groups int) {
	en.item = r.Number()
	if en.fetched = r.Yes(); en.fetched {
		en.relevant = r.Yes()
		if en.relevance = r.Float32(); !(0 <= en.relevance && en.relevance <= 1) {
			r.Bad = true
		}
		en.heir = r.Number()
	}
	en.degree = r.Number32()
	en.scored = r.Number()
	en.touched = r.Number()
	en.told = r.Number()
	if n := r.UpTo(maxOvers); n > 0 {
		en.over = make([]running, n)
	}
	for i := range en.over {
		en.over[i] = running{sum: r.Float64(), most: r.Float32(), links: r.Number32()}
	}
	copy(en.address[:], r.list(groups))
	en.groups = r.list(groups)
	en.links = make([]kept, r.UpTo(keptLinks))
	for i := range en.links {
		link := &en.links[i]
		link.score = r.Float32()
		link.parent = r.Number()
		copy(link.groups[:], r.list(groups))
		link.numbers = make([]float32, r.UpTo(maxNodes))
		for j := range link.numbers {
			link.numbers[j] = r.Float32()
		}
	}
}
