package focus_test

import (
	"bytes"
	"context"
	"go/parser"
	"go/token"
	"log"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/debug"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/run"
)

// row is one row of the table of who does what, and its test.
type row struct {
	verdict string
	test    func(*testing.T)
}

// rows are the fields and methods of colly.Collector.
var rows = map[string]row{
	"AllowURLRevisit":        {"refused", refuses(func(c *colly.Collector) { c.AllowURLRevisit = true }, "AllowURLRevisit")},
	"AllowedDomains":         {"obeyed", keepsOut("/b.example/", func(c *colly.Collector) { c.AllowedDomains = []string{"a.example"} })},
	"Appengine":              {"obeyed", checkAppengine},
	"Async":                  {"refused", refuses(func(c *colly.Collector) { c.Async = true }, "Async")},
	"CacheDir":               {"refused", refuses(func(c *colly.Collector) { c.CacheDir = "cache" }, "fetch.since")},
	"CacheExpiration":        {"refused", refuses(func(c *colly.Collector) { c.CacheExpiration = time.Hour }, "fetch.since")},
	"CheckHead":              {"refused", refuses(func(c *colly.Collector) { c.CheckHead = true }, "scope.types")},
	"Clone":                  {"refused", checkClone},
	"Context":                {"obeyed", checkContext},
	"Cookies":                {"obeyed", checkCookies},
	"DetectCharset":          {"ours", checkDetectCharset},
	"DisableCookies":         {"obeyed", checkDisableCookies},
	"DisallowedDomains":      {"obeyed", keepsOut("/b.example/", func(c *colly.Collector) { c.DisallowedDomains = []string{"b.example"} })},
	"DisallowedURLFilters":   {"obeyed", keepsOut("/solar", func(c *colly.Collector) { c.DisallowedURLFilters = []*regexp.Regexp{regexp.MustCompile("/solar$")} })},
	"HasPosted":              {"obeyed", checkHasVisited},
	"HasVisited":             {"obeyed", checkHasVisited},
	"Head":                   {"refused", asksNothing(func(c *colly.Collector) error { return c.Head("http://a.example/other") })},
	"Headers":                {"obeyed", checkHeaders},
	"ID":                     {"obeyed", checkLooks},
	"IgnoreRobotsTxt":        {"ours", checkRobotsOfACollector},
	"Init":                   {"refused", refusesLate(func(c *colly.Collector) { c.Init() }, "SetStorage")},
	"Limit":                  {"obeyed", checkLimit},
	"Limits":                 {"obeyed", checkLimits},
	"MaxBodySize":            {"obeyed", checkMaxBodySize},
	"MaxDepth":               {"obeyed", checkMaxDepth},
	"MaxRequests":            {"ours", checkMaxRequests},
	"OnError":                {"obeyed", checkCallbacks},
	"OnHTML":                 {"obeyed", checkCallbacks},
	"OnHTMLDetach":           {"obeyed", checkCallbacks},
	"OnRequest":              {"obeyed", checkCallbacks},
	"OnRequestHeaders":       {"obeyed", checkCallbacks},
	"OnResponse":             {"obeyed", checkCallbacks},
	"OnResponseHeaders":      {"obeyed", checkCallbacks},
	"OnScraped":              {"obeyed", checkCallbacks},
	"OnXML":                  {"obeyed", checkCallbacks},
	"OnXMLDetach":            {"obeyed", checkCallbacks},
	"ParseHTTPErrorResponse": {"obeyed", checkErrorPages},
	"Post":                   {"refused", asksNothing(func(c *colly.Collector) error { return c.Post("http://a.example/other", map[string]string{"a": "b"}) })},
	"PostMultipart": {"refused", asksNothing(func(c *colly.Collector) error {
		return c.PostMultipart("http://a.example/other", map[string][]byte{"a": nil})
	})},
	"PostRaw":      {"refused", asksNothing(func(c *colly.Collector) error { return c.PostRaw("http://a.example/other", []byte("x")) })},
	"Request":      {"ours", becomesALink(func(c *colly.Collector) error { return c.Request("GET", "http://a.example/other", nil, nil, nil) })},
	"SetClient":    {"obeyed", checkSetClient},
	"SetCookieJar": {"obeyed", checkCookies},
	"SetCookies":   {"obeyed", checkCookies},
	"SetDebugger":  {"obeyed", checkDebugger},
	"SetProxy":     {"obeyed", checkProxy},
	"SetProxyFunc": {"obeyed", checkProxyFunc},
	"SetRedirectHandler": {"refused", refusesLate(func(c *colly.Collector) {
		c.SetRedirectHandler(func(*http.Request, []*http.Request) error { return nil })
	}, "fetch.redirects")},
	"SetRequestTimeout": {"obeyed", checkTimeout},
	"SetStorage":        {"obeyed", checkSetStorage},
	"String":            {"obeyed", checkLooks},
	"TraceHTTP":         {"obeyed", checkTrace},
	"URLFilters": {"obeyed", keepsOut("/solar", func(c *colly.Collector) {
		c.URLFilters = []*regexp.Regexp{regexp.MustCompile("/(other|soup|b.example.*)?$")}
	})},
	"UnmarshalRequest": {"ours", becomesALink(unmarshalled)},
	"UserAgent":        {"obeyed", checkUserAgent},
	"Visit":            {"ours", becomesALink(func(c *colly.Collector) error { return c.Visit("http://a.example/other") })},
	"Wait":             {"obeyed", checkLooks},
	"WithTransport":    {"obeyed", checkWithTransport},
}

