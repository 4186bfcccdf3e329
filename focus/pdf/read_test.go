package pdf

import (
	"bytes"
	"compress/lzw"
	"encoding/ascii85"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/thresher-crawler/thresher/focus/pdf/pdftest"
)

// texts are the paragraphs of a file, headings with their signs.
func texts(t *testing.T, b []byte) string {
	t.Helper()
	d, err := Read(b, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range d.Paragraphs {
		lines = append(lines, strings.TrimSpace(strings.Repeat("#", p.Level)+" "+p.Text()))
	}
	return strings.Join(lines, "\n")
}

func coded(t *testing.T, e encoding.Encoding, text string) []byte {
	t.Helper()
	b, err := e.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestEveryEncoding: one font of each kind, whose text is known.
func TestEveryEncoding(t *testing.T) {
	composite := func(cmap, ordering string) string {
		return fmt.Sprintf("<</Font <</F1 <</Type /Font /Subtype /Type0 /BaseFont /STSong /Encoding %s /DescendantFonts [<</Subtype /CIDFontType0 /CIDSystemInfo <</Registry (Adobe) /Ordering (%s) /Supplement 2>> /DW 1000>>]>>>>>>", cmap, ordering)
	}
	simple := func(entries string) string {
		return "<</Font <</F1 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica " + entries + ">>>>>>"
	}
	utf16 := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	jis := coded(t, japanese.EUCJP, "太陽電池")
	for i := range jis {
		jis[i] &^= 0x80
	}
	for _, c := range []struct {
		name, resources string
		shown           []byte
		want            string
	}{
		{"standard", simple(""), []byte("Ann\x27s \xaesh \xe9 \xd0 it"), "Ann’s fish Ø — it"},
		{"WinAnsi", simple("/Encoding /WinAnsiEncoding"), coded(t, charmap.Windows1252, "Müller’s “café” – 5 €"), "Müller’s “café” – 5 €"},
		{"MacRoman", simple("/Encoding /MacRomanEncoding"), coded(t, charmap.Macintosh, "Müller’s “café”"), "Müller’s “café”"},
		{"differences", simple("/Encoding <</BaseEncoding /WinAnsiEncoding /Differences [1 /f_f_i /ffl /eacute /uni592A /u9633 /Scaron.sc 65 /alpha]>>"), []byte("o\x01ce, ru\x02e \x03 \x04\x05 \x06 A"), "office, ruffle é 太阳 Š α"},
		{"UniGB-UCS2-H", composite("/UniGB-UCS2-H", "GB1"), coded(t, utf16, "太阳能 PV 电池"), "太阳能 PV 电池"},
		{"UniGB-UTF16-H", composite("/UniGB-UTF16-H", "GB1"), coded(t, utf16, "太阳能𠮷电池"), "太阳能𠮷电池"},
		{"GBK-EUC-H", composite("/GBK-EUC-H", "GB1"), coded(t, simplifiedchinese.GBK, "太阳能 PV 電池鎔"), "太阳能 PV 電池鎔"},
		{"GB-EUC-H", composite("/GB-EUC-H", "GB1"), coded(t, simplifiedchinese.GBK, "太阳能电池"), "太阳能电池"},
		{"GBK2K-H", composite("/GBK2K-H", "GB1"), coded(t, simplifiedchinese.GB18030, "太阳能㐀电池"), "太阳能㐀电池"},
		{"ETen-B5-H", composite("/ETen-B5-H", "CNS1"), coded(t, traditionalchinese.Big5, "太陽能電池"), "太陽能電池"},
		{"UniCNS-UCS2-H", composite("/UniCNS-UCS2-H", "CNS1"), coded(t, utf16, "太陽能電池"), "太陽能電池"},
		{"90ms-RKSJ-H", composite("/90ms-RKSJ-H", "Japan1"), coded(t, japanese.ShiftJIS, "太陽電池 ソーラー"), "太陽電池 ソーラー"},
		{"EUC-H", composite("/EUC-H", "Japan1"), coded(t, japanese.EUCJP, "太陽電池"), "太陽電池"},
		{"H", composite("/H", "Japan1"), jis, "太陽電池"},
		{"KSCms-UHC-H", composite("/KSCms-UHC-H", "Korea1"), coded(t, korean.EUCKR, "태양 에너지"), "태양 에너지"},
		{"radicals", composite("/UniGB-UCS2-H", "GB1"), coded(t, utf16, "\u2f92\u2f2d"), "見山"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := pdftest.New(c.resources, "BT /F1 12 Tf 72 700 Td "+pdftest.HexBytes(c.shown)+" Tj ET")
			for name, b := range map[string][]byte{"plain": f.Bytes(), "compact": f.Compact()} {
				if have := texts(t, b); have != c.want {
					t.Errorf("%s: %q, want %q", name, have, c.want)
				}
			}
		})
	}
}

// TestToUnicode: a font says itself what its numbers mean, by letters, by runs, by several letters for one number.
func TestToUnicode(t *testing.T) {
	f := pdftest.New("", "BT /F1 12 Tf 72 700 Td <0001000200030100010101020200> Tj ET")
	at := f.Add(pdftest.Packed("", `1 begincodespacerange <0000> <ffff> endcodespacerange
2 beginbfchar <0001> <592a> <0002> <9633> endbfchar
3 beginbfrange <0003> <0003> [<80fd>] <0100> <0102> <0041> <0200> <0201> <00660069> endbfrange`))
	f.Set(3, fmt.Sprintf("<</Font <</F1 <</Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<</DW 1000>>] /ToUnicode %d 0 R>>>>>>", at))
	if have, want := texts(t, f.Bytes()), "太阳能ABCfi"; have != want {
		t.Errorf("%q, want %q", have, want)
	}
}

// What is read from the right comes as it is drawn, from the left, and is put into order; a program that draws it as it is read is known
// by where words end.
func TestFromTheRight(t *testing.T) {
	for _, c := range []struct {
		drawn []string
		want  string
	}{
		{[]string{"فيظن ردصم ةيسمشلا ةقاطلا"}, "الطاقة الشمسية مصدر نظيف"},
		{[]string{"الطاقة الشمسية مصدر نظيف"}, "الطاقة الشمسية مصدر نظيف"},
		{[]string{".in PV 2024 ,3.14 ,50% :ﺔﻗﺎﻄﻟﺍ"}, "الطاقة: 50%, 3.14, in PV 2024."},
		{[]string{"the Arabic (ةيسمشلا ةقاطلا) is for solar energy"}, "the Arabic (الطاقة الشمسية) is for solar energy"},
		{[]string{"תירלוסה היגרנאה יכ ןושארה קרפב רמאנ רבכ", "שמשהמ האבה היקנ היגרנא איה"}, "כבר נאמר בפרק הראשון כי האנרגיה הסולרית היא אנרגיה נקיה הבאה מהשמש"},
		{[]string{"(היקנ) היגרנא"}, "אנרגיה (נקיה)"},
		{[]string{"السﻼمة"}, "السلامة"},
	} {
		var font pdftest.Numbered
		content := fmt.Sprintf("BT /F1 12 Tf %d 714 Td", 72+248*(len(c.drawn)-1)) // one of several lines is that of a column at the right
		for i, drawn := range c.drawn {
			if i == 1 {
				content += fmt.Sprintf(" %d 0 Td", 12*(len([]rune(c.drawn[0]))-len([]rune(drawn)))) // both end at the right
			}
			content += " 0 -14 Td " + font.Say(drawn) + " Tj"
		}
		f := pdftest.New("", content+" ET")
		at := f.Add(pdftest.Packed("", font.ToUnicode()))
		f.Set(3, fmt.Sprintf("<</Font <</F1 <</Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<</DW 1000>>] /ToUnicode %d 0 R>>>>>>", at))
		if have := texts(t, f.Bytes()); have != c.want {
			t.Errorf("%q, want %q", have, c.want)
		}
	}
}

// TestAnEmbeddedMap: a font brings the map of its codes along, and one that a type 1 font has in its program.
func TestAnEmbeddedMap(t *testing.T) {
	f := pdftest.New("", "BT /F1 12 Tf 72 700 Td (A\x81\x40B) Tj /F2 12 Tf (\x01\x02) Tj ET")
	codes := f.Add(pdftest.Packed("/CMapName /Own", "2 begincodespacerange <00> <80> <8140> <9ffc> endcodespacerange 1 begincidrange <00> <80> 0 endcidrange 1 begincidchar <8140> 500 endcidchar"))
	told := f.Add(pdftest.Packed("", "3 beginbfchar <41> <0041> <8140> <592a> <42> <0042> endbfchar"))
	program := f.Add(pdftest.Packed("", "%!PS-AdobeFont\n/Encoding 256 array\ndup 1 /ff put\ndup 2/alpha put\nreadonly def"))
	f.Set(3, fmt.Sprintf("<</Font <</F1 <</Subtype /Type0 /Encoding %d 0 R /DescendantFonts [<</DW 1000 /W [500 [900]]>>] /ToUnicode %d 0 R>> /F2 <</Subtype /Type1 /FontDescriptor <</FontFile %d 0 R>>>>>>>>", codes, told, program))
	if have, want := texts(t, f.Bytes()), "A太Bffα"; have != want {
		t.Errorf("%q, want %q", have, want)
	}
}

const helvetica = "<</Font <</F1 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>> /F2 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding>>>>>>"

// TestFilters: what streams are packed by.
func TestFilters(t *testing.T) {
	const says = "BT /F1 12 Tf 72 700 Td (solar energy) Tj ET\n"
	long := says + strings.Repeat("% this is said again and again, so that codes grow wide: 0123456789 abcdefghij\n", 400)
	var a85, packed bytes.Buffer
	w := ascii85.NewEncoder(&a85)
	w.Write([]byte(says))
	w.Close()
	// compress/lzw grows its codes one later than PDF does by default, which /EarlyChange 0 says.
	z := lzw.NewWriter(&packed, lzw.MSB, 8)
	z.Write([]byte(long))
	z.Close()
	run := func(s string) string {
		var b strings.Builder
		for ; len(s) > 100; s = s[100:] {
			b.WriteByte(99)
			b.WriteString(s[:100])
		}
		b.WriteByte(byte(len(s) - 1))
		return b.String() + s + "\xf0%" + "\x80"
	}
	for name, body := range map[string]string{
		"none":      pdftest.Stream("", says),
		"flate":     pdftest.Packed("", says),
		"ascii85":   pdftest.Stream("/Filter [/ASCII85Decode]", a85.String()+"~>"),
		"hex":       pdftest.Stream("/Filter /AHx", hex.EncodeToString([]byte(says))+">"),
		"runs":      pdftest.Stream("/Filter /RunLengthDecode", run(says)),
		"lzw":       pdftest.Stream("/Filter /LZWDecode /DecodeParms <</EarlyChange 0>>", packed.String()),
		"lzw early": pdftest.Stream("/Filter /LZWDecode", earlyLZW(long)),
	} {
		f := pdftest.New(helvetica, "")
		f.Set(4, body)
		if have := texts(t, f.Bytes()); have != "solar energy" {
			t.Errorf("%s: %q", name, have)
		}
	}
}

// earlyLZW packs as PDF does by default. It begins anew before codes have more than 10 bits, and grows them one early.
func earlyLZW(s string) string {
	var out []byte
	bits, held, width := uint(0), 0, 9
	put := func(code int) {
		bits, held = bits<<width|uint(code), held+width
		for ; held >= 8; held -= 8 {
			out = append(out, byte(bits>>(held-8)))
		}
	}
	table := map[string]int{}
	put(256)
	next, at := 258, ""
	code := func(s string) int {
		if len(s) == 1 {
			return int(s[0])
		}
		return table[s]
	}
	for i := range len(s) {
		if grown := at + s[i:i+1]; len(grown) == 1 || table[grown] != 0 {
			at = grown
			continue
		}
		put(code(at))
		table[at+s[i:i+1]] = next
		next++
		at = s[i : i+1]
		if next+1 > 1<<width { // the reader is one entry behind
			width++
		}
		if next == 1000 {
			put(256)
			table, next, width = map[string]int{}, 258, 9
		}
	}
	put(code(at))
	put(257)
	return string(append(out, byte(bits<<(8-held))))
}

// columns is what column says.
const columns = "The panels on the roof turn the light of the sun into what a family needs, every day."

// column are four lines of half the width of a page.
func column(x, y int) string {
	return fmt.Sprintf(" BT /F1 12 Tf 14 TL %d %d Td (The panels on the roof turn) Tj T* (the light of the sun into) Tj T* (what a family needs, every) Tj T* (day.) Tj ET", x, y)
}

// TestLayout: blanks that nobody has written, words that were broken, lines that run on, what a text is headed by.
func TestLayout(t *testing.T) {
	for _, c := range []struct{ name, contents, want string }{
		{"blanks", "BT /F1 12 Tf 72 700 Td [(solar) -300 (en) 20 (ergy)] TJ ET", "solar energy"},
		{"no blanks between signs", "BT /F1 12 Tf 72 700 Td (A) Tj 8 0 Td (B) Tj ET", "AB"},
		{"lines", "BT /F1 12 Tf 14 TL 72 700 Td (The sun gives us light and energy that is pho-) Tj T* (tovoltaic, and more of it than anybody needs,) Tj (so that) ' ET", "The sun gives us light and energy that is photovoltaic, and more of it than anybody needs, so that"},
		{"paragraphs", "BT /F1 12 Tf 14 TL 72 700 Td (The sun gives us light and energy, and more.) Tj T* (It is said to be) Tj 0 -30 Td (Another paragraph begins below this line.) Tj ET", "The sun gives us light and energy, and more. It is said to be\nAnother paragraph begins below this line."},
		{"set in", "BT /F1 12 Tf 14 TL 72 700 Td (It ends in the middle of what would be a line, so.) Tj 24 -14 Td (Another one is set in, as books have it, and) Tj -24 -14 Td (goes on.) Tj ET", "It ends in the middle of what would be a line, so.\nAnother one is set in, as books have it, and goes on."},
		{"items", "BT /F1 12 Tf 14 TL 72 700 Td (\x95 The sun gives us light and energy, and more of) Tj T* (\x95 The wind gives us all that the sun does not) Tj ET", "• The sun gives us light and energy, and more of\n• The wind gives us all that the sun does not"},
		{"contents", "BT /F1 12 Tf 14 TL 72 700 Td (1 The sun . . . . . . . . . . . . . . 3) Tj T* (2 The wind . . . . . . . . . . . . . 12) Tj ET", "1 The sun . . . . . . . . . . . . . . 3\n2 The wind . . . . . . . . . . . . . 12"},
		{"a compound that is broken", "BT /F1 12 Tf 14 TL 72 700 Td (The firm makes its panels for the Anglo-) Tj T* (American market, and for that alone) Tj ET", "The firm makes its panels for the Anglo-American market, and for that alone"},
		{"narrow blanks", "BT /F1 12 Tf 72 700 Td [(the) -140 (solar) -140 (cell) -140 (of) -140 (silicon)] TJ ET", "the solar cell of silicon"},
		{"letters set apart", "BT /F1 12 Tf 1.6 Tc 72 700 Td [(solar) -200 (energy)] TJ ET", "solar energy"},
		{"a column below a wide title", "BT /F1 12 Tf 72 760 Td (One title that reaches over both of the columns that are below it, from the left to the right) Tj ET" + column(72, 720) + column(330, 720), "One title that reaches over both of the columns that are below it, from the left to the right\n" + columns + "\n" + columns},
		{"begun in bold", "BT /F2 12 Tf 14 TL 72 700 Td (What does the sun give to a family? ) Tj /F1 12 Tf (It gives us) Tj T* (light and energy, and that for nothing, all day) Tj T* (long.) Tj ET", "What does the sun give to a family? It gives us light and energy, and that for nothing, all day long."},
		{"accents over letters", "BT /F1 12 Tf 72 700 Td [(Martin M\xa8) 480 (achler and P\xb4) 520 (eter, `) 0 (a and x\xb4)] TJ ET", "Martin Mächler and Péter, `a and x´"},
		{"over two columns", strings.ReplaceAll(column(72, 720), "day.", "day") + strings.ReplaceAll(column(330, 720), "The", "the"), strings.ReplaceAll(columns, "day.", "day") + " " + strings.ReplaceAll(columns, "The", "the")},
		{"lines far apart", "BT /F1 12 Tf 26 TL 72 700 Td (The sun gives us light and energy that is pho-) Tj T* (tovoltaic, and more of it than anybody needs,) Tj" + strings.Repeat(" T* (and that is said again, for all who read this,) Tj", 4) + " T* (and ends.) Tj ET",
			"The sun gives us light and energy that is photovoltaic, and more of it than anybody needs," + strings.Repeat(" and that is said again, for all who read this,", 4) + " and ends."},
		{"headings", "BT /F1 20 Tf 72 740 Td (Solar panels) Tj /F2 12 Tf 0 -40 Td (Of roofs) Tj /F1 12 Tf 0 -20 Td (The panels stand on roofs, where the sun shines all day long.) Tj ET", "# Solar panels\n### Of roofs\nThe panels stand on roofs, where the sun shines all day long."},
		{"bold by printing twice", "BT /F1 12 Tf 72 700 Td (solar) Tj ET BT /F1 12 Tf 72.3 700 Td (solar) Tj ET", "solar"},
		{"turned", "BT /F1 12 Tf 0 1 -1 0 300 100 Tm (solar energy) Tj ET BT /F1 12 Tf 0 1 -1 0 314 100 Tm (is light) Tj ET", "solar energy is light"},
		{"artifacts", "/Artifact BMC BT /F1 12 Tf 72 800 Td (Page 1) Tj ET EMC BT /F1 12 Tf 72 700 Td (solar) Tj ET", "solar"},
		{"in other words", "/Span <</ActualText (energy)>> BDC BT /F1 12 Tf 72 700 Td (e n e r g y) Tj ET EMC", "energy"},
		{"a picture in the contents", "BI /W 1 /H 1 ID \xff(EIEI EI\nBT /F1 12 Tf 72 700 Td (solar) Tj ET", "solar"},
		{"escapes", `BT /F1 12 Tf 72 700 Td (a\(b\)c \(\101\102\) (in) \
side) Tj ET`, "a(b)c (AB) (in) side"},
	} {
		if have := texts(t, pdftest.New(helvetica, c.contents).Bytes()); have != c.want {
			t.Errorf("%s:\nhave %q\nwant %q", c.name, have, c.want)
		}
	}
}

// TestVertical: columns of Chinese from the right to the left are lines.
func TestVertical(t *testing.T) {
	const resources = "<</Font <</F1 <</Subtype /Type0 /Encoding /UniGB-UCS2-V /DescendantFonts [<</DW 1000>>]>>>>>>"
	contents := "BT /F1 12 Tf 500 700 Td " + pdftest.Hex("太阳能是一种能源，") + " Tj -18 0 Td " + pdftest.Hex("来自太阳。") + " Tj ET"
	if have, want := texts(t, pdftest.New(resources, contents).Bytes()), "太阳能是一种能源，来自太阳。"; have != want {
		t.Errorf("%q, want %q", have, want)
	}
}

// TestFurniture: what stands at the foot of all pages is left out, and what runs over their edges is put together.
func TestFurniture(t *testing.T) {
	var pages []string
	for i := range 4 {
		pages = append(pages, fmt.Sprintf("BT /F1 9 Tf 72 800 Td (The Journal of Roofs %d) Tj ET BT /F1 12 Tf 14 TL 72 700 Td (This is the first line of page %c, which is long,) Tj T* (and this is the second one that runs on to what) Tj ET BT /F1 9 Tf 300 40 Td (%d / 4) Tj ET", i+1, 'a'+i, i+1))
	}
	have := texts(t, pdftest.New(helvetica, pages...).Bytes())
	if strings.Contains(have, "Journal") || strings.Contains(have, "/ 4") || strings.Count(have, "second") != 4 {
		t.Errorf("%q", have)
	}
}

// The key 00 01 … 1f as another program (pypdf) has sealed it by the empty password, for revision 6.
const (
	user256 = "7f7e8b64280e8a0c2957cebb22c03a9991a566dd442c6e6e30c4795fd413e4dddab3caa44de20f1c26fedda4ced9b29e"
	key256  = "bd5895cbbbf2c25bd76240f44c5ebd8c3b7b97493442182ea444b2cd3fe7f9e3"
)

// TestWhatAFileSaysOfItself: title, author and date, in whatever a program writes them.
func TestWhatAFileSaysOfItself(t *testing.T) {
	gbk := pdftest.HexBytes(coded(t, simplifiedchinese.GBK, "太阳能"))
	for _, c := range []struct{ info, title, author, date string }{
		{"/Title (Solar) /Author (Ann Lee) /CreationDate (D:20240305101112+01'00')", "Solar", "Ann Lee", "2024-03-05"},
		{"/Title " + pdftest.Phrase("太阳能") + " /Author " + pdftest.Phrase("李小梅") + " /CreationDate (D:202403)", "太阳能", "李小梅", "2024-03"},
		{"/Title " + gbk, "太阳能", "", ""},
		{"/Title (M\xfcller) /ModDate (20240305)", "Müller", "", "2024-03-05"},
		{"/Title (Microsoft Word - solar.doc)", "The heading", "", ""},
		{"/Title (report_final.PDF)", "The heading", "", ""},
		{"/Author (\\(anonymous\\)) /Subject (unspecified)", "The heading", "", ""},
		{"/Title (\\(anonymous\\))", "The heading", "", ""},
		{"/Title (Unknown)", "The heading", "", ""},
		{"/Title (The unknown sun)", "The unknown sun", "", ""},
		{"/Title () /CreationDate (yesterday)", "The heading", "", ""},
	} {
		f := pdftest.New(helvetica, "BT /F1 20 Tf 72 740 Td (The heading) Tj /F1 12 Tf 0 -40 Td (What is said below it is longer than the heading.) Tj ET")
		f.Info = c.info
		d, err := Read(f.Bytes(), Limits{})
		if err != nil || d.Title != c.title || d.Author != c.author || d.Date != c.date {
			t.Errorf("%s: %v, have %q %q %q, want %q %q %q", c.info, err, d.Title, d.Author, d.Date, c.title, c.author, c.date)
		}
	}
}

// A heading that any document may have is not what a document without a title is called.
func TestContentsAreNoTitle(t *testing.T) {
	for heading, want := range map[string]string{"Contents": "Of panels", "ABSTRACT": "Of panels", "Contents of the sun": "Contents of the sun"} {
		d, err := Read(pdftest.New(helvetica, "BT /F1 20 Tf 72 740 Td ("+heading+") Tj /F1 16 Tf 0 -40 Td (Of panels) Tj /F1 12 Tf 0 -40 Td (What is said below it is longer than the heading.) Tj ET").Bytes(), Limits{})
		if err != nil || d.Title != want {
			t.Errorf("%s: %v, %q, want %q", heading, err, d.Title, want)
		}
	}
}

// TestNoText: of pages that were scanned, and of letters that nothing tells, there is nothing to be judged but a title.
func TestNoText(t *testing.T) {
	for content, want := range map[string]error{"72 72 400 600 re f": ErrNoText, "BT /F1 12 Tf (   ) Tj ET": ErrNoText, "72 72 400 600 re f BT /F1 12 Tf (sun) Tj ET": nil} {
		f := pdftest.New(helvetica, content)
		f.Info = "/Title (Solar energy)"
		if d, err := Read(f.Bytes(), Limits{}); !errors.Is(err, want) {
			t.Errorf("%s: %+v, %v, want %v", content, d, err, want)
		}
	}
}

// TestHTML: a whole article, in both languages, as a page; its link leads on.
func TestHTML(t *testing.T) {
	for _, c := range []struct {
		article pdftest.Article
		want    string
	}{
		{pdftest.Article{Title: "A < B & the sun", Author: "Ann Lee", Date: "2024-03-05", Link: "http://a.example/next?a=1&b=2",
			Paragraphs: []string{"# The first part", strings.Repeat("The panels on the roof turn the light of the sun into what a family needs. ", 4), "See the next page."}},
			`<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>A &lt; B &amp; the sun</title>
<meta property="og:title" content="A &lt; B &amp; the sun">
<meta name="author" content="Ann Lee">
<meta name="date" content="2024-03-05">
</head><body><article>
<h1>A &lt; B &amp; the sun</h1>
<h2>The first part</h2>
<p>The panels on the roof turn the light of the sun into what a family needs. The panels on the roof turn the light of the sun into what a family needs. The panels on the roof turn the light of the sun into what a family needs. The panels on the roof turn the light of the sun into what a family needs.</p>
<p><a href="http://a.example/next?a=1&amp;b=2">See the next page.</a></p>
</article>
</body></html>
`},
		{pdftest.Article{Title: "太阳能电池板的历史", Author: "李小梅", Chinese: true,
			Paragraphs: []string{"太阳能是一种能源，屋顶上的电池板把阳光变成电，供一家人使用。早在一八三九年，法国物理学家贝克勒尔就发现了光伏效应。", "# 第一节"}},
			`<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>太阳能电池板的历史</title>
<meta property="og:title" content="太阳能电池板的历史">
<meta name="author" content="李小梅">
</head><body><article>
<h1>太阳能电池板的历史</h1>
<p>太阳能是一种能源，屋顶上的电池板把阳光变成电，供一家人使用。早在一八三九年，法国物理学家贝克勒尔就发现了光伏效应。</p>
<h2>第一节</h2>
</article>
</body></html>
`},
	} {
		for name, b := range map[string][]byte{"plain": c.article.File().Bytes(), "compact": c.article.File().Compact()} {
			d, err := Read(b, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if have := string(d.HTML()); have != c.want {
				t.Errorf("%s: %s\nwant %s", name, have, c.want)
			}
		}
	}
}
