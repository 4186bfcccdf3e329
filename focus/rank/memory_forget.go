package rank

// Bound says how many addresses are kept at most. Beyond it those are forgotten that were heard of first; they wait on
// with the score they have.
func (m *Memory) Bound(entries int) {
	m.limit = max(entries, 1)
	m.forget()
}

// forget drops the oldest entries beyond the limit, and the groups that spoke for them alone.
func (m *Memory) forget() {
	for m.entries.len() > m.limit {
		en := *m.at(m.entries.first)
		m.entries.drop()
		delete(m.index, en.item)
		for _, g := range en.groups {
			m.leave(g, en.fetched)
		}
	}
}

// leave takes an entry that is forgotten out of a group.
func (m *Memory) leave(g uint32, fetched bool) {
	group := &m.groups[g]
	group.refs--
	if !fetched {
		group.gone++
		group.compact(m.waits)
	}
	m.release(g)
}

// release frees a group that speaks for nobody.
func (m *Memory) release(g uint32) {
	group := &m.groups[g]
	if group.refs > 0 || group.reach.lasts() && len(m.keys) <= groupsPerEntry*m.limit {
		return
	}
	delete(m.keys, group.key)
	*group = freed
	m.spare = append(m.spare, g)
}
