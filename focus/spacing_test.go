package focus_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// visitors is a server's own log: when which host was asked for what. Its pages lead to others, to redirects (to themselves in
// another form, to each other, to a forbidden address) and to pages that are busy at first.
type visitors struct {
	mu      sync.Mutex
	log     map[string][]time.Time
	asked   map[string]int // by host and path with query
	crawl   time.Duration  // the Crawl-delay of those that have one
	known   int            // the requests to a host until whoever visits it has read its robots.txt, or heard of it; 0 means 1
	endless atomic.Bool    // every page leads to another
}

func (l *visitors) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	host, _, _ := strings.Cut(r.Host, ".")
	l.mu.Lock()
	l.log[host] = append(l.log[host], at)
	l.asked[host+r.URL.RequestURI()]++
	times := l.asked[host+r.URL.RequestURI()]
	l.mu.Unlock()
	name := strings.TrimPrefix(r.URL.Path, "/")
	switch {
	case name == "robots.txt":
		fmt.Fprint(w, "User-agent: *\nDisallow: /secret\nDisallow: /*;jsessionid\n")
		if strings.HasPrefix(host, "asks") {
			fmt.Fprintf(w, "Crawl-delay: %.3f\n", l.crawl.Seconds())
		}
	case name == "0":
		for i := 1; i < 4; i++ {
			fmt.Fprintf(w, "<a href=/%d>solar</a> ", i)
		}
		hostiletest.Say(w, "<title>Solar</title><p>solar energy")
	case name == "1" && r.URL.RawQuery == "":
		http.Redirect(w, r, "/1?utm_source=x", http.StatusFound)
	case name == "2":
		http.Redirect(w, r, "/2;jsessionid=1", http.StatusFound)
	case name == "3" && times == 1:
		w.WriteHeader(http.StatusServiceUnavailable)
	case name == "4":
		http.Redirect(w, r, "/secret/4", http.StatusMovedPermanently)
	default:
		if n, err := strconv.Atoi(name); err == nil && l.endless.Load() {
			fmt.Fprintf(w, "<a href=/%d>solar</a> ", n+4)
		}
		hostiletest.Say(w, "<title>Solar energy</title><p>solar panel "+host+r.URL.Path)
	}
}

// early are the requests that came sooner after another of their host than its delay allows, but for a tenth that belongs
// to the way between two processes.
func (l *visitors) early(delay time.Duration) (wrong []string) {
	for host, log := range l.log {
		slices.SortFunc(log, time.Time.Compare)
		for i := 1; i < len(log); i++ {
			least := delay
			if i > max(l.known, 1) && strings.HasPrefix(host, "asks") { // after robots.txt, which says what the delay is
				least = l.crawl
			}
			if gap := log[i].Sub(log[i-1]); gap < least*9/10 {
				wrong = append(wrong, fmt.Sprintf("%s: request %d came after %v, want %v", host, i, gap, least))
			}
		}
	}
	for what := range l.asked {
		if strings.Contains(what, "secret") || strings.Contains(what, "jsessionid") {
			wrong = append(wrong, what+" was asked for, which robots.txt forbids")
		}
	}
	return wrong
}

// From the server's own log: over redirects, retries and a resume, with one visit of a host at a time and with several, no
// request starts earlier than the delay or the host's own Crawl-delay allows, and nothing is asked for that is forbidden.
func TestTheServersLogShowsEveryDelay(t *testing.T) {
	for _, perHost := range []int{1, 4, 8} {
		t.Run(fmt.Sprint("per_host ", perHost), func(t *testing.T) {
			patiently(t, 40*time.Millisecond, func(delay time.Duration) []string { return visitPolitely(t, perHost, delay) })
		})
	}
}

// visitPolitely crawls in two runs, and says what is wrong.
func visitPolitely(t *testing.T, perHost int, delay time.Duration) (wrong []string) {
	l := &visitors{log: map[string][]time.Time{}, asked: map[string]int{}, crawl: 2 * delay}
	server := httptest.NewServer(l)
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	config := solarConfig(t, nil)
	config.Transport, config.Seeds = nil, nil
	for _, host := range []string{"plain", "asks"} {
		config.Fetch.Private = append(config.Fetch.Private, host+".example")
		for n := range 10 {
			config.Seeds = append(config.Seeds, fmt.Sprintf("http://%s.example:%s/%d", host, port, n))
		}
	}
	config.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	config.Polite.Delay, config.Polite.PerHost, config.Polite.Parallel, config.Polite.Adapt = strict.Pace(delay), perHost, 16, 0
	config.RetryWait = time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	first, err := focus.NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	first.OnDone(func(*focus.Visit) {
		if first.Counts().Pages == 5 {
			stop()
		}
	})
	if _, err := first.Run(ctx); err != nil {
		t.Fatal(err)
	}
	report := crawlWith(t, config)
	if !report.Finished || report.Counts.Pages < 20 {
		wrong = append(wrong, fmt.Sprintf("%d pages, %s", report.Counts.Pages, report.Reason))
	}
	return append(wrong, l.early(delay)...)
}
