// Package pdftest answers: how would somebody write a PDF? It draws files whose text is known, in every kind of encoding that is read,
// and those that an enemy would write. It knows nothing of how they are read.
package pdftest

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
)

// File is a PDF that is being written. Its objects have the numbers 1 and so on; the first is the catalog.
type File struct {
	objects []string
	Info    string // the entries of what it says of itself
	Trailer string // more entries of the trailer
}

// Add adds an object, and answers its number.
func (f *File) Add(body string) int {
	f.objects = append(f.objects, body)
	return len(f.objects)
}

// Set replaces an object.
func (f *File) Set(number int, body string) { f.objects[number-1] = body }

// Stream is a stream as an object.
func Stream(entries, data string) string {
	return fmt.Sprintf("<<%s /Length %d>>\nstream\n%s\nendstream", entries, len(data), data)
}

// Packed is a stream that is packed as nearly all are.
func Packed(entries, data string) string {
	return Stream(entries+" /Filter /FlateDecode", deflated(data))
}

func deflated(data string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(data))
	_ = w.Close()
	return b.String()
}

// zerosAfter is deflated of a text and so many megabytes of zeros behind it. Behind the first of them each is packed into the same bytes,
// and the checksum of zeros is known, so that none but two are looked at.
func zerosAfter(head string, megabytes int) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.DefaultCompression)
	zeros := make([]byte, 1<<20)
	ends := [2]int{}
	_, _ = w.Write([]byte(head))
	for i := range ends {
		_, _ = w.Write(zeros)
		_ = w.Flush()
		ends[i] = b.Len()
	}
	_ = w.Close()
	first, again, last := b.Bytes()[:ends[0]], b.Bytes()[ends[0]:ends[1]], b.Bytes()[ends[1]:]
	const prime = 65521 // of Adler-32
	sum := adler32.Checksum([]byte(head))
	low, high := uint64(sum&0xffff), uint64(sum>>16)
	high = (high + uint64(megabytes)<<20%prime*low) % prime
	packed := append([]byte{0x78, 0x9c}, first...)
	packed = append(append(packed, bytes.Repeat(again, megabytes-1)...), last...)
	return string(binary.BigEndian.AppendUint32(packed, uint32(high<<16|low)))
}

// New is a file with one page for each of some contents, all with the same resources.
func New(resources string, contents ...string) *File {
	f := &File{}
	f.Add("<</Type /Catalog /Pages 2 0 R>>")
	f.Add("")
	f.Add(resources)
	var kids strings.Builder
	for _, c := range contents {
		at := f.Add(Packed("", c))
		fmt.Fprintf(&kids, "%d 0 R ", f.Add(fmt.Sprintf("<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R>>", at)))
	}
	f.Set(2, fmt.Sprintf("<</Type /Pages /Resources 3 0 R /Count %d /Kids [%s]>>", len(contents), kids.String()))
	return f
}

// Bytes writes the file with a table of its objects at the end.
func (f *File) Bytes() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	info := f.objects
	if f.Info != "" {
		info = append(slices.Clone(info), "<<"+f.Info+">>")
	}
	at := make([]int, len(info))
	for i, body := range info {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, body)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(info)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d /Root 1 0 R", len(info)+1)
	if f.Info != "" {
		fmt.Fprintf(&b, " /Info %d 0 R", len(info))
	}
	fmt.Fprintf(&b, "%s>>\nstartxref\n%d\n%%%%EOF\n", f.Trailer, start)
	return b.Bytes()
}

// Compact writes the file as newer programs do: all objects but the streams in a stream of objects, and the table in one with rows that
// are predicted.
func (f *File) Compact() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	all := slices.Clone(f.objects)
	if f.Info != "" {
		all = append(all, "<<"+f.Info+">>")
	}
	type row struct{ kind, at, index int }
	rows := map[int]row{}
	var heads, bodies strings.Builder
	pack, n := len(all)+1, 0
	for i, body := range all {
		if strings.Contains(body, "stream\n") {
			rows[i+1] = row{1, b.Len(), 0}
			fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, body)
			continue
		}
		fmt.Fprintf(&heads, "%d %d ", i+1, bodies.Len())
		bodies.WriteString(body + "\n")
		rows[i+1] = row{2, pack, n}
		n++
	}
	rows[pack] = row{1, b.Len(), 0}
	fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", pack, Packed(fmt.Sprintf("/Type /ObjStm /N %d /First %d", n, heads.Len()), heads.String()+bodies.String()))
	start := b.Len()
	rows[pack+1] = row{1, start, 0}
	var table strings.Builder
	before := make([]byte, 6)
	for _, number := range slices.Sorted(maps.Keys(rows)) {
		r := rows[number]
		now := []byte{byte(r.kind), byte(r.at >> 24), byte(r.at >> 16), byte(r.at >> 8), byte(r.at), byte(r.index)}
		table.WriteByte(2)
		for i := range now {
			table.WriteByte(now[i] - before[i])
		}
		before = now
	}
	info := ""
	if f.Info != "" {
		info = fmt.Sprintf(" /Info %d 0 R", len(all))
	}
	fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n", pack+1,
		Packed(fmt.Sprintf("/Type /XRef /W [1 4 1] /Index [1 %d] /Size %d /Root 1 0 R%s /DecodeParms <</Predictor 12 /Columns 6>>", len(rows), pack+2, info), table.String()), start)
	return b.Bytes()
}

