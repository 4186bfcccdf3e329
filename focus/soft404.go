package focus

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"sync"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
)

// softAfter is how many pages of a host are taken at their word. A host that has answered with more is asked, once and in place of a
// visit, for an address that nobody can have; what it says there with status 200 is its error page.
const softAfter = 5

// softHosts bounds how many hosts are watched in a crawl.
const softHosts = 20_000

// softPages knows the error pages of hosts that say "not found" with status 200.
type softPages struct {
	mu    sync.Mutex
	hosts map[string]*softHost // by origin
}

// softHost is what is known of a host that has answered with pages.
type softHost struct {
	pages int // that it has answered with
	asked bool
	error extensions.ErrorPage
}

func newSoftPages() *softPages { return &softPages{hosts: map[string]*softHost{}} }

// page notes a page of a host, and answers with the host's error page as far as it is known.
func (s *softPages) page(at string) extensions.ErrorPage {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.hosts[at]
	if h == nil {
		if len(s.hosts) >= softHosts {
			return extensions.ErrorPage{}
		}
		h = &softHost{}
		s.hosts[at] = h
	}
	h.pages++
	return h.error
}

// begin tells whether a host is to be asked now, and counts it as asked.
func (s *softPages) begin(at string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.hosts[at]
	if h == nil || h.asked || h.pages < softAfter {
		return false
	}
	h.asked = true
	return true
}

// learn keeps the error page of a host that was asked.
func (s *softPages) learn(at string, e extensions.ErrorPage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hosts[at].error = e
}

// probe is the address that a visit's host is asked for before the visit; nil if it was asked, has too few pages to be,
// or does not want it. The turn must be held.
func (c *Crawler) probe(v *Visit) *url.URL {
	soft := c.steps.soft
	if soft == nil || v.Refused != "" || v.Err != nil || !soft.begin(ledger.Origin(v.Item.URL)) {
		return nil
	}
	at, err := url.Parse(v.Item.URL)
	if err != nil {
		return nil
	}
	nonsense := extensions.Nonsense(at)
	if v.rules != nil {
		if allowed, _ := v.rules.Allowed(nonsense.Path); !allowed {
			return nil
		}
	}
	return nonsense
}

// askSoftly asks a host for nonsense. What fails, or sends elsewhere, tells nothing.
func (c *Crawler) askSoftly(ctx context.Context, nonsense *url.URL) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, nonsense.String(), nil)
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
	if err != nil || resp.StatusCode != http.StatusOK || !isPage(mediaType(resp.Header)) {
		return
	}
	said := sayingOf(page.Parse(body, nonsense.String(), c.steps.reading))
	c.steps.soft.learn(ledger.Origin(nonsense.String()), extensions.ErrorPageOf(nonsense, said))
}

// sayingOf is what of a page tells it from others of its host: menus are on all of them, on the error page too.
func sayingOf(p *page.Page) []byte { return []byte(p.Title + "\n" + p.MainText()) }

// doubt takes a page for none that says "not found" with a status of success.
func (st *Steps) doubt(v *Visit) {
	if st.soft == nil || !v.readable || v.Page == nil {
		return
	}
	e := st.soft.page(ledger.Origin(v.FinalURL))
	if e == (extensions.ErrorPage{}) {
		return
	}
	if at, err := url.Parse(v.FinalURL); err == nil && e.Like(at, sayingOf(v.Page)) {
		v.Page, v.Doc, v.links, v.readable, v.Refused = nil, nil, nil, false, admit.RefusedSoft
	}
}
