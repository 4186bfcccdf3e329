package junk

import (
	"cmp"
	"math"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/recent"
)

// Record lets the memory of pages write down what it is asked from now on, for Lesson.
func (d *Duplicates) Record() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.noting = true
}

// Lesson is what was asked since Lesson was last asked, for Relearn: a memory that takes back an older State and is told
// all lessons since answers as this one. It is nil unless Record was called.
func (d *Duplicates) Lesson() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	told := d.noted
	d.noted = nil
	return told
}

// note writes down a page as it was asked for.
func (d *Duplicates) note(address string, digest, print uint64, long bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.noting {
		return
	}
	d.noted.Text(address)
	d.noted.Fixed64(digest)
	if d.noted.Yes(long); long {
		d.noted.Fixed64(print)
	}
}

// Relearn is told a lesson again.
func (d *Duplicates) Relearn(told []byte) error {
	l := pack.Reader{Left: told}
	for len(l.Left) > 0 {
		address, digest, print := l.Text(), l.Fixed64(), uint64(0)
		long := l.Yes()
		if long {
			print = l.Fixed64()
		}
		if l.Bad {
			break
		}
		if first := d.same(address, digest); first == "" && long {
			d.alike(address, print)
		}
	}
	return loaded(&l)
}

// State is all that is remembered; the same memory gives the same bytes.
func (d *Duplicates) State() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	var s pack.Writer
	recent.Save(&s, d.exact, cmp.Compare[uint64], func(k uint64, address string) { s.Fixed64(k); s.Text(address) })
	for _, half := range d.near {
		s.Number(uint64(len(half.prints)))
		for i, print := range half.prints {
			s.Fixed64(print)
			s.Text(half.addresses[i])
		}
	}
	recent.Save(&s, d.twins, byPair, func(k [2]string, n int) { s.Text(k[0]); s.Text(k[1]); s.Number(uint64(n)) })
	recent.Save(&s, d.mirrors, cmp.Compare[string], func(k, v string) { s.Text(k); s.Text(v) })
	return s
}

// Restore takes back what State gave.
func (d *Duplicates) Restore(state []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	l := pack.Reader{Left: state}
	recent.Load(&l, d.exact, func() (uint64, string) { return l.Fixed64(), l.Text() })
	for i := range d.near {
		d.near[i] = newLikeness()
		for range l.Count(1) {
			print := l.Fixed64()
			d.near[i].add(print, l.Text())
		}
	}
	recent.Load(&l, d.twins, func() ([2]string, int) { return [2]string{l.Text(), l.Text()}, l.UpTo(math.MaxInt) })
	recent.Load(&l, d.mirrors, func() (string, string) { return l.Text(), l.Text() })
	return loaded(&l)
}
