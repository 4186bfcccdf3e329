package focus_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// answer is how a web in memory answers for one address.
type answer struct {
	status int
	header string // one header line
	body   string
	wait   func(*http.Request) // what happens before it answers
}

// web is a web in memory: a transport with answers by address.
type web struct {
	mu    sync.Mutex
	pages map[string]answer
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
	if name, value, ok := strings.Cut(a.header, ": "); ok {
		header.Set(name, value)
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
func solarConfig(t testing.TB, w http.RoundTripper) focus.Config {
	config := focus.Default()
	config.Name, config.Store = "solar", filepath.Join(t.TempDir(), "run")
	config.Topic.Language = "en"
	config.Topic.Terms = []focus.TermConfig{{Term: "solar", Weight: 1}, {Term: "energy", Weight: 1}, {Term: "panel", Weight: 1}}
	config.Seeds = []string{"http://a.example/"}
	config.Polite.Contact = "mailto:test@example.org"
	config.Polite.Delay, config.Polite.PerHost, config.Polite.Parallel = 0, 4, 4
	config.Transport = w
	return config
}

func crawlWith(t testing.TB, config focus.Config, extend ...func(*focus.Crawler)) focus.Report {
	t.Helper()
	crawler, err := focus.New(config)
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

func harvest(t testing.TB, config focus.Config) []*sink.Record {
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
	if report.Counts.Refused[focus.RefusedRedirects] != 1 {
		t.Errorf("refused %v, want one %s", report.Counts.Refused, focus.RefusedRedirects)
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
	if report.Counts.Dropped[focus.RefusedRobots] != 1 {
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
		"COLLY_ALLOWED_DOMAINS": "nowhere.example", "COLLY_MAX_BODY_SIZE": "3", "COLLY_PARSE_HTTP_ERROR_RESPONSE": "1", "COLLY_CACHE_DIR": t.TempDir()} {
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

// A crawl that is told to stop finishes what is in flight, gives back what does not end, and saves: within a second.
func TestStoppingEndsWithinASecond(t *testing.T) {
	w := solarWeb()
	ctx, stop := context.WithCancel(context.Background())
	panel := w.pages["http://a.example/panel"]
	panel.wait = func(r *http.Request) { // a page that never comes
		stop()
		<-r.Context().Done()
	}
	w.pages["http://a.example/panel"] = panel
	config := solarConfig(t, w)
	crawler, err := focus.New(config)
	if err != nil {
		t.Fatal(err)
	}
	stopped := make(chan time.Time, 1)
	context.AfterFunc(ctx, func() { stopped <- time.Now() })
	report, err := crawler.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(<-stopped); took > 3*time.Second { // a second, and room for a busy machine
		t.Errorf("it took %v", took)
	}
	if report.Finished || report.Reason != "you stopped it" {
		t.Errorf("the report says %v: %s", report.Finished, report.Reason)
	}
	standing, err := focus.ReadStanding(config.Store)
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

// digests are the files of a run folder, by what is in them.
func digests(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "lock" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		sum := sha256.Sum256([]byte(strings.ReplaceAll(string(raw), dir, "DIR")))
		sums[name] = hex.EncodeToString(sum[:8])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// replayConfig is a crawl of the small drawn web.
func replayConfig(t testing.TB) focus.Config {
	config := focus.Default()
	config.Name, config.Store = "small", filepath.Join(t.TempDir(), "run")
	config.Web = "../testdata/webs/small"
	config.Topic.Terms = []focus.TermConfig{{Term: "sailing", Weight: 1}, {Term: "boat", Weight: 1}, {Term: "yacht", Weight: 1}}
	config.Seeds = []string{"http://daily.example/", "http://www.ribao.example/"}
	config.Polite.Parallel = 8
	config.RandomSeed = 7
	return config
}

// The same crawl over a recorded web writes the same bytes, however many workers there are and however they are
// scheduled. Another window is another crawl.
func TestReplayWritesTheSameBytes(t *testing.T) {
	var first map[string]string
	for _, parallel := range []int{8, 1, 3, 8} {
		config := replayConfig(t)
		config.Window, config.Polite.Parallel = 8, parallel
		crawlWith(t, config)
		sums := digests(t, config.Store)
		delete(sums, "crawl.yaml") // says how many workers there were
		if first == nil {
			first = sums
			if len(sums) < 4 {
				t.Fatalf("the run folder has only %v", sums)
			}
			continue
		}
		for name, sum := range first {
			if sums[name] != sum {
				t.Errorf("with %d workers %s is another file", parallel, name)
			}
		}
	}
	config := replayConfig(t)
	config.Window = 1
	crawlWith(t, config)
	if digests(t, config.Store)["crawl.log"] == first["crawl.log"] {
		t.Error("another window made the same crawl: the test sees nothing")
	}
}

// No page too many is fetched, whatever is in flight.
func TestTheBudgetIsKeptToThePage(t *testing.T) {
	for _, pages := range []int{1, 7, 20} {
		config := replayConfig(t)
		config.Budget.Pages = pages
		if got := crawlWith(t, config).Counts.Pages; got != pages {
			t.Errorf("over a recorded web %d pages were fetched, want %d", got, pages)
		}
		live := solarConfig(t, solarWeb())
		live.Budget.Pages = min(pages, 9)
		if got := crawlWith(t, live).Counts.Pages; got != min(pages, 9) {
			t.Errorf("live %d pages were fetched, want %d", got, min(pages, 9))
		}
	}
}

// What a run wrote down answers why, for every kind of address.
func TestWhy(t *testing.T) {
	config := replayConfig(t)
	config.Budget.Pages = 30
	crawlWith(t, config)
	run, err := focus.OpenRun(config.Store)
	if err != nil {
		t.Fatal(err)
	}
	var kept, waiting, refused string
	pushed := map[uint64]string{}
	err = run.Log(func(d *focus.Decision) bool {
		switch d.Decision {
		case "keep":
			if d.Via != 0 {
				kept = d.URL
			}
			delete(pushed, d.ID)
		case "drop":
			delete(pushed, d.ID)
		case "push":
			pushed[d.ID] = d.URL
		case "refuse":
			refused = d.URL
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, waiting = range pushed {
		break
	}
	for address, want := range map[string]focus.Fate{kept: focus.FateKept, waiting: focus.FateWaiting, refused: focus.FateRefused,
		"http://nobody.example/": focus.FateUnknown} {
		w, err := run.Why(address)
		if err != nil || w.Fate != want {
			t.Errorf("%s is %q (%v), want %q", address, w.Fate, err, want)
		}
		if want != focus.FateUnknown && (len(w.Trail) == 0 || w.Trail[len(w.Trail)-1].URL != address) {
			t.Errorf("%s: the trail is %v", address, w.Trail)
		}
	}
	w, _ := run.Why(kept)
	if len(w.Visit.Numbers) != len(run.Strategy.Nodes()) {
		t.Errorf("a kept page has %d numbers, and the strategy %d nodes", len(w.Visit.Numbers), len(run.Strategy.Nodes()))
	}
	if w.Trail[0].URL != "http://daily.example/" && w.Trail[0].URL != "http://www.ribao.example/" {
		t.Errorf("the trail begins at %s", w.Trail[0].URL)
	}
	if _, err := run.Why("::"); err == nil {
		t.Error("nonsense was taken for an address")
	}
}

// A run folder is for one run at a time, and says so.
func TestRunFolderRefusals(t *testing.T) {
	config := replayConfig(t)
	config.Budget.Pages = 5
	crawler, err := focus.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := focus.New(config); err == nil || !strings.Contains(err.Error(), "in use by process") {
		t.Errorf("a folder in use: %v", err)
	}
	if _, err := crawler.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	other := config
	other.Name = "another"
	if _, err := focus.New(other); err == nil || !strings.Contains(err.Error(), `holds a run of the crawl "small", not of "another"`) {
		t.Errorf("the folder of another crawl: %v", err)
	}
	if _, err := focus.New(config); err == nil || !strings.Contains(err.Error(), "--fresh") {
		t.Errorf("a finished run: %v", err)
	}
	config.Fresh = true
	if report := crawlWith(t, config); report.Counts.Pages != 5 {
		t.Errorf("a fresh run fetched %d pages", report.Counts.Pages)
	}
	if _, err := crawler.Run(context.Background()); err == nil {
		t.Error("a crawler ran twice")
	}
}
