package charset

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// Running text, a little of each language.
const (
	chineseText     = "新华社北京电 记者从有关部门了解到，今年以来我国经济运行总体平稳，各地区各部门认真做好工作，人民生活水平不断提高。"
	traditionalText = "記者從有關部門瞭解到，今年以來我國經濟運行總體平穩，各地區各部門認真做好工作，人民生活水平不斷提高。"
	japaneseText    = "これは日本語の文章です。東京では今日も多くの人が電車で会社に通っています。ニュースをお伝えします。"
	koreanText      = "이것은 한국어 문장입니다. 오늘 서울에서는 많은 사람들이 지하철을 타고 회사에 다니고 있습니다."
	frenchText      = "L'été dernier, les élèves français ont étudié à l'école près de la forêt où ils étaient déjà allés."
	russianText     = "Сегодня в Москве прошло заседание правительства, на котором обсуждались вопросы экономики страны."
	thaiText        = "พลังงานแสงอาทิตย์เป็นพลังงานสะอาดที่ใช้ได้ไม่มีวันหมด แผงโซลาร์เซลล์บนหลังคาช่วยลดค่าไฟฟ้าได้มาก"
)

// htmlPage is an HTML page around a text, with what stands in its head.
func htmlPage(head, body string) string {
	return "<!DOCTYPE html><html><head>" + head + "<title>" + body + "</title></head><body><p>" + body + "</p></body></html>"
}

