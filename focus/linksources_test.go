package focus_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
)

// zipped is a text as gzip.
func zipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s)) // into memory
	w.Close()
	return b.String()
}

// TestALongSitemapIsToldOf: of one that is longer than a body may be the links are followed as far as it was read, and a line says so.
func TestALongSitemapIsToldOf(t *testing.T) {
	long := "<urlset>"
	for n := range 60 {
		long += fmt.Sprintf("<url><loc>http://a.example/solar/%d</loc></url>", n)
	}
	w := &web{pages: map[string]answer{
		"http://a.example/robots.txt": {status: 200, header: "Content-Type: text/plain", body: "Sitemap: http://a.example/long.xml\nSitemap: http://a.example/short.xml\n"},
		"http://a.example/long.xml":   {status: 200, header: "Content-Type: text/xml", body: long + "</urlset>"},
		"http://a.example/short.xml":  {status: 200, header: "Content-Type: text/xml", body: "<urlset><url><loc>http://a.example/short</loc></url></urlset>"},
		"http://a.example/":           {status: 200, body: "<title>Solar start</title>Solar energy from a solar panel"},
	}}
	config := solarConfig(t, w)
	config.Scope.Sitemaps, config.Fetch.MaxBody = true, 2000
	var told string
	config.Told = func(line string) { told += line + "\n" }
	crawlWith(t, config)
	if strings.Count(told, "longer than fetch.max_body") != 1 || !strings.Contains(told, "http://a.example/long.xml is longer") {
		t.Error(told)
	}
}

// What stands in sitemaps and feeds is followed like the links of a page, in a sitemap also what would be a trap on one, and they
// themselves are not kept.
func TestSitemapsAndFeedsLeadOn(t *testing.T) {
	ahead := fmt.Sprintf("http://a.example/events/%d/05", time.Now().Year()+5)
	mapped := ahead[:len(ahead)-1] + "6"
	const solar = "<p>Solar energy from a solar panel: "
	pages := map[string]answer{
		"http://a.example/robots.txt":       {status: 200, header: "Content-Type: text/plain", body: "Sitemap: http://a.example/index.xml\nSitemap: http://a.example/named.xml.gz\nSitemap: http://a.example/map.zip\nSitemap: http://a.example/map.txt\n"},
		"http://a.example/map.txt":          {status: 200, header: "Content-Type: text/plain", body: "\ufeffhttp://a.example/lined\r\n\r\nhttp://a.example/solar\n"},
		"http://a.example/lined":            {status: 200, body: "<title>Solar line</title>" + solar + "zeta"},
		"http://a.example/solar":            {status: 200, body: "<title>Solar</title>" + solar + "eta"},
		"http://a.example/index.xml":        {status: 200, header: "Content-Type: text/xml", body: "<sitemapindex><sitemap><loc>http://a.example/map.xml</loc></sitemap><sitemap><loc>http://a.example/Sitemap-1.XML.GZ</loc></sitemap></sitemapindex>"},
		"http://a.example/named.xml.gz":     {status: 200, header: "Content-Type: application/x-gzip", body: zipped("<urlset><url><loc>http://a.example/named</loc></url></urlset>")},
		"http://a.example/Sitemap-1.XML.GZ": {status: 200, header: "Content-Type: application/octet-stream", body: zipped("<urlset><url><loc>http://a.example/packed</loc></url></urlset>")},
		mapped:                              {status: 200, body: "<title>Solar events</title>" + solar + "theta"},
		"http://a.example/map.xml":          {status: 200, header: "Content-Type: text/html", body: "<?xml version='1.0'?><m:urlset><m:url><m:loc>http://a.example/mapped</m:loc></m:url><m:url><m:loc>" + mapped + "</m:loc></m:url></m:urlset>"},
		"http://a.example/named":            {status: 200, body: "<title>Solar name</title>" + solar + "delta"},
		"http://a.example/packed":           {status: 200, body: "<title>Solar pack</title>" + solar + "epsilon"},
		"http://a.example/mapped":           {status: 200, body: "<title>Solar map</title>" + solar + "alpha"},
		"http://a.example/":                 {status: 200, body: `<link rel=alternate type="application/rss+xml" href=/feed><title>Solar start</title><a href=/data.xml.gz>solar data</a><a href=` + ahead + `>solar events</a>` + solar + "beta"},
		"http://a.example/feed":             {status: 200, header: "Content-Type: application/rss+xml", body: "<rss><channel><item><title>solar energy news</title><link>http://a.example/news</link></item><item><title>solar energy events</title><link>" + ahead + "</link></item></channel></rss>"},
		"http://a.example/news":             {status: 200, body: "<title>Solar news</title>" + solar + "gamma"},
	}
	for _, on := range []bool{true, false} {
		w := &web{pages: pages}
		config := solarConfig(t, w)
		config.Scope.Sitemaps, config.Duplicates = on, "keep"
		anchors := map[string]string{}
		report := crawlWith(t, config, func(c *focus.Crawler) {
			c.OnLink(func(_ *focus.Visit, f *focus.Candidate) string { anchors[f.Link.URL] = f.Link.Anchor; return "" })
		})
		var kept []string
		for _, r := range harvest(t, config) {
			kept = append(kept, r.URL)
		}
		slices.Sort(kept)
		want := []string{"http://a.example/"}
		if on {
			want = append(want, mapped, "http://a.example/lined", "http://a.example/mapped", "http://a.example/named", "http://a.example/news", "http://a.example/packed", "http://a.example/solar")
			if anchors["http://a.example/news"] != "solar energy news" {
				t.Errorf("the anchors are %q", anchors)
			}
			var refused []string
			if err := run.ReadLog(filepath.Join(config.Store, run.FileLog), func(d *run.Decision) bool {
				if d.Decision == "refuse" {
					refused = append(refused, d.URL+" "+string(d.Reason))
				}
				return true
			}); err != nil || !slices.Equal(refused, []string{"http://a.example/map.zip type", "http://a.example/data.xml.gz type", ahead + " trap: calendar: year " + ahead[24:28]}) || report.Counts.Refused["type"] != 2 {
				t.Errorf("refused %q and %v, %v", refused, report.Counts.Refused, err)
			}
			if n := report.Counts.Dropped[admit.RefusedList]; n != 6 {
				t.Errorf("%d lists, want 6: %v", n, report.Counts.Dropped)
			}
		}
		if !slices.Equal(kept, want) {
			t.Errorf("sitemaps %v: kept %v, want %v; asked %v", on, kept, want, w.asked)
		}
	}
}
