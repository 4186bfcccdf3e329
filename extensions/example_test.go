package extensions_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/klauspost/compress/gzip"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/rights"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/sitemap"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// serve is a web site of the examples: pages by path.
func serve(pages map[string]string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		switch {
		case strings.HasSuffix(r.URL.Path, ".txt"):
			w.Header().Set("Content-Type", "text/plain")
		case strings.HasSuffix(r.URL.Path, ".xml"):
			w.Header().Set("Content-Type", "text/xml")
		default:
			w.Header().Set("Content-Type", "text/html")
		}
		io.WriteString(w, body)
	}))
}

// A crawler that behaves in the open: one transport out of layers, in whatever order they are named, and callbacks
// beside it.
func Example() {
	site := serve(map[string]string{
		"/":           `<title>Home</title><body><a href="/private">no</a> <a href="/open">yes</a>`,
		"/open":       "<title>Open</title>",
		"/private":    "<title>Private</title>",
		"/robots.txt": "User-agent: shark\nDisallow: /private",
	})
	defer site.Close()

	c := colly.NewCollector()
	if err := extensions.Agent(c, "shark/1.0", "bot@shark.example"); err != nil {
		log.Fatal(err)
	}
	extensions.Transport(c, extensions.PrivateNetworks(extensions.PrivateNetworksConfig{Allow: []string{"127.0.0.1"}}), extensions.Limits(extensions.LimitsConfig{}), extensions.Decode(extensions.DecodeConfig{}), extensions.Charset())
	extensions.Robots(c, extensions.RobotsConfig{OnRefusal: func(r extensions.Refusal) {
		fmt.Println("refused:", strings.TrimPrefix(r.URL, site.URL), "by", r.Reason)
	}})
	extensions.Canonical(c, extensions.CanonicalConfig{})
	extensions.Traps(c, extensions.TrapsConfig{})

	c.OnHTML("title", func(e *colly.HTMLElement) { fmt.Println(e.Text) })
	c.OnHTML("a[href]", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
	c.Visit(site.URL + "/")
	// Output:
	// Home
	// refused: /private by line 2: Disallow: /private
	// Open
}

func ExampleRobots() {
	site := serve(map[string]string{"/robots.txt": "User-agent: *\nDisallow: /*.cgi$\nCrawl-delay: 3", "/page": "", "/run.cgi": ""})
	defer site.Close()

	c := colly.NewCollector(colly.UserAgent("shark/1.0"))
	extensions.Robots(c, extensions.RobotsConfig{OnRefusal: func(r extensions.Refusal) { fmt.Println("refused:", r.Reason) }})
	c.OnResponse(func(r *colly.Response) { fmt.Println("fetched:", r.Request.URL.Path) })
	c.Visit(site.URL + "/run.cgi")
	c.Visit(site.URL + "/page")
	// Output:
	// refused: line 2: Disallow: /*.cgi$
	// fetched: /page
}

func Example_parseRobots() {
	rules := robots.Parse([]byte("User-agent: shark\nDisallow: /deep\nAllow: /deep/blue"), "shark")
	fmt.Println(rules.Allowed("/deep/blue/sea?depth=9"))
	fmt.Println(rules.Allowed("/deep/red"))
	fmt.Println(rules.Allowed("/shore"))
	// Output:
	// true line 3: Allow: /deep/blue
	// false line 2: Disallow: /deep
	// true
}

func ExampleCharset() {
	// The bytes are GBK, and only a meta element says so.
	site := serve(map[string]string{"/": "<meta charset=gbk><title>\xc2\xc3\xd3\xce</title>"})
	defer site.Close()

	c := colly.NewCollector()
	extensions.Transport(c, extensions.Charset())
	c.OnHTML("title", func(e *colly.HTMLElement) {
		fmt.Println(e.Text, "was", e.Response.Headers.Get(extensions.CharsetHeader))
	})
	c.Visit(site.URL)
	// Output: 旅游 was gb18030
}

func ExampleDecode() {
	// 100 MB of zeros, gzipped.
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	for range 100 {
		w.Write(make([]byte, 1<<20))
	}
	w.Close()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(bomb.Bytes())
	}))
	defer site.Close()

	c := colly.NewCollector()
	extensions.Transport(c, extensions.Decode(extensions.DecodeConfig{MaxBytes: 4 << 20}))
	c.OnResponse(func(r *colly.Response) {
		fmt.Println("at most 4 MB:", len(r.Body) <= 4<<20, "- cut:", r.Headers.Get(extensions.CutHeader))
	})
	c.Visit(site.URL)
	// Output: at most 4 MB: true - cut: ratio
}

func ExampleLimits() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			io.WriteString(w, "for ever and ever ")
		}
	}))
	defer site.Close()

	c := colly.NewCollector()
	extensions.Transport(c, extensions.Limits(extensions.LimitsConfig{MaxBody: 100, Whole: 10 * time.Second}))
	c.OnResponse(func(r *colly.Response) {
		fmt.Println(len(r.Body), "bytes, cut:", r.Headers.Get(extensions.CutHeader))
	})
	c.Visit(site.URL)
	// Output: 100 bytes, cut: size
}

