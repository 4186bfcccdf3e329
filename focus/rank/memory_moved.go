package rank

import "slices"

// Moved tells that a link's address sent us on to another one, which waits in its place now: what is hoped of it is what
// was hoped of the link, and its outcome will be the link's. It is no outcome itself, so that a host that has moved to
// https is not taken for one that came to nothing. An address that was known already keeps what is known of it, and its outcome
// counts beside the link, too. Other links to the old address are links to the new one from now on.
func (m *Memory) Moved(from, to uint64) {
	if m == nil || m.off || m.serves == nil || from == 0 || to == 0 || from == to {
		return
	}
	m.lesson.moved(from, to)
	m.moved(from, to)
}

// moved does what Moved tells. The new address joins the groups of the old one, so that its outcome counts there; the old one is done
// with, and counts in them no more.
func (m *Memory) moved(from, to uint64) {
	serial, known := m.index[from]
	if !known || m.at(serial).fetched {
		return
	}
	m.now++
	_, linked := m.index[to]
	heir := m.entry(to)
	if !linked {
		m.inherit(serial, heir)
	}
	if m.apprentice != nil {
		m.apprentice.moved(m.at(serial).finder, from, to)
	}
	for _, g := range slices.Clone(m.at(serial).groups) {
		m.join(heir, g)
	}
	en := m.at(serial)
	en.fetched, en.heir, en.links, en.over, en.spoken, en.hints, en.finder = true, to, nil, nil, speech{}, nil, 0
	for _, g := range en.groups {
		group := &m.groups[g]
		group.gone++
		group.compact(m.waits)
	}
	if m.graph != nil {
		site := m.graph.nodes[m.graph.node(from)].site
		m.graph.fetched(from, 0)
		m.graph.link(from, to, edge{links: 1, part: 1, sites: [2]uint32{site, site}})
	}
	m.forget()
}

// inherit gives an address all that is known of another one that waits.
func (m *Memory) inherit(from, to uint32) {
	old, heir := m.at(from), m.at(to)
	heir.degree, heir.address, heir.scored, heir.touched = old.degree, old.address, m.now, m.now
	heir.links, heir.over, heir.spoken, heir.hints, heir.finder = old.links, old.over, old.spoken, old.hints, old.finder
}

// maxMoves bounds how often an address is followed to another one: some lead in a circle.
const maxMoves = 8

// heir is the item that is visited in the place of one: itself, where its address sent us nowhere else.
func (m *Memory) heir(item uint64) uint64 {
	for range maxMoves {
		en := m.known(item)
		if en == nil || en.heir == 0 {
			break
		}
		item = en.heir
	}
	return item
}
