package focus_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"

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

// TestCollyTable holds the table in the documentation of On: a row for each field and method of colly.Collector, no other,
// and what it says is what is proved.
func TestCollyTable(t *testing.T) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "collector.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	on, ok := file.Scope.Lookup("On").Decl.(*ast.FuncDecl)
	if !ok {
		t.Fatal("collector.go has no function On")
	}
	table, _, _ := strings.Cut(on.Doc.Text(), "Why a LimitRule alone")
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
		c.OnHTML("title", func(e *colly.HTMLElement) {
			once.Do(func() {
				e.Request.Ctx.Put("mine", "of the page that asks")
				err = errors.Join(ask(c), e.Request.Visit("/other"))
			})
		})
		c.OnResponse(func(r *colly.Response) {
			if said := r.Ctx.Get("mine"); said != "" {
				t.Errorf("%s has the context of another page: %q", r.Request.URL, said)
			}
		})
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
	if err := c.Visit("http://a.example/late"); err == nil || !strings.Contains(err.Error(), "the crawl has ended") {
		t.Errorf("a Visit after the crawl: %v", err)
	}
}
