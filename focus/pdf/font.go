package pdf

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// font turns the bytes of a string into letters and widths.
type font struct {
	composite bool
	vertical  bool
	bold      bool
	told      *cmap            // ToUnicode; nil without
	codes     *cmap            // of a composite font
	numbers   *collection      // that the numbers of a composite font are of; nil where they are of none
	found     map[int64]string // what these have been found to stand for
	table     simple
	first     int
	widths    []float64
	wide      map[int]float64 // of a composite font, by its own numbers
	otherwise float64         // the width of what has none
	scale     float64         // of widths
}

// mostWidths is how many widths a font may have.
const mostWidths = 1 << 16

// fontOf reads a font once.
func (f *file) fontOf(o object) *font {
	id, isRef := o.(ref)
	if known, ok := f.fonts[id]; ok && isRef {
		return known
	}
	t := f.readFont(f.dict(o))
	if isRef {
		f.fonts[id] = t
	}
	return t
}

func (f *file) readFont(d dict) *font {
	t := &font{scale: .001, otherwise: 500, bold: strings.Contains(string(f.name(d["BaseFont"])), "Bold")}
	if s, ok := f.resolve(d["ToUnicode"]).(*stream); ok {
		t.told = readCMap(f.decode(s))
	}
	if f.name(d["Subtype"]) == "Type0" {
		f.readComposite(t, d)
		return t
	}
	descriptor := f.dict(d["FontDescriptor"])
	t.table = f.encoding(d["Encoding"], descriptor)
	t.first = whole(f.resolve(d["FirstChar"]))
	if n := f.number(descriptor["MissingWidth"]); n > 0 {
		t.otherwise = n
	}
	if widths := f.array(d["Widths"]); len(widths) <= 256 {
		for _, w := range widths {
			t.widths = append(t.widths, f.number(w))
		}
	}
	if codes := f.codesAsNames(d["Encoding"]); len(codes) > 0 {
		t.table = numbered(codes, len(codes) > 1 && alikeWide(t.widths))
	}
	if matrix := f.array(d["FontMatrix"]); f.name(d["Subtype"]) == "Type3" && len(matrix) == 6 {
		t.scale = f.number(matrix[0])
	}
	return t
}

// dup is a line of the encoding that a font of Type 1 brings along.
var dup = regexp.MustCompile(`dup\s+(\d{1,3})\s*/(\S+)\s+put`)

// encoding is what the bytes of a simple font mean: its own, or one that has a name, with differences.
func (f *file) encoding(o object, descriptor dict) (t simple) {
	o = f.resolve(o)
	d, _ := o.(dict)
	base, _ := o.(name)
	if d != nil {
		base = f.name(d["BaseEncoding"])
	}
	switch base {
	case "WinAnsiEncoding":
		t = ofCharmap(charmap.Windows1252)
	case "MacRomanEncoding":
		t = ofCharmap(charmap.Macintosh)
	default:
		t = standardEncoding()
		if s, ok := f.resolve(descriptor["FontFile"]).(*stream); ok && base == "" {
			program := f.decode(s)
			for _, found := range dup.FindAllSubmatch(program[:min(len(program), 16<<10)], 256) {
				if n, err := strconv.Atoi(string(found[1])); err == nil && n < 256 {
					t[n] = glyph(string(found[2]))
				}
			}
		}
	}
	at := 0
	for _, o := range f.array(d["Differences"]) {
		switch o := f.resolve(o).(type) {
		case float64:
			at = whole(o)
		case name:
			if at >= 0 && at < 256 {
				t[at] = glyph(string(o))
			}
			at++
		}
	}
	return t
}

func ofCharmap(m *charmap.Charmap) (t simple) {
	for c := ' '; c < 256; c++ {
		if r := m.DecodeByte(byte(c)); r >= ' ' && r != '\ufffd' {
			t[c] = string(r)
		}
	}
	return t
}

// readComposite reads a font whose codes have more than one byte.
func (f *file) readComposite(t *font, d dict) {
	t.composite, t.codes, t.otherwise = true, &cmap{}, 1000
	switch o := f.resolve(d["Encoding"]).(type) {
	case name:
		t.codes.charset = charsetOf(o)
		t.vertical = o == "V" || strings.HasSuffix(string(o), "-V")
	case *stream:
		t.codes = readCMap(f.decode(o))
		t.vertical = whole(f.resolve(o.dict["WMode"])) == 1
		if other := f.name(o.dict["UseCMap"]); other != "" && len(t.codes.numbers) == 0 {
			t.codes.charset = charsetOf(other)
		}
	}
	below := dict{}
	if all := f.array(d["DescendantFonts"]); len(all) > 0 {
		below = f.dict(all[0])
	}
	t.numbers = collectionOf(f.text(f.dict(below["CIDSystemInfo"])["Ordering"]))
	if n, ok := f.resolve(below["DW"]).(float64); ok {
		t.otherwise = n
	}
	t.wide, t.found = map[int]float64{}, map[int64]string{}
	all := f.array(below["W"])
	for len(all) >= 2 && len(t.wide) < mostWidths {
		first := whole(f.resolve(all[0]))
		if each := f.array(all[1]); each != nil {
			for i, w := range each {
				t.wide[first+i] = f.number(w)
			}
			all = all[2:]
			continue
		}
		if len(all) < 3 {
			return
		}
		last, wide := min(whole(f.resolve(all[1])), first+mostWidths), f.number(all[2])
		if len(t.wide) == 0 && last > first {
			t.wide = make(map[int]float64, last-first+1)
		}
		for n := first; n <= last; n++ {
			t.wide[n] = wide
		}
		all = all[3:]
	}
}

// sign is one sign of a string: its letters, how far it moves what follows, in parts of the size, and whether it is the blank that
// a word spacing is for.
type sign struct {
	text  string
	wide  float64
	blank bool
}

// each calls visit for the signs of a string.
func (t *font) each(s str, visit func(sign)) {
	for len(s) > 0 {
		n, length := int64(s[0]), 1
		if t.composite {
			n, length = t.codes.cut(s)
		}
		g := sign{wide: t.width(n, length) * t.scale, blank: length == 1 && n == ' '}
		var ok bool
		if t.told != nil {
			g.text, ok = t.told.text(n)
		}
		switch {
		case ok:
		case !t.composite:
			g.text = t.table[n]
		case t.codes.charset != nil:
			g.text = t.codes.charset.text(s[:length])
			g.wide = t.charsetWidth(g.text) * t.scale
		case t.numbers != nil:
			if g.text, ok = t.found[n]; !ok {
				g.text = t.numbers.text(t.codes.number(n, length))
				t.found[n] = g.text
			}
		}
		visit(g)
		s = s[length:]
	}
}

func (t *font) width(n int64, length int) float64 {
	if t.composite {
		if w, ok := t.wide[int(t.codes.number(n, length))]; ok {
			return w
		}
		return t.otherwise
	}
	if i := n - int64(t.first); i >= 0 && i < int64(len(t.widths)) {
		return t.widths[i]
	}
	return t.otherwise
}

// charsetWidth is the width of a letter of a predefined map. All four collections of Adobe have the letters of ASCII as their
// numbers 1 to 95.
func (t *font) charsetWidth(text string) float64 {
	if len(text) == 1 && text[0] >= ' ' {
		if w, ok := t.wide[int(text[0])-31]; ok {
			return w
		}
		return 500
	}
	return t.otherwise
}
