package topic

import "slices"

// Hint is what links say of the address they lead to: the topic's words in their anchors, and in what stands around them.
// Hints of several links to one address are merged by Add, as if one link said it all.
type Hint struct{ Anchor, Around []Said }

// Said is one of the topic's words, by its number, and how often it was said.
type Said struct{ Word, Times uint32 }

// Hint reads the hint of one link: its anchor, the last n words before it and the first n behind it.
func (t *Topic) Hint(anchor, before, after string, n int) (h Hint) {
	d := t.desk()
	defer t.desks.Put(d)
	on(&t.asked.anchors)
	d.met, _ = t.meetings(d.met[:0], d, anchor)
	h.Anchor = t.said(d.met)
	d.met = t.around(d.met[:0], d, before, after, n)
	h.Around = t.said(d.met)
	return h
}

// said counts the words that were met, as far as links are looked at for them.
func (t *Topic) said(met []meeting) (all []Said) {
	for _, m := range met {
		if t.query.weight[m.id] != 0 {
			all = add(all, Said{uint32(m.id), 1})
		}
	}
	return all
}

// SimHint is how near a hint comes to the topic: by the anchors or by what stands around them, whichever is nearer.
func (t *Topic) SimHint(h Hint) float64 { return max(t.simSaid(h.Anchor), t.simSaid(h.Around)) }

func (t *Topic) simSaid(all []Said) float64 {
	d := t.desk()
	defer t.desks.Put(d)
	d.ids, d.tf = d.ids[:0], d.tf[:0]
	for _, s := range all {
		if int64(s.Word) < int64(len(t.query.weight)) { // a saved one may be of another topic
			d.ids, d.tf = append(d.ids, int32(s.Word)), append(d.tf, float64(s.Times))
		}
	}
	return t.query.cosine(d.ids, d.tf, t.component)
}

// Add merges another hint into this one. The words stand in the order in which they were first said.
func (h *Hint) Add(other Hint) {
	for _, s := range other.Anchor {
		h.Anchor = add(h.Anchor, s)
	}
	for _, s := range other.Around {
		h.Around = add(h.Around, s)
	}
}

// Clone is a copy that may be added to.
func (h Hint) Clone() Hint { return Hint{slices.Clone(h.Anchor), slices.Clone(h.Around)} }

// mostSaid bounds how often a word counts: an address that every page links to says the same for ever.
const mostSaid = 1 << 20

func add(all []Said, one Said) []Said {
	for i := range all {
		if all[i].Word == one.Word {
			all[i].Times = min(all[i].Times+one.Times, mostSaid)
			return all
		}
	}
	return append(all, one)
}
