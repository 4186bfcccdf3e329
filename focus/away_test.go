package focus

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// While the machine's own network is away a crawl stands still, and says so: no host is blamed, no link is lost, and the time does
// not count. When the network is back it goes on, and it hears that it is to stop. So it does where the network is away when a crawl is
// gone on with.
func TestACrawlStandsStillWhileItsNetworkIsAway(t *testing.T) {
	const hosts, pages = 4, 6
	t.Chdir(t.TempDir())
	var away atomic.Bool
	var asked atomic.Int32
	paths := make(chan string, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := strconv.Atoi(r.URL.Path[1:]); err == nil {
			paths <- r.Host + r.URL.Path
			if asked.Add(1) == 1+hosts { // each host but the first is met for the first time then, or soon
				away.Store(true)
			}
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>Sailing</title><p>sailing boat yacht")
		for h := range hosts {
			for p := range pages {
				fmt.Fprintf(w, `<a href="http://h%d.example/%d">boat</a> `, h, p)
			}
		}
	}))
	t.Cleanup(server.Close)
	config := DefaultSetting()
	config.Name, config.Store, config.Seeds, config.MinFree = "away", "runs/away", []string{"http://h0.example/0"}, 0
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "boat", Weight: 1}}
	config.Polite.Contact, config.Polite.Delay, config.Polite.PerIP = "tests@example.org", strict.Pace(time.Millisecond), 0
	config.Polite.GiveUp, config.Fetch.Retries, config.Fetch.Private = 0, 2, []string{"127.0.0.0/8", "::1"}
	config.Duplicates, config.Strategy.Name, config.Scope.Soft404, config.Scope.Sitemaps = "keep", "breadth", "ignore", false
	config.Look, config.RetryWait = time.Millisecond, time.Millisecond // what was under way when it went may fail as others do, and is tried again
	config.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		if away.Load() {
			return nil, &net.DNSError{Err: "server misbehaving", IsTemporary: true}
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	var report Report
	for n, most := range []int{hosts * pages / 2, hosts * pages, hosts * pages} {
		config.Budget.Pages = most
		collector := colly.NewCollector()
		collector.WithTransport(&http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			if away.Load() {
				return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ENETUNREACH}
			}
			return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
		}})
		c, err := New(context.Background(), config.Config, append(config.Options(), On(collector))...)
		if err != nil {
			t.Fatal(err)
		}
		c.ground.Reach.Every = time.Millisecond
		over := make(chan Report)
		go func() {
			report, err := c.Run(context.Background())
			if err != nil {
				t.Error(err)
			}
			over <- report
		}()
		waitFor("it stands still", func() bool { return strings.Contains(c.StandsStill(), "the network is away") })
		if n == 1 {
			if err := run.Command(config.Store, frontier.Stop); err != nil {
				t.Fatal(err)
			}
			if report = <-over; report.Finished {
				t.Errorf("told to stop while it stood still, it says %s", report.Reason)
			}
			continue
		}
		away.Store(false)
		report = <-over
		away.Store(true)
	}
	close(paths)
	visited := map[string]bool{}
	for path := range paths {
		visited[path] = true
	}
	if len(visited) != hosts*pages || report.Counts.Failed > 0 || report.Counts.Pages != hosts*pages {
		t.Errorf("%d of %d pages were visited, and %d failed: %v", len(visited), hosts*pages, report.Counts.Failed, report.Counts)
	}
}
