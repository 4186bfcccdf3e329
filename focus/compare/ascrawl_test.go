package compare

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/replay"
)

// crawled are the addresses that the crawl of a file asks for that names web, topic and strategy, and says nothing else but what is
// given. With a transport it asks that, on the clock on the wall, and not the recorded web.
func crawled(t *testing.T, web, topic, strategy string, pages int, settings string, over http.RoundTripper) (addresses []string) {
	t.Helper()
	addresses, _ = crawledAndCounted(t, web, topic, strategy, pages, settings, over)
	return addresses
}

// crawledAndCounted says how much of what was fetched is relevant, too.
func crawledAndCounted(t *testing.T, web, topic, strategy string, pages int, settings string, over http.RoundTripper) (addresses []string, relevant float64) {
	t.Helper()
	web, err := filepath.Abs(web)
	noError(t, err)
	dir := t.TempDir()
	file := filepath.Join(dir, "crawl.yaml")
	text := fmt.Sprintf("web: %q\nweb_topic: %q\nstrategy: %q\nbudget: {pages: %d}\n%s", web, topic, strategy, pages, settings)
	noError(t, os.WriteFile(file, []byte(text), 0o644))
	config, err := focus.Load(file)
	noError(t, err)
	config.Store = filepath.Join(dir, "run")
	var options []focus.Option
	if over != nil {
		config.Web, config.WebTopic, options = "", "", []focus.Option{focus.Transport(over)}
	}
	crawler, err := focus.New(context.Background(), config, options...)
	noError(t, err)
	crawler.OnDone(func(v *focus.Visit) { addresses = append(addresses, v.Item.URL) })
	report, err := crawler.Run(context.Background())
	noError(t, err)
	return addresses, float64(report.Counts.Relevant) / float64(len(addresses))
}

// sameCrawl holds compare --as-crawl to the crawl of a file; pages are the budget beside the start page, or 0 for as many as can be
// reached.
func sameCrawl(t *testing.T, web, topic, strategy string, pages int) (visits []Fetch, cell Cell) {
	t.Helper()
	o := Options{Webs: []string{web}, Topics: []string{topic}, Strategies: []string{strategy}, OwnJudge: true, Seed: 1, Pages: pages}
	o.AsCrawl, o.Fetched = true, func(f Fetch) { visits = append(visits, f) }
	cell = run(t, o).Cells[0]
	var got []string
	for _, f := range visits {
		got = append(got, f.Address)
	}
	starts := slices.IndexFunc(visits, func(f Fetch) bool { return f.Place > 0 })
	want := crawled(t, web, topic, strategy, cmp.Or(pages, cell.Reachable)+starts, "", nil)
	if !slices.Equal(got, want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Errorf("%s, %s, %s: %d fetches, and %d in a crawl; they part after %d", web, topic, strategy, len(got), len(want), at)
	}
	return visits, cell
}

func TestCompareCrawlsAsCrawlDoes(t *testing.T) {
	for _, strategy := range []string{"apprentice", "breadth", "random"} {
		visits, cell := sameCrawl(t, small, "tea", strategy, 0)
		if len(visits) < 40 || cell.Fetched == 0 || cell.Focus == 0 || cell.PerHour == nil {
			t.Errorf("%s: %d visits, %+v", strategy, len(visits), cell)
		}
	}
}

// A crawl pays for links that leave the web, and robots.txt and the start page are no part of it.
func TestAsACrawlEachFetchCounts(t *testing.T) {
	web := sketch("s → dead1 a dead2\na → r1 dead1 o1\nr1 → b\no1 → r2").folder(t, "all")
	visits, cell := sameCrawl(t, web, "boats", "breadth", 7)
	var way strings.Builder
	for _, f := range visits {
		fmt.Fprintf(&way, "%s:%d:%v ", strings.TrimPrefix(f.Address, at("")), f.Place, f.Relevant)
	}
	if want := "s:0:false dead1:1:false a:2:false dead2:3:false r1:4:true o1:5:false b:6:false r2:7:false "; way.String() != want {
		t.Errorf("it went %s\nwant %s", way.String(), want)
	}
	if cell.Fetched != 7 || cell.Reachable != 3 || cell.Relevant != 1 {
		t.Errorf("%d pages were fetched, %d with %d relevant ones can be reached", cell.Fetched, cell.Reachable, cell.Relevant)
	}
	if cell.AUC != cell.Breadth {
		t.Errorf("breadth-first has an area of %v, and the yardstick %v", cell.AUC, cell.Breadth)
	}
	var table strings.Builder
	if err := WriteFetched(&table, visits[4:5]); err != nil || table.String() != "web,topic,strategy,draw,place,relevant,address\nall,boats,breadth,1,4,true,"+at("r1")+"\n" {
		t.Errorf("the table is %q, %v", table.String(), err)
	}
	o := Options{Webs: []string{web}, Strategies: []string{"breadth"}, SecondLook: true, Rules: Rules{AsCrawl: true}}
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "as a crawl goes") {
		t.Errorf("a second look as a crawl goes: %v", err)
	}
}

