package pdf

import (
	"bytes"
	"errors"
	"math"
	"strconv"
)

// What is said of a file that is not read.
var (
	ErrNoPDF     = errors.New("it does not begin as a PDF does")
	ErrEncrypted = errors.New("it is encrypted, and opens to a password alone")
	ErrCipher    = errors.New("it is encrypted in a way that is not read here")
	ErrNoPages   = errors.New("no page of it can be found")
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

// follow reads the tables of objects, from the newest to the oldest.
func (f *file) follow() {
	tail := f.b[max(0, len(f.b)-2048):]
	at := bytes.LastIndex(tail, []byte("startxref"))
	if at < 0 {
		return
	}
	l := &lexer{b: tail, at: at + len("startxref")}
	start, _ := l.next(false, 0)
	next, seen := []int{whole(start)}, map[int]bool{}
	for len(next) > 0 && len(seen) < 1024 {
		at, next = next[0], next[1:]
		if at <= 0 || at >= len(f.b) || seen[at] {
			continue
		}
		seen[at] = true
		d := f.table(at)
		for key, value := range d {
			if _, there := f.trailer[key]; !there {
				f.trailer[key] = value
			}
		}
		next = append(next, whole(d["XRefStm"]), whole(d["Prev"]))
	}
}

// table reads one table of objects, or one in a stream, and answers what its trailer says.
func (f *file) table(at int) dict {
	l := &lexer{b: f.b, at: at}
	if l.space(); !l.has("xref") {
		_, o := f.indirect(at)
		if s, ok := o.(*stream); ok && s.dict["Type"] == name("XRef") {
			f.tableInStream(s)
			return s.dict
		}
		return nil
	}
	l.at += len("xref")
	for {
		first, ok := l.next(false, 0)
		if !ok || first == operator("trailer") {
			break
		}
		count, _ := l.next(false, 0)
		number, isNumber := first.(float64)
		if !isNumber {
			return nil
		}
		for i := range whole(count) {
			offset, _ := l.next(false, 0)
			l.next(false, 0)
			kind, ok := l.next(false, 0)
			if !ok {
				return nil
			}
			if kind == operator("n") {
				f.put(whole(number)+i, place{at: whole(offset)})
			}
		}
	}
	o, _ := l.next(true, 0)
	d, _ := o.(dict)
	return d
}

// put notes where an object stands; what was noted first is newer.
func (f *file) put(number int, at place) {
	if _, there := f.places[number]; !there && number > 0 && len(f.places) < f.left.Objects {
		f.places[number] = at
	}
}

func (f *file) tableInStream(s *stream) {
	data := f.decode(s)
	var width [3]int
	fields, _ := s.dict["W"].(array)
	for i := range min(len(fields), 3) {
		width[i] = min(max(whole(fields[i]), 0), 8)
	}
	size := width[0] + width[1] + width[2]
	ranges, _ := s.dict["Index"].(array)
	if ranges == nil {
		ranges = array{0.0, s.dict["Size"]}
	}
	if size == 0 {
		return
	}
	for ; len(ranges) >= 2; ranges = ranges[2:] {
		for number := whole(ranges[0]); number-whole(ranges[0]) < whole(ranges[1]) && len(data) >= size; number++ {
			var field [3]int
			row := data
			for i, w := range width {
				for _, c := range row[:w] {
					field[i] = field[i]<<8 | int(c)
				}
				row = row[w:]
			}
			switch data = data[size:]; {
			case width[0] == 0 || field[0] == 1:
				f.put(number, place{at: field[1]})
			case field[0] == 2:
				f.put(number, place{inside: field[1]})
			}
		}
	}
}

// remake makes the table anew, from the objects themselves.
func (f *file) remake() {
	f.remade = true
	f.places, f.known, f.packs = map[int]place{}, map[int]object{}, map[int]map[int]object{}
	var packs []int
	for at := 0; ; {
		i := bytes.Index(f.b[at:], []byte(" obj"))
		if i < 0 {
			break
		}
		at += i + len(" obj")
		number, begins := headOf(f.b, at-len(" obj"))
		if number <= 0 || len(f.places) >= f.left.Objects {
			continue
		}
		f.places[number] = place{at: begins} // the last one is the newest
		window := f.b[at:min(len(f.b), at+512)]
		if !bytes.Contains(window, []byte("/Catalog")) && !bytes.Contains(window, []byte("/XRef")) && !bytes.Contains(window, []byte("/ObjStm")) {
			continue
		}
		o, _ := (&lexer{b: f.b[:min(len(f.b), at+4096)], at: at}).next(true, 0)
		switch d, _ := o.(dict); d["Type"] {
		case name("Catalog"):
			f.trailer["Root"] = ref{number, 0}
		case name("XRef"):
			for _, key := range []name{"Root", "Info", "Encrypt", "ID"} {
				if d[key] != nil {
					f.trailer[key] = d[key]
				}
			}
		case name("ObjStm"):
			packs = append(packs, number)
		}
	}
	for at := 0; ; {
		i := bytes.Index(f.b[at:], []byte("trailer"))
		if i < 0 {
			break
		}
		at += i + len("trailer")
		o, _ := (&lexer{b: f.b[:min(len(f.b), at+4096)], at: at}).next(true, 0)
		d, _ := o.(dict)
		for key, value := range d {
			f.trailer[key] = value
		}
	}
	if f.unseal() != nil {
		return
	}
	for _, number := range packs {
		for inside, o := range f.pack(number) {
			if d, ok := o.(dict); ok && d["Type"] == name("Catalog") && f.trailer["Root"] == nil {
				f.trailer["Root"] = ref{inside, 0}
			}
			f.put(inside, place{inside: number})
		}
	}
}

// headOf is the number of an object whose " obj" stands at a byte, and where it begins.
func headOf(b []byte, at int) (number, begins int) {
	digits := func(end int) (from int) {
		for from = end; from > 0 && end-from < 10 && b[from-1] >= '0' && b[from-1] <= '9'; from-- {
		}
		return from
	}
	generation := digits(at)
	end := generation
	for end > 0 && isSpace(b[end-1]) {
		end--
	}
	begins = digits(end)
	number, err := strconv.Atoi(string(b[begins:end]))
	if err != nil || generation == at || end == generation {
		return 0, 0
	}
	return number, begins
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
