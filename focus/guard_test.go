package focus_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
)

// A host that fails time after time is given up: what waits of it is refused by name, and nobody else suffers.
func TestAHostThatFailsIsGivenUp(t *testing.T) {
	for giveUp, want := range map[int]int{3: 3, 0: 20} {
		w := solarWeb()
		var asked atomic.Int32
		config := solarConfig(t, transport(func(r *http.Request) (*http.Response, error) {
			if r.URL.Host == "dead.example" && !ofHost(r.URL.Path) {
				asked.Add(1)
				return nil, fmt.Errorf("dial: no route to host")
			}
			return w.RoundTrip(r)
		}))
		for i := range 20 {
			config.Seeds = append(config.Seeds, fmt.Sprintf("http://dead.example/%d", i))
		}
		config.Polite.PerHost, config.Polite.GiveUp, config.Polite.Park, config.Scope.Soft404 = 1, giveUp, 0, "ignore"
		report := crawlWith(t, config)
		if n := int(asked.Load()); n != want {
			t.Errorf("give_up %d: asked %d times", giveUp, n)
		}
		if n := report.Counts.Dropped[admit.RefusedDown]; n != 20-want {
			t.Errorf("give_up %d: %d refused as %s", giveUp, n, admit.RefusedDown)
		}
		if len(harvest(t, config)) == 0 || report.Counts.Pages != 9+want {
			t.Errorf("give_up %d: %d pages", giveUp, report.Counts.Pages)
		}
	}
}

// A failure in between does not count: the host answers again.
func TestAHostThatAnswersAgainIsNotGivenUp(t *testing.T) {
	w := solarWeb()
	var asked atomic.Int32
	config := solarConfig(t, transport(func(r *http.Request) (*http.Response, error) {
		if r.URL.Host == "b.example" && strings.HasPrefix(r.URL.Path, "/n") {
			if asked.Add(1)%2 == 1 {
				return nil, fmt.Errorf("dial: no route to host")
			}
		}
		return w.RoundTrip(r)
	}))
	for i := range 20 {
		config.Seeds = append(config.Seeds, fmt.Sprintf("http://b.example/n%d", i))
	}
	config.Polite.PerHost, config.Polite.GiveUp, config.Scope.Soft404 = 1, 2, "ignore"
	if report := crawlWith(t, config); report.Counts.Dropped[admit.RefusedDown] != 0 || asked.Load() != 20 {
		t.Errorf("asked %d times, dropped %v", asked.Load(), report.Counts.Dropped)
	}
}

// The figures are served while the crawl runs, and not after.
func TestFiguresAreServedWhileTheCrawlRuns(t *testing.T) {
	address := fmt.Sprint("127.0.0.1:", freePort(t))
	config := solarConfig(t, solarWeb())
	config.Metrics, config.Polite.Parallel = address, 1
	page, fetched := make(chan string, 1), 0
	crawlWith(t, config, func(c *focus.Crawler) {
		c.Collector().OnRequest(func(*colly.Request) {
			if fetched++; fetched == 6 {
				resp, err := http.Get("http://" + address + "/metrics")
				if err != nil {
					page <- err.Error()
					return
				}
				defer resp.Body.Close()
				body, _ := io.ReadAll(resp.Body)
				if front, err := http.Get("http://" + address + "/"); err == nil {
					defer front.Body.Close()
					said, _ := io.ReadAll(front.Body)
					body = append(body, said...)
				}
				page <- string(body)
			}
		})
	})
	if len(page) == 0 {
		t.Fatalf("the crawl ended after %d pages, and nobody asked for the figures", fetched)
	}
	said := <-page
	for _, want := range []string{"thresher_pages_total{status=\"2xx\"} ", "thresher_relevant_total ", "thresher_frontier_waiting ",
		`thresher_hosts{state="ready"} 1`, "thresher_harvest_rate ", `<a href="/metrics">`} {
		if !strings.Contains(said, want) {
			t.Errorf("no %s in\n%s", want, said)
		}
	}
	if resp, err := http.Get("http://" + address + "/metrics"); err == nil {
		resp.Body.Close()
		t.Error("the figures are served after the crawl")
	}
	http.DefaultClient.CloseIdleConnections()
}

// No more links of a page are read than the crawl file allows.
func TestLinksOfAPageAreBounded(t *testing.T) {
	config := solarConfig(t, solarWeb())
	all := crawlWith(t, config).Counts
	config.Store += "2"
	config.Fetch.MaxLinks = 1
	if c := crawlWith(t, config).Counts; c.Links > c.Pages || c.Links == 0 || c.Links >= all.Links {
		t.Errorf("%d links on %d pages; without the bound %d on %d", c.Links, c.Pages, all.Links, all.Pages)
	}
}