// TestColly proves every row of the table of who does what.
func TestColly(t *testing.T) {
	for name, r := range rows {
		t.Run(name, r.test)
	}
}

// TestCollyTable holds the table in the package's documentation: a row for each field and method of colly.Collector, no other,
// and what it says is what is proved.
func TestCollyTable(t *testing.T) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(file.Doc.Text(), "who does what\n")
	if !ok {
		t.Fatal("doc.go has no table of who does what")
	}
	table, _, _ = strings.Cut(table, "Why a LimitRule alone")
	said := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^\t(\w+) +(obeyed|ours|refused)\b`).FindAllStringSubmatch(table, -1) {
		said[line[1]] = line[2]
	}
	var want []string
	of := reflect.TypeFor[colly.Collector]()
	for i := range of.NumField() {
		if f := of.Field(i); f.IsExported() {
			want = append(want, f.Name)
		}
	}
	for i, at := 0, reflect.PointerTo(of); i < at.NumMethod(); i++ {
		want = append(want, at.Method(i).Name)
	}
	for _, name := range want {
		r, tested := rows[name]
		if !tested || said[name] != r.verdict {
			t.Errorf("%s: the table says %q; tested: %t, as %q", name, said[name], tested, r.verdict)
		}
		delete(said, name)
	}
	if len(said) > 0 || len(rows) != len(want) {
		t.Errorf("rows that Colly has nothing for: %v; %d are tested and there are %d", said, len(rows), len(want))
	}
}

// collyWeb is a web in memory of two hosts, seven pages in all.
func collyWeb() *web {
	w := &web{pages: map[string]answer{}}
	for address, body := range map[string]string{
		"a.example/":       `<title>Home</title>solar energy <a href=/solar>solar</a> <a href=/soup>soup</a> <a href=http://b.example/>solar roofs</a> <a href=/none>none</a>`,
		"a.example/solar":  `<title>Solar</title><p>Solar energy. <a href=/panel>panel</a>`,
		"a.example/soup":   `<title>Soup</title><p>Onions.`,
		"a.example/other":  `<title>Other</title><p>Another page.`,
		"a.example/panel":  `<title>Panel</title><p>Solar panel. <a href=/deep>deep</a>`,
		"a.example/deep":   `<title>Deep</title><p>Solar energy.`,
		"b.example/":       `<title>Roofs</title><p>Solar energy for every roof.`,
		"a.example/robots": "",
	} {
		w.pages["http://"+address] = answer{status: http.StatusOK, body: body}
	}
	return w
}

