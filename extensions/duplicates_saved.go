package extensions

import "cmp"

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
	d.noted.text(address)
	d.noted.key(digest)
	if d.noted.yes(long); long {
		d.noted.key(print)
	}
}

// Relearn is told a lesson again.
func (d *Duplicates) Relearn(told []byte) error {
	l := loaded{left: told}
	for len(l.left) > 0 {
		address, digest, print := l.text(), l.key(), uint64(0)
		long := l.yes()
		if long {
			print = l.key()
		}
		if l.bad {
			break
		}
		if first := d.same(address, digest); first == "" && long {
			d.alike(address, print)
		}
	}
	return l.done()
}

// State is all that is remembered; the same memory gives the same bytes.
func (d *Duplicates) State() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	var s saved
	saveRecent(&s, d.exact, cmp.Compare[uint64], func(k uint64, address string) { s.key(k); s.text(address) })
	for _, half := range d.near {
		s.number(uint64(len(half.prints)))
		for i, print := range half.prints {
			s.key(print)
			s.text(half.addresses[i])
		}
	}
	saveRecent(&s, d.twins, byPair, func(k [2]string, n int) { s.text(k[0]); s.text(k[1]); s.number(uint64(n)) })
	saveRecent(&s, d.mirrors, cmp.Compare[string], func(k, v string) { s.text(k); s.text(v) })
	return s
}

// Restore takes back what State gave.
func (d *Duplicates) Restore(state []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	l := loaded{left: state}
	loadRecent(&l, d.exact, func() (uint64, string) { return l.key(), l.text() })
	for i := range d.near {
		d.near[i] = newLikeness()
		for range l.count() {
			print := l.key()
			d.near[i].add(print, l.text())
		}
	}
	loadRecent(&l, d.twins, func() ([2]string, int) { return [2]string{l.text(), l.text()}, int(l.number()) })
	loadRecent(&l, d.mirrors, func() (string, string) { return l.text(), l.text() })
	return l.done()
}
