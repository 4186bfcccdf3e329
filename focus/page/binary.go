package page

import (
	"encoding/binary"
	"errors"
	"math"
	"unsafe"
)

// Version changes when Parse reads pages another way, or AppendBinary writes them another way: what one version wrote
// says nothing about what another would read. A test holds it to what is written.
const Version = 1

// The places a string may be written at: among the strings of its own, or as a slice of the page's prose.
const (
	amongOwn = iota
	withinProse
)

// AppendBinary appends all there is of a page, so that UnmarshalBinary makes the same page of it.
func (p *Page) AppendBinary(dst []byte) ([]byte, error) {
	w := writing{prose: p.prose, index: map[string]uint64{}}
	for _, s := range p.strings() {
		w.string(*s)
	}
	w.number(uint64(p.Kind))
	w.float(p.HubRatio)
	w.flag(p.Facts.NoIndex)
	w.flag(p.Facts.NoFollow)
	w.number(uint64(len(p.Runs)))
	for i := range p.Runs {
		w.run(&p.Runs[i])
	}
	w.number(uint64(len(p.Blocks)))
	for i := range p.Blocks {
		w.block(&p.Blocks[i])
	}
	w.number(uint64(len(p.Links)))
	for i := range p.Links {
		w.link(&p.Links[i])
	}
	w.number(uint64(len(p.marks)))
	for _, m := range p.marks {
		w.signed(int64(m.at), int64(m.arg), int64(m.kind))
	}
	dst = binary.AppendUvarint(dst, uint64(len(p.prose)))
	dst = append(dst, p.prose...)
	dst = binary.AppendUvarint(dst, uint64(len(w.own)))
	for _, s := range w.own {
		dst = binary.AppendUvarint(dst, uint64(len(s)))
		dst = append(dst, s...)
	}
	return append(dst, w.out...), nil
}

// strings are the strings that a page has once.
func (p *Page) strings() []*string {
	f := &p.Facts
	return []*string{&p.URL, &p.Base, &p.Language, &p.Title, &p.Cut,
		&f.Description, &f.Keywords, &f.Author, &f.Date, &f.SiteName, &f.Canonical}
}

// writing is a page being written. Strings of their own are written once each, and before all else.
type writing struct {
	prose string
	own   []string
	index map[string]uint64
	out   []byte
}

func (w *writing) number(n uint64) { w.out = binary.AppendUvarint(w.out, n) }

func (w *writing) signed(all ...int64) {
	for _, n := range all {
		w.out = binary.AppendVarint(w.out, n)
	}
}

func (w *writing) float(x float64) {
	w.out = binary.LittleEndian.AppendUint64(w.out, math.Float64bits(x))
}

func (w *writing) flag(on bool) {
	n := uint64(0)
	if on {
		n = 1
	}
	w.number(n)
}

func (w *writing) string(s string) {
	if at, ok := w.slice(s); ok {
		w.number(at<<1 + withinProse)
		w.number(uint64(len(s)))
		return
	}
	n, ok := w.index[s]
	if !ok {
		n = uint64(len(w.own))
		w.own, w.index[s] = append(w.own, s), n
	}
	w.number(n<<1 + amongOwn)
}

// slice says where in the prose a string is a slice of it: the very bytes, not equal ones.
func (w *writing) slice(s string) (at uint64, ok bool) {
	if s == "" || w.prose == "" {
		return 0, false
	}
	from := uintptr(unsafe.Pointer(unsafe.StringData(w.prose)))
	here := uintptr(unsafe.Pointer(unsafe.StringData(s)))
	if here < from || here-from > uintptr(len(w.prose)) || int(here-from)+len(s) > len(w.prose) {
		return 0, false
	}
	return uint64(here - from), true
}

func (w *writing) run(r *Run) {
	w.string(r.Text)
	w.number(uint64(r.Position))
	w.flag(r.Linked)
	w.signed(int64(r.Block), int64(r.at))
}

func (w *writing) block(b *Block) {
	w.string(b.Path)
	w.string(b.Heading)
	w.number(uint64(b.Kind))
	w.flag(b.Main)
	w.signed(int64(b.Parent), int64(b.Width), int64(b.Chars), int64(b.AnchorChars), int64(b.LinkCount))
}

// strings are the strings of a link.
func (l *Link) strings() [8]*string {
	return [8]*string{&l.URL, &l.Identity, &l.Host, &l.Anchor, &l.Before, &l.After, &l.Heading, &l.Path}
}