// One topic of each recorded web, page by page.
func TestCompareCrawlsRealWebsAsCrawlDoes(t *testing.T) {
	if os.Getenv("THRESHER_SHARED") != "1" || os.Getenv("THRESHER_ASCRAWL") == "" {
		t.Skip("minutes: the recorded webs are asked for with THRESHER_SHARED=1 and THRESHER_ASCRAWL=1")
	}
	for web, topic := range map[string]string{"webkb": "texas/student", "zh_portals": "travel"} {
		dir := filepath.Join("..", "..", "..", "shared", "webs", web)
		if _, err := os.Stat(dir); err != nil {
			t.Skipf("there is no recorded web in %s", dir)
		}
		visits, cell := sameCrawl(t, dir, topic, "apprentice", 0)
		t.Logf("%s, %s: %d fetches, the same in both; focus %.3f", web, topic, len(visits), cell.Focus)
	}
}

// overHTTP serves a recorded web through a proxy until the test ends, and answers what a crawl asks it by; at once, or as late as
// was recorded.
func overHTTP(t *testing.T, dir string, late bool) http.RoundTripper {
	t.Helper()
	web, err := replay.Open(dir)
	noError(t, err)
	var o replay.ProxyOptions
	if late {
		o.Latency = web.Latency
	}
	proxy, err := replay.NewProxy(web, o)
	noError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- proxy.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := cmp.Or(<-done, web.Close()); err != nil {
			t.Error(err)
		}
	})
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(proxy.Certificate())
	at := &url.URL{Scheme: "http", Host: l.Addr().String()}
	return &http.Transport{Proxy: http.ProxyURL(at), TLSClientConfig: &tls.Config{RootCAs: trusted}}
}

// What is asked beside pages is left out: a live crawl asks a host that may not answer while its workers go on, so that other pages
// may come first.
func TestOneWorkerCrawlsOverHTTPAsOverTheWeb(t *testing.T) {
	settings := "polite: {contact: you@example.org, delay: 0s, parallel: 1, robots: ignore}\nscope: {soft_404: ignore, sitemaps: false}\n" +
		"fetch: {answer: 5m, timeout: 5m}\n" // a host that answers late on a busy machine is attended to aside, too
	for _, topic := range []string{"tea", "sailing"} {
		web := crawled(t, small, topic, "apprentice", 60, settings, nil)
		live := crawled(t, small, topic, "apprentice", 60, settings, overHTTP(t, small, false))
		if len(web) < 40 || !slices.Equal(web, live) {
			t.Errorf("%s: over HTTP it fetches\n%s\nand over the web\n%s", topic, strings.Join(live, "\n"), strings.Join(web, "\n"))
		}
	}
}

// With as many workers as a file that says nothing of them has, and about a second between two visits of a host, which page is
// fetched when depends on which answer is there first. A site of the topic that few links lead to is found early then, or not at
// all, and compare's own figure moves by a tenth if the pause is some hundredths longer. So both are drawn with several pauses, and
// it is the mean that is held. The crawls go on at the same time, as each of them waits most of its time.
func TestManyWorkersFindOverHTTPWhatCompareMeasures(t *testing.T) {
	if os.Getenv("THRESHER_ASCRAWL") == "" {
		t.Skip("three minutes: asked for with THRESHER_ASCRAWL=1")
	}
	const most = .02
	web := filepath.Join("..", "..", "testdata", "webs", "quickstart")
	over := overHTTP(t, web, true)
	var mu sync.Mutex
	var apart []float64 // live and compare, cell by cell
	t.Run("cells", func(t *testing.T) {
		for _, topic := range []string{"sailing", "beekeeping", "astronomy", "baking", "tea", "weiqi"} {
			for _, pause := range []string{"960ms", "980ms", "1020ms", "1040ms"} {
				t.Run(topic+"/"+pause, func(t *testing.T) {
					t.Parallel()
					settings := fmt.Sprintf("polite: {contact: you@example.org, delay: %s}\n", pause)
					_, compared := crawledAndCounted(t, web, topic, "apprentice", 300, settings, nil)
					_, live := crawledAndCounted(t, web, topic, "apprentice", 300, settings, over)
					mu.Lock()
					defer mu.Unlock()
					apart = append(apart, live-compared)
					t.Logf("of what was fetched %.3f is relevant, over HTTP %.3f: %+.3f", compared, live, live-compared)
				})
			}
		}
	})
	var mean, square float64
	for _, d := range apart {
		mean += d / float64(len(apart))
	}
	for _, d := range apart {
		square += (d - mean) * (d - mean)
	}
	t.Logf("%d crawls: %+.3f on the mean, with a standard error of %.3f", len(apart), mean, math.Sqrt(square)/float64(len(apart)))
	if math.Abs(mean) > most {
		t.Errorf("crawls over HTTP find %+.3f of what was fetched, beside compare; want at most %.2f either way", mean, most)
	}
}
