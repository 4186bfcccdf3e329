package seek

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ground"
)

// hosts is a web of handlers, by host.
type hosts map[string]http.HandlerFunc

func (h hosts) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if handle := h[r.URL.Host]; handle != nil {
		handle(w, r)
	} else {
		http.NotFound(w, r)
	}
	resp := w.Result()
	resp.Request = r
	return resp, nil
}

// serve is a host of pages, by path; what is below /robots.txt is served as it stands.
func serve(pages map[string]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
			return
		case r.URL.Path != "/robots.txt" && !strings.HasSuffix(r.URL.Path, ".xml"):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		w.Write([]byte(body))
	}
}

// answering is an engine that answers every question with some addresses.
func answering(answers func(query string) []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/search" {
			http.NotFound(w, r)
			return
		}
		type result struct {
			URL string `json:"url"`
		}
		results := []result{}
		if r.FormValue("pageno") == "1" {
			for _, address := range answers(r.FormValue("q")) {
				results = append(results, result{address})
			}
		}
		json.NewEncoder(w).Encode(map[string]any{"results": results})
	}
}

// over is a crawl over a web of handlers.
func over(t *testing.T, web hosts, change func(*crawlfile.Config)) crawlfile.Config {
	t.Helper()
	c := crawlfile.Default()
	c.Name = "boats"
	c.Topic.Language, c.Topic.Content = "en", "main_text"
	c.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "keel", Weight: 0.9}}
	c.Polite.Contact, c.Polite.Delay = "you@example.org", 0
	if change != nil {
		change(&c)
	}
	return c
}

// searchOver is search over such a web.
func searchOver(t *testing.T, web hosts, config crawlfile.Config, change func(*Options)) Report {
	t.Helper()
	return search(t, config, change, ground.Options{Transport: web})
}

const (
	aboutBoats  = "<title>Sailing</title><p>Sailing with a keel and a spinnaker. The keel and the spinnaker, sailing again and again."
	aboutOthers = "<title>Cooking</title><p>A recipe for soup, with onions and a spoon. Cooking for many people at home."
)

// TestTheBestPagesMakeTheNextQuestion: their word is asked, what it finds is proposed, and an engine that brings nothing
// new is left while the other goes on.
func TestTheBestPagesMakeTheNextQuestion(t *testing.T) {
	web := hosts{}
	boats := func(n int, more string) []string {
		var list []string
		for i := range 4 {
			host := fmt.Sprintf("boats%d-%d.example", n, i)
			web[host] = serve(map[string]string{"/": aboutBoats + more})
			list = append(list, "http://"+host+"/")
		}
		return list
	}
	early, late := boats(1, ""), boats(2, " The rudder, the rudder.")
	for i := range 4 {
		web[fmt.Sprintf("soup%d.example", i)] = serve(map[string]string{"/": aboutOthers})
	}
	soups := []string{"http://soup0.example/", "http://soup1.example/", "http://soup2.example/", "http://soup3.example/"}
	web["good.example"] = answering(func(q string) []string {
		if strings.Contains(q, "spinnaker") {
			return late
		}
		return append(early[:4:4], soups...)
	})
	web["stale.example"] = answering(func(string) []string { return soups })
	report := searchOver(t, web, over(t, web, func(c *crawlfile.Config) {
		c.Engines = []string{"searxng=http://good.example", "searxng=http://stale.example"}
	}), func(o *Options) { o.Queries = 6 })
	var asked []string
	for _, q := range report.Queries {
		if q.Engine == "searxng good.example" {
			asked = append(asked, fmt.Sprintf("%s %v", q.Query, q.Feedback))
		}
		if q.Query == "sailing spinnaker" && q.Engine == "searxng good.example" && (q.New != 4 || q.Relevant != 4 || q.Yield != 1) {
			t.Errorf("%+v", q)
		}
	}
	if len(asked) > 6 || !slices.Contains(asked, "sailing false") || !slices.Contains(asked, "sailing spinnaker true") {
		t.Errorf("asked are %q", asked)
	}
	if e := report.Engines[1]; !strings.Contains(e.Left, "hardly anything new") || e.Queries >= report.Engines[0].Queries {
		t.Errorf("%+v beside %+v", e, report.Engines[0])
	}
	var sites []string
	for _, p := range report.Proposals {
		sites = append(sites, p.Site)
	}
	if len(sites) != 8 || report.Doubtful != 4 {
		t.Errorf("proposed are %v, doubtful %d", sites, report.Doubtful)
	}
}

