package rank

// Recaller is a Factor that reads Memory. What is kept there of a waiting link is enough for it to answer again when
// the memory has changed, without the page the link stands on.
type Recaller interface {
	Recall(Trace) float64
}

// AddressRecaller is a Recaller that may answer for an address alone, whichever of the links to it is scored again: it is asked
// once then.
type AddressRecaller interface {
	Recaller
	OfAddress() bool
}

// Trace is what Memory knows around one link: how the links beside it turned out. A factor asks it the same way
// whether the link is scored for the first time or again. The outcome of the link itself is in none of the answers:
// it waits.
type Trace struct {
	memory   *Memory
	evidence *Evidence // of a link that is scored for the first time
	entry    *entry    // of the address it leads to; nil while it is not known
	link     *kept     // of a link that is scored again
}

// Trace is what Memory knows around the link.
func (e *Evidence) Trace() Trace { return Trace{memory: e.Memory, evidence: e} }

// Block is how the other links of the link's block turned out.
func (t Trace) Block() Tally { return t.tally(byBlock) }

// Page is how the other links of its page turned out.
func (t Trace) Page() Tally { return t.tally(byPage) }

// Path is how the links of the same tag path on pages of the same host turned out.
func (t Trace) Path() Tally { return t.tally(byPath) }

// Shape is how addresses like the link's on the same host turned out.
func (t Trace) Shape() Tally { return t.tally(byShape) }

// Directory is how the addresses of the link's host turned out that share its first levels directories, 1 to 3.
func (t Trace) Directory(levels int) Tally {
	switch levels {
	case 1:
		return t.tally(byDirectory)
	case 2:
		return t.tally(bySecond)
	}
	return t.tally(byThird)
}

// Host is how the pages of the link's host turned out.
func (t Trace) Host() Tally { return t.tally(byHost) }

// Degree is how many links to the address were seen, this one included.
func (t Trace) Degree() int {
	if t.memory == nil {
		return 0
	}
	if t.entry != nil {
		return int(t.entry.degree)
	}
	if serial, ok := t.memory.index[t.evidence.Item]; ok {
		return int(t.memory.at(serial).degree) + 1
	}
	return 1
}

// item is the item of the address the link leads to, parent that of the page it stands on.
func (t Trace) item() uint64 {
	if t.link != nil {
		return t.entry.item
	}
	return t.evidence.Item
}

func (t Trace) parent() uint64 {
	if t.link != nil {
		return t.link.parent
	}
	return t.evidence.Parent
}

// All is how everything turned out that was fetched.
func (t Trace) All() Tally {
	if t.memory == nil {
		return Tally{}
	}
	return t.memory.all
}

// tally is what is known of one reach. Memory keeps a reach from the moment it is first asked for.
func (t Trace) tally(r reach) Tally {
	if t.memory == nil {
		return Tally{}
	}
	g, _ := t.group(r)
	return g.Tally
}

// group is the group of one reach and its key. Where there is none yet, it is an empty one.
func (t Trace) group(r reach) (g *group, key uint64) {
	m := t.memory
	m.want(r)
	switch {
	case t.link != nil && r.ofLink():
		g = &m.groups[t.link.groups[r]]
		return g, g.key
	case t.link != nil:
		g = &m.groups[t.entry.address[r]]
		return g, g.key
	case r.ofLink():
		key = t.evidence.key(r)
	default:
		m.place(r, t.evidence)
		key = t.evidence.key(r)
	}
	return &m.groups[m.keys[key]], key
}

// place finds the page that is being ranked its place among the addresses, so that its own outcome counts for its
// host and directory. Pages that were linked have theirs; start pages get it here.
func (m *Memory) place(r reach, e *Evidence) {
	s := e.sheet()
	if s.placed&(1<<r) != 0 || e.Page == nil {
		return
	}
	s.placed |= 1 << r
	serial, ok := m.index[e.Parent]
	if !ok {
		return
	}
	en := m.at(serial)
	key, start := uint64(0), e.Trail.Depth == 0
	if g := en.address[r]; g == 0 {
		key = addressKey(r, e.Page.URL)
	} else if !start || m.groups[g].seed {
		return
	}
	m.lesson.placed(m, e.Parent, r, key, start)
	m.settle(serial, r, key, start)
}

// settle gives an address its group of one reach; key is 0 where it has it. start says that it is a start page.
func (m *Memory) settle(serial uint32, r reach, key uint64, start bool) {
	en := m.at(serial)
	if key != 0 {
		en.address[r] = m.join(serial, m.group(r, key))
	}
	if g := en.address[r]; g != 0 && start {
		m.groups[g].seed = true
	}
}

// want keeps a reach from now on.
func (m *Memory) want(r reach) {
	if !m.keeps(r) {
		m.wants |= 1 << r
		m.lesson.wanted(r)
	}
}

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
	return s.again(m, en)
}

// waiting is what is kept of an item that waits, for the strategy the memory serves; nil where nothing is.
func (m *Memory) waiting(item uint64, s *Strategy) *entry {
	if m == nil {
		return nil
	}
	if m.serves == nil {
		m.Serve(s)
	}
	serial, known := m.index[item]
	if m.serves != s || m.off || !known || m.at(serial).fetched {
		return nil
	}
	return m.at(serial)
}

// again walks the links to a waiting address through the tree. The best one counts. What says the same of all of them is
// asked once, and what stands below the nodes that are taken over all links is looked at for the one that counts.
func (s *Strategy) again(m *Memory, en *entry) (numbers []float32, ok bool) {
	scratch, spare := m.sheets(len(s.nodes))
	w := walk{s: s, trace: Trace{memory: m, entry: en}, same: m.same, whole: len(en.over) < s.overs}
	best, hedge := 0, 0
	for i := range en.links {
		link := &en.links[i]
		if len(link.numbers) != s.fixed {
			return nil, false
		}
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

// sheets are two explanations of n numbers to write on, always the same two.
func (m *Memory) sheets(n int) (a, b []float32) {
	if len(m.drafts) != 2*n {
		m.drafts, m.same = make([]float32, 2*n), make([]float64, n)
	}
	clear(m.drafts)
	return m.drafts[:n:n], m.drafts[n:]
}
