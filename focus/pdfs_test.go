package focus_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/pdf"
	"github.com/thresher-crawler/thresher/focus/pdf/pdftest"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// TestPDFIsAPage: PDF is read, judged, kept, archived and indexed as a page is, in English and in Chinese, and its links are followed. What
// cannot be read is refused with the reason; a crawl file says whether addresses of PDF are asked for, and whether PDF is read.
func TestPDFIsAPage(t *testing.T) {
	english := pdftest.Article{Title: "Solar notes", Author: "Ann Lee", Date: "2024-03-05", Link: "http://a.example/beyond",
		Paragraphs: []string{"# Of panels", "Solar energy needs a solar panel, and every panel turns the energy of the sun into what a family needs for a day.", "Solar energy goes on there."}}.File().Bytes()
	chinese := pdftest.Article{Title: "太阳能电池板", Author: "李小梅", Chinese: true,
		Paragraphs: []string{"太阳能是一种能源，屋顶上的电池板把阳光变成电，供一家人使用。太阳能，太阳能。", "solar energy，solar panel。"}}.File().Compact()
	for _, c := range []struct {
		name, types string
		pdf         bool
		kept        []string
		refused     map[string]string
	}{
		{"asked for", "pdf", true, []string{"file?id=1", "notes.pdf", "zh.pdf"}, map[string]string{"locked.pdf": "type: PDF: it is encrypted, and opens to a password alone", "lie.pdf": "type: PDF: it does not begin as a PDF does"}},
		{"by default", "pages", true, []string{"file?id=1"}, map[string]string{"notes.pdf": "type", "locked.pdf": "type"}},
		{"refused", "all", false, nil, map[string]string{"notes.pdf": "type", "file?id=1": "type"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := solarWeb()
			start := w.pages["http://a.example/"]
			start.body += `<a href="/notes.pdf">solar energy notes</a> <a href="/zh.pdf">solar energy 太阳能</a> <a href="/locked.pdf">solar panel</a> <a href="/lie.pdf">solar panels</a> <a href="/file?id=1">solar energy</a>`
			w.pages["http://a.example/"] = start
			for path, body := range map[string][]byte{
				"/notes.pdf": english, "/zh.pdf": chinese, "/locked.pdf": pdftest.Hostile()["locked"], "/lie.pdf": []byte("<p>solar energy"),
				"/file?id=1": pdftest.Article{Title: "Solar roofs", Paragraphs: []string{"Solar energy on a roof needs no more than a solar panel and the sun."}}.File().Bytes(),
			} {
				w.pages["http://a.example"+path] = answer{status: http.StatusOK, header: "Content-Type: application/pdf", body: string(body)}
			}
			w.pages["http://a.example/beyond"] = answer{status: http.StatusOK, body: "<title>Beyond</title><p>solar energy beyond"}
			config := solarConfig(t, w)
			config.Scope.Types, config.Reading.PDF = c.types, c.pdf
			config.Sinks = []crawlfile.SinkConfig{{To: "jsonl", Rotate: 1 << 30}, {To: "warc", Rotate: 1 << 30}}
			crawlWith(t, config)
			said := map[string]string{}
			for _, r := range harvest(t, config) {
				if r.Type == "application/pdf" {
					said[strings.TrimPrefix(r.FinalURL, "http://a.example/")] = strings.Join([]string{r.Title, r.Author, r.Date, r.Text}, "|")
				}
			}
			if len(said) != len(c.kept) {
				t.Errorf("kept %q, want %q", said, c.kept)
			}
			refused := map[string]string{}
			if err := run.ReadLog(filepath.Join(config.Store, run.FileLog), func(d *run.Decision) bool {
				if d.Decision != "keep" && d.Reason != "" {
					refused[strings.TrimPrefix(d.URL, "http://a.example/")] = string(d.Reason)
				}
				return true
			}); err != nil {
				t.Fatal(err)
			}
			for path, want := range c.refused {
				if refused[path] != want {
					t.Errorf("%s was refused as %q, want %q", path, refused[path], want)
				}
			}
			if c.types != "pdf" {
				return
			}
			for path, want := range map[string]string{
				"notes.pdf": "Solar notes|Ann Lee|2024-03-05|Solar notes\nOf panels\nSolar energy needs a solar panel, and every panel turns the energy of the sun into what a family needs for a day.\nSolar energy goes on there.",
				"zh.pdf":    "太阳能电池板|李小梅||太阳能电池板\n太阳能是一种能源，屋顶上的电池板把阳光变成电，供一家人使用。太阳能，太阳能。\nsolar energy，solar panel。",
			} {
				if said[path] != want {
					t.Errorf("%s: %q, want %q", path, said[path], want)
				}
			}
			if w.count("http://a.example/beyond") != 1 {
				t.Error("the link in a PDF was not followed")
			}
			holdsThePDF(t, config.Store, english)
			found(t, config.Store, `"turns the energy of the sun"`, "http://a.example/notes.pdf")
			found(t, config.Store, "家人", "http://a.example/zh.pdf")
		})
	}
}

