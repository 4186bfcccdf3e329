package rank

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Rescore scores a waiting item again by what is remembered of it and by what has changed since: the links to it are
// walked through the tree with the numbers they had, and only the factors that read Memory answer anew. The best link
// counts. numbers is its explanation, whose first number is the score: copy what is to outlive the next Rescore. ok is
// false where too little is remembered.
func (s *Strategy) Rescore(item uint64, m *Memory) (numbers []float32, ok bool) {
	en := m.waiting(item, s)
	if en == nil {
		return nil, false
	}
	m.lesson.rescored(item)
	en.scored = m.now
	return s.again(m, en, m.desk(0, len(s.nodes)))
}

// How many items are scored again at a time, and how many of them one core takes.
const (
	atATime = 512
	aShare  = 32
)

// RescoreAll is Rescore of many items, the same bits, on all cores: no item's score is made of another's. each is told in
// order of those of which enough is remembered; numbers are good until it answers, and it must leave the memory alone.
func (s *Strategy) RescoreAll(items []uint64, m *Memory, each func(i int, numbers []float32)) {
	if m == nil {
		return
	}
	if m.serves == nil {
		m.Serve(s)
	}
	for from := 0; from < len(items); from += atATime {
		batch := items[from:min(from+atATime, len(items))]
		m.scoreAgain(s, batch)
		for i, item := range batch {
			en := m.answers.of[i]
			if en == nil {
				continue
			}
			m.lesson.rescored(item)
			en.scored = m.now
			if m.answers.ok[i] {
				each(from+i, m.answers.row(i, len(s.nodes)))
			}
		}
	}
	clear(m.answers.of[:cap(m.answers.of)]) // it must not hold entries that are forgotten
}

// scoreAgain fills the answers for some items. It changes nothing else but the scores of their links.
func (m *Memory) scoreAgain(s *Strategy, items []uint64) {
	cores := min(runtime.GOMAXPROCS(0), len(items)/aShare)
	if !s.reads(m) {
		cores = 1
	}
	m.answers.room(len(items), len(s.nodes))
	m.desk(max(cores-1, 0), len(s.nodes))
	var next atomic.Int64
	var shares sync.WaitGroup // not the others: one that comes late finds nothing left, and is not waited for
	shares.Add((len(items) + aShare - 1) / aShare)
	work := func(core int) {
		for at := int(next.Add(aShare)) - aShare; at < len(items); at = int(next.Add(aShare)) - aShare {
			till := min(at+aShare, len(items))
			for i := at; i < till; i++ {
				m.answers.of[i], m.answers.ok[i] = m.waiting(items[i], s), false
			}
			m.desks[core].read = touch(m.answers.of[at:till])
			for i := at; i < till; i++ {
				if en := m.answers.of[i]; en != nil {
					var numbers []float32
					numbers, m.answers.ok[i] = s.again(m, en, &m.desks[core])
					copy(m.answers.row(i, len(s.nodes)), numbers)
				}
			}
			shares.Done()
		}
	}
	for c := 1; c < cores; c++ {
		go work(c)
	}
	work(0)
	shares.Wait()
}

// touch reads what of some items stands apart in memory, before they are scored: here the processor waits for many such places at
// once, and in a score for one after the other. The sum is for nobody; without one nothing would be read.
func touch(items []*entry) (read float32) {
	for _, en := range items {
		if en == nil {
			continue
		}
		if len(en.over) > 0 {
			read += en.over[0].most
		}
		for i := range en.links {
			if n := en.links[i].numbers; len(n) > 0 {
				read += n[0]
			}
		}
		if w := en.spoken.words; len(w) > 0 {
			read += float32(w[0])
		}
	}
	return read
}

// peeker is a Recaller that may tell that it only reads the memory.
type peeker interface{ reads(*Memory) bool }

// reads tells that no factor of the tree writes into the memory when it is asked again, so that several goroutines may ask.
func (s *Strategy) reads(m *Memory) bool {
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.merger != nil {
			return false
		}
		if n.recaller != nil {
			if r, ok := n.recaller.(peeker); !ok || !r.reads(m) {
				return false
			}
		}
	}
	return true
}

// answers are what some items are worth that were scored again: the numbers of all nodes, item after item.
type answers struct {
	numbers []float32
	of      []*entry // nil where nothing is remembered
	ok      []bool
}

func (a *answers) room(items, nodes int) {
	a.numbers = slices.Grow(a.numbers[:0], items*nodes)[:items*nodes]
	a.of = slices.Grow(a.of[:0], items)[:items]
	a.ok = slices.Grow(a.ok[:0], items)[:items]
}

