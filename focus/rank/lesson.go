package rank

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// lesson is what a memory was told, in order: not the evidence, but what the memory made of it. It is written only where
// somebody wants it.
type lesson struct {
	on     bool
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
)

// Record lets the memory write down what it is told from now on, for Lesson.
func (m *Memory) Record() {
	if m != nil {
		m.lesson.on = true
	}
}

// Lesson is what the memory was told since Lesson was last asked, for Relearn: a memory that takes back an older State
// and is told all lessons since holds exactly what this one holds. It is nil unless Record was called.
func (m *Memory) Lesson() []byte {
	if m == nil || len(m.lesson.told) == 0 {
		return nil
	}
	told := m.lesson.told
	m.lesson = lesson{on: true, told: make(writer, 0, len(told)+len(told)/4)}
	return told
}

// errLesson is what a lesson is that was cut short or changed, or that another strategy learned.
var errLesson = errors.New("rank: a saved lesson is damaged, or another strategy learned it; start the crawl afresh")

// Relearn is told a lesson again. Lessons come in the order in which they were learned, after the State they followed,
// and the strategy that learned them comes first (see Serve). After an error the memory is of no use.
func (m *Memory) Relearn(told []byte) error {
	if m == nil || len(told) == 0 {
		return nil
	}
	if m.serves == nil {
		return errors.New("rank: relearn: the memory serves no strategy yet; call Serve before it")
	}
	if told[0] != lessonVersion {
		return fmt.Errorf("rank: a saved lesson is of version %d, this program reads %d; finish the crawl with the program that began it", told[0], lessonVersion)
	}
	on := m.lesson.on
	m.lesson.on = false
	defer func() { m.lesson.on = on }()
	h := hearing{reader: reader{rest: told[1:]}}
	for len(h.rest) > 0 && !h.bad {
		m.hear(&h)
	}
	if h.bad {
		return errLesson
	}
	return nil
}

// lessonVersion is the first byte of a lesson.
const lessonVersion = 1

// begin writes what is told now; it answers false where nobody wants it.
func (l *lesson) begin(what byte) bool {
	if !l.on {
		return false
	}
	if len(l.told) == 0 {
		l.told = append(l.told, lessonVersion)
	}
	l.told = append(l.told, what)
	return true
}

func (l *lesson) about(item uint64) {
	l.told = binary.AppendVarint(l.told, int64(item-l.item))
	l.item = item
}

func (l *lesson) outcome(item uint64, relevance float32, relevant bool, limit int) {
	if l.begin(toldOutcome) {
		l.about(item)
		l.told.brief(relevance)
		l.told.yes(relevant)
		l.told.count(max(limit, 0))
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
		l.told.count(lane)
	}
}

func (l *lesson) swept() { l.begin(toldSweep) }

func (l *lesson) wanted(r reach) {
	if l.begin(toldWant) {
		l.told.count(int(r))
	}
}

func (l *lesson) placed(m *Memory, item uint64, r reach, key uint64, start bool) {
	if l.begin(toldPlace) {
		l.about(item)
		l.told.count(int(r))
		l.told.key(m, key)
		l.told.yes(start)
	}
}

func (l *lesson) connected() { l.begin(toldGraph) }
func (l *lesson) paid()      { l.begin(toldPurse) }

func (l *lesson) ordered(by method, every int) {
	if l.begin(toldOrder) {
		l.told.method(by, every)
	}
}

func (l *lesson) sighting(m *Memory, s *sighting) {
	if !l.begin(toldLink) {
		return
	}
	l.about(s.item)
	l.told = binary.AppendVarint(l.told, int64(s.parent-l.parent))
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
		l.told.brief(s.chance)
		l.told.speech(&s.spoken)
	}
	if m.graph != nil {
		l.told.count(s.edge.links)
		l.told.number(uint64(s.edge.sites[0]))
		l.told.number(uint64(s.edge.sites[1]))
		l.told.brief(s.edge.hint)
	}
}

// brief writes a number of few digits in few bytes: most are 0, or halves of something.
func (w *writer) brief(v float32) { w.number(uint64(bits.ReverseBytes32(math.Float32bits(v)))) }

// key writes a key: 0 where there is none, the number of its group where it has one.
func (w *writer) key(m *Memory, key uint64) {
	g, known := m.keys[key]
	switch {
	case key == 0:
		w.number(0)
	case known:
		w.number(uint64(g) + 1)
	default:
		w.number(1)
		*w = binary.LittleEndian.AppendUint64(*w, key)
	}
}

// hearing reads a lesson.
type hearing struct {
	reader
	item, parent uint64
}

// hear is told one thing again.
func (m *Memory) hear(h *hearing) {
	what := h.count(toldMoved)
	if h.bad {
		return
	}
	switch what {
	case toldLink:
		m.hearLink(h)
	case toldOutcome:
		item, relevance, relevant, limit := h.about(), h.brief(), h.yes(), h.count(math.MaxInt32)
		if h.bad = h.bad || item == 0 || !(0 <= relevance && relevance <= 1); !h.bad {
			m.fetched(item, relevance, relevant, limit)
		}
	case toldRescore:
		if item := h.about(); !h.bad {
			m.serves.Rescore(item, m)
		}
	case toldSweep:
		m.swept = m.now
	case toldWant:
		m.want(reach(h.count(int(reaches) - 1)))
	case toldPlace:
		m.hearPlace(h)
	case toldGraph:
		m.connected()
	case toldOrder:
		if by, every := h.method(); !h.bad && m.graph != nil {
			m.ordered(by, every)
		}
	case toldTaken:
		m.Taken(h.count(1))
	case toldMoved:
		if from, to := h.about(), h.about(); !h.bad && from != 0 && to != 0 && from != to {
			m.moved(from, to)
		}
	case toldPurse:
		if m.graph != nil && m.graph.purse == nil {
			m.graph.purse = openPurse(m.graph)
		}
	}
}

func (m *Memory) hearLink(h *hearing) {
	s := &m.seen
	s.reset(m.serves)
	s.item = h.about()
	s.parent = h.parent + uint64(h.signed())
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
		s.chance = h.brief()
		s.spoken = h.speech(m.apprentice.Bits)
	}
	if m.graph != nil {
		s.edge.links = h.count(math.MaxInt32)
		s.edge.sites = [2]uint32{uint32(h.count(math.MaxUint32)), uint32(h.count(math.MaxUint32))}
		s.edge.hint = h.brief()
	}
	if h.bad = h.bad || s.item == 0 || s.score != s.score || !(0 <= s.edge.hint && s.edge.hint <= 1); !h.bad {
		m.linked(s)
	}
}

func (m *Memory) hearPlace(h *hearing) {
	item, r, key, start := h.about(), reach(h.count(int(reaches)-1)), h.key(m), h.yes()
	serial, ok := m.index[item]
	if h.bad = h.bad || !ok; !h.bad {
		m.settle(serial, r, key, start)
	}
}

func (h *hearing) signed() int64 {
	v, n := binary.Varint(h.rest)
	if n <= 0 {
		h.bad, h.rest = true, nil
		return 0
	}
	h.rest = h.rest[n:]
	return v
}

func (h *hearing) about() uint64 {
	h.item += uint64(h.signed())
	return h.item
}

func (h *hearing) brief() float32 {
	return math.Float32frombits(bits.ReverseBytes32(uint32(h.count(math.MaxUint32))))
}

func (h *hearing) key(m *Memory) uint64 {
	switch g := h.count(len(m.groups)); g {
	case 0:
		return 0
	case 1:
		return binary.LittleEndian.Uint64(h.bytes(8))
	default:
		return m.groups[g-1].key
	}
}
