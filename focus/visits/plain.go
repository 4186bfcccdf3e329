package visits

import (
	"context"
	"net/http"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/wire"
)

// Plain is a collector that leaves to Colly what Colly does well. Every setting that a COLLY_ environment
// variable could have changed is set again.
func Plain() *colly.Collector {
	c := colly.NewCollector()
	c.Headers = nil
	c.AllowedDomains, c.DisallowedDomains = nil, nil // the scope is asked for every link, and may become wider
	c.URLFilters, c.DisallowedURLFilters = nil, nil
	c.AllowURLRevisit = false
	c.Async, c.CheckHead, c.DetectCharset = false, false, false
	c.CacheDir, c.CacheExpiration = "", 0
	c.IgnoreRobotsTxt = true // asked by the crawl before a link is fetched
	c.MaxBodySize = 0        // bounded by the transport
	c.MaxDepth, c.MaxRequests = 0, 0
	c.ParseHTTPErrorResponse = false
	c.TraceHTTP = false
	c.Context = context.Background()
	c.SetRedirectHandler(nil)
	c.SetClient(&http.Client{CheckRedirect: NoRedirect, Jar: wire.NewJar()}) // Colly's own check makes a failure of an answer that leads elsewhere
	return c
}

// NoRedirect follows none: where an answer leads comes back to the frontier, also on the same host and to another form of
// the same address. There it waits for its host's turn, and robots.txt is asked for it.
func NoRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
