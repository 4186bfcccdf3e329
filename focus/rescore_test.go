package focus_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gocolly/colly/v2"

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
	q := newQueue(t, 1, waiting)
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

// again is a frontier that notes which waiting links are scored again.
type again struct {
	*frontier.Memory
	ids []uint64
}

func (a *again) Rescore(id uint64, score, alt float32, numbers []float32, note []byte) error {
	a.ids = append(a.ids, id)
	return a.Memory.Rescore(id, score, alt, numbers, note)
}

// A page that was fetched has at most 256 waiting links scored again; where it touches more, the next page goes on where it
// stopped.
func TestAPageHasAtMost256LinksScoredAgain(t *testing.T) {
	const links, most = 600, 256
	pages := map[string]string{"/": "<ul>"}
	for i := range links {
		pages["/"] += fmt.Sprintf(`<li><a href="/%d">solar energy</a></li>`, i)
		pages[fmt.Sprintf("/%d", i)] = "<p>Soup.</p>"
	}
	s := newSite(t, pages)
	c := colly.NewCollector()
	waiting := &again{Memory: frontier.NewMemory(frontier.Manners{})}
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, "rank: {use: yield, with: {of: page}}"))
	if err != nil {
		t.Fatal(err)
	}
	seen, visits, before := map[uint64]bool{}, 0, 0
	steps.OnDone(func(v *focus.Visit) {
		now := len(waiting.ids) - before
		for _, id := range waiting.ids[before:] {
			seen[id] = true
		}
		before = len(waiting.ids)
		if visits++; visits == 1 {
			return // the page of the links
		}
		if want := min(most, links-visits+1); now != want {
			t.Errorf("visit %d had %d links scored again, want %d", visits, now, want)
		}
		if visits == 4 && len(seen) < links-visits {
			t.Errorf("after %d visits %d links had been scored again, want all that wait", visits, len(seen))
		}
	})
	c.Visit(s.URL + "/")
	if err := newQueue(t, 1, waiting).Run(c); err != nil {
		t.Fatal(err)
	}
	if visits != 1+links {
		t.Errorf("%d visits, want %d", visits, 1+links)
	}
}

// Where something changes of which every score is made, the best waiting links are scored again, and not all of them: a
// crawl of portals leaves tens of thousands of links waiting that will never have their turn.
func TestASweepGoesOverTheBestOnly(t *testing.T) {
	const links, best, touched = 3000, 2000, 256
	pages := map[string]string{"/": "<ul>"}
	for i := range links {
		pages["/"] += fmt.Sprintf(`<li><a href="/%d">solar energy</a></li>`, i)
		pages[fmt.Sprintf("/%d", i)] = "<p>Soup.</p>"
	}
	s := newSite(t, pages)
	c := colly.NewCollector()
	waiting := &again{Memory: frontier.NewMemory(frontier.Manners{})}
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, "rank: {apprentice: [{use: anchor}], with: {every: 1, growth: 0}}"))
	if err != nil {
		t.Fatal(err)
	}
	visits, before := 0, 0
	steps.OnDone(func(*focus.Visit) {
		now := len(waiting.ids) - before
		before = len(waiting.ids)
		if visits++; visits > 1 && visits <= 3 && (now < best || now > best+touched) {
			t.Errorf("visit %d had %d of %d links scored again, want the best %d and at most %d near the page", visits, now, links, best, touched)
		}
	})
	q := newQueue(t, 1, waiting)
	steps.OnDone(func(*focus.Visit) {
		if visits == 3 {
			q.Stop()
		}
	})
	c.Visit(s.URL + "/")
	if err := q.Run(c); err != nil {
		t.Fatal(err)
	}
	if visits < 3 {
		t.Errorf("%d visits, want 3 at least", visits)
	}
}
