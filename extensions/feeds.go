package extensions

import (
	"strings"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/sitemap"
)

// Feeds visits the feeds that pages name in their heads, and hands what stands in them to a function, which may add it
// to a Queue. A feed that is visited for another reason is read too.
func Feeds(c *colly.Collector, found func(sitemap.Found)) {
	openNotebook(c)
	c.OnResponse(func(r *colly.Response) {
		if !junk.IsHTML(*r.Headers) {
			if sitemap.IsFeed(r.Body) {
				items, _ := sitemap.ParseFeed(r.Body, r.Request.URL) // what can be read of a broken one is worth having
				for _, f := range items {
					found(f)
				}
			}
			return
		}
		for _, l := range noteOn(r.Request).head.Links("alternate", r.Request.URL) {
			kind, _, _ := strings.Cut(l.Type, ";")
			switch strings.TrimSpace(kind) {
			case "application/rss+xml", "application/atom+xml", "application/feed+json":
				r.Request.Visit(l.Address) // an error has its own OnError; one that was visited is no error here
			}
		}
	})
}