// collectorOver is a collector over a web in memory.
func collectorOver(w http.RoundTripper) *colly.Collector {
	c := colly.NewCollector()
	c.WithTransport(w)
	return c
}

// crawlOn makes a crawl on a collector.
func crawlOn(t *testing.T, c *colly.Collector, change ...func(*focus.Config)) *focus.Crawler {
	t.Helper()
	config := solarConfig(t, nil).Config
	for _, f := range change {
		f(&config)
	}
	crawler, err := focus.New(context.Background(), config, focus.On(c))
	if err != nil {
		t.Fatal(err)
	}
	return crawler
}

// runOn runs it.
func runOn(t *testing.T, c *colly.Collector, change ...func(*focus.Config)) focus.Report {
	t.Helper()
	return mustRun(t, crawlOn(t, c, change...))
}

func mustRun(t *testing.T, crawler *focus.Crawler) focus.Report {
	t.Helper()
	report, err := crawler.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// refuses is the test of a setting that is refused at Run, before and after New, with a remedy.
func refuses(set func(*colly.Collector), remedy string) func(*testing.T) {
	return func(t *testing.T) {
		w := collyWeb()
		c := collectorOver(w)
		set(c)
		if _, err := crawlOn(t, c).Run(context.Background()); err == nil || !strings.Contains(err.Error(), remedy) {
			t.Errorf("set before New, Run said %v, want it to speak of %s", err, remedy)
		}
		refusesLate(set, remedy)(t)
		if len(w.asked) > 0 {
			t.Errorf("a crawl that was refused has asked for %v", w.asked)
		}
	}
}

// refusesLate is the test of what is refused at Run when it was done after New.
func refusesLate(set func(*colly.Collector), remedy string) func(*testing.T) {
	return func(t *testing.T) {
		crawler := crawlOn(t, collectorOver(collyWeb()))
		set(crawler.Collector())
		if _, err := crawler.Run(context.Background()); err == nil || !strings.Contains(err.Error(), remedy) {
			t.Errorf("set after New, Run said %v, want it to speak of %s", err, remedy)
		}
	}
}

// keepsOut is the test of a filter: an address that it is against is not asked for, nor is its host for robots.txt, and the
// refusal has a name.
func keepsOut(address string, set func(*colly.Collector)) func(*testing.T) {
	return func(t *testing.T) {
		w := collyWeb()
		c := collectorOver(w)
		set(c)
		report := runOn(t, c)
		for _, asked := range w.asked {
			if strings.HasSuffix(asked, address) || strings.Contains(address, "b.example") && strings.Contains(asked, "b.example") {
				t.Errorf("%s was asked for", asked)
			}
		}
		if report.Counts.Pages < 3 || report.Counts.Refused["collector"] == 0 {
			t.Errorf("%d pages, refused: %v", report.Counts.Pages, report.Counts.Refused)
		}
	}
}

// becomesALink is the test of a way to ask for a page: it waits in the frontier, and is fetched in its turn by the crawl.
func becomesALink(ask func(*colly.Collector) error) func(*testing.T) {
	return func(t *testing.T) {
		w := collyWeb()
		c := collectorOver(w)
		var once sync.Once
		var err error
		c.OnHTML("title", func(*colly.HTMLElement) { once.Do(func() { err = ask(c) }) })
		runOn(t, c)
		if n := w.count("http://a.example/other"); n != 1 || err != nil {
			t.Errorf("the page was fetched %d times: %v", n, err)
		}
	}
}

func unmarshalled(c *colly.Collector) error {
	r, err := c.UnmarshalRequest([]byte(`{"URL": "http://a.example/other", "Method": "GET"}`))
	if err != nil {
		return err
	}
	return r.Do()
}

// asksNothing is the test of another method than GET: nothing is sent, and the log has the refusal.
func asksNothing(ask func(*colly.Collector) error) func(*testing.T) {
	return func(t *testing.T) {
		w := collyWeb()
		c := collectorOver(w)
		var once sync.Once
		var err error
		c.OnHTML("title", func(*colly.HTMLElement) { once.Do(func() { err = ask(c) }) })
		var folder string
		runOn(t, c, func(config *focus.Config) { folder = config.Store })
		if n := w.count("http://a.example/other"); n != 0 || err != nil {
			t.Errorf("the address was asked for %d times: %v", n, err)
		}
		said, err := os.ReadFile(filepath.Join(folder, run.FileLog))
		if err != nil || !strings.Contains(string(said), "method") {
			t.Errorf("the log has no refusal by method (%v)", err)
		}
	}
}

func checkAppengine(t *testing.T) {
	c := colly.NewCollector()
	gone, cancel := context.WithCancel(context.Background())
	cancel() // or it would look for App Engine
	c.Appengine(gone)
	crawler := crawlOn(t, c, func(config *focus.Config) { config.Polite.Robots, config.Fetch.Retries = "ignore", 0 })
	var failed error
	crawler.OnDone(func(v *focus.Visit) { failed = v.Err })
	mustRun(t, crawler)
	if failed == nil || !strings.Contains(failed.Error(), "canceled") {
		t.Errorf("the visit failed with %v, want the end of App Engine's own context", failed)
	}
}

func checkClone(t *testing.T) {
	w := collyWeb()
	crawler := crawlOn(t, collectorOver(w))
	if err := crawler.Collector().Clone().Visit("http://a.example/other"); err == nil || !strings.Contains(err.Error(), "Clone") {
		t.Errorf("a clone's Visit said %v", err)
	}
	mustRun(t, crawler)
	if n := w.count("http://a.example/other"); n != 0 {
		t.Error("a clone has fetched a page")
	}
}

type valueKey struct{}

// heard is a transport that hears of every request.
type heard struct {
	http.RoundTripper
	hear func(*http.Request)
}

func (h heard) RoundTrip(r *http.Request) (*http.Response, error) {
	h.hear(r)
	return h.RoundTripper.RoundTrip(r)
}

func checkContext(t *testing.T) { synctest.Test(t, stopByContext) }

func stopByContext(t *testing.T) {
	var missed atomic.Int64
	c := collectorOver(heard{collyWeb(), func(r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "robots.txt") && r.Context().Value(valueKey{}) != "mine" {
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

// cookiesSent are the cookies that a crawl sends to its start page.
func cookiesSent(t *testing.T, set func(*colly.Collector)) string {
	t.Helper()
	var mu sync.Mutex
	sent := ""
	c := collectorOver(heard{collyWeb(), func(r *http.Request) {
		if r.URL.Path == "/" && r.URL.Host == "a.example" {
			mu.Lock()
			sent = r.Header.Get("Cookie")
			mu.Unlock()
		}
	}})
	set(c)
	runOn(t, c)
	mu.Lock()
	defer mu.Unlock()
	return sent
}

func checkCookies(t *testing.T) {
	mine := []*http.Cookie{{Name: "session", Value: "7"}}
	if sent := cookiesSent(t, func(c *colly.Collector) {
		c.SetCookies("http://a.example/", mine)
		if n := len(c.Cookies("http://a.example/")); n != 1 {
			t.Errorf("%d cookies, want 1", n)
		}
	}); sent != "session=7" {
		t.Errorf("after SetCookies the crawl sent %q", sent)
	}
	if sent := cookiesSent(t, func(c *colly.Collector) {
		jar, _ := cookiejar.New(nil)
		jar.SetCookies(&url.URL{Scheme: "http", Host: "a.example"}, mine)
		c.SetCookieJar(jar)
	}); sent != "session=7" {
		t.Errorf("after SetCookieJar the crawl sent %q", sent)
	}
}

func checkDisableCookies(t *testing.T) {
	if sent := cookiesSent(t, func(c *colly.Collector) {
		c.SetCookies("http://a.example/", []*http.Cookie{{Name: "session", Value: "7"}})
		c.DisableCookies()
	}); sent != "" {
		t.Errorf("after DisableCookies the crawl sent %q", sent)
	}
}

func checkDetectCharset(t *testing.T) {
	w := collyWeb()
	gbk, err := simplifiedchinese.GBK.NewEncoder().String("<title>太阳能</title><p>太阳能是一种能源。太阳能电池板把阳光变成电力。")
	if err != nil {
		t.Fatal(err)
	}
	w.pages["http://a.example/"] = answer{status: http.StatusOK, header: "Content-Type: text/html", body: gbk}
	c := collectorOver(w)
	c.DetectCharset = true
	var title string
	c.OnHTML("title", func(e *colly.HTMLElement) { title = e.Text })
	runOn(t, c)
	if title != "太阳能" || c.DetectCharset {
		t.Errorf("the callback saw the title %q; DetectCharset is %t", title, c.DetectCharset)
	}
}

func checkHasVisited(t *testing.T) {
	c := collectorOver(collyWeb())
	var early bool
	c.OnHTML("title", func(e *colly.HTMLElement) {
		if now, _ := c.HasVisited(e.Request.URL.String()); now {
			early = true
		}
	})
	runOn(t, c)
	visited, err := c.HasVisited("http://a.example/solar")
	posted, _ := c.HasPosted("http://a.example/solar", map[string]string{"a": "b"})
	if early || !visited || posted || err != nil {
		t.Errorf("visited in its own callback: %t, at the end: %t, posted: %t (%v)", early, visited, posted, err)
	}
}

func checkHeaders(t *testing.T) {
	var missed atomic.Int64
	c := collectorOver(heard{collyWeb(), func(r *http.Request) {
		if r.URL.Path != "/robots.txt" && (r.Header.Get("X-Mine") != "1" || !strings.HasPrefix(r.Header.Get("User-Agent"), "thresher")) {
			missed.Add(1)
		}
	}})
	c.Headers = &http.Header{"X-Mine": {"1"}, "User-Agent": {"somebody else"}}
	if runOn(t, c); missed.Load() > 0 {
		t.Errorf("%d requests went out without the headers", missed.Load())
	}
	refuses(func(c *colly.Collector) { c.Headers = &http.Header{"Host": {"b.example"}} }, "Host")(t)
}

// checkLooks: what only tells of a collector goes on telling.
func checkLooks(t *testing.T) {
	c := collectorOver(collyWeb())
	id := c.ID
	runOn(t, c)
	if c.Wait(); c.ID != id || !strings.Contains(c.String(), "Requests made") {
		t.Errorf("ID %d, before %d; %s", c.ID, id, c)
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
	c.OnResponse(func(r *colly.Response) {
		if r.StatusCode == http.StatusNotFound {
			missing.Add(1)
		}
	})
	if report := runOn(t, c); missing.Load() != 1 || report.Counts.Dropped["status: 404 Not Found"] != 1 {
		t.Errorf("the callback saw %d such pages; dropped: %v", missing.Load(), report.Counts.Dropped)
	}
}

func checkSetClient(t *testing.T) {
	w := collyWeb()
	c := colly.NewCollector()
	mine := &http.Client{Transport: w}
	c.SetClient(mine)
	if runOn(t, c); w.count("http://a.example/solar") != 1 || mine.Transport != http.RoundTripper(w) {
		t.Errorf("asked for %v; the client goes by %T", w.asked, mine.Transport)
	}
	refusesLate(func(c *colly.Collector) { c.SetClient(&http.Client{}) }, "SetClient")(t)
}

func checkDebugger(t *testing.T) {
	c := collectorOver(collyWeb())
	var said bytes.Buffer
	c.SetDebugger(&debug.LogDebugger{Output: &said, Flag: log.LUTC})
	if runOn(t, c); !strings.Contains(said.String(), "scraped") {
		t.Errorf("the debugger heard %q", said.String())
	}
}

// newProxy is a proxy, and what it was asked for.
func newProxy(t *testing.T) (at string, asked func() []string) {
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.String())
		s.mu.Unlock()
		resp, err := collyWeb().RoundTrip(r)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.WriteHeader(resp.StatusCode)
		resp.Write(nowhereElse{w})
	}))
	t.Cleanup(s.Close)
	return s.URL, s.requests
}

// nowhereElse writes what stands behind the header of an answer.
type nowhereElse struct{ http.ResponseWriter }

func (w nowhereElse) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, []byte("<title>")) {
		return w.ResponseWriter.Write(p)
	}
	return len(p), nil
}

