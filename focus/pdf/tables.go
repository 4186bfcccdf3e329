package pdf

import (
	"bytes"
	"maps"
	"strconv"
)

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
		maps.Copy(f.trailer, d)
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
