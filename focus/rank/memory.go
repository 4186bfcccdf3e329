package rank

import "slices"

// Memory holds what grows with each in-link and each fetch, by item id. A nil *Memory remembers nothing. It keeps
// only what the strategy asks it for: a strategy without feedback leaves it empty. It is for one goroutine at a time,
// and for one strategy: of each waiting address it keeps what its best few links were worth, so that the address can
// be scored again without its pages (see Strategy.Rescore).
//
// What it is told is written down as a lesson at the same time, and whoever applies the same lessons in the same order has the
// same memory, to the bit. So nothing here may depend on the clock, on chance, or on the order of a map.
type Memory struct {
	serves  *Strategy
	off     bool              // the strategy has no use for a memory
	wants   uint32            // the reaches it asked for, one bit each
	limit   int               // how many entries are kept
	now     uint64            // counts whatever changed
	all     Tally             // everything fetched
	groups  []group           // groups[0] is none
	spare   []uint32          // groups that are free
	keys    map[uint64]uint32 // key → group
	entries roll              // the oldest are forgotten first
	index   map[uint64]uint32 // item → serial
	graph   *graph
	turned  uint64 // when the graph last changed what is said of every address
	swept   uint64 // when somebody last asked for that
	sheet   sheet
	leans   leans // of the link that is scored for the first time now
	told    []uint64
	desks   []desk   // for scoring again, one a core,
	answers answers  // and what came of it
	seen    seenLink // the link that is told now
	lesson  lesson   // what was told since somebody last asked

	apprentice *apprentice // nil where the strategy has none
	lanes      *lanes      // nil where it has no hedge

	beliefs
}

// beliefs are what was told before anything was fetched, by the keys of hosts, directories and shapes of address.
type beliefs struct {
	priors map[uint64]prior
	shown  map[uint64]uint32 // how many example pages there are
}

// entry is what is kept of one address.
type entry struct {
	item      uint64
	relevance float32
	fetched   bool
	relevant  bool
	heir      uint64 // the item of the address it sent us on to; it has no outcome of its own then
	degree    uint32
	scored    uint64          // when it was last scored
	told      uint64          // when it was last told to be scored again
	touched   uint64          // when another link to it changed what is taken over all of them
	over      []running       // what the nodes said of the links to it that are taken over all of them
	address   [reaches]uint32 // the groups of the address itself
	groups    []uint32        // all groups it counts in, those of its in-links included
	links     []kept          // the best of the links to it, while it waits
	spoken    speech          // what an apprentice heard of it, while it waits
	hints     *hinted         // what its links say, while it waits and where a factor merges that
	finder    uint64          // for an apprentice: the page that was the first to link to it, while it waits
}

// kept is one link to a waiting address, as far as scoring it again needs it.
type kept struct {
	score   float32
	parent  uint64 // the item of the page it stands on
	groups  [byPath + 1]uint32
	numbers []float32 // of the leaves that do not read Memory
}

const (
	// defaultLimit is how many addresses a memory keeps: about what a sweep over the whole frontier can score, in a third
	// of a kilobyte to one and a half each.
	defaultLimit = 200_000
	// keptLinks is how many links to one address are kept. A link that is not among the best four hardly ever
	// becomes the best, and portals link to one address from hundreds of pages.
	keptLinks = 4
	// groupsPerEntry bounds the hosts, directories and tag paths whose outcomes are kept though none of their
	// addresses is.
	groupsPerEntry = 4
	// nearest is how many waiting links hear of a page at once where all are scored again now and then, as an apprentice's are.
	nearest = 128
	// maxGroups bounds the groups one address counts in, for the addresses every page links to.
	maxGroups = 96
)

// NewMemory makes an empty memory.
func NewMemory() *Memory {
	return &Memory{limit: defaultLimit, groups: make([]group, 1), keys: map[uint64]uint32{}, index: map[uint64]uint32{}, beliefs: beliefs{map[uint64]prior{}, map[uint64]uint32{}}}
}

// Linked tells that a link to item was seen, with the evidence it was ranked by. It follows the ranking of that link
// and comes before the next fetch. Links to addresses that wait already, or were fetched, are told too: they count.
func (m *Memory) Linked(item uint64, e *Evidence) {
	if m == nil || e == nil || m.off || m.serves == nil || item == 0 {
		return
	}
	m.see(m.heir(item), e)
	m.lesson.seen(m, &m.seen)
	m.linked(&m.seen)
}

