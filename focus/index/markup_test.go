package index

import (
	"net/http"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/pdf/pdftest"
)

// A link is known by the address that the crawl asked for, which has the letters of its page.
func TestLinksAreKnownInTheLettersOfTheirPage(t *testing.T) {
	var s sheet
	s.read([]byte("<p><a href='/s?q=\xb7\xab\xb4\xac'>\xb7\xab\xb4\xac</a>"), http.Header{"Content-Type": {"text/html; charset=gbk"}}, "http://a.example/", &page.Options{})
	if want := nameOf("http://a.example/s?q=%B7%AB%B4%AC"); len(s.Links) != 1 || s.Links[0].To != want || s.Links[0].Anchor != "帆船" {
		t.Errorf("its links are %+v, want one to %d", s.Links, want)
	}
}

// What a PDF says of its headings and links is indexed, and its copy can be shown: its bytes are no letters.
func TestAPDFHasHeadingsAndLinks(t *testing.T) {
	article := pdftest.Article{Title: "Solar notes", Link: "http://a.example/beyond", Paragraphs: []string{"# Of panels", "Solar energy needs a panel."}}
	for name, body := range map[string][]byte{"plain": article.File().Bytes(), "compact": article.File().Compact()} {
		var s sheet
		s.read(body, http.Header{"Content-Type": {"application/pdf"}}, "http://a.example/notes.pdf", &page.Options{})
		if !strings.Contains(s.Headings, "Of panels") || len(s.Links) != 1 {
			t.Errorf("%s: headings %q, %d links", name, s.Headings, len(s.Links))
		}
		if html, _, err := markup(body, "application/pdf"); err != nil || !strings.Contains(string(html), ">Solar energy needs a panel.</a>") {
			t.Errorf("%s: %v: %s", name, err, html)
		}
	}
}

// TestStopWordsAreNotMarked holds that a snippet marks what a query is about, and stop words only where there is nothing else in it.
func TestStopWordsAreNotMarked(t *testing.T) {
	h := newHarvest(t)
	h.keep("http://a.example/1", article("Kettle", "This does and doe: the kettle of the doctor, who was at the sea, 的海."))
	c, _ := opened(t, h.dir)
	for query, want := range map[string]string{
		"does the kettle of the sea": "kettle sea",
		"who was at":                 "who was at",
		`the "kettle of the" sea`:    "kettle of the|sea",
		"的 sea":                      "sea",
	} {
		var marked []string
		for _, p := range asked(t, c, query).Hits[0].Snippet {
			if p.Hit {
				marked = append(marked, p.Text)
			}
		}
		if got := strings.Join(marked, "|"); got != strings.ReplaceAll(want, " ", "|") && got != want {
			t.Errorf("%s: marked %q, want %q", query, got, want)
		}
	}
}
