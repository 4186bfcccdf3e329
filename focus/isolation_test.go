package focus_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/extensions/hostiletest"
	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// longPatience is what a host that does not answer costs whoever waits for it.
const longPatience = 2 * time.Second

// goodShare is what a crawl of ten good hosts came to.
type goodShare struct {
	last time.Duration // until the last good page was there
	most uint64        // of the heap
	good int           // pages of the good hosts
}

// crawlBeside crawls the good hosts beside others, with few workers and a pause between visits of a host, so that it is
// the pauses that take the time.
func crawlBeside(t *testing.T, handler http.HandlerFunc, others []string) goodShare {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.Host, "good") && r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case strings.HasPrefix(r.Host, "good"):
			hostiletest.Good(w, r)
		default:
			handler(w, r)
		}
	}))
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	config := solarConfig(t, nil)
	config.Transport, config.Seeds = nil, nil
	for _, name := range others {
		config.Seeds = append(config.Seeds, fmt.Sprintf("http://%s.example:%s/", name, port))
		config.Fetch.Private = append(config.Fetch.Private, name+".example")
	}
	for i := range 10 {
		config.Seeds = append(config.Seeds, fmt.Sprintf("http://good%d.example:%s/0", i, port))
		config.Fetch.Private = append(config.Fetch.Private, fmt.Sprintf("good%d.example", i))
	}
	config.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	config.Polite.PerHost, config.Polite.Parallel, config.Polite.Delay = 1, 8, strict.Pace(25*time.Millisecond)
	config.Scope.Soft404, config.Topic.Threshold, config.Budget.Pages = "ignore", 0, 0
	config.Fetch.Answer, config.Fetch.Timeout, config.Fetch.Retries = strict.Duration(longPatience), strict.Duration(longPatience), 0
	config.Fetch.MaxBody, config.RetryWait = 2e6, time.Millisecond
	var s goodShare
	began := time.Now()
	crawlWith(t, config, func(c *focus.Crawler) {
		c.OnDone(func(v *focus.Visit) {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			s.most = max(s.most, m.HeapAlloc)
			if strings.HasPrefix(v.Item.Host, "good") && v.Kept {
				s.good++
				s.last = time.Since(began)
			}
		})
	})
	return s
}

// TestAHostileHostCostsItsOwnShareOnly: good hosts have all their pages, about as soon as without neighbours, beside four
// times as many hosts that do not answer as there are workers; and hosts that send bombs take memory by how many of them
// are fetched at the same time, not by how many there are.
func TestAHostileHostCostsItsOwnShareOnly(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	names := func(n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf("bad%02d", i))
		}
		return all
	}
	const want = 10 * hostiletest.GoodPages
	silent, late := hostiletest.Silent, true
	for round := 0; round < 3 && late; round++ { // what else a machine does may come in between once
		alone, beside := crawlBeside(t, silent, nil), crawlBeside(t, silent, names(32))
		t.Logf("alone %v, beside hosts that do not answer %v", alone.last, beside.last)
		if alone.good != want || beside.good != want {
			t.Errorf("%d good pages alone and %d beside silent hosts, want %d", alone.good, beside.good, want)
		}
		late = beside.last > 2*alone.last+longPatience // workers that waited for them would cost four times that
	}
	if late {
		t.Error("the good pages were late beside silent hosts, each time")
	}
	bombs := hostiletest.Bomb("gzip")
	few, many := crawlBeside(t, bombs, names(6)), crawlBeside(t, bombs, names(30))
	t.Logf("peak of the heap beside 6 bombs %d MB, beside 30 %d MB", few.most>>20, many.most>>20)
	if few.good != want || many.good != want {
		t.Errorf("%d and %d good pages beside bombs, want %d", few.good, many.good, want)
	}
	if many.most > 3*few.most {
		t.Errorf("the heap grew to %d MB beside 30 hosts, and to %d MB beside 6", many.most>>20, few.most>>20)
	}
}
