package focus_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/run"
)

type valueKey struct{}

func checkContext(t *testing.T) { synctest.Test(t, stopByContext) }

func stopByContext(t *testing.T) {
	var missed atomic.Int64
	c := collectorOver(heard{collyWeb(), func(r *http.Request) {
		if !ofHost(r.URL.Path) && r.Context().Value(valueKey{}) != "mine" {
			missed.Add(1)
		}
	}})
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), valueKey{}, "mine"))
	defer cancel()
	c.Context = ctx
	c.OnHTML("title", func(e *colly.HTMLElement) {
		cancel()
		time.Sleep(time.Second) // in a bubble: until the crawl has heard of it
	})
	report := runOn(t, c, func(config *focus.Config) { config.Polite.Parallel, config.Polite.PerHost = 1, 1 })
	if report.Reason != run.StoppedByUser || report.Counts.Pages > 1 || missed.Load() > 0 {
		t.Errorf("stopped because %q after %d pages; %d requests had not the context's values", report.Reason, report.Counts.Pages, missed.Load())
	}
}

func checkRobotsOfACollector(t *testing.T) {
	for _, ignore := range []bool{false, true} {
		w := collyWeb()
		w.pages["http://a.example/robots.txt"] = answer{status: http.StatusOK, header: "Content-Type: text/plain", body: "User-agent: *\nDisallow: /solar"}
		c := collectorOver(w)
		c.IgnoreRobotsTxt = ignore
		runOn(t, c, func(config *focus.Config) { config.Polite.Robots = "ignore" })
		if asked := w.count("http://a.example/solar") > 0; asked != ignore {
			t.Errorf("IgnoreRobotsTxt %t: the forbidden page was asked for: %t", ignore, asked)
		}
	}
	crawler := crawlOn(t, collectorOver(collyWeb()), func(config *focus.Config) { config.Polite.Robots = "ignore" })
	crawler.Collector().IgnoreRobotsTxt = false
	if _, err := crawler.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "IgnoreRobotsTxt") {
		t.Errorf("set after New, Run said %v", err)
	}
}

// atOnce counts how many requests to one host are under way at once.
type atOnce struct {
	http.RoundTripper
	host      string
	now, most atomic.Int64
}

func (a *atOnce) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == a.host {
		n := a.now.Add(1)
		defer a.now.Add(-1)
		for most := a.most.Load(); n > most && !a.most.CompareAndSwap(most, n); most = a.most.Load() {
		}
		time.Sleep(time.Second) // in a bubble
	}
	return a.RoundTripper.RoundTrip(r)
}

func checkLimit(t *testing.T) {
	for _, rule := range []*colly.LimitRule{nil, {DomainGlob: "*", Parallelism: 1}, {DomainGlob: "a.*", Parallelism: 1}, {DomainRegexp: "^a"}} {
		synctest.Test(t, func(t *testing.T) {
			watched := &atOnce{RoundTripper: collyWeb(), host: "a.example"}
			c := collectorOver(watched)
			if rule != nil {
				if err := c.Limit(rule); err != nil {
					t.Fatal(err)
				}
			}
			if runOn(t, c); (watched.most.Load() == 1) != (rule != nil) {
				t.Errorf("with the rule %v up to %d requests were under way at once", rule, watched.most.Load())
			}
		})
	}
}

func checkLimits(t *testing.T) {
	for _, late := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var starts []time.Time
			c := collectorOver(heard{collyWeb(), func(r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				if r.URL.Host == "a.example" {
					starts = append(starts, time.Now())
				}
			}})
			rules := []*colly.LimitRule{{DomainGlob: "b.example"}, {DomainGlob: "a.example", Delay: 7 * time.Second}}
			if !late {
				if err := c.Limits(rules); err != nil {
					t.Fatal(err)
				}
			}
			crawler := crawlOn(t, c)
			if late {
				if err := c.Limits(rules); err != nil {
					t.Fatal(err)
				}
			}
			mustRun(t, crawler)
			for i := 1; i < len(starts); i++ {
				if gap := starts[i].Sub(starts[i-1]); gap < 7*time.Second {
					t.Errorf("request %d began %v after the one before, want 7s at least", i, gap)
				}
			}
			if len(starts) < 6 { // robots.txt, and five pages
				t.Errorf("only %d requests", len(starts))
			}
		})
	}
}

// A crawl that waits for a slow rule ends at once all the same.
func TestALimitRuleKeepsNobodyFromStopping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := collectorOver(collyWeb())
		if err := c.Limit(&colly.LimitRule{DomainGlob: "a.*", Delay: time.Hour}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		crawler := crawlOn(t, c, func(config *focus.Config) { config.Polite.Robots = "ignore" })
		time.AfterFunc(90*time.Minute, cancel)
		began := time.Now()
		report, err := crawler.Run(ctx)
		if took := time.Since(began); err != nil || took > 2*time.Hour+time.Minute || report.Counts.Pages > 3 { // two of the slow host, one of the other
			t.Errorf("after 90 minutes it was told to stop, and took %v for %d pages: %v", took, report.Counts.Pages, err)
		}
	})
}

func checkMaxBodySize(t *testing.T) {
	w := collyWeb()
	w.pages["http://a.example/"] = answer{status: http.StatusOK, body: "<title>Long</title><p>" + strings.Repeat("Solar energy. ", 1000)}
	c := collectorOver(w)
	c.MaxBodySize = 3000
	longest := 0
	c.OnResponse(func(r *colly.Response) { longest = max(longest, len(r.Body)) })
	var cut string
	crawler := crawlOn(t, c)
	crawler.OnDone(func(v *focus.Visit) { cut = v.Header.Get("X-Thresher-Cut") })
	mustRun(t, crawler)
	if longest != 3000 || cut == "" {
		t.Errorf("the page had %d bytes, cut for the reason %q", longest, cut)
	}
}

func checkMaxDepth(t *testing.T) {
	w := collyWeb()
	c := collectorOver(w)
	c.MaxDepth = 2
	c.OnHTML("a", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
	runOn(t, c)
	if w.count("http://a.example/solar") != 1 || w.count("http://a.example/panel") != 0 {
		t.Errorf("asked for %v, want the start page and its links", w.asked)
	}
}

func checkMaxRequests(t *testing.T) {
	c := collectorOver(collyWeb())
	c.MaxRequests = 2
	if report := runOn(t, c); report.Counts.Pages != 2 {
		t.Errorf("%d pages, want 2", report.Counts.Pages)
	}
	refusesLate(func(c *colly.Collector) { c.MaxRequests = 2 }, "MaxRequests")(t)
}

func checkTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := collyWeb()
		w.pages["http://a.example/"] = answer{status: http.StatusOK, wait: func(r *http.Request) { <-r.Context().Done() }}
		c := collectorOver(w)
		c.SetRequestTimeout(3 * time.Second)
		began := time.Now()
		runOn(t, c, func(config *focus.Config) { config.Fetch.Retries = 0 })
		if took := time.Since(began); took > 4*time.Second {
			t.Errorf("the page was waited for as long as %v", took)
		}
	})
}