// keep takes a link among the best ones, if it is one. numbers are those of its leaves that do not read Memory.
func (en *entry) keep(link kept, numbers []float32) {
	at := len(en.links)
	if at < keptLinks {
		en.links = append(en.links, link)
	} else {
		at = 0
		for i := range en.links {
			if en.links[i].score < en.links[at].score {
				at = i
			}
		}
		if !(link.score > en.links[at].score) {
			return
		}
		link.numbers = en.links[at].numbers
		en.links[at] = link
	}
	k := &en.links[at]
	k.numbers = append(k.numbers[:0], numbers...)
}

// Fetched tells how a promise turned out. It answers the waiting items whose scores this changes, the nearest first,
// at most limit of them: those of the same block, then of the same page, tag path, and so on. Where there are more,
// the next fetch goes on where this one stopped. The answer is good until the next call.
func (m *Memory) Fetched(item uint64, relevance float64, relevant bool, limit int) []uint64 {
	if m == nil || m.off || item == 0 {
		return nil
	}
	value := float32(unit(orZero(relevance)))
	m.lesson.outcome(item, value, relevant, limit)
	return m.fetched(item, value, relevant, limit)
}

// fetched takes an outcome in, once for an item: a visit that is told twice, as after a crash, must not count twice. What was kept
// so that the address could be scored again goes; what it counts in stays.
func (m *Memory) fetched(item uint64, relevance float32, relevant bool, limit int) []uint64 {
	en := m.at(m.entry(item))
	if en.fetched {
		return nil
	}
	m.now++
	if m.lanes != nil {
		m.lanes.judge(m.serves.shares, float64(relevance), m.all)
	}
	m.experience(en, float64(relevance))
	en.fetched, en.relevant, en.relevance = true, relevant, relevance
	en.links, en.over, en.spoken, en.hints, en.finder = nil, nil, speech{}, nil, 0
	m.all.add(float64(en.relevance), relevant)
	for _, g := range en.groups {
		group := &m.groups[g]
		group.gone++
		group.add(float64(en.relevance), relevant)
		group.changed = m.now
		group.compact(m.waits)
		group.owe(m.all, m.apprentice != nil)
	}
	m.told = m.told[:0]
	// The apprentice moves every score. All that wait are scored again at growing intervals, since a page teaches it ever less, and
	// fewer have to hear of each page.
	if p := m.apprentice; p != nil {
		limit = min(limit, nearest)
		if m.all.Fetched >= p.due {
			p.due = m.all.Fetched + max(p.Every, int(p.Growth*float64(m.all.Fetched)))
			m.turned = m.now
		}
	}
	if m.graph != nil {
		m.graph.fetched(item, en.relevance)
		m.tellPromising(m.graph.handed(), limit)
	}
	for r := reach(0); r < reaches && len(m.told) < limit; r++ {
		for _, g := range en.groups {
			if m.groups[g].reach == r {
				m.tell(&m.groups[g], limit)
			}
		}
	}
	m.forget()
	return m.told
}

// LinksTold tells that the links of the page that was fetched last have all been told, also where it had none. The graph is
// worked out anew if it is time for that, and the answer is the waiting items that it raised, the most promising first, at
// most limit of them. It is good until the next call.
func (m *Memory) LinksTold(limit int) []uint64 {
	if m == nil || m.off || m.graph == nil {
		return nil
	}
	m.lesson.linksTold(limit)
	return m.linksTold(limit)
}

// linksTold works the graph out.
func (m *Memory) linksTold(limit int) []uint64 {
	m.now++
	m.told = m.told[:0]
	m.graph.settle()
	if m.graph.solved() {
		m.turned = m.now
	}
	m.tellPromising(m.graph.promising(limit), limit)
	return m.told
}

// tellPromising collects the waiting addresses that the graph raised.
func (m *Memory) tellPromising(items []uint64, limit int) {
	for _, item := range items {
		serial, ok := m.index[item]
		if !ok || len(m.told) >= limit || !m.waits(serial) || m.at(serial).told == m.now {
			continue
		}
		m.at(serial).told = m.now
		m.told = append(m.told, item)
	}
}

