package topic

import (
	"errors"
	"fmt"
	"slices"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/text"
)

// A lesson is what a topic made of the pages it learned: of each its words, by number where they have one, its judgement,
// and, for a judge that moves, the counts of the words that move it. It is written only where somebody wants it.
type lesson struct {
	on     bool
	others bool // who hears it may have given its words other numbers
	told   pack.Writer
	ids    []int32
}

// The first byte of a lesson. In one for others words have no numbers.
const (
	lessonVersion   = 1
	lessonForOthers = 2
)

// Record lets the topic write down what it learns from now on, for Lesson.
func (t *Topic) Record() { t.lesson.on = true }

// RecordForAll is Record for topics on several machines that hear each other's lessons, whatever they have learned themselves:
// a lesson says the words, and so is longer.
func (t *Topic) RecordForAll() { t.lesson.on, t.lesson.others = true, true }

// Lesson is what the topic learned since Lesson was last asked, for Relearn: a topic that takes back an older State and
// is told all lessons since is exactly what this one is. It is nil unless Record was called.
func (t *Topic) Lesson() []byte {
	told := t.lesson.told
	if told != nil { // of a settled topic, which is asked on all sides, nothing is written
		t.lesson.told = nil
	}
	return told
}

// Learn takes a judged page into the document frequencies, the calibration and an adaptive centre. What a page was
// judged stays as it was.
func (t *Topic) Learn(d *text.Doc, j Judgement) {
	if !t.learns() {
		return
	}
	b := t.bag()
	defer t.bags.Put(b)
	t.weigh.page(b, d, t.tokens(d), nil)
	if t.lesson.on {
		t.lesson.write(t, b, j.Raw)
	}
	t.learn(b, j.Raw)
}

func (t *Topic) learn(b *Bag, raw float64) {
	t.words.add(b)
	t.learner.Learn(b)
	if t.scale.add(raw) {
		t.refresh()
	}
}

// write tells of one page: the numbers of its known words, each as its distance from the one before, its other words in
// their order, and the counts of those that a judge learns from.
func (l *lesson) write(t *Topic, b *Bag, raw float64) {
	if len(l.told) == 0 && l.others {
		l.told = append(l.told, lessonForOthers)
	} else if len(l.told) == 0 {
		l.told = append(l.told, lessonVersion)
	}
	w := &l.told
	w.Float64(raw)
	l.numbers(t, b)
	w.Count(len(b.words) - len(l.ids))
	for _, word := range b.words {
		if _, ok := t.words.ids[word]; !ok || l.others {
			w.Text(word)
		}
	}
	counted := 0
	for _, word := range b.words {
		if t.learner.Counts(word) {
			counted++
		}
	}
	w.Count(counted)
	for i, word := range b.words {
		if !t.learner.Counts(word) {
			continue
		}
		if l.others {
			w.Count(i)
		} else {
			w.Count(int(t.words.ids[word]))
		}
		w.Float64(b.tf[i])
	}
}

// numbers writes the numbers of the words that have one, none for others.
func (l *lesson) numbers(t *Topic, b *Bag) {
	l.ids = l.ids[:0]
	for _, word := range b.words {
		if id, ok := t.words.ids[word]; ok && !l.others {
			l.ids = append(l.ids, id)
		}
	}
	slices.Sort(l.ids)
	l.told.Count(len(l.ids))
	before := int32(0)
	for _, id := range l.ids {
		l.told.Count(int(id - before))
		before = id
	}
}

// Relearn is told a lesson again. Lessons come in the order in which they were learned, after the State they followed.
// After an error the topic is of no use.
func (t *Topic) Relearn(told []byte) error {
	if len(told) == 0 {
		return nil
	}
	if told[0] != lessonForOthers {
		if err := pack.Version(int(told[0]), lessonVersion); err != nil {
			return fmt.Errorf("a saved lesson: %w", err)
		}
	}
	on := t.lesson.on
	t.lesson.on = false
	defer func() { t.lesson.on = on }()
	b := newBag()
	for r := newReader(told[1:]); len(r.Left) > 0; {
		raw := r.Float64()
		if err := r.page(t, b, told[0] == lessonForOthers); err != nil {
			return err
		}
		t.learn(b, raw)
	}
	return nil
}

var errLesson = errors.New("a saved lesson is damaged, or another topic learned it: start the crawl afresh")

// page fills a bag with the words of a page that was learned, by this topic or by another.
func (r *reader) page(t *Topic, b *Bag, anothers bool) error {
	b.reset(nil)
	id := 0
	for range r.Count(1) {
		if id += r.uint(); id >= len(t.words.list) {
			return errLesson
		}
		b.add(t.words.list[id], 0)
	}
	for range r.Count(1) {
		b.add(r.Text(), 0)
	}
	for range r.Count(9) {
		word, tf := r.uint(), r.Float64()
		at, ok := int32(word), word < len(b.words)
		if !anothers {
			if ok = word < len(t.words.list); ok {
				at, ok = b.index[t.words.list[word]]
			}
		}
		if !ok {
			return errLesson
		}
		b.tf[at] = tf
	}
	if r.Bad {
		return errLesson
	}
	return nil
}
