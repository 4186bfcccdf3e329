package junk

import (
	"cmp"
	"math"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/recent"
)

// Record lets the watch write down what it counts from now on, for Lesson.
func (w *TrapWatch) Record() {
	w.notes.Lock()
	defer w.notes.Unlock()
	w.noting = true
}

// Lesson is what the watch counted since Lesson was last asked, for Relearn: a watch that takes back an older State and
// is told all lessons since answers as this one. It is nil unless Record was called.
func (w *TrapWatch) Lesson() []byte {
	w.notes.Lock()
	defer w.notes.Unlock()
	told := w.noted
	w.noted = nil
	return told
}

// Relearn is told a lesson again.
func (w *TrapWatch) Relearn(told []byte) error {
	l := pack.Reader{Left: told}
	for len(l.Left) > 0 {
		if k := l.Fixed64(); !l.Bad {
			w.seen.Update(k, oneMore)
		}
	}
	return loaded(&l)
}

// State is all that the watch has counted; the same counts give the same bytes.
func (w *TrapWatch) State() []byte {
	var s pack.Writer
	recent.Save(&s, w.seen, cmp.Compare[uint64], func(k uint64, n int) { s.Fixed64(k); s.Number(uint64(n)) })
	return s
}

// Restore takes back what State gave.
func (w *TrapWatch) Restore(state []byte) error {
	l := pack.Reader{Left: state}
	recent.Load(&l, w.seen, func() (uint64, int) { return l.Fixed64(), l.UpTo(math.MaxInt) })
	return loaded(&l)
}
