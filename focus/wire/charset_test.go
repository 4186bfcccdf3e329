package wire

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gocolly/colly/v2"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

func encode(t testing.TB, e encoding.Encoding, s string) string {
	t.Helper()
	out, err := e.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCharset: pages of Chinese, Japanese, Korean, Russian and French, declared rightly, wrongly, late and not at all.
// Colly gets each of them over a real connection, and what an OnHTML callback reads must be the text as it was written.
func TestCharset(t *testing.T) {
	const (
		zh   = "旅游攻略：北京的秋天最美，红叶与长城相映成趣，欢迎各位游客前来参观。"
		rare = "旅游攻略：㐂㐃北京的秋天最美，红叶与长城相映成趣，欢迎各位游客前来参观。" // needs four bytes in GB 18030
		tw   = "旅遊攻略：臺北的秋天最美，紅葉與山嶺相映成趣，歡迎各位遊客前來參觀。"
		ja   = "これは日本語のページです。秋の紅葉がとても美しいので、ぜひお越しください。"
		ko   = "이것은 한국어 페이지입니다. 가을 단풍이 아름다우니 꼭 방문해 주세요."
		ru   = "Это страница на русском языке. Осень в горах очень красива, приезжайте к нам."
		fr   = "Été à la forêt : les élèves préfèrent la crème brûlée, naïveté à part."
	)
	gbk, big5, sjis := simplifiedchinese.GBK, traditionalchinese.Big5, japanese.ShiftJIS
	meta := func(label, text string) string {
		return `<html><head><meta charset="` + label + `"><title>t</title></head><body><p>` + text + `</p></body></html>`
	}
	bare := func(text string) string { return "<html><body><p>" + text + "</p></body></html>" }
	late := func(label, text string) string {
		return "<html><head>" + strings.Repeat("<!-- padding -->", 100) + `<meta http-equiv="Content-Type" content="text/html; charset=` + label + `"></head><body><p>` + text + "</p></body></html>"
	}
	cases := []struct{ name, header, body, want string }{
		{"utf-8, declared in the header", "text/html; charset=utf-8", bare(zh), zh},
		{"utf-8, not declared", "text/html", bare(zh), zh},
		{"utf-8 with a byte order mark", "text/html", "\xef\xbb\xbf" + bare(zh), zh},
		{"utf-8, the header says iso-8859-1", "text/html; charset=ISO-8859-1", bare(fr), fr},
		{"utf-8, the header says gbk", "text/html; charset=gbk", bare(zh), zh},
		{"gbk, declared in the header", "text/html; charset=GBK", encode(t, gbk, bare(zh)), zh},
		{"gbk, declared in meta", "text/html", encode(t, gbk, meta("gbk", zh)), zh},
		{"gbk, called gb2312", "text/html", encode(t, gbk, meta("gb2312", zh)), zh},
		{"gb18030, called gb2312", "text/html; charset=gb2312", encode(t, simplifiedchinese.GB18030, bare(rare)), rare},
		{"gbk, declared after 1,600 bytes", "text/html", encode(t, gbk, late("gbk", zh)), zh},
		{"gbk, not declared", "text/html", encode(t, gbk, bare(strings.Repeat(zh, 4))), strings.Repeat(zh, 4)},
		{"gbk, the header says utf-8, meta gbk", "text/html; charset=utf-8", encode(t, gbk, meta("gbk", zh)), zh},
		{"big5, declared in meta", "text/html", encode(t, big5, meta("big5", tw)), tw},
		{"shift_jis, declared in meta", "text/html", encode(t, sjis, meta("shift_jis", ja)), ja},
		{"euc-kr, declared in the header", "text/html; charset=euc-kr", encode(t, korean.EUCKR, bare(ko)), ko},
		{"windows-1251, declared in meta", "text/html", encode(t, charmap.Windows1251, meta("windows-1251", ru)), ru},
		{"utf-16 with a byte order mark", "text/html", encode(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), bare(zh)), zh},
		{"no content type at all", "", encode(t, gbk, meta("gbk", zh)), zh},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = nil
				if c.header != "" {
					w.Header().Set("Content-Type", c.header)
				}
				fmt.Fprint(w, c.body)
			}))
			defer s.Close()
			col := colly.NewCollector()
			rt := Stack(nil, Charset())
			col.WithTransport(rt)
			defer rt.(*stack).CloseIdleConnections()
			var got string
			col.OnHTML("p", func(e *colly.HTMLElement) { got = e.Text })
			if err := col.Visit(s.URL + "/"); err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("read %q, want %q", got, c.want)
			}
		})
	}
}

