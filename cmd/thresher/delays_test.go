package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
)

// TestACrawlDelayOfMinutesIsKept: over a recorded web, where time is the crawl's own, a host that asks for minutes is visited
// once in so many minutes, and one that asks for days once an hour.
func TestACrawlDelayOfMinutesIsKept(t *testing.T) {
	for asked, want := range map[string]time.Duration{"121": 121 * time.Second, "600": 10 * time.Minute, "259200": time.Hour} {
		pages := map[string]string{"http://a.example/robots.txt": "User-agent: *\nCrawl-delay: " + asked + "\n"}
		seeds := ""
		for n := range 4 {
			address := fmt.Sprintf("http://a.example/%d", n)
			pages[address] = "<title>Sailing</title><p>sailing boat " + address
			seeds += address + ", "
		}
		files(t, "slow.yaml", "name: slow\nweb: web\ntopic: {language: en, terms: [sailing, boat]}\nseeds: ["+strings.TrimSuffix(seeds, ", ")+"]\nmin_free: 0\n")
		writeWeb(t, "web", pages)
		code, out, errs := thresher(t, "crawl", "slow.yaml")
		if code != exitDone {
			t.Fatalf("exit %d: %s%s", code, out, errs)
		}
		if said := strings.Contains(errs, "is visited once in"); said != (want == time.Hour) {
			t.Errorf("Crawl-delay %s: it says %s", asked, errs)
		}
		var last time.Time
		visits := 0
		err := run.ReadLog(filepath.Join("runs/slow", "crawl.log"), func(d *run.Decision) bool {
			if !d.Fetched() {
				return true
			}
			if gap := d.Time.Sub(last); visits > 0 && gap < want {
				t.Errorf("Crawl-delay %s: %s was visited %v after the one before, want %v", asked, d.URL, gap, want)
			} else if visits > 0 && gap > want+time.Minute {
				t.Errorf("Crawl-delay %s: %s was visited %v after the one before", asked, d.URL, gap)
			}
			last = d.Time
			visits++
			return true
		})
		if visits != 4 || err != nil {
			t.Errorf("Crawl-delay %s: %d visits (%v)", asked, visits, err)
		}
	}
}
