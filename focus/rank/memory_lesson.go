package rank

import (
	"errors"
	"fmt"
	"math"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// lesson is what a memory was told, in order: not the evidence, but what the memory made of it. It is written only where
// somebody wants it.
type lesson struct {
	on     bool
	others func() // says what a lesson is made of, to those who have been told something else; nil where nobody else hears it
	told   telling
}

// telling writes a lesson, or reads it.
type telling struct {
	coder
	item   uint64 // the last one told: most are near it
	parent uint64 // the last page a link stood on: most links stand on the same
}

// What a memory can be told.
const (
	toldLink    = iota // a link was seen
	toldOutcome        // a page was fetched
	toldRescore        // a waiting address was scored again
	toldSweep          // everything is scored again
	toldWant           // a reach is kept from now on
	toldPlace          // a page got its place among the addresses
	toldGraph          // the graph is kept from now on
	toldOrder          // an order of it is
	toldPurse          // its cash is
	toldTaken          // from which lane a link was taken
	toldMoved          // an address sent us on to another one
	toldStart          // the page read last is a start page, though another one linked to it
	toldLinks          // the links of a page have all been told

	tellings // how many there are
)

// Record lets the memory write down what it is told from now on, for Lesson.
func (m *Memory) Record() {
	if m != nil {
		m.lesson.on = true
	}
}

// RecordForAll is Record for memories on several machines that hear each other's lessons, whatever they were told
// themselves: a lesson says of groups their keys and not their numbers, and first what it has of each link.
func (m *Memory) RecordForAll() {
	if m != nil {
		m.lesson.on, m.lesson.others = true, m.preface
	}
}

// preface begins a lesson for others.
func (m *Memory) preface() {
	for r := range reaches {
		if m.keeps(r) {
			m.lesson.wanted(r)
		}
	}
	if m.graph == nil {
		return
	}
	m.lesson.connected()
	for _, o := range m.graph.order {
		m.lesson.ordered(o.method, o.every)
	}
	if m.graph.purse != nil {
		m.lesson.paid()
	}
}

// Lesson is what the memory was told since Lesson was last asked, for Relearn: a memory that takes back an older State
// and is told all lessons since holds exactly what this one holds. It is nil unless Record was called.
func (m *Memory) Lesson() []byte { return m.AppendLesson(nil) }

// AppendLesson is Lesson for who has room for it: what the memory was told is written into its own room again.
func (m *Memory) AppendLesson(to []byte) []byte {
	if m == nil {
		return to
	}
	told := m.lesson.told.Bytes
	m.lesson.told = telling{}
	m.lesson.told.Bytes = told[:0]
	return append(to, told...)
}

// errLesson is what a lesson is that was cut short or changed, or that another strategy learned.
var errLesson = errors.New("a saved lesson is damaged, or another strategy learned it; start the crawl afresh")

// Relearn is told a lesson again. Lessons come in the order in which they were learned, after the State they followed,
// and the strategy that learned them comes first (see Serve). After an error the memory is of no use.
func (m *Memory) Relearn(told []byte) error {
	if m == nil || len(told) == 0 {
		return nil
	}
	if m.serves == nil {
		return errors.New("relearn: the memory serves no strategy yet; call Serve before it")
	}
	if err := pack.Version(int(told[0]), lessonVersion); err != nil {
		return fmt.Errorf("a saved lesson: %w", err)
	}
	on := m.lesson.on
	m.lesson.on = false
	defer func() { m.lesson.on = on }()
	h := telling{coder: reading(told[1:])}
	for len(h.Bytes) > 0 && !h.Bad {
		m.hear(&h)
	}
	if h.Bad {
		return errLesson
	}
	return nil
}

// lessonVersion is the first byte of a lesson.
const lessonVersion = 6

// begin writes what is told now; it answers false where nobody wants it.
func (l *lesson) begin(what byte) bool {
	if !l.on {
		return false
	}
	if len(l.told.Bytes) == 0 {
		l.told.Bytes = append(l.told.Bytes, lessonVersion)
		if l.others != nil {
			l.others()
		}
	}
	l.told.Bytes = append(l.told.Bytes, what)
	return true
}

// near is an item, told by how far it is from the last one.
func (k *telling) near(item, last *uint64) {
	far := int64(*item - *last)
	if k.Signed(&far); k.Read {
		*item = *last + uint64(far)
	}
	*last = *item
}

func (k *telling) about(item *uint64) { k.near(item, &k.item) }

// outcome is how a page turned out, and how many were to hear of it.
func (k *telling) outcome(item *uint64, relevance *float32, relevant *bool, limit *int) {
	k.about(item)
	k.brief(relevance)
	k.Yes(relevant)
	upTo(&k.coder, limit, math.MaxInt32)
	k.must(*item != 0 && 0 <= *relevance && *relevance <= 1)
}

// place is that of a page among the addresses.
func (k *telling) place(m *Memory, item *uint64, r *reach, key *uint64, start *bool) {
	k.about(item)
	upTo(&k.coder, r, int(reaches)-1)
	k.key(m, key)
	k.Yes(start)
}

// move leads from one address to another.
func (k *telling) move(from, to *uint64) {
	k.about(from)
	k.about(to)
	k.must(*from != 0 && *to != 0 && *from != *to)
}

// link is a link that was seen: item and page as distances from the last ones, and what only some strategies keep where this one does.
// What could not have been written is damage.
func (k *telling) link(m *Memory, s *seenLink) {
	k.about(&s.item)
	k.near(&s.parent, &k.parent)
	k.brief(&s.score)
	for i := range s.numbers {
		k.brief(&s.numbers[i])
	}
	for i := range s.said {
		k.brief(&s.said[i])
	}
	for r := range reaches {
		if m.keeps(r) {
			k.key(m, &s.keys[r])
		}
	}
	if m.apprentice != nil {
		k.brief(&s.promise)
		k.speech(&s.spoken, m.apprentice.Bits)
	}
	if m.graph != nil {
		upTo(&k.coder, &s.edge.links, math.MaxInt32)
		pack.Small(&k.Coder, &s.edge.sites[0])
		pack.Small(&k.Coder, &s.edge.sites[1])
		k.brief(&s.edge.hint)
		k.brief(&s.edge.part)
	}
	if m.serves.merges > 0 {
		k.hint(&s.hint)
	}
	k.must(s.item != 0 && s.score == s.score && 0 <= s.edge.hint && s.edge.hint <= 1 && 0 <= s.edge.part && s.edge.part <= 1)
}

// key is a key: 0 where there is none, the number of its group plus one where it has one, and otherwise 1 and the key itself. Group 0
// is none, so that the numbers never meet. Other machines number their groups differently and are told the keys.
func (k *telling) key(m *Memory, key *uint64) {
	group := 0
	if g, known := m.keys[*key]; *key != 0 {
		if group = 1; known && m.lesson.others == nil {
			group = int(g) + 1
		}
	}
	switch upTo(&k.coder, &group, len(m.groups)); {
	case group == 1:
		k.Fixed64(key)
	case k.Read && group == 0:
		*key = 0
	case k.Read:
		*key = m.groups[group-1].key
	}
}

func (l *lesson) outcome(item uint64, relevance float32, relevant bool, limit int) {
	if l.begin(toldOutcome) {
		limit = max(limit, 0)
		l.told.outcome(&item, &relevance, &relevant, &limit)
	}
}

func (l *lesson) linksTold(limit int) {
	if l.begin(toldLinks) {
		l.told.Count(max(limit, 0))
	}
}

func (l *lesson) rescored(item uint64) {
	if l.begin(toldRescore) {
		l.told.about(&item)
	}
}

func (l *lesson) moved(from, to uint64) {
	if l.begin(toldMoved) {
		l.told.move(&from, &to)
	}
}

func (l *lesson) taken(lane int) {
	if l.begin(toldTaken) {
		l.told.Count(lane)
	}
}

func (l *lesson) swept() { l.begin(toldSweep) }

func (l *lesson) wanted(r reach) {
	if l.begin(toldWant) {
		l.told.Count(int(r))
	}
}

func (l *lesson) placed(m *Memory, item uint64, r reach, key uint64, start bool) {
	if l.begin(toldPlace) {
		l.told.place(m, &item, &r, &key, &start)
	}
}

func (l *lesson) connected() { l.begin(toldGraph) }
func (l *lesson) paid()      { l.begin(toldPurse) }
func (l *lesson) endowed()   { l.begin(toldStart) }

func (l *lesson) ordered(by method, every int) {
	if l.begin(toldOrder) {
		l.told.method(&by, &every)
	}
}

func (l *lesson) seen(m *Memory, s *seenLink) {
	if l.begin(toldLink) {
		l.told.link(m, s)
	}
}

// hear is told one thing again. Of what makes no sense nothing is taken in.
func (m *Memory) hear(h *telling) {
	switch h.number(tellings - 1) {
	case toldLink:
		m.seen.reset(m.serves)
		if h.link(m, &m.seen); !h.Bad {
			m.linked(&m.seen)
		}
	case toldOutcome:
		var item uint64
		var relevance float32
		var relevant bool
		var limit int
		if h.outcome(&item, &relevance, &relevant, &limit); !h.Bad {
			m.fetched(item, relevance, relevant, limit)
		}
	case toldRescore:
		var item uint64
		if h.about(&item); !h.Bad {
			m.serves.Rescore(item, m)
		}
	case toldSweep:
		m.swept = m.now
	case toldLinks:
		if limit := h.number(math.MaxInt32); !h.Bad && m.graph != nil {
			m.linksTold(limit)
		}
	case toldWant:
		m.want(reach(h.number(int(reaches) - 1)))
	case toldPlace:
		m.hearPlace(h)
	case toldGraph:
		m.connected()
	case toldOrder:
		var by method
		var every int
		if h.method(&by, &every); !h.Bad && m.graph != nil {
			m.ordered(by, every)
		}
	case toldTaken:
		m.Taken(h.number(1))
	case toldMoved:
		var from, to uint64
		if h.move(&from, &to); !h.Bad {
			m.moved(from, to)
		}
	case toldPurse:
		if m.graph != nil && m.graph.purse == nil {
			m.graph.purse = openPurse(m.graph)
		}
	case toldStart:
		if g := m.graph; g != nil && g.purse != nil && int(g.purse.page) < len(g.nodes) && g.begins(g.purse.page) {
			g.endow()
		}
	}
}

// number is a number that is read, of at most most.
func (k *telling) number(most int) (n int) {
	upTo(&k.coder, &n, most)
	return n
}

// hearPlace is told the place of a page among the addresses. Between machines the page may be unknown here; in a journal of one's own
// that is damage.
func (m *Memory) hearPlace(h *telling) {
	var item, key uint64
	var r reach
	var start bool
	h.place(m, &item, &r, &key, &start)
	serial, ok := m.index[item]
	if !ok && m.lesson.others != nil { // it has been forgotten here, or is not known yet
		return
	}
	if h.must(ok); !h.Bad {
		m.settle(serial, r, key, start)
	}
}