// tell collects the waiting members of a group that have not heard of it since it moved, from where it stopped the last time:
// under the limit, all members have their turn sooner or later.
func (m *Memory) tell(g *group, limit int) {
	for ; g.owed > 0 && len(m.told) < limit; g.owed-- {
		if g.next >= uint32(len(g.members)) {
			g.next = 0
		}
		serial := g.members[g.next]
		g.next++
		if !m.waits(serial) {
			continue
		}
		if en := m.at(serial); en.told != m.now {
			en.told = m.now
			m.told = append(m.told, en.item)
		}
	}
}

// Stale tells whether something an item's score is made of has changed since it was last scored: every change, and every scoring,
// has the time of m.now, which only grows.
func (m *Memory) Stale(item uint64) bool {
	if m == nil {
		return false
	}
	en := m.known(item)
	if en == nil || en.fetched || len(en.links) == 0 {
		return false
	}
	for _, g := range en.groups {
		if m.groups[g].changed > en.scored {
			return true
		}
	}
	return max(m.turned, en.touched) > en.scored
}

// Sweep tells whether something has changed since it was last asked that the score of every waiting item is made of,
// as a new PageRank is. Fetched tells the most promising of them; a crawl that can afford it scores all of them again.
func (m *Memory) Sweep() bool {
	if m == nil {
		return false
	}
	if m.turned <= m.swept {
		return false
	}
	m.lesson.swept()
	m.swept = m.now
	return true
}

// Len is how many addresses are kept.
func (m *Memory) Len() int { return len(m.index) }

// keeps tells whether the strategy asked for a reach.
func (m *Memory) keeps(r reach) bool { return m.wants&(1<<r) != 0 }

// Serve says which strategy the memory is kept for. A crawl that goes on with what another one saved says it first: a
// lesson is told to the strategy that learned it. Without it, the first link that is scored says it.
func (m *Memory) Serve(s *Strategy) {
	m.serves = s
	if m.off = !s.recalls; m.off {
		m.entries = roll{base: m.entries.next, first: m.entries.next, next: m.entries.next}
		clear(m.index)
	}
	if s.hedge > 0 && m.lanes == nil {
		m.lanes = newLanes(s.shares)
	}
	if s.learns && m.apprentice == nil {
		m.apprentice = newApprentice(s.nodes[s.apprentice].with.(Apprenticeship), s.weights())
	}
}

// at is an entry by its serial, which must not be below the first. The pointer is good as long as the entry is kept.
func (m *Memory) at(serial uint32) *entry { return m.entries.at(serial) }

// known is what is kept of an item; nil where nothing is.
func (m *Memory) known(item uint64) *entry {
	if serial, ok := m.index[item]; ok {
		return m.at(serial)
	}
	return nil
}

// waits tells whether an entry is still kept and not fetched yet.
func (m *Memory) waits(serial uint32) bool { return serial >= m.entries.first && !m.at(serial).fetched }

// entry is the serial of an item, which is taken in if it is not known.
func (m *Memory) entry(item uint64) uint32 {
	if serial, ok := m.index[item]; ok {
		return serial
	}
	serial, en := m.entries.add()
	en.item = item
	m.index[item] = serial
	return serial
}

// group is the number of the group of a key, which is made if there is none.
func (m *Memory) group(r reach, key uint64) uint32 {
	if g, ok := m.keys[key]; ok {
		return g
	}
	g := uint32(len(m.groups))
	if n := len(m.spare); n > 0 {
		g, m.spare = m.spare[n-1], m.spare[:n-1]
	} else {
		m.groups = append(m.groups, group{})
	}
	m.groups[g] = group{reach: r, key: key}
	m.keys[key] = g
	return g
}

// join counts an address in a group, once, and answers the group. What was fetched already counts at once. An address
// that counts in too many groups joins no other: the answer is none then.
func (m *Memory) join(serial, g uint32) uint32 {
	en := m.at(serial)
	if slices.Contains(en.groups, g) {
		return g
	}
	if len(en.groups) >= maxGroups {
		m.release(g)
		return 0
	}
	en.groups = append(en.groups, g)
	group := &m.groups[g]
	group.refs++
	if !en.fetched {
		group.members = append(group.members, serial)
		if group.owed > 0 {
			group.owed++
		}
		return g
	}
	if en.heir != 0 {
		return g
	}
	m.now++
	group.add(float64(en.relevance), en.relevant)
	group.changed = m.now
	return g
}
