package focus_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/queue"
	"golang.org/x/net/html"

	"github.com/thresher-crawler/thresher/focus"
)

// BenchmarkPipeline is the whole of a page's journey (fetch from a local server, read, judge, rank, push, keep) beside
// net/http alone, net/http with a tokenizer over the page, Colly as its documentation has it, and Colly's queue: the same
// pages, in the same run, from a server in a process of its own. It prints the CPU time of a page and its ratio to
// net/http with a tokenizer over as many pages right before, for machines are faster at one time than at another; and of our own
// crawls how long a page has the turn, on the wall, and how many are kept. A bare crawl writes nothing of a page but its log and state.
//
//	go test ./focus -run '^$' -bench Pipeline -benchtime 2000x
func BenchmarkPipeline(b *testing.B) {
	server := startPages(b)
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", server)
	}
	transport := func() *http.Transport {
		return &http.Transport{DialContext: dial, MaxIdleConns: 64}
	}
	for _, way := range []struct {
		name string
		run  func(b *testing.B, rt http.RoundTripper, pages int) fetched
	}{
		{"nethttp", plainHTTP(nil)},
		{"nethttp+tokenizer", plainHTTP(tokenize)},
		{"breadth", wholeJourney(&inEnglish, "breadth", "likely")},
		{"breadth/bare", bareJourney("breadth")},
		{"breadth/second-look-off", wholeJourney(&inEnglish, "breadth", "off")},
		{"breadth/chinese", wholeJourney(&inChinese, "breadth", "likely")},
		{"shark", wholeJourney(&inEnglish, "shark", "likely")},
		{"shark/bare", bareJourney("shark")},
		{"shark/chinese", wholeJourney(&inChinese, "shark", "likely")},
		{"shark/portal", wholeJourney(&aPortal, "shark", "likely")},
		{"block-shark", wholeJourney(&inEnglish, "block-shark", "likely")},
		{"block-shark/bare", bareJourney("block-shark")},
		{"apprentice", wholeJourney(&inEnglish, "apprentice", "likely")},
		{"apprentice/bare", bareJourney("apprentice")},
		{"apprentice/second-look-off", wholeJourney(&inEnglish, "apprentice", "off")},
		{"apprentice/chinese", wholeJourney(&inChinese, "apprentice", "likely")},
		{"apprentice/portal", wholeJourney(&aPortal, "apprentice", "likely")},
		{"colly", collyAsDocumented},
		{"colly+queue", collyWithQueue},
	} {
		b.Run(way.name, func(b *testing.B) {
			pages := min(b.N, benchPages)
			b.ReportAllocs()
			b.StopTimer()
			beside := spent(b, plainHTTP(tokenize), transport(), pages)
			way.run(b, transport(), 20) // what is loaded once (dictionaries, connections) is no page's cost
			b.StartTimer()
			mine := spent(b, way.run, transport(), pages)
			if mine.turn > 0 {
				b.ReportMetric(float64(mine.turn.Microseconds())/float64(mine.pages), "turn-µs/page")
				b.ReportMetric(float64(mine.kept)/float64(mine.pages), "kept/page")
			}
			b.ReportMetric(mine.cpu, "cpu-µs/page")
			b.ReportMetric(mine.cpu/beside.cpu, "x-tokenizer")
		})
	}
}

// fetched is what a way came to; kept and turn (how long one page or another had the turn) are told by crawls of ours alone.
type fetched struct {
	pages, kept int
	turn        time.Duration
	cpu         float64 // microseconds of the processor for a page
}

// spent is what a way came to, and what it cost.
func spent(b *testing.B, run func(*testing.B, http.RoundTripper, int) fetched, rt http.RoundTripper, pages int) fetched {
	before := cpuTime()
	got := run(b, rt, pages)
	got.cpu = float64(cpuTime()-before) / float64(time.Microsecond) / float64(max(got.pages, 1))
	if got.pages < pages {
		b.Fatalf("%d pages fetched, want %d", got.pages, pages)
	}
	return got
}

// startPages starts this test binary once more, as a web server.
func startPages(b *testing.B) (address string) {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "THRESHER_BENCH_SERVER=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// servePages is that web server.
func servePages() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	template, drawn := benchTemplate(), map[byte][][]byte{}
	for _, web := range []*benchWeb{&inEnglish, &inChinese} {
		for n := range web.pages {
			drawn[web.host[0]] = append(drawn[web.host[0]], web.page(template, n))
		}
	}
	fmt.Println(l.Addr())
	panic(http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimSuffix(filepath.Base(r.URL.Path), ".html")
		n, err := strconv.Atoi(strings.TrimPrefix(name, "page"))
		pages, portal := drawn[r.Host[0]], r.Host[0] == aPortal.host[0]
		if err != nil || n < 0 || n >= len(pages) && !portal {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if portal {
			w.Write(aPortal.page(template, n)) // there are too many to hold
			return
		}
		w.Write(pages[n])
	})))
}

