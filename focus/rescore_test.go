package focus_test

import (
	"slices"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A Colly program that adds an address with a score of its own means it: a page that links to the address makes it no worse,
// nor does what becomes of that page's other links.
func TestWhatACollyProgramHasScoredKeepsItsScore(t *testing.T) {
	s := newSite(t, solarPages())
	c := colly.NewCollector()
	waiting := frontier.NewMemory(frontier.Manners{})
	feedback := loadTree(t, "rank: {mix: [{use: anchor, weight: 9, with: {blank: zero}}, {use: site}]}")
	if _, err := focus.Attach(c, waiting, solarTopic(t), feedback); err != nil {
		t.Fatal(err)
	}
	q := extensions.NewQueue(1, waiting)
	for path, score := range map[string]float32{"/solar": 9, "/panel": 8, "/soup": 7} {
		if err := q.AddScored(s.URL+path, score); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Run(c); err != nil {
		t.Fatal(err)
	}
	// /solar links to /soup by words that promise less than those of its link to /roof, and /panel changes what both promise.
	order, want := s.requests(), []string{"/solar", "/panel", "/soup", "/roof"}
	if !slices.Equal(order[:min(len(want), len(order))], want) {
		t.Errorf("pages were visited in the order %v, want %v first", order, want)
	}
}
