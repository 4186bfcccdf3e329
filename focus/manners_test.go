package focus_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// request is one line of a server's log.
type request struct {
	path       string
	begin, end time.Time
}

// logged is a server with many names that writes down who asked for what, when, and how many were served at once.
type logged struct {
	mu    sync.Mutex
	log   map[string][]request // by host
	now   map[string]int       // being served
	most  map[string]int       // served at once
	total int                  // of all hosts, at once
	busy  map[string]bool      // has sent its 503
	both  chan struct{}        // closed when two are served at once
}

func (l *logged) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, _ := strings.Cut(r.Host, ".")
	begin := time.Now()
	l.mu.Lock()
	if l.now[host]++; r.URL.Path != "/robots.txt" {
		l.most[host] = max(l.most[host], l.now[host])
	}
	all := 0
	for _, n := range l.now {
		all += n
	}
	if l.total = max(l.total, all); all == 2 {
		l.meet()
	}
	refuse := host == "busy" && r.URL.Path == "/0" && !l.busy[host]
	l.busy[host] = l.busy[host] || refuse
	l.mu.Unlock()
	switch {
	case r.URL.Path == "/robots.txt" && host == "asks":
		fmt.Fprint(w, "User-agent: *\nCrawl-delay: 0.2\n")
	case r.URL.Path == "/robots.txt":
		w.WriteHeader(http.StatusNotFound)
	case refuse:
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		select { // serving a page takes until another is asked for: it would be at once, if nobody had to wait for the other
		case <-l.both:
		case <-time.After(late):
		}
		time.Sleep(5 * time.Millisecond)
		hostiletest.Say(w, "<title>Solar energy</title><p>solar panel "+r.URL.Path)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now[host]--
	l.log[host] = append(l.log[host], request{r.URL.Path, begin, time.Now()})
}

// meet notes that two are served at once. The log must be locked.
func (l *logged) meet() {
	select {
	case <-l.both:
	default:
		close(l.both)
	}
}

// logOf crawls six pages of each host, and is what their server wrote down.
func logOf(t *testing.T, hosts []string, set func(*focus.Setting)) *logged {
	t.Helper()
	l := &logged{log: map[string][]request{}, now: map[string]int{}, most: map[string]int{}, busy: map[string]bool{}, both: make(chan struct{})}
	server := httptest.NewServer(l)
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	config := solarConfig(t, nil)
	config.Transport, config.Seeds = nil, nil
	config.Fetch.Timeout, config.Fetch.Answer = strict.Duration(2*late), strict.Duration(2*late)
	for _, host := range hosts {
		config.Fetch.Private = append(config.Fetch.Private, host+".example")
		for n := range 6 {
			config.Seeds = append(config.Seeds, fmt.Sprintf("http://%s.example:%s/%d", host, port, n))
		}
	}
	config.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	set(&config)
	crawlWith(t, config)
	return l
}

// gaps are the times between the end of an answer and the next request, where a host is visited once at a time.
func gaps(log []request) (least time.Duration) {
	least = time.Hour
	for i := 1; i < len(log); i++ {
		least = min(least, log[i].begin.Sub(log[i-1].end))
	}
	return least
}

// A server's own log shows the manners: the delay between visits of a host, a longer one where its robots.txt asks for
// it, and the time that a busy host asks to be left alone.
func TestServersSeeGoodManners(t *testing.T) {
	const delay = 50 * time.Millisecond
	l := logOf(t, []string{"plain", "asks", "busy"}, func(c *focus.Setting) {
		c.Polite.Delay, c.Polite.PerHost, c.Polite.Parallel = strict.Pace(delay), 1, 8
		c.Polite.Adapt = 0 // or this machine's own slowness would count as the host's
	})
	for host, want := range map[string]time.Duration{"plain": delay, "asks": 200 * time.Millisecond, "busy": delay} {
		log := l.log[host]
		if len(log) < 7 || log[0].path != "/robots.txt" {
			t.Fatalf("%s: the log is %v", host, log)
		}
		if least := gaps(log); least < want {
			t.Errorf("%s: %v between two visits, want %v", host, least, want)
		}
		if l.most[host] != 1 {
			t.Errorf("%s: %d visits at once", host, l.most[host])
		}
	}
	for i, r := range l.log["busy"] {
		if r.path != "/0" {
			continue
		}
		if next := l.log["busy"][i+1]; next.begin.Sub(r.end) < time.Second {
			t.Errorf("the busy host was left alone for %v, and had asked for a second", next.begin.Sub(r.end))
		}
		break
	}
}

// No more visits at once than the crawl file allows, of one host and of all.
func TestServersSeeNoMoreVisitsAtOnceThanAllowed(t *testing.T) {
	for _, c := range []struct{ perHost, parallel int }{{1, 8}, {2, 8}, {4, 3}} {
		l := logOf(t, []string{"a", "b", "c"}, func(config *focus.Setting) {
			config.Polite.PerHost, config.Polite.Parallel, config.Polite.Robots = c.perHost, c.parallel, "ignore"
		})
		for host, n := range l.most {
			if n > c.perHost {
				t.Errorf("per_host %d: %d visits of %s at once", c.perHost, n, host)
			}
		}
		if l.total > c.parallel {
			t.Errorf("parallel %d: %d visits at once", c.parallel, l.total)
		}
		if l.total < 2 {
			t.Errorf("%+v: never more than one at once: the test shows nothing", c)
		}
	}
}