// TestASearchKeepsItsBudgets: of questions to each engine, of results, of pages; and an engine hears one question at a time.
func TestASearchKeepsItsBudgets(t *testing.T) {
	var fetched, questions, atOnce, most atomic.Int32
	var mu sync.Mutex
	web := hosts{}
	page := serve(map[string]string{"/": aboutBoats, "/robots.txt": "User-agent: *\nDisallow:\n"})
	for i := range 200 {
		web[fmt.Sprintf("s%d.example", i)] = func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				fetched.Add(1)
			}
			page(w, r)
		}
	}
	next := 0
	engine := answering(func(string) []string {
		mu.Lock()
		defer mu.Unlock()
		var list []string
		for range 20 {
			list = append(list, fmt.Sprintf("http://s%d.example/", next%200))
			next++
		}
		return list
	})
	web["engine.example"] = func(w http.ResponseWriter, r *http.Request) {
		most.Store(max(most.Load(), atOnce.Add(1)))
		questions.Add(1)
		engine(w, r)
		atOnce.Add(-1)
	}
	report := searchOver(t, web, over(t, web, func(c *crawlfile.Config) { c.Engines = []string{"searxng=http://engine.example"} }),
		func(o *Options) { o.Queries, o.Results, o.Pages = 4, 7, 15 })
	if n := int(fetched.Load()); n > 15 || n < 10 || report.Pages != n {
		t.Errorf("%d pages were fetched, %d told", n, report.Pages)
	}
	if n := questions.Load(); n > 4 || most.Load() != 1 {
		t.Errorf("%d questions, %d at once", n, most.Load())
	}
	for _, q := range report.Queries {
		if q.Results > 7 {
			t.Errorf("%+v", q)
		}
	}
}

// TestDirectoriesExamplesFeedsAndSitemaps: each leads to sites, and says so.
func TestDirectoriesExamplesFeedsAndSitemaps(t *testing.T) {
	web := hosts{
		"dir.example": serve(map[string]string{"/": `<title>Links</title><div><h2>Sailing</h2><ul><li><a href="http://club.example/">The club</a><li><a href="http://kitchen.example/">Odd one</a></ul></div>
<div><h2>Food</h2><ul><li><a href="http://food.example/">Soup</a></ul></div>`, "/other": "<p>Onions: <a href='http://food.example/'>onions</a>"}),
		"club.example": serve(map[string]string{"/": aboutBoats + `<link rel=alternate type="application/rss+xml" href="/feed.xml">`, "/a": aboutBoats, "/b": aboutBoats,
			"/robots.txt": "Sitemap: http://club.example/map.xml\n",
			"/feed.xml":   `<rss><channel><item><title>Sailing in May</title><link>http://club.example/a</link></item><item><title>Dinner</title><link>http://club.example/c</link></item></channel></rss>`,
			"/map.xml":    `<urlset><url><loc>http://club.example/sailing/b</loc></url><url><loc>http://club.example/x</loc></url></urlset>`}),
		"kitchen.example": serve(map[string]string{"/": aboutOthers}),
		"food.example":    serve(map[string]string{"/": aboutOthers}),
		"blog.example":    serve(map[string]string{"/sea": aboutBoats + ` See <a href="http://yard.example/">the sailing yard</a> and <a href="http://food.example/">soup</a>.`}),
		"yard.example":    serve(map[string]string{"/": aboutBoats}),
	}
	t.Run("outside the scope", func(t *testing.T) {
		var asked atomic.Int64
		web := maps.Clone(web)
		web["yard.example"] = func(w http.ResponseWriter, _ *http.Request) { asked.Add(1) }
		report := searchOver(t, web, over(t, web, func(c *crawlfile.Config) {
			c.Topic.Examples, c.Scope.NotHosts, c.Scope.NotPaths = []string{"http://blog.example/sea"}, []string{"yard.example"}, []string{"/sea"}
		}), nil)
		if said := strings.Join(report.Troubles, "\n"); asked.Load() > 0 || len(report.Proposals) > 0 || !strings.Contains(said, ": 2, such as blog.example") {
			t.Errorf("it was asked %d times; proposed %+v; troubles:\n%s", asked.Load(), report.Proposals, said)
		}
	})
	report := searchOver(t, web, over(t, web, func(c *crawlfile.Config) {
		c.Directories = []string{"http://dir.example/", "http://dir.example/other", "http://dir.example/gone"}
		c.Topic.Examples = []string{"http://blog.example/sea"}
	}), nil)
	by := map[string]Proposal{}
	for _, p := range report.Proposals {
		by[p.Site] = p
	}
	says := func(site, kind string) Evidence {
		for _, e := range by[site].Evidence {
			if e.Kind == kind {
				return e
			}
		}
		t.Errorf("%s: nothing of a %s in %+v", site, kind, by[site].Evidence)
		return Evidence{}
	}
	if e := says("club.example", "directory"); e.Block != "Sailing" || e.Anchor != "The club" {
		t.Errorf("%+v", e)
	}
	if e := says("club.example", "feed"); e.Matched != 1 || e.Of != 2 {
		t.Errorf("%+v", e)
	}
	if e := says("club.example", "sitemap"); e.Matched != 1 || e.Of != 2 {
		t.Errorf("%+v", e)
	}
	if e := says("yard.example", "example"); e.Anchor != "the sailing yard" {
		t.Errorf("%+v", e)
	}
	if len(by) != 3 || by["blog.example"].Seeds[0] != "http://blog.example/sea" {
		t.Errorf("proposed are %v", slices.Sorted(maps.Keys(by)))
	}
	if said := strings.Join(report.Troubles, "\n"); !strings.Contains(said, "dir.example/other: no block of this directory matches") || !strings.Contains(said, "dir.example/gone: the answer was 404") {
		t.Errorf("troubles:\n%s", said)
	}
}

