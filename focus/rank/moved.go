package rank

import "slices"

// Moved tells that a link's address sent us on to another one, which waits in its place now: what is hoped of it is what
// was hoped of the link, and its outcome will be the link's. It is no outcome itself, so that a host that has moved to
// https is none of which nothing good came. An address that was known already keeps what is known of it.
func (m *Memory) Moved(from, to uint64) {
	if m == nil || m.off || m.serves == nil || from == 0 || to == 0 || from == to {
		return
	}
	m.lesson.moved(from, to)
	m.moved(from, to)
}

func (m *Memory) moved(from, to uint64) {
	serial, known := m.index[from]
	if !known || m.at(serial).fetched {
		return
	}
	m.now++
	_, linked := m.index[to]
	if !linked {
		m.inherit(serial, m.entry(to))
	}
	en := m.at(serial)
	en.fetched, en.links, en.over, en.spoken = true, nil, nil, speech{}
	for _, g := range en.groups {
		group := &m.groups[g]
		group.gone++
		group.compact(m.waits)
	}
	if m.graph != nil {
		site := m.graph.nodes[m.graph.node(from)].site
		m.graph.fetched(from, 0)
		m.graph.link(from, to, 1, [2]uint32{site, site}, 0)
	}
	m.forget()
}

// inherit gives an address all that is known of another one that waits.
func (m *Memory) inherit(from, to uint32) {
	old, heir := m.at(from), m.at(to)
	heir.degree, heir.address, heir.scored, heir.touched = old.degree, old.address, m.now, m.now
	heir.links, heir.over, heir.spoken = old.links, old.over, old.spoken
	for _, g := range slices.Clone(old.groups) {
		m.join(to, g)
	}
}
