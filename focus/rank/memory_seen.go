package rank

// seenLink is a link that was seen, as far as memory is concerned.
type seenLink struct {
	item, parent uint64
	score        float32
	numbers      []float32       // of the leaves that do not read Memory
	said         []float32       // by the nodes that are taken over all links
	keys         [reaches]uint64 // of the reaches that are kept; 0 for those of an address that has its group
	edge         edge
	promise      float32 // what an apprentice hopes for of it: its chance, or fade times what is hoped for behind it
	spoken       speech  // what it heard
	hint         hinted  // where a factor merges them: what the link says, and what it promises with all earlier ones
}

// reset makes place for another link.
func (s *seenLink) reset(of *Strategy) {
	*s = seenLink{numbers: s.numbers[:0], said: s.said[:0]}
	for range of.fixed {
		s.numbers = append(s.numbers, 0)
	}
	for range of.overs {
		s.said = append(s.said, 0)
	}
}

// see makes a seen link of the evidence a link was ranked by. It reads the memory and changes nothing, so that what is written into a
// lesson is all that linked needs: whoever hears the lesson has neither page nor evidence.
func (m *Memory) see(item uint64, e *Evidence) {
	s := &m.seen
	s.reset(m.serves)
	s.item, s.parent, s.score, s.edge = item, e.Parent, e.known.score, m.edge(item, e)
	for i := range e.known.numbers {
		if n := &m.serves.nodes[i]; n.kind == leaf && n.recaller == nil {
			s.numbers[n.fixed] = e.known.numbers[i]
			if n.merger != nil {
				s.numbers[n.fixed] = float32(n.merger.Own(e))
			}
		}
	}
	if reach := m.serves.merges; reach > 0 {
		s.hint = hinted{e.ownHint(reach), float32(e.Hint(reach))}
	}
	copy(s.said, e.known.raw[:])
	known := m.known(item)
	if known == nil {
		known = &entry{}
	}
	if p := m.apprentice; p != nil {
		at := e.known.numbers[m.serves.apprentice:]
		s.promise = max(at[saysChance], float32(p.Fade)*at[saysFuture])
		if !known.fetched && int(known.spoken.count) < p.Links {
			s.spoken = e.speech(&p.Apprenticeship)
		}
	}
	for r := range reaches {
		switch {
		case !m.keeps(r):
		case r.ofLink():
			s.keys[r] = e.key(r)
		case known.address[r] == 0:
			s.keys[r] = e.key(r)
		}
	}
}

// linked takes a seen link in.
func (m *Memory) linked(s *seenLink) {
	serial := m.entry(s.item)
	en := m.at(serial)
	en.degree++
	link := kept{score: s.score, parent: s.parent}
	for r := range reaches {
		switch {
		case s.keys[r] == 0:
		case r.ofLink():
			link.groups[r] = m.join(serial, m.group(r, s.keys[r]))
		default:
			en.address[r] = m.join(serial, m.group(r, s.keys[r]))
		}
	}
	if !en.fetched {
		en.keep(link, s.numbers)
		if m.apprentice != nil {
			m.apprentice.hear(en, s)
		}
	}
	if m.graph != nil && s.edge.links > 0 {
		m.graph.link(s.parent, s.item, s.edge)
	}
	en.scored = m.now // it was just ranked, with all that was known by then; what this link itself changes makes it stale
	m.now++
	en.count(s.said, m.now)
	if m.serves.merges > 0 {
		en.hint(s, m.now)
	}
	m.forget()
}
