package focus_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// slowWeb is a web of hosts that take their time over robots.txt, and hold every page back until the good host has given away
// all of its own. Its log says how many slow pages were under way at once, and how many had been given up by then.
type slowWeb struct {
	patience time.Duration
	quick    bool          // it is only the pages that take their time
	crowd    int           // slow pages that are under way before anybody hears of the good host
	crowded  chan struct{} // closed then
	done     chan struct{} // closed with the good host's last page

	release                sync.Once
	mu                     sync.Mutex
	good                   map[string]bool
	out                    map[string]int // by host: slow pages that are under way
	slow, mostSlow, atOnce int
	gaveUp, whole          int // slow pages that the visitor gave up, and of these after the whole of its patience
}

func (w *slowWeb) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	host, _, _ := strings.Cut(r.Host, ".")
	switch {
	case host == "good0" && ofHost(r.URL.Path):
		http.NotFound(rw, r)
	case host == "good0":
		hostiletest.Good(rw, r)
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.good[r.URL.Path] = true; len(w.good) == hostiletest.GoodPages {
			w.release.Do(func() { close(w.done) })
			w.good["all"] = true
		}
	case ofHost(r.URL.Path):
		if !w.quick {
			w.hold(r, time.After(w.patience/3))
		}
		http.NotFound(rw, r)
	default:
		w.begins(host, 1)
		held := w.hold(r, nil)
		w.begins(host, -1)
		if held {
			hostiletest.Say(rw, `<a href=/1>solar</a> <a href=/2>solar</a>`+r.Host+r.URL.Path)
		}
	}
}

func (w *slowWeb) begins(host string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slow += n
	w.out[host] += n
	if n > 0 && w.slow == w.crowd && w.mostSlow < w.crowd {
		close(w.crowded)
	}
	w.mostSlow, w.atOnce = max(w.mostSlow, w.slow), max(w.atOnce, w.out[host])
}

// hold waits until somebody gives up, and answers false if that is the visitor.
func (w *slowWeb) hold(r *http.Request, enough <-chan time.Time) bool {
	begun := time.Now()
	select {
	case <-w.done:
	case <-enough:
	case <-r.Context().Done():
		w.mu.Lock()
		defer w.mu.Unlock()
		if len(w.good) < hostiletest.GoodPages {
			w.gaveUp++
			if time.Since(begun) > w.patience/2 {
				w.whole++
			}
			if w.whole == 4*w.crowd+1 { // it has failed: nobody is held any longer
				w.release.Do(func() { close(w.done) })
			}
		}
		return false
	}
	return true
}

// TestSlowHostsDoNotStarveAGoodOne: of a hundred hosts that are slow, all of which come before a good one, each has one seat, and
// together they have half of the workers; the good host has all its pages while they are waited for. Where robots.txt does not
// tell that a host is slow, its first page does: it is given up long before the crawl's patience ends, and asked for again.
func TestSlowHostsDoNotStarveAGoodOne(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, quick := range map[string]bool{"slow robots.txt": false, "quick robots.txt": true} {
		t.Run(name, func(t *testing.T) {
			patiently(t, longPatience, func(patience time.Duration) []string { return starved(t, patience, quick) })
		})
	}
}

// starved crawls a hundred slow hosts and a good one, and says what was wrong.
func starved(t *testing.T, patience time.Duration, quick bool) (wrong []string) {
	const workers, slowHosts = 8, 100
	web := &slowWeb{patience: patience, quick: quick, crowd: workers / 2, crowded: make(chan struct{}), done: make(chan struct{}), good: map[string]bool{}, out: map[string]int{}}
	server := httptest.NewServer(web)
	defer server.Close()
	config := solarConfig(t, nil)
	config.Seeds = nil
	config.Transport = &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String()) // no host has an address of its own
	}}
	for i := range slowHosts {
		name := fmt.Sprintf("slow%02d.example", i)
		config.Seeds = append(config.Seeds, "http://"+name+"/", "http://"+name+"/0")
	}
	config.Polite.PerHost, config.Polite.Parallel, config.Polite.Delay, config.Polite.Adapt = 4, workers, 0, 0
	if quick {
		config.Polite.PerHost = 1
	}
	config.Scope.Soft404, config.Topic.Threshold, config.Budget.Pages = "ignore", 0, 0
	config.Fetch.Answer, config.Fetch.Timeout, config.Fetch.Retries = strict.Duration(patience), strict.Duration(patience), 0
	config.RetryWait = time.Millisecond
	report := crawlWith(t, config, func(c *focus.Crawler) {
		go func() {
			select {
			case <-web.crowded:
				c.Collector().Visit("http://good0.example/0") // is no visit yet: it waits behind all others
			case <-t.Context().Done():
			}
		}()
	})
	if !web.good["all"] || !report.Finished {
		wrong = append(wrong, fmt.Sprintf("the good host gave away %d pages; it ended because %s", len(web.good), report.Reason))
	}
	// One may begin before its server has heard that the one before was given up. Whose pages alone are slow is not known before:
	// there it is the workers that are counted, by Colly.
	if web.mostSlow > workers/2+1 && !quick || web.atOnce > 1 {
		wrong = append(wrong, fmt.Sprintf("%d slow pages were under way at once, %d of them of one host", web.mostSlow, web.atOnce))
	}
	if web.whole > 2*workers { // all of them were given up before the good host had its turn
		wrong = append(wrong, fmt.Sprintf("%d slow pages were waited for to the end before the good host had given away its own", web.whole))
	}
	if web.gaveUp > web.whole+2*slowHosts {
		wrong = append(wrong, fmt.Sprintf("%d slow pages were given up: each host's first ones are, and then it is known", web.gaveUp))
	}
	t.Logf("%d slow pages at once; %d waited for to the end and %d given up before the good host was done", web.mostSlow, web.whole, web.gaveUp)
	return wrong
}
