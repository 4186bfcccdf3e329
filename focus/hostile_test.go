package focus_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/netip"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// A crawl over servers that do everything wrong ends, keeps every page of ten good hosts beside them, and leaves neither
// memory nor goroutines behind. What a bad host costs is its own share.
func TestACrawlAmongHostileServers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	before := goleak.IgnoreCurrent()
	log.SetOutput(io.Discard) // net/http tells of servers that talk out of turn
	defer log.SetOutput(os.Stderr)
	patiently(t, 2*time.Second, func(patience time.Duration) []string { return crawlAmongHostile(t, patience) })
	leavesNothingRunning(t, before)
}

// leavesNothingRunning waits until all goroutines have ended that were begun since.
func leavesNothingRunning(t *testing.T, since goleak.Option) {
	t.Helper()
	for over := time.Now().Add(late); ; {
		err := goleak.Find(since)
		if err == nil {
			return
		}
		if time.Now().After(over) {
			t.Fatal(err)
		}
	}
}

// crawlAmongHostile crawls a hostile web once, and says what is wrong.
func crawlAmongHostile(t *testing.T, patience time.Duration) (wrong []string) {
	errorf := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // what is held is measured, and not what waits for the collector
	web, names := hostiletest.New(t, trusted), hostiletest.Names()
	defer web.Close()
	config := hostileConfig(t, web.Port, names, patience)
	for name, seed := range web.Secure {
		names = append(names, name)
		config.Seeds, config.Fetch.Private = append(config.Seeds, seed), append(config.Fetch.Private, name+".example")
	}
	slices.Sort(config.Seeds)
	config.Seeds = append(config.Seeds, web.At("rebound", "/"))
	var peak uint64
	fetched, refused, reasons := map[string]int{}, map[string]admit.Refused{}, map[string]string{}
	report := crawlWith(t, config, func(c *focus.Crawler) {
		c.OnDone(func(v *focus.Visit) {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
			name, _, _ := strings.Cut(v.Item.Host, ".")
			if refused[name] = v.Refused; v.Status != 0 || v.Err != nil {
				fetched[name]++
			}
			if v.Item.Via == 0 {
				reasons[name] = cameOf(v)
			}
		})
	})
	if !report.Finished {
		errorf("it stopped: %s", report.Reason)
	}
	wrong = append(wrong, missingGoodPages(t, config, web.Port)...)
	for name, n := range fetched {
		if most := config.Scope.PerHost + 2; n > most {
			errorf("%s: %d pages, want at most %d", name, n, most)
		}
	}
	for _, name := range names {
		if fetched[name] == 0 && !strings.HasPrefix(name, "robots-") && refused[name].Kind() != admit.RefusedUnasked && refused[name].Kind() != admit.RefusedRobots {
			errorf("%s was not visited: the test shows nothing of it", name)
		}
	}
	for _, name := range []string{"expired", "other-name"} { // not even robots.txt can be had of them
		if !strings.HasPrefix(string(refused[name]), "failed: bad certificate") {
			errorf("%s was refused as %q", name, refused[name])
		}
	}
	if !strings.Contains(string(refused["rebound"]), "not a public address") {
		errorf("rebound was refused as %q", refused["rebound"])
	}
	kept, table := keptHosts(t, config), outcomesInManual(t)
	for _, name := range append(names, "rebound") {
		outcome, has := table[name], reasons[name]
		if kept[name] || strings.HasPrefix(has, "duplicate") { // the same as another of these servers said
			has = "kept"
		}
		if outcome == "" {
			errorf("the table has no row for %s: %s", name, has)
		} else if _, reason, named := strings.Cut(outcome, "`"); has == "kept" != strings.HasPrefix(outcome, "kept") ||
			has != "kept" && (!named || !strings.HasPrefix(has, strings.TrimSuffix(reason, "`"))) {
			errorf("%s: the table says %q, and it came to %q", name, outcome, has)
		}
	}
	if len(names)+1 < 110 || len(table) != len(names)+1 {
		errorf("%d servers, and %d rows of the table", len(names)+1, len(table))
	}
	if kept["127"] {
		errorf("something of this machine was kept")
	}
	mirror := 0
	for _, r := range harvest(t, config) {
		if strings.HasPrefix(r.Host, "mirror-") {
			mirror++
		}
	}
	if mirror != hostiletest.MirrorPages {
		errorf("%d pages of two hosts that mirror each other were kept, want %d", mirror, hostiletest.MirrorPages)
	}
	if peak > 300<<20 {
		errorf("%d MB of heap", peak>>20)
	}
	t.Logf("%d pages, peak of the heap %d MB, dropped %v, refused %v", report.Counts.Pages, peak>>20, report.Counts.Dropped, report.Counts.Refused)
	return wrong
}