func checkProxy(t *testing.T) {
	at, asked := newProxy(t)
	c := colly.NewCollector()
	if err := c.SetProxy(at); err != nil {
		t.Fatal(err)
	}
	report := runOn(t, c)
	if all := asked(); report.Counts.Kept == 0 || !slices.Contains(all, "http://a.example/solar") || !slices.Contains(all, "http://b.example/robots.txt") {
		t.Errorf("%d pages kept; the proxy was asked for %v", report.Counts.Kept, all)
	}
	refusesLate(func(c *colly.Collector) { c.SetProxy(at) }, "SetProxy")(t)
}

func checkProxyFunc(t *testing.T) {
	at, asked := newProxy(t)
	proxy, _ := url.Parse(at)
	c := colly.NewCollector()
	c.SetProxyFunc(func(r *http.Request) (*url.URL, error) {
		if r.URL.Host == "127.0.0.1:9" {
			return nil, nil
		}
		return proxy, nil
	})
	var through atomic.Int64
	c.OnResponse(func(r *colly.Response) {
		if r.Request.ProxyURL == at {
			through.Add(1)
		}
	})
	var direct error
	crawler := crawlOn(t, c, func(config *focus.Config) {
		config.Fetch.Retries, config.Polite.Robots = 0, "ignore"
		config.Seeds = append(config.Seeds, "http://127.0.0.1:9/")
	})
	crawler.OnDone(func(v *focus.Visit) {
		if v.Item.Host == "127.0.0.1:9" {
			direct = v.Err
		}
	})
	mustRun(t, crawler)
	if n := len(asked()); through.Load() != 6 || n < 7 {
		t.Errorf("%d pages came through the proxy, which was asked for %v", through.Load(), asked())
	}
	if direct == nil || !strings.Contains(direct.Error(), "not a public address") {
		t.Errorf("a private address without a proxy: %v", direct)
	}
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

func checkSetStorage(t *testing.T) {
	own, c := &ownStorage{}, collectorOver(collyWeb())
	if err := c.SetStorage(own); err != nil {
		t.Fatal(err)
	}
	if report := runOn(t, c); own.told < 6 || own.told > report.Counts.Pages {
		t.Errorf("the storage heard of %d pages of %d", own.told, report.Counts.Pages)
	}
	refusesLate(func(c *colly.Collector) { c.SetStorage(&ownStorage{}) }, "SetStorage")(t)
}

func checkTrace(t *testing.T) {
	s := newSite(t, solarPages())
	c := colly.NewCollector()
	c.TraceHTTP = true
	var traced atomic.Int64
	c.OnResponse(func(r *colly.Response) {
		if r.Trace != nil && r.Trace.FirstByteDuration > 0 {
			traced.Add(1)
		}
	})
	report := runOn(t, c, func(config *focus.Config) {
		config.Seeds, config.Fetch.Private = []string{s.URL + "/"}, []string{"127.0.0.1"}
	})
	if traced.Load() == 0 || report.Counts.Pages < int(traced.Load()) {
		t.Errorf("%d of %d answers had a trace", traced.Load(), report.Counts.Pages)
	}
}

func checkUserAgent(t *testing.T) {
	for said, want := range map[string]string{
		"sunbot/2.0": "sunbot/2.0 (+mailto:test@example.org)", "sunbot (mailto:test@example.org)": "sunbot (mailto:test@example.org)",
		colly.NewCollector().UserAgent: "thresher (+mailto:test@example.org)",
	} {
		var mu sync.Mutex
		names := map[string]bool{}
		c := collectorOver(heard{collyWeb(), func(r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			names[r.Header.Get("User-Agent")] = true
		}})
		c.UserAgent = said
		example := func(config *focus.Config) { config.Topic.Examples = []string{"http://a.example/panel"} }
		if runOn(t, c, example); len(names) != 1 || !names[want] {
			t.Errorf("UserAgent %q: the crawl went by %v, want %s", said, names, want)
		}
	}
	c := colly.NewCollector()
	c.UserAgent = "42"
	if _, err := focus.New(context.Background(), solarConfig(t, nil).Config, focus.On(c)); err == nil || !strings.Contains(err.Error(), "UserAgent") {
		t.Errorf("a name without letters: %v", err)
	}
	refusesLate(func(c *colly.Collector) { c.UserAgent = "other" }, "UserAgent")(t)
}

func checkWithTransport(t *testing.T) {
	s := newSite(t, solarPages())
	crawl := func(private ...string) focus.Report {
		c := collectorOver(&http.Transport{})
		return runOn(t, c, func(config *focus.Config) {
			config.Seeds, config.Fetch.Private, config.Fetch.Retries = []string{s.URL + "/"}, private, 0
		})
	}
	if report := crawl("127.0.0.1"); report.Counts.Kept == 0 {
		t.Error("nothing was kept over a transport of the program's")
	}
	if report := crawl(); report.Counts.Kept != 0 {
		t.Error("a transport of net/http went into the private network")
	}
	refusesLate(func(c *colly.Collector) { c.WithTransport(collyWeb()) }, "WithTransport")(t)
	config := solarConfig(t, nil).Config
	if _, err := focus.New(context.Background(), config, focus.On(collectorOver(collyWeb())), focus.Transport(collyWeb())); err == nil || !strings.Contains(err.Error(), "focus.Transport") {
		t.Errorf("with two transports: %v", err)
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
		return strings.HasSuffix(address, "/robots.txt") || strings.Contains(address, "/nothing-here-")
	})
	if !slices.Equal(sorted(pages), sorted(plain)) || robots != 2 {
		t.Errorf("the proxy was asked for %v before, and for %v after", plain, focused)
	}
	if told != len(pages) || report.Counts.Kept == 0 {
		t.Errorf("the storage heard of %d pages of %d; %d were kept", told, len(pages), report.Counts.Kept)
	}
}

