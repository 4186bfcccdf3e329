package extensions_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/gocolly/colly/v2"
	"github.com/klauspost/compress/gzip"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
)

// What users of Colly asked for in its threads, each with the number of the thread.

// numbered is a site of as many pages as are asked for.
func numbered() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
}

// A pace for each host, over any number of hosts (gocolly/colly #191, #604): a host has its pause between two requests, and no
// other host waits for that.
func Example_aPaceForEachHost() {
	var mu sync.Mutex
	last, least, waits := map[string]time.Time{}, time.Hour, false
	others := make(chan string, 2)                                                            // the other hosts, when they are asked for the first time
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // a proxy that is every host
		mu.Lock()
		defer mu.Unlock()
		now := time.Now()
		before, again := last[r.Host]
		last[r.Host] = now
		switch {
		case again:
			least = min(least, now.Sub(before))
		case r.Host != "a.example":
			others <- r.Host
		default: // the first of its host is not answered until the others are asked
			mu.Unlock()
			for range 2 {
				select {
				case <-others:
				case <-r.Context().Done():
					waits = true
				}
			}
			mu.Lock()
		}
	}))
	defer web.Close()

	c := colly.NewCollector()
	c.SetProxy(web.URL)
	c.SetRequestTimeout(time.Minute)
	q, _ := extensions.NewQueue(4, frontier.NewMemory(frontier.Manners{Delay: 100 * time.Millisecond}))
	for _, host := range []string{"a.example", "b.example", "c.example"} {
		for page := range 3 {
			q.AddURL(fmt.Sprintf("http://%s/%d", host, page))
		}
	}
	q.Run(c)
	fmt.Println("requests of a host are 100 ms apart:", least >= 100*time.Millisecond)
	fmt.Println("no host waits for another:", !waits)
	// Output:
	// requests of a host are 100 ms apart: true
	// no host waits for another: true
}

// A robots.txt that is obeyed (gocolly/colly #614): Colly ignores it unless it is told otherwise, and knows no Crawl-delay.
func Example_aRobotsTxtThatIsObeyed() {
	site := serve(map[string]string{"/robots.txt": "User-agent: *\nDisallow: /private\nCrawl-delay: 0.05", "/": "", "/private": "", "/open": ""})
	defer site.Close()

	c := colly.NewCollector(colly.UserAgent("shark/1.0"))
	waiting := frontier.NewMemory(frontier.Manners{})
	extensions.Robots(c, extensions.RobotsConfig{Pacing: waiting})
	c.OnResponse(func(r *colly.Response) { fmt.Println("fetched", r.Request.URL.Path) })
	q, _ := extensions.NewQueue(1, waiting)
	for _, path := range []string{"/", "/private", "/open"} {
		q.AddURL(site.URL + path)
	}
	q.Run(c)
	// Output:
	// fetched /
	// fetched /open
}

// Another proxy after a ban (gocolly/colly #344): the failed request is made again when its host's turn comes, by the next proxy.
func Example_anotherProxyAfterABan() {
	banned := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }))
	defer banned.Close()
	fresh := serve(map[string]string{"/": "<title>Sharks</title>"})
	defer fresh.Close()

	var proxies []*url.URL
	for _, p := range []string{banned.URL, fresh.URL} {
		u, _ := url.Parse(p)
		proxies = append(proxies, u)
	}
	var used atomic.Int64
	c := colly.NewCollector()
	c.SetProxyFunc(func(*http.Request) (*url.URL, error) { return proxies[used.Load()], nil })
	c.OnError(func(r *colly.Response, err error) {
		fmt.Println(r.StatusCode, err)
		used.Store((used.Load() + 1) % int64(len(proxies)))
	})
	c.OnHTML("title", func(e *colly.HTMLElement) { fmt.Println(e.Text) })
	q, _ := extensions.NewQueue(1, frontier.NewMemory(frontier.Manners{Backoff: time.Millisecond}))
	q.Retries = len(proxies)
	q.AddURL("http://a.example/")
	q.Run(c)
	// Output:
	// 429 Too Many Requests
	// Sharks
}

// A context for requests (gocolly/colly #240, #555): its end stops what is under way and what waits, and every request has its
// values. What waits can be taken up later.
func Example_aContextThatEnds() {
	site := numbered()
	defer site.Close()

	type key struct{}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, "sharks"))
	c := colly.NewCollector(colly.StdlibContext(ctx))
	c.OnResponse(func(r *colly.Response) {
		fmt.Println(r.Request.URL.Path, c.Context.Value(key{}))
		cancel()
	})
	q, _ := extensions.NewQueue(1, nil)
	for i := range 5 {
		q.AddURL(fmt.Sprint(site.URL, "/", i))
	}
	err := q.Run(c)
	waiting, _ := q.Size()
	fmt.Println(err, "-", waiting, "wait")
	// Output:
	// /0 sharks
	// context canceled - 4 wait
}

// Many collectors on one Redis (gocolly/colly #692, #527), in one process or on many machines: each page is fetched once by one
// of them, and a host has one clock.
func Example_manyCollectorsOnOneRedis() {
	server, _ := miniredis.Run() // a real one outside of this example
	defer server.Close()
	var requests atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer site.Close()

	var machines sync.WaitGroup
	for worker := range 2 {
		client, to, err := redis.Dial("redis://" + server.Addr() + "?crawl=sharks")
		if err != nil {
			fmt.Println(err)
			return
		}
		defer client.Close()
		shared, err := redis.Open(context.Background(), client, to.Crawl, frontier.Manners{}, redis.Options{Worker: fmt.Sprint("worker ", worker)})
		if err != nil {
			fmt.Println(err)
			return
		}
		defer shared.Close()
		q, _ := extensions.NewQueue(2, shared)
		for i := range 20 {
			q.AddURL(fmt.Sprint(site.URL, "/", i))
		}
		machines.Go(func() { q.Run(colly.NewCollector()) })
	}
	machines.Wait()
	fmt.Println(requests.Load(), "requests for 20 pages that both have added")
	// Output: 20 requests for 20 pages that both have added
}

