package index

import (
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/pdf/pdftest"
)

// What a PDF says of its headings and links is indexed, and its copy can be shown: its bytes are no letters.
func TestAPDFHasHeadingsAndLinks(t *testing.T) {
	article := pdftest.Article{Title: "Solar notes", Link: "http://a.example/beyond", Paragraphs: []string{"# Of panels", "Solar energy needs a panel."}}
	for name, body := range map[string][]byte{"plain": article.File().Bytes(), "compact": article.File().Compact()} {
		var s sheet
		s.read(body, "application/pdf", "http://a.example/notes.pdf")
		if !strings.Contains(s.Headings, "Of panels") || len(s.Links) != 1 {
			t.Errorf("%s: headings %q, %d links", name, s.Headings, len(s.Links))
		}
		if html, err := markup(body, "application/pdf"); err != nil || !strings.Contains(string(html), ">Solar energy needs a panel.</a>") {
			t.Errorf("%s: %v: %s", name, err, html)
		}
	}
}
