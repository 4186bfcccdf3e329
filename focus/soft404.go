package focus

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// softAfter is how many pages of a host are taken at their word. A host that has answered with more is asked, once and in place of a
// visit, for an address that nobody can have; what it says there with status 200 is its error page.
const softAfter = 5

// softHosts bounds how many hosts are watched in a crawl.
const softHosts = 20_000

// probe is what a visit's host is asked before the visit; nil if it was asked, has too few pages to be, or does not want
// it. The turn must be held.
func (c *Crawler) probe(v *Visit) *junk.Question {
	soft := c.steps.soft
	if soft == nil || v.Refused != "" || v.Err != nil {
		return nil
	}
	at, err := url.Parse(v.Item.URL)
	if err != nil {
		return nil
	}
	q := soft.Begin(robots.Origin(v.Item.URL), at)
	if q == nil {
		return nil
	}
	if v.rules != nil {
		if allowed, _ := v.rules.Allowed(q.At.Path); !allowed {
			q.Learn(junk.ErrorPage{})
			return nil
		}
	}
	return q
}

// askSoftly asks a host for nonsense. What fails, or sends elsewhere, tells nothing.
func (c *Crawler) askSoftly(ctx context.Context, q *junk.Question) {
	var known junk.ErrorPage
	defer func() { q.Learn(known) }()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, q.At.String(), nil)
	if err != nil {
		return
	}
	req.Header.Set("User-Agent", c.collector.UserAgent)
	resp, err := c.carrier.next.RoundTrip(req) // not the client: a redirect is an answer of its own kind, and not followed
	if err != nil {
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || !wire.IsPage(wire.MediaType(resp.Header)) {
		return
	}
	known = junk.ErrorPageOf(q.At, sayingOf(page.Parse(body, q.At.String(), c.steps.reading)))
}

// sayingOf is what of a page tells it from others of its host: menus are on all of them, on the error page too.
func sayingOf(p *page.Page) []byte { return []byte(p.Title + "\n" + p.MainText()) }

// doubt takes a page for none that says "not found" with a status of success.
func (st *Steps) doubt(v *Visit) {
	if st.soft == nil || !v.readable || v.Page == nil {
		return
	}
	e := st.soft.Page(robots.Origin(v.FinalURL))
	if e == (junk.ErrorPage{}) {
		return
	}
	if at, err := url.Parse(v.FinalURL); err == nil && e.Like(at, sayingOf(v.Page)) {
		v.Page, v.Doc, v.links, v.readable, v.Refused = nil, nil, nil, false, admit.RefusedSoft
	}
}
