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
	leans    *leans    // what was worked out of it so far; nil where nobody keeps it
}

// Trace is what Memory knows around the link.
func (e *Evidence) Trace() Trace { return Trace{memory: e.Memory, evidence: e, leans: e.known.leans} }

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
	if en := t.memory.known(t.evidence.Item); en != nil {
		return int(en.degree) + 1
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
