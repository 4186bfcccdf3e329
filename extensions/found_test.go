package extensions

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/sitemap"
)

func TestSitemapsHandOverWhatTheyHold(t *testing.T) {
	var s *site
	s = newSite(t, map[string]http.HandlerFunc{
		"/":           hyper("home"),
		"/robots.txt": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "Sitemap: %s/index.xml\n", s.URL) },
		"/index.xml": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/xml")
			fmt.Fprintf(w, "<sitemapindex><sitemap><loc>%s/part.xml</loc></sitemap><sitemap><loc>http://other.example/x.xml</loc></sitemap></sitemapindex>", s.URL)
		},
		"/part.xml": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, "<urlset><url><loc>%s/page</loc></url><url><loc>http://other.example/</loc></url></urlset>", s.URL)
		},
	})
	c := colly.NewCollector()
	var got []string
	Sitemaps(c, Robots(c, RobotsConfig{}), func(f sitemap.Found) { got = append(got, strings.TrimPrefix(f.URL, s.URL)) })
	noError(t, c.Visit(s.URL+"/"))
	if !slices.Equal(got, []string{"/page"}) || s.hits("/index.xml") != 1 || s.hits("/part.xml") != 1 || s.hits("/sitemap.xml") != 0 {
		t.Errorf("found %q, asked for %v", got, s.asked)
	}
}

func TestFeedsHandOverWhatTheyHold(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{
		"/":     hyper(`<link rel="alternate" type="application/rss+xml" href="/feed"><link rel=alternate type="application/feed+json" href="/json"><link rel=alternate hreflang=de href="/de"><body>`),
		"/json": says("application/feed+json", `{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "2", "title": "Two", "url": "/two"}]}`),
		"/feed": says("application/rss+xml", "<rss><channel><item><title>One</title><link>/one</link></item></channel></rss>"),
	})
	c := colly.NewCollector()
	var got []string
	Feeds(c, func(f sitemap.Found) { got = append(got, f.Anchor+" "+strings.TrimPrefix(f.URL, s.URL)) })
	c.Visit(s.URL + "/")
	c.Visit(s.URL + "/?again")
	if !slices.Equal(got, []string{"One /one", "Two /two"}) || s.hits("/feed") != 1 || s.hits("/de") != 0 {
		t.Errorf("found %q, asked for %v", got, s.asked)
	}
}