func ExamplePrivateNetworks() {
	site := serve(map[string]string{"/": "<title>an intranet</title>"})
	defer site.Close()

	c := colly.NewCollector()
	extensions.Transport(c, extensions.PrivateNetworks(extensions.PrivateNetworksConfig{}))
	fmt.Println(c.Visit(site.URL) != nil)

	c = colly.NewCollector()
	extensions.Transport(c, extensions.PrivateNetworks(extensions.PrivateNetworksConfig{Allow: []string{"127.0.0.0/8"}}))
	fmt.Println(c.Visit(site.URL))
	// Output:
	// true
	// <nil>
}

func ExampleCanonical() {
	site := serve(map[string]string{"/": ""})
	defer site.Close()

	c := colly.NewCollector()
	extensions.Canonical(c, extensions.CanonicalConfig{})
	c.OnResponse(func(r *colly.Response) { fmt.Println("fetched", r.Request.URL.RequestURI()) })
	c.Visit(site.URL + "/?a=1&b=2")
	c.Visit(site.URL + "/?a=1&b=2#part")
	c.Visit(site.URL + "/?a=%31&b=2")
	// Output: fetched /?a=1&b=2
}

func ExampleRetry() {
	tries := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if tries++; tries < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer site.Close()

	c := colly.NewCollector()
	extensions.Transport(c, extensions.Retry(extensions.RetryConfig{First: time.Millisecond, Longest: time.Second}))
	fmt.Println(c.Visit(site.URL), "after", tries, "attempts")
	// Output: <nil> after 3 attempts
}

func ExampleTraps() {
	watch := junk.NewTrapWatch(junk.TrapConfig{})
	fmt.Println(watch.Check("https://a.example/shop/shop/shop/shop"))
	fmt.Println(watch.Check("https://a.example/calendar/2099/01"))
	fmt.Printf("%q\n", watch.Check("https://a.example/2026/01/sharks.html"))
	// Output:
	// repeating segments: shop
	// calendar: year 2099
	// ""
}

func ExampleNearDuplicates() {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "what a press agency says for the %dth time ", i)
	}
	site := serve(map[string]string{"/paper": text.String() + "one", "/gazette": text.String() + "two"})
	defer site.Close()

	c := colly.NewCollector()
	extensions.NearDuplicates(c, extensions.NearDuplicatesConfig{})
	c.OnScraped(func(r *colly.Response) {
		first := r.Headers.Get(extensions.DuplicateHeader)
		fmt.Printf("%s repeats %q\n", r.Request.URL.Path, strings.TrimPrefix(first, site.URL))
	})
	c.Visit(site.URL + "/paper")
	c.Visit(site.URL + "/gazette")
	// Output:
	// /paper repeats ""
	// /gazette repeats "/paper"
}

func ExampleSoftNotFound() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/sharks" {
			io.WriteString(w, "<p>Sharks are fish.")
			return
		}
		io.WriteString(w, "<p>Sorry, we have no "+r.URL.Path+" here.") // with status 200
	}))
	defer site.Close()

	c := colly.NewCollector()
	extensions.SoftNotFound(c, extensions.SoftNotFoundConfig{})
	c.OnScraped(func(r *colly.Response) {
		fmt.Printf("%s: %q\n", r.Request.URL.Path, r.Headers.Get(extensions.TrapHeader))
	})
	c.Visit(site.URL + "/sharks")
	c.Visit(site.URL + "/unicorns")
	// Output:
	// /sharks: ""
	// /unicorns: "soft 404"
}

func ExampleWalls() {
	site := serve(map[string]string{"/": "<title>Just a moment...</title>Checking your browser"})
	defer site.Close()

	c := colly.NewCollector()
	extensions.Walls(c)
	c.OnScraped(func(r *colly.Response) { fmt.Println(r.Headers.Get(extensions.TrapHeader)) })
	c.Visit(site.URL)
	// Output: bot wall: Cloudflare
}

func ExampleSitemaps() {
	var site *httptest.Server
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sitemap.xml" {
			fmt.Fprintf(w, "<urlset><url><loc>%s/sharks</loc><lastmod>2026-01-02</lastmod></url></urlset>", site.URL)
		}
	}))
	defer site.Close()

	c := colly.NewCollector()
	extensions.Sitemaps(c, nil, func(f sitemap.Found) { // add it to a Queue here
		fmt.Println(strings.TrimPrefix(f.URL, site.URL), f.Modified.Format("2 January 2006"))
	})
	c.Visit(site.URL)
	// Output: /sharks 2 January 2026
}

