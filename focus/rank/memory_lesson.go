package rank

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// lesson is what a memory was told, in order: not the evidence, but what the memory made of it. It is written only where
// somebody wants it.
type lesson struct {
	on     bool
	others func() // says what a lesson is made of, to those who have been told something else; nil where nobody else hears it
	told   writer
	item   uint64 // the last item written: most are near it
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
	told := m.lesson.told.Writer
	m.lesson = lesson{on: m.lesson.on, others: m.lesson.others, told: writer{told[:0]}}
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
	h := hearing{reader: newReader(told[1:])}
	for len(h.Left) > 0 && !h.Bad {
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
	if len(l.told.Writer) == 0 {
		if l.told.Byte(lessonVersion); l.others != nil {
			l.others()
		}
	}
	l.told.Byte(what)
	return true
}

func (l *lesson) about(item uint64) {
	l.told.Signed(int64(item - l.item))
	l.item = item
}

func (l *lesson) outcome(item uint64, relevance float32, relevant bool, limit int) {
	if l.begin(toldOutcome) {
		l.about(item)
		l.told.brief(relevance)
		l.told.Yes(relevant)
		l.told.Count(max(limit, 0))
	}
}

func (l *lesson) linksTold(limit int) {
	if l.begin(toldLinks) {
		l.told.Count(max(limit, 0))
	}
}

func (l *lesson) rescored(item uint64) {
	if l.begin(toldRescore) {
		l.about(item)
	}
}

func (l *lesson) moved(from, to uint64) {
	if l.begin(toldMoved) {
		l.about(from)
		l.about(to)
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
		l.about(item)
		l.told.Count(int(r))
		l.told.key(m, key)
		l.told.Yes(start)
	}
}

func (l *lesson) connected() { l.begin(toldGraph) }
func (l *lesson) paid()      { l.begin(toldPurse) }
func (l *lesson) endowed()   { l.begin(toldStart) }

func (l *lesson) ordered(by method, every int) {
	if l.begin(toldOrder) {
		l.told.method(by, every)
	}
}

// seen writes down a link: item and page as distances from the last ones, and what only some strategies keep where this one does. hearLink
// reads the same in the same order.
func (l *lesson) seen(m *Memory, s *seenLink) {
	if !l.begin(toldLink) {
		return
	}
	l.about(s.item)
	l.told.Signed(int64(s.parent - l.parent))
	l.parent = s.parent
	l.told.brief(s.score)
	for _, v := range s.numbers {
		l.told.brief(v)
	}
	for _, v := range s.said {
		l.told.brief(v)
	}
	for r := range reaches {
		if m.keeps(r) {
			l.told.key(m, s.keys[r])
		}
	}
	if m.apprentice != nil {
		l.told.brief(s.promise)
		l.told.speech(&s.spoken)
	}
	if m.graph != nil {
		l.told.Count(s.edge.links)
		l.told.Number(uint64(s.edge.sites[0]))
		l.told.Number(uint64(s.edge.sites[1]))
		l.told.brief(s.edge.hint)
		l.told.brief(s.edge.part)
	}
	if m.serves.merges > 0 {
		l.told.hint(&s.hint)
	}
}

// brief writes a number of few digits in few bytes: most are 0, or halves of something. Such numbers end in bytes of zeros, which stand in
// front when the bytes are turned round, where a number of variable length leaves them out.
func (w *writer) brief(v float32) { w.Number(uint64(bits.ReverseBytes32(math.Float32bits(v)))) }

// key writes a key: 0 where there is none, the number of its group plus one where it has one, and otherwise 1 and the key itself. Group 0
// is none, so that the numbers never meet. Other machines number their groups differently and are told the keys.
func (w *writer) key(m *Memory, key uint64) {
	g, known := m.keys[key]
	switch {
	case key == 0:
		w.Number(0)
	case known && m.lesson.others == nil:
		w.Number(uint64(g) + 1)
	default:
		w.Number(1)
		w.Fixed64(key)
	}
}

// hearing reads a lesson.
type hearing struct {
	reader
	item, parent uint64
}

// hear is told one thing again.
func (m *Memory) hear(h *hearing) {
	what := h.UpTo(tellings - 1)
	if h.Bad {
		return
	}
	switch what {
	case toldLink:
		m.hearLink(h)
	case toldOutcome:
		item, relevance, relevant, limit := h.about(), h.brief(), h.Yes(), h.UpTo(math.MaxInt32)
		if h.Bad = h.Bad || item == 0 || !(0 <= relevance && relevance <= 1); !h.Bad {
			m.fetched(item, relevance, relevant, limit)
		}
	case toldRescore:
		if item := h.about(); !h.Bad {
			m.serves.Rescore(item, m)
		}
	case toldSweep:
		m.swept = m.now
	case toldLinks:
		if limit := h.UpTo(math.MaxInt32); !h.Bad && m.graph != nil {
			m.linksTold(limit)
		}
	case toldWant:
		m.want(reach(h.UpTo(int(reaches) - 1)))
	case toldPlace:
		m.hearPlace(h)
	case toldGraph:
		m.connected()
	case toldOrder:
		if by, every := h.method(); !h.Bad && m.graph != nil {
			m.ordered(by, every)
		}
	case toldTaken:
		m.Taken(h.UpTo(1))
	case toldMoved:
		if from, to := h.about(), h.about(); !h.Bad && from != 0 && to != 0 && from != to {
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

// hearLink is told a link again. What could not have been written is damage, and nothing of it is taken in.
func (m *Memory) hearLink(h *hearing) {
	s := &m.seen
	s.reset(m.serves)
	s.item = h.about()
	s.parent = h.parent + uint64(h.Signed())
	h.parent = s.parent
	s.score = h.brief()
	for i := range s.numbers {
		s.numbers[i] = h.brief()
	}
	for i := range s.said {
		s.said[i] = h.brief()
	}
	for r := range reaches {
		if m.keeps(r) {
			s.keys[r] = h.key(m)
		}
	}
	if m.apprentice != nil {
		s.promise = h.brief()
		s.spoken = h.speech(m.apprentice.Bits)
	}
	if m.graph != nil {
		s.edge.links = h.UpTo(math.MaxInt32)
		s.edge.sites = [2]uint32{h.Number32(), h.Number32()}
		s.edge.hint, s.edge.part = h.brief(), h.brief()
	}
	if m.serves.merges > 0 {
		s.hint = h.hint()
	}
	if h.Bad = h.Bad || s.item == 0 || s.score != s.score || !(0 <= s.edge.hint && s.edge.hint <= 1 && 0 <= s.edge.part && s.edge.part <= 1); !h.Bad {
		m.linked(s)
	}
}

// hearPlace is told the place of a page among the addresses. Between machines the page may be unknown here; in a journal of one's own
// that is damage.
func (m *Memory) hearPlace(h *hearing) {
	item, r, key, start := h.about(), reach(h.UpTo(int(reaches)-1)), h.key(m), h.Yes()
	serial, ok := m.index[item]
	if !ok && m.lesson.others != nil { // it has been forgotten here, or is not known yet
		return
	}
	if h.Bad = h.Bad || !ok; !h.Bad {
		m.settle(serial, r, key, start)
	}
}

func (h *hearing) about() uint64 {
	h.item += uint64(h.Signed())
	return h.item
}

func (r *reader) brief() float32 {
	return math.Float32frombits(bits.ReverseBytes32(r.Number32()))
}

func (h *hearing) key(m *Memory) uint64 {
	switch g := h.UpTo(len(m.groups)); g {
	case 0:
		return 0
	case 1:
		return h.Fixed64()
	default:
		return m.groups[g-1].key
	}
}
