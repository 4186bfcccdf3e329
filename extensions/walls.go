package extensions

import (
	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/junk"
)

// Walls marks, in TrapHeader, pages that stand in the place of the one that was asked for: bot walls, parked domains,
// servers' own pages; see junk.Wall.
func Walls(c *colly.Collector) {
	c.OnResponse(func(r *colly.Response) {
		if kind := junk.Wall(*r.Headers, r.Body); kind != "" {
			r.Headers.Set(TrapHeader, kind)
		}
	})
}