func (a *answers) row(i, nodes int) []float32 { return a.numbers[i*nodes : (i+1)*nodes : (i+1)*nodes] }

// desk is what one goroutine writes on while it scores a link again: two explanations, and what holds for all links to an
// address.
type desk struct {
	one, other []float32
	same       []float64
	added      []added
	leans      leans
	read       float32 // see touch
}

// desk is the desk of one core; those before it are there, too.
func (m *Memory) desk(core, nodes int) *desk {
	if len(m.desks) > 0 && len(m.desks[0].one) != nodes {
		m.desks = nil // another strategy's
	}
	for len(m.desks) <= core {
		m.desks = append(m.desks, desk{one: make([]float32, nodes), other: make([]float32, nodes), same: make([]float64, nodes), added: make([]added, nodes)})
	}
	return &m.desks[core]
}

// waiting is what is kept of an item that waits, for the strategy the memory serves; nil where nothing is.
func (m *Memory) waiting(item uint64, s *Strategy) *entry {
	if m == nil {
		return nil
	}
	if m.serves == nil {
		m.Serve(s)
	}
	if m.serves != s || m.off {
		return nil
	}
	if en := m.known(item); en != nil && !en.fetched {
		return en
	}
	return nil
}

// again walks the links to a waiting address through the tree. The best one counts. What says the same of all of them is
// asked once, and what stands below the nodes that are taken over all links is looked at for the one that counts.
func (s *Strategy) again(m *Memory, en *entry, d *desk) (numbers []float32, ok bool) {
	scratch, spare := d.one, d.other
	d.leans = leans{}
	w := walk{s: s, trace: Trace{memory: m, entry: en, leans: &d.leans}, same: d.same, added: d.added, whole: len(en.over) < s.overs}
	best, hedge := 0, 0
	for i := range en.links {
		link := &en.links[i]
		if len(link.numbers) != s.fixed {
			return nil, false
		}
		d.leans.turn()
		link.score = w.link(link, scratch)
		from := i // what the scratch has of the hedge is this link's
		switch {
		case numbers == nil:
			numbers, scratch, w.later = scratch, spare, !w.whole
			copy(scratch, numbers)
			continue
		case link.score > numbers[0]:
			numbers, scratch, best = scratch, numbers, i
			from, hedge = hedge, i
		}
		if s.hedge > 0 && scratch[s.hedge] > numbers[s.hedge] {
			copy(numbers[s.hedge:], scratch[s.hedge:])
			hedge = from
		}
	}
	if numbers != nil && !w.whole {
		w.explain(en, numbers, best, hedge)
	}
	return numbers, numbers != nil
}

// explain writes down what stands below the nodes that are taken over all links: of the link that counts, and in the hedge's
// tree of the one that counts there.
func (w *walk) explain(en *entry, numbers []float32, best, hedge int) {
	w.later, w.whole, w.numbers = false, true, numbers
	for _, i := range w.s.spread {
		w.trace.link = &en.links[best]
		if w.s.hedge > 0 && i >= w.s.hedge {
			w.trace.link = &en.links[hedge]
		}
		w.old = w.trace.link.numbers
		w.node(i)
	}
}

// link walks one link to a waiting address through the tree.
func (w *walk) link(link *kept, numbers []float32) float32 {
	w.trace.link, w.old, w.numbers = link, link.numbers, numbers
	numbers[0] = finite(w.node(0))
	if w.s.hedge > 0 {
		numbers[w.s.hedge] = finite(w.node(w.s.hedge))
	}
	return numbers[0]
}

// From scores a waiting item again by the links of one page alone, of any page where it is 0. It changes nothing: what is
// remembered of the item is as it was. numbers is the explanation, as that of Rescore; ok is false where no such link is
// kept.
func (s *Strategy) From(page, item uint64, m *Memory) (numbers []float32, ok bool) {
	en := m.waiting(item, s)
	if en == nil {
		return nil, false
	}
	w := walk{s: s, trace: Trace{memory: m, entry: en}, whole: true}
	scratch := make([]float32, len(s.nodes))
	for i := range en.links {
		link := &en.links[i]
		if page != 0 && link.parent != page || len(link.numbers) != s.fixed {
			continue
		}
		if w.link(link, scratch); numbers == nil || scratch[0] > numbers[0] {
			numbers, ok = append(numbers[:0], scratch...), true
		}
	}
	return numbers, ok
}