// found holds what a harvest that is searched answers first; nothing where nothing is wanted.
func found(t *testing.T, folder, query, want string) {
	t.Helper()
	c, err := index.Open(folder, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	answer, err := index.Search(t.Context(), []*index.Collection{c}, index.ParseQuery(query), index.Ask{Limit: 5, Time: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	have := ""
	if len(answer.Hits) > 0 {
		have = answer.Hits[0].URL
	}
	if have != want {
		t.Errorf("%s finds %q, want %q", query, have, want)
	}
}

// holdsThePDF holds that the archive of a run has a file byte for byte.
func holdsThePDF(t *testing.T, folder string, want []byte) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(folder, "*.warc.gz"))
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in, err := warc.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		for {
			rec, err := in.Next()
			if err != nil {
				break
			}
			if _, body, err := rec.Response(); err == nil && string(body) == string(want) {
				return
			}
		}
	}
	t.Errorf("none of %q has the file as it came", paths)
}

// TestAPDFThatCannotBeReadNow: a file that nothing is wrong with is asked for again, as often as the crawl file says, and
// then refused with the reason.
func TestAPDFThatCannotBeReadNow(t *testing.T) {
	for _, c := range []struct {
		name  string
		fails int
		kept  bool
	}{{"twice", 2, true}, {"always", 1 << 30, false}} {
		t.Run(c.name, func(t *testing.T) {
			w := solarWeb()
			start := w.pages["http://a.example/"]
			start.body += `<a href="/file?id=1">solar energy</a>`
			w.pages["http://a.example/"] = start
			w.pages["http://a.example/file?id=1"] = answer{status: http.StatusOK, header: "Content-Type: application/pdf", body: "%PDF-"}
			config := solarConfig(t, w)
			config.RetryWait = time.Millisecond
			tried := 0
			crawlWith(t, config, func(crawl *focus.Crawler) {
				crawl.ReadsPDF(func(context.Context, []byte) ([]byte, error) {
					if tried++; tried <= c.fails {
						return nil, fmt.Errorf("%w: others were read", pdf.ErrNotNow)
					}
					return []byte("<title>Solar</title><p>Solar energy on a roof needs a solar panel and the sun."), nil
				})
			})
			kept := slices.ContainsFunc(harvest(t, config), func(r *sink.Record) bool { return r.Type == "application/pdf" })
			if kept != c.kept || tried != min(c.fails, config.Fetch.Retries)+1 {
				t.Errorf("kept %v after %d tries", kept, tried)
			}
			last := ""
			if err := run.ReadLog(filepath.Join(config.Store, run.FileLog), func(d *run.Decision) bool {
				if strings.HasSuffix(d.URL, "?id=1") {
					last = d.Decision + " " + string(d.Reason)
				}
				return true
			}); err != nil {
				t.Fatal(err)
			}
			if want := map[bool]string{true: "keep ", false: "drop type: PDF: not read for now: others were read"}[c.kept]; last != want {
				t.Errorf("it says %q of it, want %q", last, want)
			}
		})
	}
}