// Hex is text in UTF-16, as a string of a file.
func Hex(text string) string {
	var b strings.Builder
	b.WriteByte('<')
	for _, u := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&b, "%04x", u)
	}
	b.WriteByte('>')
	return b.String()
}

// Phrase is text that people read, as a string of a file.
func Phrase(text string) string { return "<feff" + Hex(text)[1:] }

// HexBytes are bytes as a string of a file.
func HexBytes(b []byte) string { return fmt.Sprintf("<%x>", b) }

// Numbered is a font whose codes mean nothing but by its map to Unicode: each letter of a text has the number of its place in it.
type Numbered struct {
	letters []rune
	numbers map[rune]int
}

// Say writes text in the font.
func (n *Numbered) Say(text string) string {
	if n.numbers == nil {
		n.numbers = map[rune]int{}
	}
	var b strings.Builder
	b.WriteByte('<')
	for _, r := range text {
		if n.numbers[r] == 0 {
			n.letters = append(n.letters, r)
			n.numbers[r] = len(n.letters)
		}
		fmt.Fprintf(&b, "%04x", n.numbers[r])
	}
	b.WriteByte('>')
	return b.String()
}

// ToUnicode is its map to Unicode.
func (n *Numbered) ToUnicode() string {
	var b strings.Builder
	b.WriteString("/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n1 begincodespacerange <0000> <ffff> endcodespacerange\n")
	for i := 0; i < len(n.letters); i += 100 {
		part := n.letters[i:min(i+100, len(n.letters))]
		fmt.Fprintf(&b, "%d beginbfchar\n", len(part))
		for j, r := range part {
			fmt.Fprintf(&b, "<%04x> %s\n", i+j+1, Hex(string(r)))
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap end end")
	return b.String()
}

// Article is a file with a title, headings and paragraphs in a font of a page's own language, laid out as people see it: lines of
// so many letters, with the number of the page below. It has links where a paragraph is an address.
type Article struct {
	Title, Author, Date string
	Chinese             bool
	Paragraphs          []string // those that begin with # are headings
	Link                string   // that lies on the last line of the first page
}

// File draws the article.
func (a Article) File() *File {
	font := &Numbered{}
	long := 75
	if a.Chinese {
		long = 36
	}
	var pages []string
	var page strings.Builder
	y := 780.0
	end := func() {
		fmt.Fprintf(&page, "BT /F1 9 Tf 290 40 Td %s Tj ET\n", font.Say(fmt.Sprint(len(pages)+1)))
		pages = append(pages, page.String())
		page.Reset()
		y = 780
	}
	last := 0.0
	say := func(text string, size float64) {
		if y < 100 {
			end()
		}
		fmt.Fprintf(&page, "BT /F1 %g Tf 72 %g Td %s Tj ET\n", size, y, font.Say(text))
		last = y
		y -= size * 1.3
	}
	say(a.Title, 20)
	y -= 10
	for _, p := range a.Paragraphs {
		if heading, ok := strings.CutPrefix(p, "# "); ok {
			y -= 8
			say(heading, 15)
			y -= 4
			continue
		}
		for _, line := range broken(p, long) {
			say(line, 11)
		}
		y -= 8
	}
	linked := last
	only := len(pages) == 0
	end()
	wide := 500
	if a.Chinese {
		wide = 1000
	}
	f := New("", pages...)
	map1 := f.Add(Packed("", font.ToUnicode()))
	below := f.Add(fmt.Sprintf("<</Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Drawn /DW %d /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>>>>", wide))
	f.Set(3, fmt.Sprintf("<</Font <</F1 <</Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Drawn /Encoding /Identity-H /DescendantFonts [%d 0 R] /ToUnicode %d 0 R>>>>>>", below, map1))
	if a.Link != "" && only {
		at := f.Add(fmt.Sprintf("[<</Type /Annot /Subtype /Link /Rect [70 %g 520 %g] /A <</S /URI /URI (%s)>>>>]", linked-3, linked+12, a.Link))
		f.Set(5, strings.TrimSuffix(f.objects[4], ">>")+fmt.Sprintf(" /Annots %d 0 R>>", at))
	}
	f.Info = "/Producer (drawn)"
	for _, entry := range [][2]string{{"Title", a.Title}, {"Author", a.Author}} {
		if entry[1] != "" {
			f.Info += " /" + entry[0] + " " + Phrase(entry[1])
		}
	}
	if a.Date != "" {
		f.Info += " /CreationDate (D:" + strings.ReplaceAll(a.Date, "-", "") + "120000Z)"
	}
	return f
}

// broken breaks a text into lines.
func broken(text string, long int) (lines []string) {
	if !strings.Contains(text, " ") {
		runes := []rune(text)
		for ; len(runes) > long; runes = runes[long:] {
			lines = append(lines, string(runes[:long]))
		}
		return append(lines, string(runes))
	}
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > long {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
