package suggest_test

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/suggest"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// TestTheCrawlDrewTheSample: a page that it found foreign stands for others of its kind, and one that is there because its site gives much for none, whatever is thought of it later.
func TestTheCrawlDrewTheSample(t *testing.T) {
	pages := []winnow.Page{{URL: "https://a.example/", Relevance: 0}, {URL: "https://b.example/", Relevance: .9}, {URL: "https://c.example/", Near: true}}
	o := winnow.Options{Threshold: .3}
	stands := suggest.Stands(pages, &o)
	if stands[0] < 2 || stands[1] != 1 || stands[2] != 0 {
		t.Fatalf("they stand for %v", stands)
	}
	pages[0].Relevance, pages[1].Relevance, o.Threshold = .9, 0, .2 // retold
	looked, err := winnow.Look(pages, o)
	noError(t, err)
	for i, p := range suggest.Of(pages, stands, &looked, &o) {
		if p.Stands != stands[i] {
			t.Errorf("%s stands for %g, stood for %g", p.URL, p.Stands, stands[i])
		}
	}
}
