package focus_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/debug"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
)

// checkLooks: what only tells of a collector goes on telling.
func checkLooks(t *testing.T) {
	c := collectorOver(collyWeb())
	id := c.ID
	runOn(t, c)
	if c.Wait(); c.ID != id || !strings.Contains(c.String(), "Requests made") {
		t.Errorf("ID %d, before %d; %s", c.ID, id, c)
	}
}

func checkCallbacks(t *testing.T) {
	c := collectorOver(collyWeb())
	var mu sync.Mutex
	called := map[string]int{}
	count := func(name string) {
		mu.Lock()
		defer mu.Unlock()
		called[name]++
	}
	c.OnRequest(func(*colly.Request) { count("OnRequest") })
	c.OnRequestHeaders(func(*colly.Request) { count("OnRequestHeaders") })
	c.OnResponseHeaders(func(*colly.Response) { count("OnResponseHeaders") })
	c.OnResponse(func(*colly.Response) { count("OnResponse") })
	c.OnHTML("title", func(*colly.HTMLElement) { count("OnHTML") })
	c.OnXML("//title", func(*colly.XMLElement) { count("OnXML") })
	c.OnHTML("p", func(*colly.HTMLElement) { count("detached") })
	c.OnXML("//p", func(*colly.XMLElement) { count("detached") })
	c.OnError(func(*colly.Response, error) { count("OnError") })
	c.OnScraped(func(*colly.Response) { count("OnScraped") })
	c.OnHTMLDetach("p")
	c.OnXMLDetach("//p")
	runOn(t, c) // six pages, and one that is not there
	want := map[string]int{"OnRequest": 7, "OnRequestHeaders": 7, "OnResponseHeaders": 7, "OnResponse": 6, "OnHTML": 6, "OnXML": 6, "OnError": 1, "OnScraped": 6}
	if !reflect.DeepEqual(called, want) {
		t.Errorf("called %v, want %v", called, want)
	}
}

func checkErrorPages(t *testing.T) {
	c := collectorOver(collyWeb())
	c.ParseHTTPErrorResponse = true
	var missing atomic.Int64
	var again error
	c.OnResponse(func(r *colly.Response) {
		if r.StatusCode == http.StatusNotFound {
			missing.Add(1)
			again = errors.Join(again, r.Request.Retry())
		}
		r.Request.Visit(r.Request.URL.String()) // a page that links to itself is no retry
	})
	report := runOn(t, c)
	if missing.Load() != 1 || report.Counts.Dropped["status: 404 Not Found"] != 1 {
		t.Errorf("the callback saw %d such pages; dropped: %v", missing.Load(), report.Counts.Dropped)
	}
	if said := fmt.Sprint(report.Notes); again != nil || !strings.Contains(said, "Request.Retry, first for http://a.example/none (calls: 1)") {
		t.Errorf("a retry by hand: %v; the notes are %s", again, said)
	}
}

func checkDebugger(t *testing.T) {
	c := collectorOver(collyWeb())
	var said bytes.Buffer
	c.SetDebugger(&debug.LogDebugger{Output: &said, Flag: log.LUTC})
	if runOn(t, c); !strings.Contains(said.String(), "scraped") {
		t.Errorf("the debugger heard %q", said.String())
	}
}

// A collector is good for one crawl, and for one of New and Attach.
func TestACollectorIsGoodForOneCrawl(t *testing.T) {
	c := collectorOver(collyWeb())
	defer crawlOn(t, c).Close()
	if _, err := focus.New(context.Background(), solarConfig(t, nil).Config, focus.On(c)); err == nil || !strings.Contains(err.Error(), "make another") {
		t.Errorf("a second crawl: %v", err)
	}
}

// A Colly program of ten callbacks, with a proxy, a LimitRule and a storage, becomes a focused one by three lines in the place
// of Visit and Wait. What changes is what the documentation says: robots.txt is asked for, and what a host's error page is, a link is visited
// although no callback asks for it, and pages are kept.
func TestACollyProgramBecomesFocusedByThreeLines(t *testing.T) {
	program := func(start func(*colly.Collector)) (called map[string]int, asked []string, told int) {
		at, requests := newProxy(t)
		called = map[string]int{}
		var mu sync.Mutex
		count := func(name string) {
			mu.Lock()
			defer mu.Unlock()
			called[name]++
		}
		c := colly.NewCollector(colly.UserAgent("sunbot/1.0"))
		c.SetProxy(at)
		c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: 2})
		own := &ownStorage{}
		c.SetStorage(own)
		c.OnRequest(func(*colly.Request) { count("request") })
		c.OnRequestHeaders(func(*colly.Request) { count("request headers") })
		c.OnResponseHeaders(func(*colly.Response) { count("response headers") })
		c.OnResponse(func(*colly.Response) { count("response") })
		c.OnHTML("title", func(*colly.HTMLElement) { count("title") })
		c.OnHTML("a[href]", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
		c.OnHTML("p", func(*colly.HTMLElement) { count("paragraph") })
		c.OnXML("//title", func(*colly.XMLElement) { count("xml") })
		c.OnError(func(*colly.Response, error) { count("error") })
		c.OnScraped(func(*colly.Response) { count("scraped") })
		start(c)
		return called, requests(), own.told
	}
	before, plain, _ := program(func(c *colly.Collector) {
		c.Visit("http://a.example/")
		c.Wait()
	})
	var report focus.Report
	after, focused, told := program(func(c *colly.Collector) {
		file := filepath.Join(t.TempDir(), "solar.yaml")
		os.WriteFile(file, []byte("name: solar\nseeds: [http://a.example/]\ntopic: {language: en, terms: [solar, energy]}\n"+
			"polite: {contact: you@example.org, delay: 0s}\nmin_free: 0\nstore: "+filepath.ToSlash(t.TempDir())+"\n"), 0o600)
		crawl, err := focus.AttachFile(context.Background(), c, file)
		if err != nil {
			t.Fatal(err)
		}
		report, err = crawl.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
	})
	for _, name := range []string{"response", "title", "paragraph", "xml", "error", "scraped"} {
		if before[name] != after[name] || after[name] == 0 {
			t.Errorf("%s: called %d times before, %d times after", name, before[name], after[name])
		}
	}
	robots := 0
	pages := slices.DeleteFunc(slices.Clone(focused), func(address string) bool { // what a crawl asks on its own account
		if strings.HasSuffix(address, "/robots.txt") {
			robots++
		}
		return ofHost(address) || strings.Contains(address, "/nothing-here-")
	})
	if !slices.Equal(sorted(pages), sorted(plain)) || robots != 2 {
		t.Errorf("the proxy was asked for %v before, and for %v after", plain, focused)
	}
	if told != len(pages) || report.Counts.Kept == 0 {
		t.Errorf("the storage heard of %d pages of %d; %d were kept", told, len(pages), report.Counts.Kept)
	}
}

