package topic

import "sync/atomic"

// Met is where the topic's own words occur in short texts of a page, found before they are asked for.
type Met struct {
	texts map[string]occurs
	all   []meeting // of all texts
}

// occurs is where a text's meetings stand among those of its page, and of how many words it is.
type occurs struct{ from, to, words uint32 }

// asked is which short texts of links somebody asks for: a strategy may look at anchors, at what stands around them, or at none.
type asked struct{ anchors, around atomic.Bool }

// on notes that somebody asks.
func on(b *atomic.Bool) {
	if !b.Load() {
		b.Store(true)
	}
}

// Settled tells that a judgement depends on the page alone: no page that was judged, and no start page, makes a difference to it.
// Judge, Meet and what they look at may then be asked beside everything else.
func (t *Topic) Settled() bool { return !t.learns() && !t.NeedsSeeds() }

// Meet looks for the topic's words in the texts of a page's links, as far as texts of earlier pages were asked for. It is for topics
// that are settled, and most of the work of Sim, SimAround and Hint, which know it after Bring.
func (t *Topic) Meet(links int, texts func(i int) (anchor, before, after string)) *Met {
	anchors, around := t.asked.anchors.Load(), t.asked.around.Load()
	if !anchors && !around {
		return nil
	}
	m := &Met{texts: make(map[string]occurs, 2*links)} // some of three texts stand beside several links
	d := t.desk()
	defer t.desks.Put(d)
	for i := range links {
		anchor, before, after := texts(i)
		if anchors {
			t.meet(m, d, anchor)
		}
		if around {
			t.meet(m, d, before)
			t.meet(m, d, after)
		}
	}
	return m
}

func (t *Topic) meet(m *Met, d *desk, s string) {
	if _, known := m.texts[s]; known || s == "" {
		return
	}
	from, words := len(m.all), 0
	m.all, words = t.meetings(m.all, d, s)
	m.texts[s] = occurs{uint32(from), uint32(len(m.all)), uint32(words)}
}

// With is the topic with what was met on a page, for whoever looks at that page alone: others do not know it.
func (t *Topic) With(m *Met) *Topic {
	own := *t
	own.brought = &atomic.Pointer[Met]{}
	own.Bring(m)
	return &own
}

// Bring lets what was met on a page be known until another page's is brought; nil is nothing.
func (t *Topic) Bring(m *Met) { t.brought.Store(m) }

// here is what was met in a text of the page that was brought last.
func (t *Topic) here(s string) (met []meeting, words int, ok bool) {
	m := t.brought.Load()
	if m == nil {
		return nil, 0, false
	}
	f, ok := m.texts[s]
	return m.all[f.from:f.to], int(f.words), ok
}
