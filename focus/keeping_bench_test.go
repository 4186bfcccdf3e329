package focus_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// growingWeb serves pages of 30 links each, half of them to pages that nobody has linked to before.
func growingWeb() *httptest.Server {
	words := strings.Fields("solar energy panel roof sun inverter garden kitchen street market music train river window paper")
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/p"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, "<title>page %d of %s</title>", n, words[n%len(words)])
		for i := range 200 {
			fmt.Fprintf(w, "%s w%d ", words[(n*i+i)%len(words)], (n*31+i*i)%5000)
		}
		for i := range 30 {
			to := n*15 + i + 1
			if i%2 == 0 {
				to = (n * (i + 7)) % (n + 50)
			}
			fmt.Fprintf(w, `<p><a href="/p%d">%s %s</a>`, to, words[(n+i)%len(words)], words[(n*i)%len(words)])
		}
	}))
}

// BenchmarkKeeping is what it costs that a crawl loses nothing: 10,000 pages of a local server with a run folder, and
// without one. Run it with -benchtime 1x.
func BenchmarkKeeping(b *testing.B) {
	const pages = 10_000
	server := growingWeb()
	defer server.Close()
	crawl := func(b *testing.B, store string) float64 {
		config := focus.DefaultSetting()
		config.Name, config.Store, config.Sinks = "keeping", store, nil
		config.Topic.Language = "en"
		config.Topic.Terms = []crawlfile.TermConfig{{Term: "solar", Weight: 1}, {Term: "energy", Weight: 1}, {Term: "panel", Weight: 1}}
		config.Seeds = []string{server.URL + "/p1"}
		config.Polite.Contact, config.Polite.Robots = "mailto:test@example.org", "ignore"
		config.Polite.Delay, config.Polite.PerHost, config.Polite.Parallel = 0, 16, 16
		config.Strategy.Name = "block-shark"
		config.Budget.Pages = pages
		config.Fetch.Private = []string{"127.0.0.1"}
		config.Duplicates = "keep"
		before := cpuTime()
		if got := crawlWith(b, config).Counts.Pages; got != pages {
			b.Fatalf("%d pages", got)
		}
		return float64((cpuTime() - before).Microseconds()) / pages
	}
	for b.Loop() {
		store := filepath.Join(b.TempDir(), "run")
		without, with := crawl(b, ""), crawl(b, store)
		written := int64(0)
		files, err := os.ReadDir(filepath.Join(store, "state"))
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range files {
			if info, err := f.Info(); err == nil {
				written += info.Size()
			}
		}
		b.ReportMetric(without, "cpu-µs/page-without")
		b.ReportMetric(with, "cpu-µs/page-with")
		b.ReportMetric(with/without, "x-without")
		b.ReportMetric(float64(written)/pages, "state-bytes/page")
	}
}
