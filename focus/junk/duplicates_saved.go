package junk

import (
	"cmp"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/recent"
)

// asked is a page as it was asked for.
type asked struct {
	address string
	print   Print
}

func (a *asked) code(k *pack.Coder) {
	k.Text(&a.address)
	k.Fixed64(&a.print.digest)
	a.print.voice.code(k)
}

func (v *voice) code(k *pack.Coder) {
	k.Fixed64(&v.says)
	k.Yes(&v.long)
	if k.Yes(&v.full); v.full {
		k.Fixed64(&v.whole)
	}
}

// note writes down a page as it was asked for.
func (d *Duplicates) note(a asked) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.noting {
		a.code(&d.noted)
	}
}

// Relearn is told a lesson again.
func (d *Duplicates) Relearn(told []byte) error {
	k := pack.Coder{Bytes: told, Read: true}
	for len(k.Bytes) > 0 {
		var a asked
		if a.code(&k); k.Bad {
			break
		}
		if d.same(a.address, a.print.digest) == "" {
			d.alike(a.address, a.print.voice)
		}
	}
	return loaded(&k)
}

// State is all that is remembered; the same memory gives the same bytes.
func (d *Duplicates) State() []byte {
	var k pack.Coder
	d.code(&k)
	return k.Bytes
}

// Restore takes back what State gave.
func (d *Duplicates) Restore(state []byte) error {
	k := pack.Coder{Bytes: state, Read: true}
	d.code(&k)
	return loaded(&k)
}

func (d *Duplicates) code(k *pack.Coder) {
	d.mu.Lock()
	defer d.mu.Unlock()
	recent.Code(k, d.exact, cmp.Compare[uint64], func(digest *uint64, address *string) { k.Fixed64(digest); k.Text(address) })
	for i := range d.near {
		if k.Read {
			d.near[i] = newLikeness()
		}
		d.near[i].code(k)
	}
	recent.Code(k, d.twins, byPair, func(at *[2]string, n *int) { k.Text(&at[0]); k.Text(&at[1]); pack.Small(k, n) })
	recent.Code(k, d.mirrors, cmp.Compare[string], func(host, first *string) { k.Text(host); k.Text(first) })
}

func (l *likeness) code(k *pack.Coder) {
	for i := range k.Count(len(l.voices)) {
		var v voice
		var address string
		if !k.Read {
			v, address = l.voices[i], l.addresses[i]
		}
		v.code(k)
		if k.Text(&address); k.Read {
			l.add(v, address)
		}
	}
}
