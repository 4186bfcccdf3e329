package pdf

import (
	"bytes"
	"errors"
	"math"
)

// What is said of a file that is not read.
var (
	ErrNoPDF     = errors.New("it does not begin as a PDF does")
	ErrEncrypted = errors.New("it is encrypted, and opens to a password alone")
	ErrCipher    = errors.New("it is encrypted in a way that is not read here")
	ErrNoPages   = errors.New("no page of it can be found")
	ErrNoText    = errors.New("it has no text that can be read")
)

// Limits are what a file may ask for. The zero value is the default.
type Limits struct {
	Decoded   int // bytes that all streams together unpack to; 0 means 64 MiB
	Objects   int // objects that are looked at; 0 means 200,000
	Operators int // of all contents; 0 means 5 million
	Pages     int // 0 means 2,000
	Text      int // bytes of the text; 0 means 4 MiB
}

func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		to    *int
		value int
	}{{&l.Decoded, 64 << 20}, {&l.Objects, 200_000}, {&l.Operators, 5_000_000}, {&l.Pages, 2000}, {&l.Text, 4 << 20}} {
		if *f.to <= 0 {
			*f.to = f.value
		}
	}
	return l
}

// place is where an object stands: at a byte of the file, or as one of those in a stream of objects.
type place struct {
	at     int
	inside int // the number of that stream; 0 where it stands in the file itself
}

// file is a PDF that was opened.
type file struct {
	b       []byte
	left    Limits // what may still be asked for
	places  map[int]place
	trailer dict
	known   map[int]object
	opening map[int]bool // objects that are being looked up: who asks for one again gets nothing
	packs   map[int]map[int]object
	fonts   map[ref]*font
	key     *key
	remade  bool // the table was made anew
}

// open finds the objects of a file.
func open(b []byte, limits Limits) (*file, error) {
	head := bytes.Index(b[:min(len(b), 1024)], []byte("%PDF-"))
	if head < 0 {
		return nil, ErrNoPDF
	}
	f := &file{b: b[head:], left: limits.withDefaults(), places: map[int]place{}, trailer: dict{}, known: map[int]object{},
		opening: map[int]bool{}, packs: map[int]map[int]object{}, fonts: map[ref]*font{}}
	f.follow()
	err := f.unseal()
	if _, ok := f.catalog(); !ok {
		f.remake()
		err = f.unseal()
	}
	return f, err
}

// catalog is the root of all pages.
func (f *file) catalog() (dict, bool) {
	root := f.dict(f.trailer["Root"])
	return root, f.dict(root["Pages"]) != nil
}

// indirect reads the object that begins at a byte: "12 0 obj …".
func (f *file) indirect(at int) (number int, o object) {
	if at < 0 || at >= len(f.b) || f.left.Objects <= 0 {
		return 0, nil
	}
	f.left.Objects--
	l := &lexer{b: f.b, at: at}
	first, _ := l.next(false, 0)
	generation, _ := l.next(false, 0)
	if word, _ := l.next(false, 0); word != operator("obj") {
		return 0, nil
	}
	id := ref{whole(first), whole(generation)}
	o, _ = l.next(true, 0)
	d, isDict := o.(dict)
	if l.space(); !isDict || !l.has("stream") {
		return id.number, f.unsealed(o, id)
	}
	l.at += len("stream")
	if l.has("\r") {
		l.at++
	}
	if l.has("\n") {
		l.at++
	}
	d, _ = f.unsealed(d, id).(dict)
	return id.number, &stream{dict: d, raw: f.streamAt(l.at, d), sealed: id}
}

// streamAt are the bytes of a stream: as many as it says, if its end stands there.
func (f *file) streamAt(at int, d dict) []byte {
	rest := f.b[min(at, len(f.b)):]
	if n := whole(f.resolve(d["Length"])); n > 0 && n <= len(rest) {
		l := &lexer{b: rest, at: n}
		if l.space(); l.has("endstream") {
			return rest[:n]
		}
	}
	if end := bytes.Index(rest, []byte("endstream")); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// resolve follows references to what they stand for.
func (f *file) resolve(o object) object {
	for range 32 {
		r, ok := o.(ref)
		if !ok {
			return o
		}
		o = f.object(r.number)
	}
	return nil
}

// object is what a number stands for.
func (f *file) object(number int) object {
	if o, ok := f.known[number]; ok {
		return o
	}
	at, ok := f.places[number]
	if !ok || f.opening[number] || len(f.opening) > deepest {
		return nil
	}
	f.opening[number] = true
	defer delete(f.opening, number)
	var o object
	if at.inside != 0 {
		o = f.pack(at.inside)[number]
	} else if found, read := f.indirect(at.at); found == number {
		o = read
	} else if !f.remade && f.left.Objects > 0 { // the table is wrong
		f.remake()
		delete(f.opening, number)
		return f.object(number)
	}
	f.known[number] = o
	return o
}

// pack are the objects in a stream of them.
func (f *file) pack(number int) map[int]object {
	if p, ok := f.packs[number]; ok {
		return p
	}
	f.packs[number] = nil
	if at := f.places[number]; at.inside != 0 {
		return nil
	}
	s, _ := f.object(number).(*stream)
	if s == nil {
		return nil
	}
	data, first := f.decode(s), whole(f.resolve(s.dict["First"]))
	heads := &lexer{b: data[:min(max(first, 0), len(data))]}
	p := map[int]object{}
	for range whole(f.resolve(s.dict["N"])) {
		inside, _ := heads.next(false, 0)
		at, ok := heads.next(false, 0)
		if !ok || f.left.Objects <= 0 {
			break
		}
		f.left.Objects--
		if from := first + whole(at); from >= 0 && from < len(data) {
			p[whole(inside)], _ = (&lexer{b: data, at: from}).next(true, 0)
		}
	}
	f.packs[number] = p
	return p
}

func (f *file) dict(o object) dict {
	switch o := f.resolve(o).(type) {
	case dict:
		return o
	case *stream:
		return o.dict
	}
	return nil
}

func (f *file) array(o object) array {
	a, _ := f.resolve(o).(array)
	return a
}

func (f *file) number(o object) float64 {
	n, _ := f.resolve(o).(float64)
	return n
}

func (f *file) name(o object) name {
	n, _ := f.resolve(o).(name)
	return n
}

// whole is a number without its fraction, and 0 of what is none or beyond what a file can mean.
func whole(o object) int {
	n, ok := o.(float64)
	if !ok || math.IsNaN(n) || math.Abs(n) >= 1<<31 {
		return 0
	}
	return int(n)
}