func encoded(t *testing.T, e encoding.Encoding, s string) []byte {
	t.Helper()
	b, err := e.NewEncoder().Bytes([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const textHTML = "text/html"

// TestDecode holds the ways in which pages say, lie about, or keep quiet their charset.
func TestDecode(t *testing.T) {
	var (
		utf8Enc = unicode.UTF8
		gbk     = simplifiedchinese.GBK
		gb      = simplifiedchinese.GB18030
		big5    = traditionalchinese.Big5
		sjis    = japanese.ShiftJIS
		latin1  = charmap.Windows1252
	)
	far := "<script>" + strings.Repeat("var x=1;", 200) + "</script>" // pushes the meta behind 1024 bytes
	meta := func(label string) string { return `<meta charset="` + label + `">` }
	equiv := func(label string) string {
		return `<meta http-equiv="Content-Type" content="text/html; charset=` + label + `">`
	}
	for _, test := range []struct {
		name, header, head, text string
		in                       encoding.Encoding
		want                     string
	}{
		{"utf-8 by header", textHTML + "; charset=utf-8", "", chineseText, utf8Enc, "utf-8"},
		{"utf-8 by meta", textHTML, meta("utf-8"), chineseText, utf8Enc, "utf-8"},
		{"utf-8 by mark", textHTML, "", chineseText, unicode.UTF8BOM, "utf-8"},
		{"utf-8 undeclared", textHTML, "", chineseText, utf8Enc, "utf-8"},
		{"gbk by header", textHTML + "; charset=GBK", "", chineseText, gbk, "gb18030"},
		{"gbk by meta", textHTML, equiv("gb2312"), chineseText, gbk, "gb18030"},
		{"gbk by meta behind 1024 bytes", textHTML, far + meta("gbk"), chineseText, gbk, "gb18030"},
		{"gbk undeclared", textHTML, "", chineseText, gbk, "gb18030"},
		{"gbk, no header at all", "", "", chineseText, gbk, "gb18030"},
		{"gb18030 of four bytes under gb2312", textHTML + "; charset=gb2312", "", chineseText + "㐂𠀀龦", gb, "gb18030"},
		{"gb18030 of four bytes, meta gbk", textHTML, meta("gbk"), chineseText + "㐂𠀀龦", gb, "gb18030"},
		{"big5 by header", textHTML + ";charset=Big5", "", traditionalText, big5, "big5"},
		{"big5 by meta", textHTML, equiv("big5"), traditionalText, big5, "big5"},
		{"big5 undeclared", textHTML, "", traditionalText, big5, "big5"},
		{"shift_jis by meta", textHTML, meta("Shift_JIS"), japaneseText, sjis, "shift_jis"},
		{"shift_jis undeclared", textHTML, "", japaneseText, sjis, "shift_jis"},
		{"euc-jp undeclared", textHTML, "", japaneseText, japanese.EUCJP, "euc-jp"},
		{"iso-2022-jp undeclared", textHTML, "", japaneseText, japanese.ISO2022JP, "iso-2022-jp"},
		{"euc-kr by header", textHTML + "; charset=ks_c_5601-1987", "", koreanText, korean.EUCKR, "euc-kr"},
		{"euc-kr undeclared", textHTML, "", koreanText, korean.EUCKR, "euc-kr"},
		{"latin by header", textHTML + "; charset=iso-8859-1", "", frenchText, latin1, "windows-1252"},
		{"latin undeclared", textHTML, "", frenchText, latin1, "windows-1252"},
		{"latin by meta", textHTML, meta("windows-1252"), frenchText, latin1, "windows-1252"},
		{"windows-1251 by header", textHTML + "; charset=windows-1251", "", russianText, charmap.Windows1251, "windows-1251"},
		{"windows-1251 undeclared", textHTML, "", russianText, charmap.Windows1251, "windows-1251"},
		{"koi8-r undeclared", textHTML, "", russianText, charmap.KOI8R, "koi8-r"},
		{"iso-8859-2 by meta", textHTML, meta("iso-8859-2"), "Słońce", charmap.ISO8859_2, "iso-8859-2"}, // Big5 might have read it, too
		{"windows-1250 by header", textHTML + "; charset=windows-1250", "", "Energia słoneczna jest czystym i odnawialnym źródłem", charmap.Windows1250, "windows-1250"},
		{"header lies iso-8859-2 over big5", textHTML + "; charset=iso-8859-2", "", traditionalText, big5, "big5"},
		{"header lies windows-1251 over shift_jis", textHTML + "; charset=windows-1251", "", japaneseText, sjis, "shift_jis"},
		{"windows-874 by meta", textHTML, meta("tis-620"), thaiText, charmap.Windows874, "windows-874"},
		{"windows-874 undeclared", textHTML, "", thaiText, charmap.Windows874, "windows-874"},
		{"header lies iso-8859-1 over windows-874", textHTML + "; charset=iso-8859-1", "", thaiText, charmap.Windows874, "windows-874"},
		{"utf-16le by mark", textHTML, "", chineseText, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16le"},
		{"utf-16be by mark", textHTML, "", chineseText, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "utf-16be"},
		{"utf-16le without mark", textHTML + "; charset=utf-16", "", chineseText, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16le"},
		{"utf-16be undeclared", textHTML, "", chineseText, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "utf-16be"},
		{"header lies utf-8, meta says gbk", textHTML + "; charset=utf-8", meta("gbk"), chineseText, gbk, "gb18030"},
		{"header lies utf-8, no meta", textHTML + "; charset=utf-8", "", chineseText, gbk, "gb18030"},
		{"header lies gbk", textHTML + "; charset=gbk", "", chineseText, utf8Enc, "utf-8"},
		{"header lies iso-8859-1 over utf-8", textHTML + "; charset=iso-8859-1", "", frenchText, utf8Enc, "utf-8"},
		{"header lies iso-8859-1 over gbk", textHTML + "; charset=iso-8859-1", meta("gb2312"), chineseText, gbk, "gb18030"},
		{"header lies iso-8859-1, no meta", textHTML + "; charset=iso-8859-1", "", chineseText, gbk, "gb18030"},
		{"header lies big5", textHTML + "; charset=big5", "", chineseText, gbk, "gb18030"},
		{"header lies euc-kr", textHTML + "; charset=euc-kr", "", chineseText, gbk, "gb18030"},
		{"meta lies gbk over euc-kr", textHTML, meta("gbk"), koreanText, korean.EUCKR, "euc-kr"},
		{"meta lies gbk over shift_jis", textHTML, meta("gbk"), japaneseText, sjis, "shift_jis"},
		{"meta lies utf-8", textHTML, meta("utf-8"), chineseText, gbk, "gb18030"},
		{"meta lies utf-16", textHTML, meta("utf-16"), chineseText, utf8Enc, "utf-8"},
		{"meta in a comment", textHTML, "<!-- " + meta("big5") + " -->" + meta("gbk"), chineseText, gbk, "gb18030"},
		{"unknown label", textHTML + "; charset=foobar", "", chineseText, gbk, "gb18030"},
		{"hz by header", textHTML + "; charset=HZ-GB-2312", "", chineseText, simplifiedchinese.HZGB2312, "hz-gb-2312"},
		{"hz by meta", textHTML, meta("hz-gb-2312"), chineseText, simplifiedchinese.HZGB2312, "hz-gb-2312"},
		{"header lies hz", textHTML + "; charset=hz-gb-2312", "", chineseText + "~{", utf8Enc, "utf-8"},
		{"label of the standard's replacement", textHTML + "; charset=hz-gb-2312", "", chineseText, gbk, "gb18030"},
		{"quoted label", textHTML + `; charset="gb-18030"`, "", chineseText, gbk, "gb18030"},
		{"xml declaration", "application/xhtml+xml", "", chineseText, gbk, "gb18030"},
		{"ascii", textHTML, "", "nothing but plain text", utf8Enc, "utf-8"},
	} {
		want := htmlPage(test.head, test.text)
		if test.name == "xml declaration" {
			want = `<?xml version="1.0" encoding="GB2312"?>` + want
		}
		got, name := Decode(encoded(t, test.in, want), test.header)
		if string(got) != want || name != test.want {
			t.Errorf("%s: charset %q, want %q; %q", test.name, name, test.want, got)
		}
	}
}

func TestDecodeShortAndDamaged(t *testing.T) {
	gbk := simplifiedchinese.GBK
	for _, test := range []struct {
		name, body, header, want, charset string
	}{
		{"empty", "", "", "", "utf-8"},
		{"valid in both, gbk said", string(encoded(t, gbk, "联通")), "text/html; charset=gbk", "联通", "gb18030"},
		{"two characters, gbk said", string(encoded(t, gbk, "中国")), "text/html; charset=gbk", "中国", "gb18030"},
		{"two characters, nothing said", string(encoded(t, gbk, "中国")), "", "中国", "gb18030"},
		{"utf-8 cut inside a character", chineseText[:len(chineseText)-4], "", chineseText[:len(chineseText)-6] + "\uFFFD", "utf-8"},
		{"utf-8 with a wrong byte", chineseText + "\xFF" + chineseText, "", chineseText + "\uFFFD" + chineseText, "utf-8"},
		{"utf-8 with many wrong bytes, said so", "价格\xA3上海\xA3北京", "text/html; charset=utf-8", "价格\uFFFD上海\uFFFD北京", "utf-8"},
		{"one accent", "caf\xE9", "", "café", "windows-1252"},
		{"one accent, utf-8 said", "caf\xE9 au lait", "text/html; charset=utf-8", "café au lait", "windows-1252"},
		{"accent in utf-8, gbk said", "café", "text/html; charset=gbk", "café", "utf-8"},
		{"copyright sign, gbk said", "\xA1\xF1 plain", "text/html; charset=gbk", "● plain", "gb18030"},
	} {
		got, name := Decode([]byte(test.body), test.header)
		if string(got) != test.want || name != test.charset {
			t.Errorf("%s: %q in %q, want %q in %q", test.name, got, name, test.want, test.charset)
		}
	}
}

// TestGuessIsAlwaysTheSame holds that equal confidences do not let chance decide.
func TestGuessIsAlwaysTheSame(t *testing.T) {
	body := encoded(t, charmap.Windows1252, frenchText)
	_, first := Decode(body, "")
	for range 50 {
		if _, again := Decode(body, ""); again != first {
			t.Fatalf("%s, then %s", first, again)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(chineseText), "text/html; charset=utf-8")
	f.Add([]byte("\xFF\xFEa\x00"), "")
	f.Add([]byte("\x1b$B$3$l\x1b(B"), "text/html; charset=iso-2022-jp")
	f.Add([]byte("<?xml encoding='big5'?>\xA4\xA4\xA4\xE5"), "text/xml")
	f.Add([]byte("\x81\x30\x81\x30\xFE"), "text/html;charset=gb18030")
	f.Fuzz(func(t *testing.T, body []byte, header string) {
		got, name := Decode(body, header)
		if !utf8.Valid(got) {
			t.Fatalf("not UTF-8: %q", got)
		}
		if name == "" {
			t.Fatal("no name")
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	utf := []byte(htmlPage("", strings.Repeat(chineseText, 100)))
	gbk, err := simplifiedchinese.GBK.NewEncoder().Bytes(utf)
	if err != nil || !utf8.Valid(utf) {
		b.Fatal(err)
	}
	for name, body := range map[string][]byte{"utf-8": utf, "gbk": gbk} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				Decode(body, "text/html")
			}
		})
	}
}
