package sink

import "sync"

// Ahead is what some outputs want made of a record before it is known whether they are given it: all of their work that needs
// nothing but the page. It is a value of its own, that may be asked by any goroutine; nil wants nothing.
type Ahead struct {
	lines    bool // its long texts as JSON
	exchange bool // what went over the wire, packed
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
			a.lines = a.lines || s.enc.csv == nil
		}
	}
	if looks != nil {
		a.lines, a.looks = true, &looks.LooksOptions
	}
	return a
}

// Looks tells of a page, by how relevant it is, that it is wanted for a second look whether it is kept or not.
func (a *Ahead) Looks(relevance float64, address string) bool {
	return a != nil && a.looks != nil && a.looks.Wants(relevance, address)
}

// Make makes of a record what is wanted of it; kept says that it may be kept. What it is made of must not change any more: all but
// the trail and the data.
func (a *Ahead) Make(r *Record, kept bool) {
	if a != nil && a.lines {
		r.made.text, r.made.markdown = quoted(r.Text), quoted(r.Markdown)
	}
	if a == nil || !a.exchange || !kept {
		return
	}
	p := packers.Get().(*packer)
	defer packers.Put(p)
	p.packed.Reset()
	if p.exchange(r) == nil { // who writes it finds the error again
		r.made.exchange = append([]byte(nil), p.packed.Bytes()...)
	}
}

// made is what was made of a record ahead of its writing; what is nil was not.
type made struct {
	text, markdown []byte // as JSON strings
	exchange       []byte // members of an archive
}

var packers = sync.Pool{New: func() any { return newPacker() }}

// quoted is a text as a JSON string.
func quoted(text string) []byte { return appendString(make([]byte, 0, len(text)+len(text)/16+2), text) }

// long is a field of long words, which may have been quoted ahead.
func long(name string, of func(*Record) string, ahead func(*Record) []byte) field {
	f := words(name, of)
	f.json = func(dst []byte, r *Record) []byte {
		if said := ahead(r); said != nil {
			return append(dst, said...)
		}
		return appendString(dst, of(r))
	}
	return f
}