func TestCharsetTouchesOnlyText(t *testing.T) {
	gbk := encode(t, simplifiedchinese.GBK, "<p>北京</p>")
	cases := []struct{ header, body, want, kind, charset string }{
		{"image/png", "\x89PNG\xff\xfe", "\x89PNG\xff\xfe", "image/png", ""},
		{"application/octet-stream", gbk, gbk, "application/octet-stream", ""},
		{"application/octet-stream", "%PDF-1.4 \x93", "%PDF-1.4 \x93", "application/pdf", ""}, // the servers that do not know it
		{"pdf", "%PDF-1.4 \x93", "%PDF-1.4 \x93", "application/pdf", ""},
		{"text/html", "\r\n%PDF-1.4 \x93", "\r\n%PDF-1.4 \x93", "application/pdf", ""},
		{"text/plain; charset=gbk", "%PDF-1.4 \x93", "%PDF-1.4 \x93", "application/pdf", ""},
		{"", "%PDF-1.4 \x93", "%PDF-1.4 \x93", "application/pdf", ""},
		{"image/svg+xml; charset=gbk", gbk, gbk, "image/svg+xml; charset=gbk", ""},
		{"", "\x89PNG\x0d\x0a\x1a\x0a", "\x89PNG\x0d\x0a\x1a\x0a", "image/png", ""},
		{"*/*", "\x89PNG\x0d\x0a\x1a\x0a", "\x89PNG\x0d\x0a\x1a\x0a", "image/png", ""}, // says as much as nothing, as a browser takes it
		{"html; charset=gbk", "<html>" + gbk, "<html><p>北京</p>", "text/html; charset=utf-8", "gb18030"},
		{"unknown/unknown", "<html>", "<html>", "text/html; charset=utf-8", "utf-8"},
		{"application/unknown", "<html>", "<html>", "text/html; charset=utf-8", "utf-8"},
		{"html", "<meta charset=gbk><title>" + gbk, "<meta charset=gbk><title><p>北京</p>", "text/html; charset=utf-8", "gb18030"},
		{"html", "Beijing", "Beijing", "text/html; charset=utf-8", "utf-8"},
		{"", "\n<center>Beijing", "\n<center>Beijing", "text/html; charset=utf-8", "utf-8"},
		{"", "Beijing <b>", "Beijing <b>", "text/plain; charset=utf-8", "utf-8"},
		{"charset=gbk", "<p>" + gbk, "<p><p>北京</p>", "text/html; charset=utf-8", "gb18030"},
		{"json", `{"a":"b"}`, `{"a":"b"}`, "json", ""}, {"javascript", "var a", "var a", "javascript", ""},
		{"image/jpeg", "<html>", "<html>", "image/jpeg", ""},
		{"", "", "", "", ""},
		{"text/html", "", "", "text/html", ""},
		{"application/json; charset=gbk", encode(t, simplifiedchinese.GBK, `{"城":"北京"}`), `{"城":"北京"}`, "application/json; charset=utf-8", "gb18030"},
		{`Text/HTML; charset="GBK"; charset=x`, gbk, "<p>北京</p>", "text/html; charset=utf-8", "gb18030"},
	}
	for _, c := range cases {
		h := http.Header{}
		if c.header != "" {
			h.Set("Content-Type", c.header)
		}
		resp, body, err := get(t, Stack(answer(200, h, c.body), Charset()), "http://a.example/")
		if err != nil {
			t.Fatal(err)
		}
		kind, was := resp.Header.Get("Content-Type"), resp.Header.Get(CharsetHeader)
		if body != c.want || kind != c.kind || was != c.charset {
			t.Errorf("%q: %q as %q, was %q; want %q as %q, was %q", c.header, body, kind, was, c.want, c.kind, c.charset)
		}
	}
}

// TestCharsetReadsNothingForTheHeader: a callback that refuses a page by its header must not cost the page.
func TestCharsetReadsNothingForTheHeader(t *testing.T) {
	base := roundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := answer(200, http.Header{"Content-Type": {"text/html"}}, "").RoundTrip(r)
		resp.Body = unread{t}
		return resp, err
	})
	r, _ := http.NewRequest(http.MethodGet, "http://a.example/", nil)
	resp, err := Stack(base, Charset(), Decode(DecodeConfig{})).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, http.ErrBodyReadAfterClose
}
func (unread) Close() error { return nil }

// FuzzCharset: what comes out is UTF-8, and the short way for pages that are plain UTF-8 is no other way.
func FuzzCharset(f *testing.F) {
	f.Add([]byte("<p>旅游"), "text/html; charset=utf-8")
	f.Add([]byte("<meta charset=gbk>\xc2\xc3"), "text/html")
	f.Add([]byte("\xff\xfea\x00"), "")
	f.Add([]byte("<p>~{<:Ky2;W~}"), "text/html;charset=UTF-8")
	f.Fuzz(func(t *testing.T, body []byte, kind string) {
		h := http.Header{}
		if kind != "" {
			h.Set("Content-Type", kind)
		}
		resp, got, err := get(t, Stack(answer(200, h, string(body)), Charset()), "http://a.example/")
		if err != nil {
			t.Fatal(err)
		}
		if kind := resp.Header.Get("Content-Type"); isText(kind) && len(body) > 0 && !utf8.ValidString(got) {
			t.Fatalf("%q as %q: %q is not UTF-8", body, kind, got)
		}
		if isPlainUTF8(body, kind) {
			if long, _ := charset.Decode(bytes.Clone(body), kind); string(long) != got {
				t.Fatalf("%q as %q: %q the short way, %q the long way", body, kind, got, long)
			}
		}
	})
}