// cameOf is the reason why a start page was not kept. Where it led elsewhere, that is why nobody went there.
func cameOf(v *focus.Visit) string {
	if n := len(v.Found); v.Refused == admit.RefusedRedirect && n > 0 && v.Found[n-1].Refused != "" {
		return "redirect, and there: " + string(v.Found[n-1].Refused)
	}
	return string(v.Refused)
}

// outcomesInManual is the table of the chapter on safety: what is kept of each server.
func outcomesInManual(t *testing.T) map[string]string {
	t.Helper()
	chapter, err := os.ReadFile("../cmd/thresher/help/safety.md")
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[string]string{}
	for line := range strings.Lines(string(chapter)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.Contains(line, "---") || strings.TrimSpace(cells[1]) == "server" {
			continue
		}
		outcome := strings.TrimSpace(cells[3])
		if !strings.HasPrefix(outcome, "kept") && !strings.HasPrefix(outcome, "nothing") {
			t.Errorf("%s: the table says %q, want kept or nothing", cells[1], outcome)
		}
		outcomes[strings.TrimSpace(cells[1])] = outcome
	}
	if len(outcomes) == 0 {
		t.Fatalf("the table has %d servers", len(outcomes))
	}
	return outcomes
}

// keptHosts are the first parts of the names of hosts of which a page was kept.
func keptHosts(t *testing.T, config focus.Setting) map[string]bool {
	kept := map[string]bool{}
	for _, r := range harvest(t, config) {
		name, _, _ := strings.Cut(r.Host, ".")
		kept[name] = true
	}
	return kept
}

// hostileConfig is a crawl of all of them with the guards of a live crawl: names lead to this machine, and only these
// names may.
func hostileConfig(t *testing.T, port string, names []string, patience time.Duration) focus.Setting {
	config := solarConfig(t, nil)
	config.Transport = nil
	config.Seeds = nil
	for _, name := range names {
		config.Seeds = append(config.Seeds, fmt.Sprintf("http://%s.example:%s/", name, port))
		config.Fetch.Private = append(config.Fetch.Private, name+".example")
	}
	for i := range 10 {
		config.Seeds = append(config.Seeds, fmt.Sprintf("http://good%d.example:%s/0", i, port))
		config.Fetch.Private = append(config.Fetch.Private, fmt.Sprintf("good%d.example", i))
	}
	config.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	} // rebound.example is none of the names that may lead here
	config.Polite.PerHost, config.Polite.Parallel = 1, 8
	config.Scope.PerHost = 40
	config.Budget.Pages, config.Topic.Threshold = 0, 0
	config.Fetch.Answer, config.Fetch.Timeout = strict.Duration(patience), strict.Duration(2*patience)
	config.Fetch.MaxBody, config.Fetch.MaxHeader, config.Fetch.Retries = 2e6, 64e3, 1
	config.RetryWait = time.Millisecond
	return config
}

// missingGoodPages says which of the good pages were not kept.
func missingGoodPages(t *testing.T, config focus.Setting, port string) (wrong []string) {
	t.Helper()
	kept := map[string]bool{}
	for _, r := range harvest(t, config) {
		kept[r.URL] = true
	}
	missing := 0
	for i := range 10 {
		for n := range hostiletest.GoodPages {
			if address := fmt.Sprintf("http://good%d.example:%s/%d", i, port, n); !kept[address] {
				if missing++; missing < 5 {
					wrong = append(wrong, "a good page was not kept: "+address)
				}
			}
		}
	}
	if missing > 0 {
		wrong = append(wrong, fmt.Sprintf("%d good pages are missing", missing))
	}
	return wrong
}
