package extensions

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// ErrRobots: a redirect led to where the robots.txt lets nobody in. A request that is refused from the start is
// aborted without an error, as Colly has it; OnRefusal hears of both.
var ErrRobots = robots.ErrRefused

// RobotsConfig tunes Robots; the zero value is the default.
type RobotsConfig struct {
	Through   http.RoundTripper // what robots.txt files come through; nil is what Transport gave the collector
	Token     string            // the name a robots.txt calls the crawler by; empty is that of the User-Agent
	Pacing    robots.Pacer      // who is told of Crawl-delay: the frontier of a Queue; nil is nobody
	Remember  int               // hosts at most; 0 means 10,000
	Now       func() time.Time  // the clock; nil is the wall's
	OnRefusal func(Refusal)     // hears of every refusal, possibly from many goroutines at once; nil is nobody
}

// Robots makes a collector obey robots.txt as RFC 9309 says; Colly's own check, which is off by default, stays off.
// Requests that are not allowed are aborted in OnRequest. While a robots.txt cannot be had because of a 5xx status, a
// 429 or a failure, its host is left alone, and asked again later. Over Transport the targets of redirects are
// checked too. What a page itself asks for, in X-Robots-Tag and <meta name=robots>, is told by MayFollow and MayIndex.
func Robots(c *colly.Collector, o RobotsConfig) *robots.Gate {
	c.IgnoreRobotsTxt = true
	through := o.Through
	if through == nil {
		through = later{c}
	}
	g := robots.NewGate(through, c.UserAgent, robots.GateConfig{Token: o.Token, Pacing: o.Pacing, Remember: o.Remember, Now: o.Now})
	tell := refusing(o.OnRefusal)
	c.Context = wire.WithHopCheck(context.WithValue(c.Context, gateKey{}, g), func(r *http.Request) error { return checkHop(r, g, tell) })
	c.OnRequest(func(r *colly.Request) {
		if ok, reason := g.Allowed(c.Context, r.URL); !ok {
			tell.refused(r.URL.String(), "Robots", reason)
			r.Abort()
		}
	})
	openNotebook(c)
	c.OnResponse(func(r *colly.Response) {
		n := noteOn(r.Request)
		n.tags = n.head.Tags(*r.Headers, g.Token())
	})
	return g
}

// MayFollow tells whether the page that a request fetched lets its links be followed. It needs Robots, and is asked in
// a callback of the page: if extensions.MayFollow(e.Request) { e.Request.Visit(…) }.
func MayFollow(r *colly.Request) bool { return !noteOn(r).tags.NoFollow }

// MayIndex tells whether the page that a request fetched may be kept. It needs Robots.
func MayIndex(r *colly.Request) bool { return !noteOn(r).tags.NoIndex }

// later is the transport that a collector has when it is used: Transport may be called after Robots.
type later struct{ c *colly.Collector }

func (l later) RoundTrip(r *http.Request) (*http.Response, error) {
	return transportOf(l.c).RoundTrip(r)
}

type gateKey struct{}

// checkHop asks the gate about the target of a redirect.
func checkHop(r *http.Request, g *robots.Gate, tell refusing) error {
	allowed, reason := g.Allowed(r.Context(), r.URL)
	if allowed {
		return nil
	}
	tell.refused(r.URL.String(), "Robots", reason)
	return fmt.Errorf("redirect to %q: %w: %s", r.URL.Redacted(), ErrRobots, reason)
}