// TestAnEngineOnAPrivateNetworkMustBeAllowed.
func TestAnEngineOnAPrivateNetworkMustBeAllowed(t *testing.T) {
	server := engineServer(t)
	config := configOf(t, sailing+"engines: [searxng="+server.URL+"]\n")
	config.Fetch.Private = nil
	report := search(t, config, nil, ground.Options{})
	if len(report.Troubles) != 1 || !strings.Contains(report.Troubles[0], "not a public address") || !strings.Contains(report.Troubles[0], "fetch: {private: [127.0.0.1]}") {
		t.Errorf("troubles: %v", report.Troubles)
	}
}

// TestOneSearchIsLikeTheNext: nothing depends on who answers first.
func TestOneSearchIsLikeTheNext(t *testing.T) {
	server := engineServer(t)
	config := configOf(t, sailing+"engines: [searxng="+server.URL+", "+server.URL+"/description.xml]\n")
	one, two := search(t, config, func(o *Options) { o.Queries = 3 }, ground.Options{}), search(t, config, func(o *Options) { o.Queries = 3 }, ground.Options{})
	a, _ := json.Marshal(one)
	b, _ := json.Marshal(two)
	if string(a) != string(b) {
		t.Errorf("first\n%s\nthen\n%s", a, b)
	}
}

// TestAFrontPageThatMovedToHTTPSIsProposedThere.
func TestAFrontPageThatMovedToHTTPSIsProposedThere(t *testing.T) {
	page := serve(map[string]string{"/": aboutBoats})
	web := hosts{"boats.example": func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Scheme == "http" && r.URL.Path == "/" {
			http.Redirect(w, r, "https://boats.example/", http.StatusMovedPermanently)
			return
		}
		page(w, r)
	}, "engine.example": answering(func(string) []string { return []string{"http://boats.example/"} })}
	report := searchOver(t, web, over(t, web, func(c *crawlfile.Config) { c.Engines = []string{"searxng=http://engine.example"} }), nil)
	if len(report.Proposals) != 1 || report.Proposals[0].Seeds[0] != "https://boats.example/" {
		t.Errorf("%+v", report.Proposals)
	}
}

// TestAReportOfNothingHasListsOfNothing: what reads it as JSON finds a list where it looks for one.
func TestAReportOfNothingHasListsOfNothing(t *testing.T) {
	config := over(t, hosts{}, func(c *crawlfile.Config) { c.Directories = []string{"http://nowhere.example/"} })
	raw, err := json.Marshal(searchOver(t, hosts{}, config, nil))
	noError(t, err)
	for _, want := range []string{`"proposals":[]`, `"queries":[]`, `"engines":[]`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s is not in %s", want, raw)
		}
	}
}
