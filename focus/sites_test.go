package focus

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
)

// TestTheSiteTableOfARun: every judged page counts once for its site, what was believed beforehand counts as it does in
// the strategies, and the interval is Wilson's.
func TestTheSiteTableOfARun(t *testing.T) {
	c := DefaultSetting()
	c.Name, c.Web, c.WebTopic = "sites", filepath.Join("..", "testdata", "webs", "small"), ""
	c.Topic.Language, c.Topic.Terms = "en", []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "yacht", Weight: 1}, {Term: "keel", Weight: 1}}
	c.Seeds = []string{"http://daily.example/", "http://www.fairwind.example/"}
	c.Sites = []crawlfile.SiteConfig{{Site: "daily.example", Weight: 0.6, Confidence: 10}}
	c.Store, c.Polite.Delay, c.MinFree = filepath.Join(t.TempDir(), "run"), 0, 0
	crawler, err := NewWith(c)
	if err != nil {
		t.Fatal(err)
	}
	pages, relevant, sum := map[string]int{}, map[string]int{}, map[string]float64{}
	crawler.OnDone(func(v *Visit) {
		if v.Page != nil && !v.list {
			pages[v.Item.Host]++
			sum[v.Item.Host] += v.Judgement.Relevance
			if v.Judgement.Relevant {
				relevant[v.Item.Host]++
			}
		}
	})
	if _, err := crawler.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	ran, err := run.Open(c.Store)
	if err != nil {
		t.Fatal(err)
	}
	table, err := ran.Sites()
	if err != nil || len(table) != len(pages) || len(table) < 3 {
		t.Fatalf("%d sites of %d: %v", len(table), len(pages), err)
	}
	for i, row := range table {
		w0, c0 := 0.5, 2.0
		switch row.Site {
		case "daily.example":
			w0, c0 = 0.6, 10
		case "www.fairwind.example":
			w0, c0 = 0.8, 4
		}
		n := c0 + float64(pages[row.Site])
		if want := (c0*w0 + sum[row.Site]) / n; math.Abs(row.Weight-want) > 1e-3 || row.Pages != pages[row.Site] || row.Relevant != relevant[row.Site] {
			t.Errorf("%+v, want weight %v, %d pages, %d relevant", row, want, pages[row.Site], relevant[row.Site])
		}
		share := (c0*w0 + float64(relevant[row.Site])) / n
		if !(0 <= row.Low && row.Low < row.Share && row.Share < row.High && row.High <= 1) || math.Abs(row.Share-share) > 1e-9 {
			t.Errorf("%s: share %v, interval %v to %v, want %v", row.Site, row.Share, row.Low, row.High, share)
		}
		if (row.Best == "") != (row.Relevant == 0) {
			t.Errorf("%+v", row)
		}
		if i > 0 && row.Weight > table[i-1].Weight {
			t.Error("not in order")
		}
	}
	if before := (&run.SiteRow{Site: "a", Weight: 0.123456, Confidence: 2, Pages: 500}).Before(); before != (crawlfile.SiteConfig{Site: "a", Weight: 0.12, Confidence: 20}) {
		t.Errorf("for a later crawl: %+v", before)
	}
}

// TestACrawlBeginsWhereItsExamplesStand: of a shelf of links without words to pages that say nothing of the topic, those of the host
// come first on which an example stands, and no page of the crawl had to tell.
func TestACrawlBeginsWhereItsExamplesStand(t *testing.T) {
	web := site(func(w http.ResponseWriter, r *http.Request) {
		var b strings.Builder
		switch {
		case r.Host == "hub.example":
			for i := range 60 {
				fmt.Fprintf(&b, "<a href=http://h%d.example/p%d><img src=/i%d.png></a>\n", i%20, i, i)
			}
		case r.URL.Path == "/example":
			b.WriteString("The keel and the mast of a ship, the keel and the mast.")
		default:
			fmt.Fprintf(&b, "Nothing about ships in %s.", r.URL.Path)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<title>T</title><body><p>%s", b.String())
	})
	c := DefaultSetting()
	c.Topic.Terms = []crawlfile.TermConfig{{Term: "keel", Weight: 1}, {Term: "mast", Weight: 1}}
	c.Topic.Examples = []string{"http://h13.example/example"}
	c.Seeds, c.Store = []string{"http://hub.example/"}, filepath.Join(t.TempDir(), "run")
	c.Polite.Contact, c.Polite.Robots, c.Polite.Delay, c.Polite.Parallel, c.Polite.PerHost = "you@example.org", "ignore", 0, 1, 1
	c.Scope.Soft404, c.Transport, c.Budget.Pages, c.MinFree = "ignore", web, 4, 0
	crawler, err := NewWith(c)
	if err != nil {
		t.Fatal(err)
	}
	var hosts []string
	crawler.OnDone(func(v *Visit) { hosts = append(hosts, v.Item.Host) })
	if _, err := crawler.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"hub.example", "h13.example"}; len(hosts) < 2 || !slices.Equal(hosts[:2], want) {
		t.Errorf("visited %v, want %v first", hosts, want)
	}
}
