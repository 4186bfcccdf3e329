package focus_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// brittle is a judge that panics at a page that has none of the topic's words.
type brittle struct{}

func (brittle) Score(b *topic.Bag, why []topic.Evidence) (float64, []topic.Evidence) {
	if b.Len() == 0 {
		panic("no words")
	}
	return 1, why
}

func init() {
	topic.Register("of-tests-brittle", "panics where there is no word", topic.Traits{Terms: true}, struct{}{}, func(struct{}, *topic.Material) topic.Judge { return brittle{} })
	topic.Register("of-tests-nothing", "is nil", topic.Traits{Terms: true}, struct{}{}, func(struct{}, *topic.Material) topic.Judge { return nil })
	rank.Register(rank.Factors, "brittle", "panics at a roof", struct{}{}, func(struct{}) (rank.Factor, error) {
		return rank.Func(func(e *rank.Evidence) float64 {
			if strings.HasSuffix(e.Link.URL, "/roof") {
				panic("no roof")
			}
			return 1
		}), nil
	})
}

// A judge of the program's own that panics costs the page that it judged, and a factor the link: the crawl goes on, and says so.
func TestAJudgeOrFactorThatPanicsDoesNotEndTheCrawl(t *testing.T) {
	config := solarConfig(t, solarWeb())
	config.Topic.Judge = "of-tests-nothing"
	if _, err := focus.NewWith(config); err == nil || !strings.Contains(err.Error(), "judge: of-tests-nothing, which the program has registered, makes none") {
		t.Errorf("a judge that is nil: %v", err)
	}
	strategy, err := crawlfile.InPlace("name: brittle\nrank: {mix: [{use: anchor, with: {blank: zero}}, {use: brittle}]}")
	if err != nil {
		t.Fatal(err)
	}
	config.Topic.Judge, config.Strategy = "of-tests-brittle", strategy
	report := crawlWith(t, config)
	if said := strings.Join(report.Panics, "\n"); !strings.Contains(said, "http://a.example/soup: no words") || !strings.Contains(said, "http://a.example/solar: no roof") ||
		!strings.Contains(said, "own_panics_test.go:") || strings.Contains(said, "t.Fatal") {
		t.Errorf("panics: %v", report.Panics)
	}
	if report.Counts.Dropped["failed: no words"] == 0 || report.Counts.Refused["veto: panic: no roof"] != 1 {
		t.Errorf("dropped %v, refused %v", report.Counts.Dropped, report.Counts.Refused)
	}
	var kept []string
	for _, r := range harvest(t, config) {
		kept = append(kept, r.URL)
	}
	if !slices.Contains(kept, "http://a.example/solar") || !slices.Contains(kept, "http://a.example/panel") || slices.Contains(kept, "http://a.example/soup") {
		t.Errorf("kept %v", kept)
	}
}

// What a program hung on a crawl and does not come back from costs its page, as a panic does, however many do so: t.Fatal in a callback.
// A hook ends the crawl with an error, for its page is left in the middle of its steps.
func TestWhoDoesNotComeBackIsTold(t *testing.T) {
	whole := crawlWith(t, recordedSailing(t)).Counts.Pages
	callback := func(c *focus.Crawler) {
		c.Collector().OnHTML("title", func(*colly.HTMLElement) { runtime.Goexit() })
	}
	report := crawlWith(t, recordedSailing(t), callback)
	if report.Counts.Pages != whole || len(report.Panics) == 0 || !strings.Contains(report.Panics[0], "t.Fatal") || !strings.Contains(report.Panics[0], "own_panics_test.go:") {
		t.Errorf("over a recorded web: %d pages, want %d; it told of %q", report.Counts.Pages, whole, report.Panics)
	}
	if report := crawlWith(t, solarConfig(t, solarWeb()), callback); report.Counts.Kept == 0 || len(report.Panics) == 0 {
		t.Errorf("%d pages kept, %d told of", report.Counts.Kept, len(report.Panics))
	}
	hooks := map[string]func(*focus.Crawler){
		"OnPage": func(c *focus.Crawler) { c.OnPage(func(*focus.Visit) string { runtime.Goexit(); return "" }) },
		"OnLink": func(c *focus.Crawler) {
			c.OnLink(func(*focus.Visit, *focus.Candidate) string { runtime.Goexit(); return "" })
		},
		"OnDone": func(c *focus.Crawler) { c.OnDone(func(*focus.Visit) { runtime.Goexit() }) },
	}
	for name, hook := range hooks {
		for kind, config := range map[string]focus.Setting{"a recorded web": recordedSailing(t), "the web": solarConfig(t, solarWeb())} {
			crawler, err := focus.NewWith(config)
			if err != nil {
				t.Fatal(err)
			}
			hook(crawler)
			if report, err := crawler.Run(t.Context()); !errors.Is(err, frontier.ErrGoexit) || report.Finished || report.Waiting == 0 {
				t.Errorf("%s, over %s: %v; finished %v, %d wait", name, kind, err, report.Finished, report.Waiting)
			}
		}
	}
	c, waiting := colly.NewCollector(), frontier.NewMemory(frontier.Manners{})
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree))
	if err != nil {
		t.Fatal(err)
	}
	steps.OnDone(func(*focus.Visit) { runtime.Goexit() })
	s, q := newSite(t, solarPages()), newQueue(t, 2, waiting)
	if err := errors.Join(q.AddURL(s.URL+"/"), q.AddURL(s.URL+"/solar")); err != nil {
		t.Fatal(err)
	}
	if err := q.Run(c); err == nil || !errors.Is(steps.Err(), frontier.ErrGoexit) {
		t.Errorf("a Colly program: %v, and the steps say %v", err, steps.Err())
	}
}

func recordedSailing(t *testing.T) focus.Setting {
	config := solarConfig(t, nil)
	config.Web, config.Seeds, config.Topic.Terms = "../testdata/webs/small", []string{"http://daily.example/"}, []crawlfile.TermConfig{{Term: "sailing", Weight: 1}}
	config.Budget.Pages = 30
	return config
}
