package focus_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// answer is how a web in memory answers for one address.
type answer struct {
	status int
	header string // lines with CRLF between them
	body   string
	wait   func(*http.Request) // what happens before it answers
}

// web is a web in memory: a transport with answers by address.
type web struct {
	mu    sync.Mutex
	pages map[string]answer
	wall  func(r *http.Request) (answer, bool) // what is answered in the place of a page; nil where nothing is
	asked []string
	slip  []string
}

func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	address := r.URL.String()
	w.mu.Lock()
	w.asked = append(w.asked, address)
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Thresher") {
			w.slip = append(w.slip, name)
		}
	}
	a, ok := w.pages[address]
	w.mu.Unlock()
	if w.wall != nil {
		if instead, stands := w.wall(r); stands {
			a, ok = instead, true
		}
	}
	if !ok {
		a = answer{status: http.StatusNotFound}
	}
	if a.wait != nil {
		a.wait(r)
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	header := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	for line := range strings.SplitSeq(a.header, "\r\n") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			header.Set(name, value)
		}
	}
	return &http.Response{StatusCode: a.status, Status: http.StatusText(a.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(strings.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: r}, nil
}

func (w *web) count(address string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, a := range w.asked {
		if a == address {
			n++
		}
	}
	return n
}

// solarWeb is the small site of solarPages, in memory.
func solarWeb() *web {
	w := &web{pages: map[string]answer{}}
	for path, body := range solarPages() {
		a := answer{status: http.StatusOK, body: body}
		if to, moved := strings.CutPrefix(body, "-> "); moved {
			a = answer{status: http.StatusMovedPermanently, header: "Location: " + to}
		}
		w.pages["http://a.example"+path] = a
	}
	return w
}

// solarConfig is a live crawl of it that is not slowed down.
func solarConfig(t testing.TB, w http.RoundTripper) focus.Setting {
	config := focus.DefaultSetting()
	config.Name, config.Store = "solar", filepath.Join(t.TempDir(), "run")
	config.Topic.Language = "en"
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "solar", Weight: 1}, {Term: "energy", Weight: 1}, {Term: "panel", Weight: 1}}
	config.Seeds = []string{"http://a.example/"}
	config.Polite.Contact = "mailto:test@example.org"
	config.Polite.Delay, config.Polite.PerHost, config.Polite.Parallel = 0, 4, 4
	config.Transport = w
	config.MinFree = 0 // or the crawl would wait where the disk of the tests is nearly full
	return config
}

