package text

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/thresher-crawler/thresher/focus/warc"
	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// recorded reads the pages of a recorded web beside the repository, every nth of them, as their bytes and header. It
// skips the test where the web is not wanted or not there.
func recorded(t testing.TB, web string, nth int, visit func(url string, body []byte, contentType string)) {
	t.Helper()
	if os.Getenv("THRESHER_SHARED") != "1" {
		t.Skip("set THRESHER_SHARED=1 to test over the recorded webs in ../shared")
	}
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "webs", web, "pages.warc.gz"))
	if err != nil {
		t.Skip("no recorded web: ", err)
	}
	defer f.Close()
	r, err := warc.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; ; {
		record, err := r.Next()
		if err != nil {
			return
		}
		if record.Type != "response" {
			continue
		}
		if n++; n%nth != 0 {
			continue
		}
		response, body, err := record.Response()
		if err == nil {
			visit(record.Target, body, response.Header.Get("Content-Type"))
		}
	}
}

// recordedDocs are pages of a recorded web as they are cut.
func recordedDocs(t testing.TB, web string, nth int) []*Doc {
	t.Helper()
	var docs []*Doc
	recorded(t, web, nth, func(url string, body []byte, contentType string) {
		body, _ = charset.Decode(body, contentType)
		docs = append(docs, docOf(body))
	})
	return docs
}

// docOf is the text of a page, a segment for each run of text between two tags.
func docOf(body []byte) *Doc {
	d := &Doc{}
	z := html.NewTokenizer(bytes.NewReader(body))
	var in [8]bool // by position: are we inside such an element?
	skip := false
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return d
		case html.StartTagToken, html.EndTagToken:
			name, _ := z.TagName()
			if p, ok := elements[string(name)]; ok {
				in[p] = kind == html.StartTagToken
			}
			switch string(name) {
			case "script", "style", "noscript", "textarea":
				skip = kind == html.StartTagToken
			}
		case html.TextToken:
			if s := strings.TrimSpace(string(z.Text())); s != "" && !skip {
				p := Title
				for p > Body && !in[p] {
					p--
				}
				d.Segments = append(d.Segments, Segment{Text: s, Position: p})
			}
		}
	}
}

func textOf(body []byte) string {
	var b strings.Builder
	for _, s := range docOf(body).Segments {
		b.WriteString(s.Text + " ")
	}
	return b.String()
}

var elements = map[string]Position{
	"a": Anchor, "b": Emphasis, "strong": Emphasis, "h2": Heading, "h1": Top, "title": Title,
}

// emptied is a page that nobody has cut yet.
func emptied(d *Doc) *Doc { return &Doc{Segments: d.Segments, Main: d.Main} }

// sportsTerms are what a sensible user would write.
var sportsTerms = strings.Fields("体育 足球 篮球 NBA 中超 比赛 球队 球员 冠军 联赛 奥运 教练 排球 网球")

// TestDecodeRecordedPages holds the charsets of a web against what is known of it, and that nothing is mojibake.
func TestDecodeRecordedPages(t *testing.T) {
	if os.Getenv("THRESHER_WEBS") != "1" {
		t.Skip("all pages are decoded: set THRESHER_SHARED=1 and THRESHER_WEBS=1")
	}
	names, languages, broken := map[string]int{}, map[string]int{}, 0
	recorded(t, "zh_portals", 1, func(url string, body []byte, contentType string) {
		got, name := charset.Decode(body, contentType)
		names[name]++
		characters := utf8.RuneCount(got)
		if n := strings.Count(string(got), "\uFFFD"); n > characters/500 {
			broken++
			t.Logf("%s: %s, %d of %d characters are none", url, name, n, characters)
		}
		languages[Detect(textOf(got), "")]++
	})
	t.Logf("%v, %d broken; languages %v", names, broken, languages)
	if languages["zh"] < 5000 {
		t.Errorf("languages %v of a Chinese web", languages)
	}
	if names["utf-8"] < 4200 || names["gb18030"] < 880 || names["utf-8"]+names["gb18030"] < 5120 || broken > 10 {
		t.Errorf("charsets %v, %d broken; the web is known to hold 4,233 pages in UTF-8 and 907 in GBK", names, broken)
	}
}
