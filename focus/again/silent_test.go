package again

import (
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// counting counts how often each path was asked for.
type counting struct {
	site
	asked map[string]int
}

func (c counting) RoundTrip(r *http.Request) (*http.Response, error) {
	c.asked[r.URL.Path]++
	return c.site.RoundTrip(r)
}

// TestWhatDidNotAnswerTheCrawl is asked for by the rounds, also a start page: what answers then is kept, and what never does is left after
// three of them. It takes a quarter of their visits at most.
func TestWhatDidNotAnswerTheCrawl(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	c.Seeds = append(c.Seeds, "http://a.example/start")
	web := counting{site{"/": tea("all", "/a", "/late", "/never", "/gone"), "/a": tea("one"), "/late": "busy", "/never": "busy", "/start": "busy"}, map[string]int{}}
	crawled(t, c, web, nil)
	c.Budget.Pages = 12
	web.site["/late"], web.site["/start"] = tea("late"), tea("start", "/more")
	web.site["/more"], web.site["/gone"] = tea("more"), tea("back") // of what was not there the crawl had its answer
	at, was := time.Now(), 1
	for round, want := range []Told{{New: 3, Failed: 1}, {Failed: 1}, {Failed: 1}, {}} {
		at = at.Add(24 * time.Hour)
		told := visitedAgain(t, c, web, at)
		asked := web.asked["/never"] - was
		if was += asked; told.New != want.New || told.Failed != want.Failed || asked != want.Failed {
			t.Errorf("round %d tells %+v, and asked %d times for what never answers", round+1, told, asked)
		}
	}
	checkKept(t, c.Store, "after four rounds", "a.example/", "a.example/a", "a.example/late", "a.example/more", "a.example/start")
	if web.asked["/gone"] != 1 {
		t.Errorf("what was not there was asked for %d times", web.asked["/gone"])
	}

	m, err := remember(c.Store)
	if err != nil || len(m.silent) > 0 {
		t.Errorf("%v are still without an answer (%v)", m.silent, err)
	}
	r := &Round{config: c, memory: m}
	for m.silent = nil; len(m.silent) < 9; {
		m.silent = append(m.silent, "http://a.example/silent")
	}
	r.news = []string{"http://a.example/news"}
	if fresh, err := r.fresh(); err != nil || len(fresh) != 1+3 || !slices.Contains(fresh, r.news[0]) {
		t.Errorf("a round of 12 visits asks for %v (%v)", fresh, err)
	}
}