func (w *writing) link(l *Link) {
	for _, s := range l.strings() {
		w.string(*s)
	}
	w.number(uint64(l.Rel))
	w.number(uint64(l.Source))
	w.signed(int64(l.Block), int64(l.Order))
}

// errBinary is the error of bytes that no page was written as.
var errBinary = errors.New("page: these bytes are no page that this version wrote")

// UnmarshalBinary makes of p the page that AppendBinary wrote. The bytes are not kept.
func (p *Page) UnmarshalBinary(raw []byte) error {
	r := unwriting{raw: string(raw)} // all strings of the page are slices of it
	r.prose = r.bytes(r.number())
	r.own = make([]string, r.count(1))
	for i := range r.own {
		r.own[i] = r.bytes(r.number())
	}
	*p = Page{prose: r.prose}
	for _, s := range p.strings() {
		*s = r.string()
	}
	p.Kind, p.HubRatio = Kind(r.number()), r.float()
	p.Facts.NoIndex, p.Facts.NoFollow = r.flag(), r.flag()
	p.Runs = list(&r, 5, r.run)
	p.Blocks = list(&r, 9, r.block)
	p.Links = list(&r, 12, r.link)
	p.marks = list(&r, 3, func(m *mark) { m.at, m.arg, m.kind = r.int32(), r.int32(), form(r.signed()) })
	if r.bad || r.raw != "" {
		return errBinary
	}
	return nil
}

// list reads a list whose elements take some bytes each, at least.
func list[T any](r *unwriting, least int, read func(*T)) []T {
	n := r.count(least)
	if n == 0 {
		return nil
	}
	all := make([]T, n)
	for i := range all {
		read(&all[i])
	}
	return all
}

// unwriting is a page being read back. It notes whether anything was wrong.
type unwriting struct {
	raw   string // what is left
	prose string
	own   []string
	bad   bool
}

func (r *unwriting) number() uint64 {
	var n uint64
	for i := 0; i < len(r.raw) && i < binary.MaxVarintLen64; i++ {
		b := r.raw[i]
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.raw = r.raw[i+1:]
			return n
		}
	}
	r.bad, r.raw = true, ""
	return 0
}

func (r *unwriting) signed() int64 {
	n := r.number()
	return int64(n>>1) ^ -int64(n&1)
}

func (r *unwriting) int32() int32 { return int32(r.signed()) }

func (r *unwriting) flag() bool { return r.number() == 1 }

func (r *unwriting) bytes(n uint64) string {
	if n > uint64(len(r.raw)) {
		r.bad, r.raw = true, ""
		return ""
	}
	s := r.raw[:n]
	r.raw = r.raw[n:]
	return s
}

func (r *unwriting) float() float64 {
	s := r.bytes(8)
	if len(s) < 8 {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64([]byte(s)))
}

// count is how many elements follow that take at least some bytes each.
func (r *unwriting) count(least int) int {
	n := r.number()
	if n > uint64(len(r.raw)/least) {
		r.bad, r.raw = true, ""
		return 0
	}
	return int(n)
}

func (r *unwriting) string() string {
	n := r.number()
	at := n >> 1
	if n&1 == amongOwn {
		if at >= uint64(len(r.own)) {
			r.bad = true
			return ""
		}
		return r.own[at]
	}
	size := r.number()
	if at > uint64(len(r.prose)) || size > uint64(len(r.prose))-at {
		r.bad = true
		return ""
	}
	return r.prose[at : at+size]
}

func (r *unwriting) run(u *Run) {
	u.Text, u.Position, u.Linked = r.string(), Position(r.number()), r.flag()
	u.Block, u.at = r.int32(), r.int32()
}

func (r *unwriting) block(b *Block) {
	b.Path, b.Heading, b.Kind, b.Main = r.string(), r.string(), Kind(r.number()), r.flag()
	b.Parent, b.Width, b.Chars, b.AnchorChars, b.LinkCount = r.int32(), r.int32(), r.int32(), r.int32(), r.int32()
}

func (r *unwriting) link(l *Link) {
	for _, s := range l.strings() {
		*s = r.string()
	}
	l.Rel, l.Source = Rel(r.number()), Source(r.number())
	l.Block, l.Order = r.int32(), r.int32()
}