func ExampleFeeds() {
	site := serve(map[string]string{
		"/":         `<link rel=alternate type="application/rss+xml" href="/feed.xml">`,
		"/feed.xml": "<rss><channel><item><title>Sharks seen</title><link>/1</link></item></channel></rss>",
	})
	defer site.Close()

	c := colly.NewCollector()
	extensions.Feeds(c, func(f sitemap.Found) { fmt.Println(f.Anchor, strings.TrimPrefix(f.URL, site.URL)) })
	c.Visit(site.URL)
	// Output: Sharks seen /1
}

func ExampleConditional() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		if r.Header.Get("If-None-Match") == `"one"` {
			w.WriteHeader(http.StatusNotModified)
		}
	}))
	defer site.Close()

	known := extensions.NewValidators(0) // Load what the last crawl has saved
	for range 2 {
		c := colly.NewCollector()
		extensions.Conditional(c, known)
		c.OnResponse(func(r *colly.Response) { fmt.Println("fetched") })
		c.OnError(func(r *colly.Response, err error) { fmt.Println("as it was:", extensions.NotModified(r)) })
		c.Visit(site.URL)
	}
	// Output:
	// fetched
	// as it was: true
}

func ExampleWARC() {
	site := serve(map[string]string{"/": "<title>Sharks</title>"})
	defer site.Close()

	var file bytes.Buffer // os.Create("pages.warc.gz")
	c := colly.NewCollector()
	extensions.Transport(c, extensions.WARC(warc.NewWriter(&file), extensions.WARCConfig{}))
	c.Visit(site.URL)

	records, err := warc.NewReader(&file)
	for err == nil {
		var r *warc.Record
		if r, err = records.Next(); err == nil {
			fmt.Println(r.Type)
		}
	}
	// Output:
	// response
	// request
}

func ExampleJSONLines() {
	site := serve(map[string]string{"/": "<title>Sharks</title>"})
	defer site.Close()

	var lines bytes.Buffer
	c := colly.NewCollector()
	c.OnHTML("title", func(e *colly.HTMLElement) { e.Response.Ctx.Put("title", e.Text) })
	extensions.JSONLines(c, &lines, extensions.JSONLinesConfig{Fields: func(r *colly.Response) map[string]any {
		return map[string]any{"title": r.Ctx.Get("title")}
	}})
	c.Visit(site.URL)
	fmt.Println(strings.Contains(lines.String(), `"fields":{"title":"Sharks"}`))
	// Output: true
}

func ExampleOptOuts() {
	site := serve(map[string]string{"/": `<meta name="robots" content="noai"><link rel=license href="https://creativecommons.org/licenses/by/4.0/">`})
	defer site.Close()

	c := colly.NewCollector()
	extensions.OptOuts(c, nil)
	c.OnResponse(func(r *colly.Response) {
		o := extensions.OptOutsOf(r.Request)
		by, reserved := o.Against(rights.Training)
		fmt.Println(reserved, by.Says, by.Where)
		fmt.Println(o.Words())
	})
	c.Visit(site.URL)
	// Output:
	// true noai page
	// [noai (page) license=https://creativecommons.org/licenses/by/4.0/ (page)]
}

func ExampleResolver() {
	known := 0
	c := colly.NewCollector()
	extensions.Transport(c, extensions.PrivateNetworks(extensions.PrivateNetworksConfig{}), extensions.Resolver(extensions.ResolverConfig{
		Hold: 10 * time.Minute,
		OnLookup: func(host string, hit bool) {
			if hit {
				known++
			}
		},
	}))
	fmt.Println(known)
	// Output: 0
}

func ExampleAgent() {
	c := colly.NewCollector()
	fmt.Println(extensions.Agent(c, "shark/1.0", ""))
	fmt.Println(extensions.Agent(c, "shark/1.0", "https://shark.example/bot"))
	fmt.Println(c.UserAgent)
	// Output:
	// extensions.Agent: contact "": want where you can be reached, such as "https://shark.example/bot" or "bot@shark.example"
	// <nil>
	// shark/1.0 (+https://shark.example/bot)
}

func ExampleProgress() {
	site := serve(map[string]string{"/": ""})
	defer site.Close()

	c := colly.NewCollector()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	now := start
	line := extensions.Progress(c, os.Stdout, extensions.ProgressConfig{Now: func() time.Time { return now }})
	c.OnResponse(func(*colly.Response) { line.Relevant(true) })
	now = start.Add(4 * time.Second)
	c.Visit(site.URL)
	line.Done()
	// Output: 1 pages · 1 relevant, harvest 100.0 %, of the last 1 100.0 % · 0.2 pages/s
}

func ExampleTap() {
	site := serve(map[string]string{"/": "<title>Sharks</title>"})
	defer site.Close()

	c := colly.NewCollector()
	extensions.Transport(c, extensions.Tap(func(r *http.Request, a extensions.Answer) {
		fmt.Println(r.Method, a.Status, len(a.Body), "bytes on the wire")
	}))
	c.Visit(site.URL)
	// Output: GET 200 21 bytes on the wire
}
