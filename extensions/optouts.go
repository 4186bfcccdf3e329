package extensions

import (
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/rights"
	"github.com/thresher-crawler/thresher/focus/robots"
)

// OptOuts notes for every page what its author reserves: robots meta elements and X-Robots-Tag, Content-Usage, Content-Signal, TDM
// reservation, licence links. OptOutsOf tells it in the page's callbacks. The gate, which may be nil, is what Robots
// answered: much of it stands in robots.txt, too; tdmrep.json is not asked for. Nothing is aborted; what a reservation means for a
// crawl is the crawl's decision.
func OptOuts(c *colly.Collector, gate *robots.Gate) {
	openNotebook(c)
	c.OnResponse(func(r *colly.Response) {
		var rules *robots.Rules
		token := robots.Token(c.UserAgent)
		if gate != nil {
			rules, _ = gate.Cached(r.Request.URL)
			token = gate.Token()
		}
		n := noteOn(r.Request)
		n.optOuts = n.head.Reserved(*r.Headers, r.Request.URL, rules, token, time.Now())
	})
}

// OptOutsOf is what the page of a request reserves. It needs OptOuts, and is asked in a callback of the page.
func OptOutsOf(r *colly.Request) *rights.Reserved {
	if o := noteOn(r).optOuts; o != nil {
		return o
	}
	return &rights.Reserved{}
}
