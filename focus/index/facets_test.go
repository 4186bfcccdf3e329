package index

import (
	"context"
	"fmt"
	"testing"
)

// TestNarrowedAsCounted holds that who narrows an answer down to a label finds as many pages as were counted under it: those of a site
// with what is below it, and no pages with some of the words where the answer had all of them.
func TestNarrowedAsCounted(t *testing.T) {
	h := newHarvest(t, "jsonl")
	for i := range 9 {
		h.keep(fmt.Sprintf("http://one.test/%d", i), article(fmt.Sprint("Tea ", i), fmt.Sprintf("Green tea number %d is picked.", i)))
		h.keep(fmt.Sprintf("http://one.test/coffee%d", i), article(fmt.Sprint("Coffee ", i), fmt.Sprintf("Green coffee number %d is roasted.", i)))
	}
	for i := range 4 {
		h.keep(fmt.Sprintf("http://www.one.test:8080/%d", i), article(fmt.Sprint("More tea ", i), fmt.Sprintf("Green tea %d of another garden.", i)))
		h.keep(fmt.Sprintf("http://two.test/%d", i), article(fmt.Sprint("Tea of two ", i), fmt.Sprintf("Green tea %d from two hills.", i)))
	}
	c, _ := opened(t, h.dir)
	ask := func(words string, sites ...string) *Answer {
		q := ParseQuery(words)
		q.Narrow("site", sites...)
		a, err := Search(context.Background(), []*Collection{c}, q, Ask{Limit: 10, Weights: DefaultWeights()})
		noError(t, err)
		return a
	}
	a := ask("green tea")
	if got, want := fmt.Sprint(a.Total, a.Facets[facetSite]), "17 [{one.test 13} {two.test 4} {www.one.test:8080 4}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, site := range a.Facets[facetSite] {
		if narrowed := ask("green tea", site.Label); narrowed.Total != site.Pages || len(narrowed.Notes) > 0 {
			t.Errorf("%s: %d pages (%v), want the %d that were counted", site.Label, narrowed.Total, narrowed.Notes, site.Pages)
		}
	}
	if a := ask("roasted tea", "two.test"); a.Total != 4 || len(a.Notes) != 1 {
		t.Errorf("%d pages (%v), want those with some of the words where none has all", a.Total, a.Notes)
	}
	if a := ask("green tea site:two.test"); a.Total != 4 {
		t.Errorf("%d pages, want 4", a.Total)
	}
}

// TestNothingIsBelowAnAddressOfNumbers: 1.1 is a word, also where the host 1.1.1.1 was crawled.
func TestNothingIsBelowAnAddressOfNumbers(t *testing.T) {
	h := newHarvest(t)
	h.keep("http://1.1.1.1/tea", article("Tea", "Version 2 of the tea."))
	h.keep("http://tea.example/", article("Release", "Version 1.1 of the tea is out."))
	c, _ := opened(t, h.dir)
	for query, want := range map[string]string{"1.1": "2", "site:1.1": "", "site:1.1.1.1": "1", "1.1.1.1": "1"} {
		if a := asked(t, c, query); found(a) != want {
			t.Errorf("%s: pages %q, want %q: %v", query, found(a), want, a.Notes)
		}
	}
}