// plainHTTP fetches pages one after the other on 16 workers, and does something with each.
func plainHTTP(then func([]byte)) func(*testing.B, http.RoundTripper, int) fetched {
	return func(b *testing.B, rt http.RoundTripper, pages int) fetched {
		client := &http.Client{Transport: rt}
		var next, done atomic.Int64
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				for n := int(next.Add(1)) - 1; n < pages; n = int(next.Add(1)) - 1 {
					resp, err := client.Get(inEnglish.address(n))
					if err != nil {
						b.Error(err)
						return
					}
					body, err := io.ReadAll(resp.Body)
					resp.Body.Close()
					if err != nil {
						b.Error(err)
						return
					}
					if then != nil {
						then(body)
					}
					done.Add(1)
				}
			})
		}
		all.Wait()
		return fetched{pages: int(done.Load())}
	}
}

// tokenize runs a tokenizer over a page and looks at every tag and text.
func tokenize(body []byte) {
	z := html.NewTokenizer(strings.NewReader(string(body)))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			_, more := z.TagName()
			for more {
				_, _, more = z.TagAttr()
			}
		case html.TextToken:
			z.Text()
		}
	}
}

// collyAsDocumented is the program on Colly's front page: every link of every page is visited.
func collyAsDocumented(b *testing.B, rt http.RoundTripper, pages int) fetched {
	c := colly.NewCollector(colly.Async(true))
	c.WithTransport(rt)
	if err := c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: 16}); err != nil {
		b.Fatal(err)
	}
	var done atomic.Int64
	c.OnRequest(func(r *colly.Request) {
		if done.Load() >= int64(pages) {
			r.Abort()
		}
	})
	c.OnResponse(func(*colly.Response) { done.Add(1) })
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		if done.Load() < int64(pages) {
			e.Request.Visit(e.Attr("href"))
		}
	})
	c.Visit(inEnglish.address(0))
	c.Wait()
	return fetched{pages: int(done.Load())}
}

// collyWithQueue is the same through Colly's queue.
func collyWithQueue(b *testing.B, rt http.RoundTripper, pages int) fetched {
	c := colly.NewCollector()
	c.WithTransport(rt)
	q, err := queue.New(16, &queue.InMemoryQueueStorage{MaxSize: 1 << 22})
	if err != nil {
		b.Fatal(err)
	}
	var done atomic.Int64
	c.OnRequest(func(r *colly.Request) {
		if done.Load() >= int64(pages) {
			r.Abort()
			q.Stop()
		}
	})
	c.OnResponse(func(*colly.Response) { done.Add(1) })
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		if done.Load() < int64(pages) {
			q.AddURL(e.Request.AbsoluteURL(e.Attr("href")))
		}
	})
	q.AddURL(inEnglish.address(0))
	q.Run(c)
	return fetched{pages: int(done.Load())}
}

// wholeJourney is a crawl by a strategy: robots obeyed, records and log written to disk, and what a second look needs.
func wholeJourney(web *benchWeb, strategy, secondLook string) func(b *testing.B, rt http.RoundTripper, pages int) fetched {
	return func(b *testing.B, rt http.RoundTripper, pages int) fetched {
		return crawled(b, wholeSetting(b, web, strategy, secondLook, rt, pages))
	}
}

// bareJourney is the crawl by itself: nothing is written of a page but log and state.
func bareJourney(strategy string) func(b *testing.B, rt http.RoundTripper, pages int) fetched {
	return func(b *testing.B, rt http.RoundTripper, pages int) fetched {
		config := wholeSetting(b, &inEnglish, strategy, "off", rt, pages)
		config.Sinks = nil
		return crawled(b, config)
	}
}

// crawled runs a crawl.
func crawled(b *testing.B, config focus.Setting) fetched {
	defer debug.SetGCPercent(debug.SetGCPercent(150)) // as the command has it
	crawler, err := focus.NewWith(config)
	if err != nil {
		b.Fatal(err)
	}
	report, err := crawler.Run(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return fetched{pages: report.Counts.Pages, kept: report.Counts.Kept, turn: report.Times.Turn()}
}

// wholeSetting is that crawl.
func wholeSetting(tb testing.TB, web *benchWeb, strategy, secondLook string, rt http.RoundTripper, pages int) focus.Setting {
	config := focus.DefaultSetting()
	config.Name = "bench"
	config.Strategy.Name = strategy
	config.SecondLook = secondLook
	config.Store = tb.TempDir()
	config.Seeds = []string{web.address(0)}
	config.Topic.Language, config.Topic.Terms = web.topic.Language, web.topic.Terms
	config.Polite.Delay, config.Polite.PerHost, config.Polite.Parallel = 0, 16, 16
	config.Polite.Contact = "mailto:bench@example.org"
	config.Budget.Pages = pages
	config.Transport = rt
	return config
}