// A crawl file that wants cookies has them kept from page to page, on the crawl's own collector as on one that a program brings
// along.
func TestCookiesOfTheCrawlFile(t *testing.T) {
	for _, on := range []bool{false, true} {
		w := collyWeb()
		start := w.pages["http://a.example/"]
		start.header = "Set-Cookie: session=7"
		w.pages["http://a.example/"] = start
		var mu sync.Mutex
		sent := ""
		through := heard{w, func(r *http.Request) {
			if r.URL.Path == "/solar" {
				mu.Lock()
				sent = r.Header.Get("Cookie")
				mu.Unlock()
			}
		}}
		config := solarConfig(t, nil).Config
		config.Cookies = true
		option := focus.Transport(through)
		if on {
			option = focus.On(collectorOver(through))
		}
		crawler, err := focus.New(context.Background(), config, option)
		if err != nil {
			t.Fatal(err)
		}
		mustRun(t, crawler)
		if sent != "session=7" {
			t.Errorf("on a collector of the program: %t; sent %q to the second page", on, sent)
		}
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
	c := collectorOver(collyWeb())
	crawler := crawlOn(t, c)
	for _, want := range []string{"Async", "runs once"} {
		c.Async = true
		if _, err := crawler.Run(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Run: %v, want it to speak of %s", err, want)
		}
	}
}