func crawlWith(t testing.TB, config focus.Setting, extend ...func(*focus.Crawler)) focus.Report {
	t.Helper()
	crawler, err := focus.NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range extend {
		e(crawler)
	}
	report, err := crawler.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func harvest(t testing.TB, config focus.Setting) []*sink.Record {
	t.Helper()
	var all []*sink.Record
	for r, err := range sink.Harvest(config.Store) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// Every callback a user hung on the collector runs for every page, and no private header leaves the machine.
func TestEveryCallbackRunsForEveryPage(t *testing.T) {
	w := solarWeb()
	config := solarConfig(t, w)
	var mu sync.Mutex
	called := map[string][]string{}
	note := func(kind string, r *colly.Request) {
		mu.Lock()
		defer mu.Unlock()
		called[kind] = append(called[kind], r.URL.Path)
	}
	report := crawlWith(t, config, func(c *focus.Crawler) {
		c.Collector().OnRequest(func(r *colly.Request) { note("request", r) })
		c.Collector().OnResponseHeaders(func(r *colly.Response) { note("headers", r.Request) })
		c.Collector().OnResponse(func(r *colly.Response) { note("response", r.Request) })
		c.Collector().OnHTML("title", func(e *colly.HTMLElement) { note("html", e.Request) })
		c.Collector().OnXML("//title", func(e *colly.XMLElement) { note("xml", e.Request) })
		c.Collector().OnScraped(func(r *colly.Response) { note("scraped", r.Request) })
		c.Collector().OnError(func(r *colly.Response, _ error) { note("error", r.Request) })
	})
	pages := []string{"/", "/bean", "/onion", "/panel", "/roof", "/solar", "/soup"}
	for _, kind := range []string{"response", "html", "xml", "scraped"} {
		if got := sorted(called[kind]); !slices.Equal(got, pages) {
			t.Errorf("%s was called for %v, want %v", kind, got, pages)
		}
	}
	all := append(slices.Clone(pages), "/gone", "/moved")
	if got := sorted(called["request"]); !slices.Equal(got, sorted(all)) {
		t.Errorf("request was called for %v, want %v", got, all)
	}
	for _, path := range pages {
		if !slices.Contains(called["headers"], path) {
			t.Errorf("headers was not called for %s", path)
		}
	}
	if got := sorted(called["error"]); !slices.Equal(got, []string{"/gone", "/moved"}) {
		t.Errorf("error was called for %v", got)
	}
	if report.Counts.Pages != len(all) {
		t.Errorf("%d pages, want %d", report.Counts.Pages, len(all))
	}
	if len(w.slip) > 0 {
		t.Errorf("private headers were sent: %v", w.slip)
	}
}

// Colly's own visit check refuses a page that is finished, and only that.
func TestCollyRefusesASecondFetchOfAFinishedPage(t *testing.T) {
	w := solarWeb()
	config := solarConfig(t, w)
	var crawler *focus.Crawler
	var before, after error
	crawlWith(t, config, func(c *focus.Crawler) {
		crawler = c
		c.Collector().OnHTML("title", func(e *colly.HTMLElement) {
			if e.Request.URL.Path == "/panel" {
				before = visitedError(c.Collector(), "http://a.example/panel")
			}
		})
	})
	after = visitedError(crawler.Collector(), "http://a.example/panel")
	if before != nil {
		t.Errorf("a page that is being fetched counts as visited: %v", before)
	}
	if after == nil {
		t.Error("Colly would fetch a finished page again")
	}
	if err := crawler.Collector().Request("GET", "http://a.example/panel", nil, nil, nil); err == nil {
		t.Error("Colly fetched a finished page again")
	}
	if n := w.count("http://a.example/panel"); n != 1 {
		t.Errorf("the page was fetched %d times", n)
	}
}

func visitedError(c *colly.Collector, address string) error {
	if done, err := c.HasVisited(address); err != nil || !done {
		return err
	}
	return &colly.AlreadyVisitedError{}
}

// A redirect is an answer wherever it leads: out of the scope, or to a page that is done. It is no failure of its host.
func TestARedirectIsNoFailure(t *testing.T) {
	w := solarWeb()
	w.pages["http://a.example/away"] = answer{status: 301, header: "Location: http://b.example/"}
	w.pages["http://a.example/back"] = answer{status: 301, header: "Location: http://a.example/"}
	config := solarConfig(t, w)
	config.Scope.Hosts, config.Polite.Parallel = []string{"a.example"}, 1
	config.Seeds = append(config.Seeds, "http://a.example/away", "http://a.example/back")
	var statuses []int
	report := crawlWith(t, config, func(c *focus.Crawler) {
		c.OnDone(func(v *focus.Visit) {
			if strings.HasSuffix(v.Item.URL, "/away") || strings.HasSuffix(v.Item.URL, "/back") {
				statuses = append(statuses, v.Status)
			}
		})
	})
	if !slices.Equal(statuses, []int{301, 301}) {
		t.Errorf("they answered %v, want 301 each", statuses)
	}
	if n := report.Counts.Dropped["failed: Forbidden domain"]; n != 0 || w.count("http://b.example/") != 0 {
		t.Errorf("%d failures, dropped %v", n, report.Counts.Dropped)
	}
}

// Redirects come back to the frontier, keep their promise, and end somewhere.
func TestRedirectsComeBackToTheFrontier(t *testing.T) {
	w := solarWeb()
	for i := range 20 {
		w.pages[fmt.Sprintf("http://a.example/hop%d", i)] = answer{status: 302, header: fmt.Sprintf("Location: /hop%d", i+1)}
	}
	w.pages["http://a.example/round"] = answer{status: 302, header: "Location: /round"}
	w.pages["http://a.example/other"] = answer{status: 301, header: "Location: http://b.example/"}
	w.pages["http://b.example/"] = answer{status: 200, body: "<title>Solar elsewhere</title><p>" + strings.Repeat("Solar energy. ", 30)}
	config := solarConfig(t, w)
	config.Seeds = append(config.Seeds, "http://a.example/hop0", "http://a.example/round", "http://a.example/other")
	report := crawlWith(t, config)
	if n := w.count("http://a.example/hop5"); n != 1 {
		t.Errorf("the fifth redirect was followed %d times, want once", n)
	}
	if n := w.count("http://a.example/hop6"); n != 0 {
		t.Errorf("the sixth redirect was followed")
	}
	if report.Counts.Refused[admit.RefusedRedirects] != 2 {
		t.Errorf("refused %v, want two %s: the sixth, and the one that goes round", report.Counts.Refused, admit.RefusedRedirects)
	}
	var kept []string
	for _, r := range harvest(t, config) {
		kept = append(kept, r.URL)
	}
	if !slices.Contains(kept, "http://b.example/") {
		t.Errorf("the page on the other host was not kept: %v", kept)
	}
}

// robots.txt is asked once a host, before its first page, and obeyed.
func TestRobotsAreObeyed(t *testing.T) {
	w := solarWeb()
	w.pages["http://a.example/robots.txt"] = answer{status: 200, header: "Content-Type: text/plain", body: "User-agent: thresher\nDisallow: /panel\n"}
	config := solarConfig(t, w)
	report := crawlWith(t, config)
	if n := w.count("http://a.example/panel"); n != 0 {
		t.Errorf("a forbidden page was fetched %d times", n)
	}
	if w.asked[0] != "http://a.example/robots.txt" || w.count("http://a.example/robots.txt") != 1 {
		t.Errorf("the requests were %v", w.asked)
	}
	if report.Counts.Dropped[admit.RefusedRobots] != 1 {
		t.Errorf("dropped %v, want one by robots", report.Counts.Dropped)
	}
	config = solarConfig(t, w)
	config.Polite.Robots = "ignore"
	crawlWith(t, config)
	if n := w.count("http://a.example/panel"); n != 1 {
		t.Errorf("with robots ignored the page was fetched %d times", n)
	}
}

// A panic in a callback is reported. It costs its own page at most, and the crawl goes on.
func TestAPanicInACallbackDoesNotEndTheCrawl(t *testing.T) {
	config := solarConfig(t, solarWeb())
	report := crawlWith(t, config, func(c *focus.Crawler) {
		c.Collector().OnHTML("title", func(e *colly.HTMLElement) {
			if e.Text == "Solar energy" {
				panic("too bright")
			}
		})
		c.Collector().OnRequest(func(r *colly.Request) {
			if r.URL.Path == "/soup" {
				panic("no soup")
			}
		})
	})
	if said := strings.Join(report.Panics, "\n"); len(report.Panics) != 2 || !strings.Contains(said, "http://a.example/solar: too bright") ||
		!strings.Contains(said, "http://a.example/soup: no soup") {
		t.Errorf("panics: %v", report.Panics)
	}
	if n := report.Counts.Dropped["failed: no soup"]; n != 1 {
		t.Errorf("dropped: %v", report.Counts.Dropped)
	}
	var kept []string
	for _, r := range harvest(t, config) {
		kept = append(kept, r.URL)
	}
	for _, want := range []string{"http://a.example/solar", "http://a.example/panel", "http://a.example/roof"} {
		if !slices.Contains(kept, want) {
			t.Errorf("%s was not kept: %v", want, kept)
		}
	}
}

// COLLY_ variables of the environment change nothing.
func TestCollyEnvironmentChangesNothing(t *testing.T) {
	for name, value := range map[string]string{"COLLY_MAX_DEPTH": "1", "COLLY_USER_AGENT": "somebody else", "COLLY_MAX_REQUESTS": "1",
		"COLLY_ALLOWED_DOMAINS": "nowhere.example", "COLLY_MAX_BODY_SIZE": "3", "COLLY_PARSE_HTTP_ERROR_RESPONSE": "1", "COLLY_CACHE_DIR": t.TempDir(), "COLLY_FOLLOW_REDIRECTS": "n"} {
		t.Setenv(name, value)
	}
	var agent atomic.Value
	report := crawlWith(t, solarConfig(t, solarWeb()), func(c *focus.Crawler) {
		c.Collector().OnRequest(func(r *colly.Request) { agent.Store(r.Headers.Get("User-Agent")) })
	})
	if report.Counts.Pages != 9 {
		t.Errorf("%d pages, want 9: %v", report.Counts.Pages, report.Counts.Dropped)
	}
	if got := agent.Load(); got != "thresher (+mailto:test@example.org)" {
		t.Errorf("the agent is %q", got)
	}
}

// A crawl that is told to stop finishes what is in flight, gives back what does not end, and saves: within a second, by a
// clock that goes on only while everybody waits.
func TestStoppingEndsWithinASecond(t *testing.T) { synctest.Test(t, checkStopping) }

func checkStopping(t *testing.T) {
	w := solarWeb()
	ctx, stop := context.WithCancel(context.Background())
	var stopped time.Time
	panel := w.pages["http://a.example/panel"]
	panel.wait = func(r *http.Request) { // a page that never comes
		stopped = time.Now()
		stop()
		<-r.Context().Done()
	}
	w.pages["http://a.example/panel"] = panel
	config := solarConfig(t, w)
	crawler, err := focus.NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	report, err := crawler.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(stopped); took == 0 || took > time.Second {
		t.Errorf("it took %v", took)
	}
	if report.Finished || report.Reason != "you stopped it" {
		t.Errorf("the report says %v: %s", report.Finished, report.Reason)
	}
	standing, err := run.ReadStanding(config.Store)
	if err != nil || standing.State != "interrupted" {
		t.Errorf("the folder says %+v, %v", standing, err)
	}
	if _, dropped := report.Counts.Dropped["failed: cancelled"]; dropped {
		t.Error("the page that was cut off counts as fetched")
	}
	if report.Waiting == 0 {
		t.Error("the page that was cut off does not wait any more")
	}
}
