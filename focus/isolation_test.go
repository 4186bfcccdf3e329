package focus_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// longPatience is what a host that does not answer costs whoever waits for it, where the machine has nothing else to do.
const longPatience = 2 * time.Second

// goodShare is what a crawl of ten good hosts came to.
type goodShare struct {
	last time.Duration // until the last good page was there
	most uint64        // of the heap
	good int           // pages of the good hosts
}

// crawlBeside crawls the good hosts beside others, with few workers and a pause between visits of a host, so that it is
// the pauses that take the time.
func crawlBeside(t *testing.T, handler http.HandlerFunc, others []string, patience time.Duration) goodShare {
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
	config.Fetch.Answer, config.Fetch.Timeout, config.Fetch.Retries = strict.Duration(patience), strict.Duration(patience), 0
	config.Fetch.MaxBody, config.RetryWait = 2e6, time.Millisecond
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // what is held is measured, and not what waits for the collector
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
	bombs := hostiletest.Bomb("gzip")
	patiently(t, longPatience, func(patience time.Duration) (wrong []string) {
		alone, beside := crawlBeside(t, hostiletest.Silent, nil, patience), crawlBeside(t, hostiletest.Silent, names(32), patience)
		t.Logf("alone %v, beside hosts that do not answer %v", alone.last, beside.last)
		if alone.good != want || beside.good != want {
			wrong = append(wrong, fmt.Sprintf("%d good pages alone and %d beside silent hosts, want %d", alone.good, beside.good, want))
		}
		if beside.last > 2*alone.last+patience { // workers that waited for them would cost four times that
			wrong = append(wrong, fmt.Sprintf("the good pages took %v alone, and %v beside silent hosts", alone.last, beside.last))
		}
		return wrong
	})
	patiently(t, longPatience, func(patience time.Duration) (wrong []string) {
		few, many := crawlBeside(t, bombs, names(6), patience), crawlBeside(t, bombs, names(30), patience)
		t.Logf("peak of the heap beside 6 bombs %d MB, beside 30 %d MB", few.most>>20, many.most>>20)
		if few.good != want || many.good != want {
			wrong = append(wrong, fmt.Sprintf("%d and %d good pages beside bombs, want %d", few.good, many.good, want))
		}
		if many.most > 3*few.most {
			wrong = append(wrong, fmt.Sprintf("the heap grew to %d MB beside 30 hosts, and to %d MB beside 6", many.most>>20, few.most>>20))
		}
		return wrong
	})
}

// patiently runs what has to end within a patience that is short, for the sake of hosts that never answer. A machine that is
// too busy for it makes good hosts late, too: so where something is wrong, it is run again with five times the patience, and
// once more. What goes wrong each time is a failure.
func patiently(t *testing.T, patience time.Duration, run func(patience time.Duration) (wrong []string)) {
	t.Helper()
	for try := 1; ; try++ {
		wrong := run(patience)
		if len(wrong) == 0 {
			return
		}
		if try == 3 {
			t.Errorf("with a patience of %v:\n%s", patience, strings.Join(wrong, "\n"))
			return
		}
		t.Logf("with a patience of %v, and so once more:\n%s", patience, strings.Join(wrong, "\n"))
		patience *= 5
	}
}
