package ahead

import (
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// What is worked out ahead is what would be worked out when it is asked for, of a page that may be kept and of one that may not.
func TestAheadIsTheSame(t *testing.T) {
	about, err := topic.New(topic.Spec{Language: "en", Terms: []topic.Term{{Term: "solar", Weight: 1}}, Judge: "bm25", Threshold: .3})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		word, via string // and the page that it is thought to stand on
		fields    []string
	}{{word: "solar", via: "http://b.example/"}, {word: "solar"}, {word: "solar", fields: []string{"id", "text", "trail"}}, {word: "cake"}} {
		word := c.word
		html := []byte("<title>Of " + word + "</title><p>" + strings.Repeat("All about "+word+" and more, said at length. ", 20) + `<a href="/x">more ` + word + `</a>`)
		p := page.Parse(html, "http://a.example/", page.Options{})
		d := study.Document(p)
		record := func(j topic.Judgement) *sink.Record {
			r := &sink.Record{ID: 7, URL: "http://a.example/", FinalURL: "http://a.example/", Title: p.Title, Time: time.Unix(1e9, 0), Status: 200, Relevance: j.Relevance,
				Exchange: sink.Exchange{Header: http.Header{"Content-Type": {"text/html"}}, Body: html}}
			Tell(r, p)
			return r
		}
		one, other := newOutputs(t, c.fields), newOutputs(t, c.fields)
		var ahead, late Work
		ahead.Judge(about, p, d)
		ahead.Keep(sink.AheadOf(one.looks, one.sinks), p, html, "http://a.example/", record, func() string { return c.via })
		a, b := ahead.Judgement(about, d), late.Judgement(about, d)
		if !reflect.DeepEqual(a, b) || a.Relevant != (word == "solar") || a.Relevant != (ahead.print != nil) {
			t.Errorf("%s: judged %+v ahead, %+v late", word, a, b)
		}
		if ahead.Print(html, p) != late.Print(html, p) {
			t.Errorf("%s: another print ahead", word)
		}
		made := ahead.Record(time.Unix(1e9, 0))
		if made == nil || ahead.Record(time.Unix(2e9, 0)) != nil || late.Record(time.Unix(1e9, 0)) != nil {
			t.Errorf("%s: a record is worked out for another time, or for none", word)
		}
		said, want := one.write(t, ahead.Seen(p, made, a.Relevant, word == "solar", 0), a.Relevant), other.write(t, late.Seen(p, record(b), b.Relevant, word == "solar", 0), b.Relevant)
		if said != want || len(said) < 2000 {
			t.Errorf("%s: written of what was made ahead\n%q\nand of what was not\n%q", word, said, want)
		}
	}
}

// Links may call a page by what it calls itself, and by its address with a slash at the end or without, as far as its query leaves that
// open; each once.
func TestAPageIsCalledByItsOtherNames(t *testing.T) {
	for at, want := range map[string]string{
		"http://a.example/docs/keel/":              "/docs/keel/ /docs/keel",
		"http://a.example/docs/keel":               "/docs/keel /docs/keel/",
		"http://a.example/docs/the-keel?print=yes": "/docs/the-keel?print=yes /docs/the-keel /docs/the-keel/",
		"http://a.example/?p=7":                    "/?p=7",
	} {
		own, _, _ := strings.Cut(strings.TrimSuffix(at, "/"), "?")
		html := []byte(`<title>The keel</title><link rel=canonical href="` + own + `"><p>The keel is of oak.`)
		if strings.Contains(at, "p=7") {
			html = []byte(`<title>The keel</title><p>The keel is of oak.`)
		}
		p := page.Parse(html, at, page.Options{})
		r := &sink.Record{URL: at, FinalURL: at, Title: p.Title, Imprint: sink.Imprint{Canonical: p.Facts.Canonical}}
		var keys []uint64
		for _, path := range strings.Fields(want) {
			identity, err := page.Canonical("http://a.example" + path)
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, sink.Key(identity))
		}
		var w Work
		if got := w.Seen(p, r, true, false, 0).Keys; !slices.Equal(got, keys) {
			t.Errorf("%s is called %d, want %d, of %s", at, got, keys, want)
		}
	}
}

// outputs are those of a crawl, in a folder of their own.
type outputs struct {
	dir   string
	sinks []sink.Sink
	looks *sink.Looks
}

func newOutputs(t *testing.T, fields []string) *outputs {
	o := &outputs{dir: t.TempDir()}
	for _, to := range []string{"jsonl", "warc", "csv"} {
		options := sink.Options{To: to}
		if to == "jsonl" {
			options.Fields = fields
		}
		s, err := sink.Open(o.dir, options)
		if err != nil {
			t.Fatal(err)
		}
		o.sinks = append(o.sinks, s)
	}
	var err error
	if o.looks, err = sink.OpenLooks(o.dir, sink.LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 30, Rotate: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	return o
}

// write writes a page, and answers all that stands in the folder then.
func (o *outputs) write(t *testing.T, seen *sink.Seen, kept bool) (all string) {
	seen.Record.Trail = []sink.Step{{URL: "http://b.example/", Anchor: "more"}}
	for _, s := range o.sinks {
		if !kept {
			break
		}
		if err := s.Write(seen.Record); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.looks.Take(seen); err != nil {
		t.Fatal(err)
	}
	for _, s := range o.sinks {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.looks.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(o.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(o.dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all += f.Name() + "\n" + string(text)
	}
	return all
}
