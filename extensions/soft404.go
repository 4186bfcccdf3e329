package extensions

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/robots"
)

// SoftNotFoundConfig tunes SoftNotFound; the zero value is the default.
type SoftNotFoundConfig struct {
	Remember int // hosts at most; 0 means 10,000
}

const (
	softLength = 1 << 20 // bytes of an error page that are read
	softWithin = 15 * time.Second
)

// SoftNotFound finds pages that say "not found" with status 200. The first page of a host makes it ask the host for an
// address that nobody can have; what comes back with 200 is the host's error page, and pages like it are marked in
// TrapHeader. It costs one request for each host, which Robots is asked about, where it is in use.
func SoftNotFound(c *colly.Collector, o SoftNotFoundConfig) {
	pages := junk.NewErrorPages(1, setting("SoftNotFoundConfig.Remember", o.Remember, 10_000))
	c.OnResponse(func(r *colly.Response) {
		if r.StatusCode != http.StatusOK || !junk.IsHTML(*r.Headers) {
			return
		}
		origin := robots.Origin(r.Request.URL.String())
		pages.Page(origin)
		if q := pages.Begin(origin, r.Request.URL); q != nil {
			q.Learn(askForNonsense(c, q))
		}
		if is := pages.Wait(origin); is.Like(r.Request.URL, r.Body) {
			r.Headers.Set(TrapHeader, "soft 404")
		}
	})
}

// askForNonsense fetches what a host answers to nonsense. What fails, or sends elsewhere, tells nothing.
func askForNonsense(c *colly.Collector, q *junk.Question) (is junk.ErrorPage) {
	ctx, cancel := context.WithTimeout(c.Context, softWithin)
	defer cancel()
	if g, ok := ctx.Value(gateKey{}).(*robots.Gate); ok {
		if allowed, _ := g.Allowed(ctx, q.At); !allowed {
			return is
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, q.At.String(), nil)
	if err != nil {
		return is
	}
	req.Header.Set("User-Agent", c.UserAgent)
	resp, err := transportOf(c).RoundTrip(req) // a redirect is an answer of its own kind, and not followed
	if err != nil {
		return is
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, softLength))
	if err != nil || resp.StatusCode != http.StatusOK {
		return is
	}
	return junk.ErrorPageOf(q.At, body)
}
