package index

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/text"
)

// harvester keeps pages as a crawl does.
type harvester struct {
	t     *testing.T
	dir   string
	sinks []sink.Sink
	next  uint64
}

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newHarvest(t *testing.T, to ...string) *harvester {
	t.Helper()
	h := &harvester{t: t, dir: filepath.Join(t.TempDir(), "run")}
	if len(to) == 0 {
		to = []string{"jsonl", "warc"}
	}
	h.open(to...)
	return h
}

func (h *harvester) open(to ...string) {
	h.t.Helper()
	for _, kind := range to {
		s, err := sink.Open(h.dir, sink.Options{To: kind})
		if err != nil {
			h.t.Fatal(err)
		}
		h.sinks = append(h.sinks, s)
	}
	h.t.Cleanup(func() {
		for _, s := range h.sinks {
			s.Close()
		}
	})
}

// keep keeps a page, and has the sinks write it.
func (h *harvester) keep(address, html string, change ...func(*sink.Record)) uint64 {
	h.t.Helper()
	h.next++
	r := recordOf(h.next, address, []byte(html))
	for _, c := range change {
		c(r)
	}
	for _, s := range h.sinks {
		if err := s.Write(r); err != nil {
			h.t.Fatal(err)
		}
		if err := s.Sync(); err != nil {
			h.t.Fatal(err)
		}
	}
	return h.next
}

// recordOf is the record that a crawl would make of a page.
func recordOf(id uint64, address string, html []byte) *sink.Record {
	p := page.Parse(html, address, page.Options{})
	main := p.MainText()
	return &sink.Record{
		ID: id, URL: address, FinalURL: address, Host: page.Host(address), Status: 200, Type: "text/html", Charset: "utf-8",
		Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(id) * time.Second), Language: text.Detect(p.Title+" "+main, p.Language),
		Title: p.Title, Imprint: sink.Imprint{Description: p.Facts.Description, Date: p.Facts.Date}, Text: main, Markdown: p.Markdown(), Relevance: 0.5,
		Exchange: sink.Exchange{Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: html}, Digest: fmt.Sprintf("sha256:%x", id), Bytes: int64(len(html)),
	}
}

// article is a page with a title, paragraphs and links (address, words, address, words …).
func article(title, text string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>%s</title></head><body><h1>%s</h1><div>", title, title)
	for line := range strings.Lines(text) {
		fmt.Fprintf(&b, "<p>%s</p>\n", line)
	}
	for i := 0; i+1 < len(links); i += 2 {
		fmt.Fprintf(&b, "<p><a href=%q>%s</a></p>\n", links[i], links[i+1])
	}
	return b.String() + "</div></body></html>"
}

// opened is a collection that is up to date.
func opened(t testing.TB, dir string, o ...Options) (*Collection, Change) {
	t.Helper()
	var options Options
	if len(o) > 0 {
		options = o[0]
	}
	c, err := Open(dir, options)
	noError(t, err)
	t.Cleanup(func() { c.Close() })
	return c, updated(t, c)
}

func updated(t testing.TB, c *Collection) Change {
	t.Helper()
	change, err := c.Update(context.Background())
	noError(t, err)
	return change
}

func asked(t *testing.T, c *Collection, query string) *Answer {
	t.Helper()
	a, err := Search(context.Background(), []*Collection{c}, ParseQuery(query), Ask{Limit: 10, Weights: DefaultWeights(), Why: true})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return a
}

// found are the numbers of the pages an answer shows.
func found(a *Answer) string {
	var ids []string
	for _, h := range a.Hits {
		ids = append(ids, fmt.Sprint(h.ID))
	}
	return strings.Join(ids, " ")
}

// small is a harvest in two languages.
func small(t *testing.T, to ...string) *harvester {
	h := newHarvest(t, to...)
	h.keep("http://tea.example.com/green", article("Growing green tea", "Green tea grows on hills. It is picked by hand in spring, the re\u0301colte.\nThe office hours of the garden are long.", "/black", "dark leaves of Assam, pre\u0301mium"))
	h.keep("http://tea.example.com/black", article("Black tea", "Black tea is fully oxidised, in a théière. Hours in the office are spent without it."), func(r *sink.Record) { r.Date = "1955-03-04" })
	h.keep("http://www.example.cn/zhang", article("数论中的一个名字", "张益唐证明了素数之间有界的间隔。他在大学里教书。", "http://www.example.cn/cup", "足球赛事"), func(r *sink.Record) { r.Date = "2019-10-05" })
	h.keep("http://www.example.cn/cup", article("世界杯决赛", "二零一八年的世界杯决赛在莫斯科举行，旅游的人很多。", "/zhang", "那位数学家"))
	h.keep("http://www.example.cn/wear", article("店铺", "这里有各种产品和服务，价格公道。"), func(r *sink.Record) { r.Date = "2024-02-30T25:61:00Z" }) // a day that is none
	h.keep("http://www.example.cn/full", article("ＡＢＣ公司", "體育新聞在這裡。"), func(r *sink.Record) { r.Date = "2024-03-01" })
	return h
}