// A New that fails leaves a program its collector as it was: with its bounds, its transport and its name it is good for another.
func TestACollectorSurvivesAFailedNew(t *testing.T) {
	w := collyWeb()
	w.pages["http://a.example/robots.txt"] = answer{status: http.StatusOK, body: "User-agent: *\nDisallow: /soup\n"}
	c := collectorOver(w)
	c.IgnoreRobotsTxt, c.MaxRequests, c.UserAgent = false, 2, "shark/1.0"
	config := solarConfig(t, nil).Config
	config.Polite.Robots = "ignore"
	wrong := config
	wrong.Topic.Examples = []string{"http://none.example/"}
	if _, err := focus.New(context.Background(), wrong, focus.On(c)); err == nil || c.UserAgent != "shark/1.0" {
		t.Fatalf("with an example page that cannot be had: %v; the collector is called %s", err, c.UserAgent)
	}
	crawler, err := focus.New(context.Background(), config, focus.On(c))
	if err != nil {
		t.Fatal(err)
	}
	report := mustRun(t, crawler)
	if report.Counts.Pages != 2 || w.count("http://a.example/robots.txt") != 1 || w.count("http://a.example/soup") != 0 {
		t.Errorf("%d pages, asked %v", report.Counts.Pages, w.asked)
	}
}

// What is nil is said to be, and a crawl that was refused is over.
func TestACollectorThatIsNone(t *testing.T) {
	if _, err := focus.AttachFile(context.Background(), nil, "../configs/quickstart.yaml"); err == nil || !strings.Contains(err.Error(), "focus.On: the collector is nil") {
		t.Errorf("On(nil): %v", err)
	}
	if _, err := focus.Attach(nil, nil, nil, nil); err == nil || !strings.Contains(err.Error(), "is nil") {
		t.Errorf("Attach without anything: %v", err)
	}
	if _, err := focus.AttachFile(context.Background(), &colly.Collector{}, "../configs/quickstart.yaml"); err == nil || !strings.Contains(err.Error(), "not made as Colly makes one") {
		t.Errorf("On(&colly.Collector{}): %v", err)
	}
	for _, seeds := range [][]string{{"ht!tp://x"}, {"http://a.example/", "www.b.example"}} {
		config := solarConfig(t, nil).Config
		config.Seeds = seeds
		if _, err := focus.New(context.Background(), config); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("seeds[%d]: is %q, want ", len(seeds)-1, seeds[len(seeds)-1])) {
			t.Errorf("with the start pages %q: %v", seeds, err)
		}
	}
	c := collectorOver(collyWeb())
	crawler := crawlOn(t, c)
	for _, want := range []string{"Async", "runs once"} {
		c.Async = true
		if _, err := crawler.Run(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Run: %v, want it to speak of %s", err, want)
		}
	}
}

// A collector whose bounds are narrower than those by which links were found refuses them in their turn, as no failure of their host.
func TestACollectorWithNarrowerBoundsGoesOn(t *testing.T) {
	store := filepath.Join(t.TempDir(), "run")
	crawl := func(depth int) *focus.Crawler {
		c := collectorOver(collyWeb())
		c.MaxDepth = depth
		return crawlOn(t, c, func(config *focus.Config) {
			config.Store, config.Polite.Parallel, config.Polite.PerHost = store, 1, 1
		})
	}
	ctx, stop := context.WithCancel(t.Context())
	crawler := crawl(0)
	crawler.OnDone(func(*focus.Visit) { stop() })
	report, err := crawler.Run(ctx)
	if report.Waiting == 0 {
		t.Fatalf("nothing waits: %+v, %v", report.Counts, err)
	}
	before := report.Counts.Failed
	if report := mustRun(t, crawl(1)); report.Counts.Failed > before || report.Counts.Dropped[admit.RefusedDepth] == 0 || report.Waiting != 0 {
		t.Errorf("%d failed, dropped %v, %d wait", report.Counts.Failed, report.Counts.Dropped, report.Waiting)
	}
}

// Where it is the collector that lets no start page in, it is not the scope that is blamed.
func TestACollectorThatKeepsOutAllStartPages(t *testing.T) {
	c := collectorOver(collyWeb())
	c.AllowedDomains = []string{"a.example:80"} // Colly compares host names
	_, err := crawlOn(t, c).Run(t.Context())
	if said := fmt.Sprint(err); !strings.Contains(said, "seeds: the collector keeps out all ") || !strings.Contains(said, "without a port") {
		t.Error(err)
	}
}
