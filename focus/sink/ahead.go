package sink

import (
	"sync"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// Ahead is what some outputs want made of a record before it is known whether they are given it: all of their work that needs
// nothing but the page. It is a value of its own, that may be asked by any goroutine; nil wants nothing.
type Ahead struct {
	lines    bool // its long texts as JSON
	whole    bool // its whole line, but for what only the turn knows
	exchange bool // what an archive has of it, packed
	looks    *LooksOptions
}

// AheadOf is what some outputs want.
func AheadOf(looks *Looks, sinks []Sink) *Ahead {
	a := &Ahead{}
	for _, s := range sinks {
		switch s := s.(type) {
		case *exchanges:
			a.exchange = true
		case *lines:
			a.lines = a.lines || s.enc.csv == nil && !s.enc.all
			a.whole = a.whole || s.enc.all
		}
	}
	if looks != nil {
		a.whole, a.looks = true, &looks.LooksOptions
	}
	return a
}

// Looks tells of a page, by how relevant it is, that it is wanted for a second look whether it is kept or not.
func (a *Ahead) Looks(relevance float64, address string) bool {
	return a != nil && a.looks != nil && a.looks.Wants(relevance, address)
}

// Make makes of a record what is wanted of it; kept says that it may be kept, and via is the page that its link stands on. What it is
// made of must not change any more: all but the trail and the data. When it has been written, Unmake may be told.
func (a *Ahead) Make(r *Record, kept bool, via string) {
	if a == nil || !a.lines && !a.whole && !(a.exchange && kept) {
		return
	}
	m := &r.made
	m.room = drafts.Take()
	if a.lines {
		m.text = m.add(func(b []byte) []byte { return appendString(b, r.Text) })
		m.markdown = m.add(func(b []byte) []byte { return appendString(b, r.Markdown) })
	}
	if a.whole {
		m.head = m.add(func(b []byte) []byte { return appendFields(append(b, '{'), fields[:fieldTrail], r) })
		m.tail = m.add(func(b []byte) []byte { return appendFields(b, fields[fieldTrail+1:fieldData], r) })
	}
	if !a.exchange || !kept {
		return
	}
	p := packers.Get().(*packer)
	defer packers.Put(p)
	p.packed.Reset()
	if p.exchange(r) == nil { // who writes it finds the error again
		m.exchange = m.add(func(b []byte) []byte { return append(b, p.packed.Bytes()...) })
		if p.packed.Reset(); p.judged(r, via) == nil {
			m.judged, m.via = m.add(func(b []byte) []byte { return append(b, p.packed.Bytes()...) }), via
		}
	}
}

// made is what was made of a record ahead of its writing; what is nil was not.
type made struct {
	text, markdown []byte  // as JSON strings
	head, tail     []byte  // of a line: what stands before the trail, and between it and the data
	links          []byte  // of a page for a second look
	exchange       []byte  // members of an archive: what went over the wire
	judged         []byte  // and what was thought of it,
	via            string  // if it was found there
	room           *[]byte // where all that stands
}

// drafts are rooms for what is made ahead. A room is the record's from Make to Unmake.
var drafts = pack.Rooms{Most: 1 << 20}

// add makes one thing more, in the record's room.
func (m *made) add(what func([]byte) []byte) []byte {
	from := len(*m.room)
	*m.room = what(*m.room)
	return (*m.room)[from:len(*m.room):len(*m.room)]
}

// Unmake forgets what was made of a record ahead, and others may use the room. Nobody may be writing the record; who writes it later
// makes it anew.
func (r *Record) Unmake() {
	if r.made.room != nil {
		drafts.Give(r.made.room)
		r.made = made{}
	}
}

var packers = sync.Pool{New: func() any { return newPacker() }}

// long is a field of long words, which may have been quoted ahead.
func long(name string, of func(*Record) *string, ahead func(*Record) []byte) field {
	f := words(name, of)
	f.json = func(dst []byte, r *Record) []byte {
		if said := ahead(r); said != nil {
			return append(dst, said...)
		}
		return appendString(dst, *of(r))
	}
	whole := f.read
	f.read = func(s *scan, r *Record) {
		if s.brief {
			s.quoted()
		} else {
			whole(s, r)
		}
	}
	return f
}
