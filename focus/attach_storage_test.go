package focus_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
)

// ownStorage is a program's storage: it remembers which visits it was told of.
type ownStorage struct {
	storage.InMemoryStorage
	told int
}

func (s *ownStorage) Visited(id uint64) error {
	s.told++
	return s.InMemoryStorage.Visited(id)
}

// A storage that a program has set on its collector stays, with the cookies in it, or is given as an option: a page is visited for it
// when it has been fetched, and what it knows is not fetched again.
func TestAStorageOfTheProgramIsKept(t *testing.T) {
	for name, option := range map[string]bool{"on the collector": false, "as an option": true} {
		s := newSite(t, solarPages())
		own := &ownStorage{}
		for run, want := range []int{1, 0} {
			c := colly.NewCollector()
			var o []focus.Option
			if option {
				o = append(o, focus.Storage(own))
			} else if err := c.SetStorage(own); err != nil {
				t.Fatal(err)
			}
			f := frontier.NewMemory(frontier.Manners{})
			steps, err := focus.Attach(c, f, solarTopic(t), loadTree(t, sharkTree), o...)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := steps.Seed(s.URL + "/onion"); err != nil {
				t.Fatal(err)
			}
			before := own.told
			if err := newQueue(t, 1, f).Run(c); err != nil {
				t.Fatal(err)
			}
			if told := own.told - before; told != want || steps.Err() != nil {
				t.Errorf("%s, run %d: the storage heard of %d pages, want %d: %v", name, run, told, want, steps.Err())
			}
		}
	}
}

// Cookies that a program has set before Attach are sent.
func TestCookiesSurviveAttach(t *testing.T) {
	s := newSite(t, solarPages())
	c := colly.NewCollector()
	if err := c.SetCookies(s.URL, []*http.Cookie{{Name: "session", Value: "7"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := focus.Attach(c, frontier.NewMemory(frontier.Manners{}), solarTopic(t), loadTree(t, sharkTree)); err != nil {
		t.Fatal(err)
	}
	if kept := c.Cookies(s.URL); len(kept) != 1 {
		t.Errorf("%d cookies after Attach, want 1", len(kept))
	}
}

// What a collector bounds is held against a link before it waits, and a redirect handler would be replaced: it is refused.
func TestAttachHoldsTheBoundsOfACollector(t *testing.T) {
	s := newSite(t, solarPages())
	c := colly.NewCollector(colly.MaxDepth(1))
	waiting := frontier.NewMemory(frontier.Manners{})
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree))
	if err != nil {
		t.Fatal(err)
	}
	c.Visit(s.URL + "/")
	if err := newQueue(t, 1, waiting).Run(c); err != nil {
		t.Fatal(err)
	}
	if asked := s.requests(); len(asked) != 1 || steps.Counts().Refused["depth"] == 0 {
		t.Errorf("asked for %v; refused: %v", asked, steps.Counts().Refused)
	}
	c = colly.NewCollector()
	c.SetRedirectHandler(func(*http.Request, []*http.Request) error { return nil })
	if _, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree)); err == nil || !strings.Contains(err.Error(), "SetRedirectHandler") {
		t.Errorf("with a redirect handler: %v", err)
	}
}

// What the storage of a program knows of an earlier crawl is no failure of its host, and costs no page: the next crawl comes to what is
// new, however many known pages stand before it.
func TestAStorageThatKnowsPagesCostsNone(t *testing.T) {
	w, links := solarWeb(), ""
	for i := range 30 {
		address := fmt.Sprintf("http://a.example/known%d", i)
		w.pages[address] = answer{status: 200, body: fmt.Sprintf("<title>Known %d</title><p>Solar energy, told for the time %d.", i, i)}
		links += fmt.Sprintf(`<a href="%s">solar energy</a> `, address)
	}
	w.pages["http://a.example/list"] = answer{status: 200, body: "<title>A list</title><p>Solar energy. " + links}
	w.pages["http://a.example/news"] = answer{status: 200, body: "<title>News</title><p>News of solar energy. " + links + `<a href=/fresh>more</a>`}
	w.pages["http://a.example/fresh"] = answer{status: 200, body: "<title>Fresh</title><p>Solar energy of today."}
	own := &ownStorage{}
	for _, start := range []string{"/list", "/news"} {
		config := solarConfig(t, nil).Config
		config.Seeds, config.Polite.Parallel, config.Polite.PerHost = []string{"http://a.example" + start}, 1, 1
		crawler, err := focus.New(t.Context(), config, focus.Transport(w), focus.Storage(own))
		if err != nil {
			t.Fatal(err)
		}
		report := mustRun(t, crawler)
		if start == "/news" && (report.Counts.Pages != 2 || report.Counts.Failed != 0 || report.Counts.Dropped[admit.RefusedVisited] != 30 || w.count("http://a.example/fresh") != 1) {
			t.Errorf("%d pages, %d of them failed, dropped %v", report.Counts.Pages, report.Counts.Failed, report.Counts.Dropped)
		}
	}
}