// Stop, and go on in another process (gocolly/colly #513): what waits is on disk.
func Example_stopAndGoOn() {
	site := numbered()
	defer site.Close()
	dir, _ := os.MkdirTemp("", "queue-")
	defer os.RemoveAll(dir)

	run := func(most int) (fetched int) { // a process
		waiting, err := disk.Open(dir, frontier.Manners{}, disk.Options{})
		if err != nil {
			fmt.Println(err)
			return 0
		}
		defer waiting.Close()
		q, _ := extensions.NewQueue(1, waiting)
		for i := range 10 {
			q.AddURL(fmt.Sprint(site.URL, "/", i)) // what is there already is not added again
		}
		c := colly.NewCollector()
		c.OnResponse(func(*colly.Response) {
			if fetched++; fetched == most {
				q.Stop()
			}
		})
		q.Run(c)
		return fetched
	}
	fmt.Println(run(4), "and", run(100))
	// Output: 4 and 6
}

// Bombs and requests that never end (gocolly/colly #923, #644): a body is bounded as it is unpacked, whatever it calls itself, and
// an answer has a time for all of it.
func Example_bombsAndTimeOuts() {
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	w.Write(make([]byte, 20<<20))
	w.Close()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bomb.xml.gz" { // without a Content-Encoding
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Write(bomb.Bytes())
			return
		}
		io.WriteString(w, "and so ")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer site.Close()

	c := colly.NewCollector()
	extensions.Transport(c, extensions.Limits(extensions.LimitsConfig{Whole: 200 * time.Millisecond}), extensions.Decode(extensions.DecodeConfig{MaxBytes: 1 << 20}))
	c.OnResponse(func(r *colly.Response) {
		fmt.Println(r.Request.URL.Path, len(r.Body) <= 1<<20, r.Headers.Get(extensions.CutHeader))
	})
	c.Visit(site.URL + "/bomb.xml.gz")
	c.Visit(site.URL + "/endless")
	// Output:
	// /bomb.xml.gz true ratio
	// /endless true time
}

// Memory that does not grow with what waits (gocolly/colly #648, #815): two hundred thousand addresses are neither goroutines nor
// strings in memory, and a host is asked for no more at a time than its manners say, however many threads there are. Of fewer the
// average is not steady: maps grow by leaps.
func Example_memoryOfWhatWaits() {
	memoryInUse := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	var mu sync.Mutex
	now, most, others, done := 0, 0, 0, 0
	free, let := make(chan struct{}), sync.Once{}                                             // the first host's requests are held until the other has had 20
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { // a proxy that is both hosts
		mu.Lock()
		defer mu.Unlock()
		if r.Host == "a.example" {
			now++
			most = max(most, now)
		} else {
			others++
		}
		if others >= 20 && most >= 4 { // a busy machine may be late with either
			let.Do(func() { close(free) })
		}
		if r.Host != "a.example" {
			return
		}
		mu.Unlock()
		select {
		case <-free:
		case <-r.Context().Done():
		}
		mu.Lock()
		now--
	}))
	defer web.Close()
	dir, _ := os.MkdirTemp("", "queue-")
	defer os.RemoveAll(dir)
	waiting, err := disk.Open(dir, frontier.Manners{PerHost: 4}, disk.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer waiting.Close()

	c := colly.NewCollector()
	c.SetProxy(web.URL)
	c.SetRequestTimeout(time.Minute)
	q, _ := extensions.NewQueue(16, waiting)
	before := memoryInUse()
	for i := range 200_000 {
		q.AddURL(fmt.Sprintf("http://%c.example/a/page/with/quite/a/long/address/as/they/are/%d", 'a'+i%2, i))
	}
	fmt.Println("less than 200 bytes of memory each:", memoryInUse()-before < 200*200_000)
	c.OnScraped(func(*colly.Response) {
		mu.Lock()
		defer mu.Unlock()
		if done++; done == 50 {
			q.Stop()
		}
	})
	q.Run(c)
	left, _ := q.Size()
	fmt.Println(most, "requests of a host at a time; the others wait:", left > 199_000)
	// Output:
	// less than 200 bytes of memory each: true
	// 4 requests of a host at a time; the others wait: true
}

// Only what is new (gocolly/colly #304): what the last crawl saw is asked for with its ETag, and a page that is as it was is not
// sent again.
func Example_onlyWhatIsNew() {
	version := map[string]string{"/old": `"1"`, "/news": `"1"`}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", version[r.URL.Path])
		if r.Header.Get("If-None-Match") == version[r.URL.Path] {
			w.WriteHeader(http.StatusNotModified)
		}
	}))
	defer site.Close()

	known := extensions.NewValidators(0) // Save writes them down for the next process
	for range 2 {
		c := colly.NewCollector()
		extensions.Conditional(c, known)
		c.OnResponse(func(r *colly.Response) { fmt.Println("new:", r.Request.URL.Path) })
		c.Visit(site.URL + "/old")
		c.Visit(site.URL + "/news")
		version["/news"] = `"2"`
	}
	// Output:
	// new: /old
	// new: /news
	// new: /news
}
