package pdftest

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

// Hostile are files that an enemy would write, by what they do. Where a page can be read all the same, it says "solar energy". They are
// made once, and must not be changed.
var Hostile = sync.OnceValue(hostile)

func hostile() map[string][]byte {
	const font = "<</Font <</F1 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>"
	const says = "BT /F1 12 Tf 72 700 Td (solar energy) Tj ET\n"
	plain := New(font, says)
	all := map[string][]byte{
		"cut":   plain.Bytes()[:len(plain.Bytes())-60],
		"empty": []byte("%PDF-1.4\n"),
		"junk":  append([]byte("%PDF-1.4\n"), bytes.Repeat([]byte("\x00\xff<<[("), 20_000)...),
	}
	put := func(name string, f *File) { all[name] = f.Bytes() }

	bomb := New(font, says)
	bomb.Set(4, Stream("/Filter /FlateDecode", zerosAfter(says, 300)))
	put("bomb", bomb)

	nested := New(font, says)
	inner := zerosAfter("", 16)
	for range 4 {
		inner = deflated(inner)
	}
	nested.Set(4, Stream("/Filter [/FlateDecode /FlateDecode /FlateDecode /FlateDecode /FlateDecode]", inner))
	put("bomb-nested", nested)

	many := New(font, says)
	inside := many.Add(Packed("/Subtype /Form", strings.Repeat("% ", 1<<19)+"\n"+says))
	many.Set(3, fmt.Sprintf("<</Font <</F1 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>> /XObject <</X %d 0 R>>>>", inside))
	many.Set(4, Packed("", strings.Repeat("/X Do ", 100_000)))
	put("forms-many", many)

	self := New(font, says)
	form := self.Add("")
	self.Set(form, Packed("/Subtype /Form", says+strings.Repeat("/X Do ", 50)))
	self.Set(3, fmt.Sprintf("<</Font <</F1 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>> /XObject <</X %d 0 R>>>>", form))
	self.Set(4, Packed("", "/X Do"))
	put("forms-themselves", self)

	cycle := New(font, says)
	cycle.Set(2, "<</Type /Pages /Resources 3 0 R /Count 99999999 /Kids [2 0 R 2 0 R 5 0 R 2 0 R]>>")
	put("pages-cycle", cycle)

	ring := New(font, says)
	for i := range 5000 {
		ring.Add(fmt.Sprintf("%d 0 R", 7+(i+1)%5000))
	}
	ring.Set(4, "6 0 R")
	put("references-ring", ring)

	length := New(font, says)
	length.Set(4, "<</Length 4 0 R>>\nstream\n"+says+"\nendstream")
	put("length-of-itself", length)

	chain := New(font, says)
	for i := range 20_000 {
		chain.Add(fmt.Sprintf("<</Length %d 0 R>>\nstream\nx\nendstream", 7+i))
	}
	chain.Set(4, "<</Length 6 0 R>>\nstream\n"+says+"\nendstream")
	put("length-chain", chain)

	deep := New(font, says)
	deep.Set(3, strings.Repeat("[", 500_000)+font)
	put("deep", deep)

	all["table-huge"] = bytes.Replace(plain.Bytes(), []byte("xref\n0 6"), []byte("xref\n0 999999999"), 1)
	all["table-lies"] = bytes.ReplaceAll(plain.Bytes(), []byte("00000 n"), []byte("99999 n"))
	all["tables-ring"] = bytes.Replace(plain.Bytes(), []byte("/Root 1 0 R"), []byte("/Root 1 0 R /Prev 9 /XRefStm 15"), 1)

	pack := New(font, says)
	number := pack.Add("")
	pack.Set(number, Packed(fmt.Sprintf("/Type /ObjStm /N 999999999 /First 20 /Extends %d 0 R", number), "1 0 2 0 3 0 4 0 5 0 <</Type /Catalog>>"))
	put("objects-huge", pack)

	stream := New(font, says)
	stream.Set(4, Packed("/DecodeParms <</Predictor 15 /Columns 65535 /Colors 65535 /BitsPerComponent 65535>>", says))
	put("rows-huge", stream)

	widths := New("<</Font <</F1 <</Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<</W [0 999999999 1000 5 999999999 1]>>] /ToUnicode 6 0 R>>>>>>", "BT /F1 12 Tf 72 700 Td <0000> Tj ET")
	widths.Add(Packed("", "1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 beginbfrange <0000> <ffffffff> <0073006f> endbfrange"))
	put("widths-huge", widths)

	var fonts, used strings.Builder
	spread := New("", says)
	for i := range 3000 { // each has a map of its own that fills the memory
		n := spread.Add(fmt.Sprintf("<</Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<</W [%d 65000 1]>>]>>", i))
		fmt.Fprintf(&fonts, "/F%d %d 0 R ", i, n)
		fmt.Fprintf(&used, "/F%d 1 Tf ", i)
	}
	spread.Set(3, "<</Font <<"+fonts.String()+">>>>")
	spread.Set(4, Packed("", "BT "+used.String()+"ET"))
	put("memory", spread)

	numbers := New(font, "1e400 -1e400 nan 1e400 0 0 cm BT /F1 1e308 Tf 1e308 1e308 Td (solar) Tj 99999999999999999999999999999999 0 0 1 1 1 Tm (energy) Tj ET "+says)
	put("numbers", numbers)

	marks := New(font, strings.Repeat("/P <</ActualText (solar energy)>> BDC q BT ", 200_000)+says)
	put("never-closed", marks)

	strings1 := New(font, "BT /F1 12 Tf 72 700 Td "+strings.Repeat("("+strings.Repeat("solar energy ", 4000)+") Tj ", 500)+"ET")
	put("text-endless", strings1)

	locked := New(font, says)
	locked.Trailer = " /Encrypt <</Filter /Standard /V 2 /R 3 /Length 128 /O (" + strings.Repeat("x", 32) + ") /U (" + strings.Repeat("y", 32) + ") /P -4>>"
	put("locked", locked)
	return all
}
