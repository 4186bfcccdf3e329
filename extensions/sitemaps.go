package extensions

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/recent"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/sitemap"
)

// mostSitemaps is how many sitemaps of one host are read.
const mostSitemaps = 100

// Sitemaps reads the sitemaps of every host that is visited, and hands what stands in them to a function, which may add
// it to a Queue. The files are those that the host's robots.txt names; the gate is what Robots answered. Without a gate,
// or where none is named, /sitemap.xml is tried. Pages of other sites than the sitemap's own are left out.
func Sitemaps(c *colly.Collector, gate *robots.Gate, found func(sitemap.Found)) {
	hosts := recent.New[string, bool](10_000)
	files := recent.New[string, int](10_000)
	visit := func(r *colly.Response, address string) {
		u, err := url.Parse(address)
		if err != nil || !page.SameSite(u.Hostname(), r.Request.URL.Hostname()) {
			return
		}
		if files.Update(u.Host, func(n int, _ bool) int { return n + 1 }) <= mostSitemaps {
			r.Request.Visit(address) // an error has its own OnError; one that was visited is no error here
		}
	}
	c.OnResponse(func(r *colly.Response) {
		if sitemap.Is(r.Body) || bytes.HasPrefix(r.Body, []byte("\x1f\x8b")) && strings.HasSuffix(r.Request.URL.Path, ".gz") {
			s, _ := sitemap.Parse(r.Body, r.Request.URL) // what can be read of a broken one is worth having
			for _, f := range s.Pages {
				if page.SameSite(hostname(f.Host), r.Request.URL.Hostname()) {
					found(f)
				}
			}
			for _, f := range s.Files {
				visit(r, f.URL)
			}
		}
		first := false
		hosts.Update(robots.Origin(r.Request.URL.String()), func(_ bool, known bool) bool { first = !known; return true })
		if first {
			for _, address := range sitemapsOf(gate, r.Request.URL) {
				visit(r, address)
			}
		}
	})
}

func hostname(host string) string {
	name, _, _ := strings.Cut(host, ":")
	return name
}

func sitemapsOf(gate *robots.Gate, at *url.URL) []string {
	origin := robots.Origin(at.String())
	if gate != nil {
		if rules, ok := gate.Cached(at); ok {
			if named := rules.Sitemaps(origin); len(named) > 0 {
				return named
			}
		}
	}
	return []string{origin + "/sitemap.xml"}
}
