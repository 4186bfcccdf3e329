package extensions

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/gocolly/colly/v2"
)

// ErrRobots: a redirect led to where the robots.txt lets nobody in. A request that is refused from the start is
// aborted without an error, as Colly has it; OnRefusal hears of both.
var ErrRobots = errors.New("refused by robots.txt")

// Robots makes a collector obey robots.txt as RFC 9309 says; Colly's own check, which is off by default, stays off.
// Requests that are not allowed are aborted in OnRequest. While a robots.txt cannot be had because of a 5xx status, a
// 429 or a failure, its host is left alone, and asked again later. Over Transport the targets of redirects are
// checked too. What a page itself asks for, in X-Robots-Tag and <meta name=robots>, is told by MayFollow and MayIndex.
func Robots(c *colly.Collector, o ...Option) *RobotsGate {
	c.IgnoreRobotsTxt = true
	late := roundTripper(func(r *http.Request) (*http.Response, error) { return transportOf(c).RoundTrip(r) })
	g := NewRobotsGate(late, c.UserAgent, o...)
	c.Context = context.WithValue(c.Context, gateKey{}, g)
	c.OnRequest(func(r *colly.Request) {
		if ok, reason := g.Allowed(c.Context, r.URL); !ok {
			g.refused(r.URL.String(), "Robots", reason)
			r.Abort()
		}
	})
	notebookOf(c)
	c.OnResponse(func(r *colly.Response) {
		n := noteOn(r.Request)
		n.tags = tagsOf(*r.Headers, n.head, g.token)
	})
	return g
}

type gateKey struct{}

// checkHop asks the gate of a collector about the target of a redirect.
func checkHop(r *http.Request) error {
	if r.Response == nil {
		return nil
	}
	g, ok := r.Context().Value(gateKey{}).(*RobotsGate)
	if !ok {
		return nil
	}
	allowed, reason := g.Allowed(r.Context(), r.URL)
	if allowed {
		return nil
	}
	g.refused(r.URL.String(), "Robots", reason)
	return fmt.Errorf("extensions: redirect to %q: %w: %s", r.URL.Redacted(), ErrRobots, reason)
}
