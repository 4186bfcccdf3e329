package ground

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// Hope is what is known of a page before it is asked for: what its link promised, how long its host is to be left alone before it is
// asked again, and which addresses may be asked for.
type Hope struct {
	Score float64
	Start bool // a start page: nothing promised it
	Rest  time.Duration
	Rules *robots.Rules // of its host; nil forbid nothing
	// Refuses says what the crawl has against an address; nil has nothing against any.
	Refuses func(at string) string
}

type hopeKey struct{}

// WithHope lets a request be rendered, if that is worth it.
func WithHope(ctx context.Context, h Hope) context.Context {
	return context.WithValue(ctx, hopeKey{}, h)
}

// renderShare is the part of the budget that may be rendered.
const renderShare = .1

// renderer sends pages that only a script fills to a service that runs scripts, where they were promising: start pages, and those whose
// links promised no less than links did on the mean. It is the outermost part of the transport: what came over the wire is archived as it
// came, and beside it what the service made of it.
type renderer struct {
	next  http.RoundTripper
	ask   service
	clock frontier.Clock
	say   func(string) // hears what fails; may be nil
	most  int64        // bytes of a page

	mu       sync.Mutex
	left     int // pages that may be rendered; below 0 a tenth of those that were asked for
	seen     int
	asked    int
	promise  float64 // of all links that were followed, summed up
	links    int
	rendered int
	failed   map[string]int // how often, by what was wrong
	silent   int            // times in a row that the service failed
	rests    time.Time      // until when it is not asked, after several of those
}

// rendering puts the service that the crawl file names on a transport.
func (g *Ground) rendering(next http.RoundTripper) (http.RoundTripper, error) {
	at, err := url.Parse(g.config.Fetch.Render)
	if err != nil || g.config.Fetch.Render == "" || g.Recorded() != nil {
		return next, err
	}
	r := &renderer{next: next, clock: frontier.Wall{}, say: g.with.Say, most: int64(g.config.Fetch.MaxBody), left: -1, failed: map[string]int{}}
	if g.config.Budget.Pages > 0 {
		r.left = max(1, int(renderShare*float64(g.config.Budget.Pages)))
	}
	if g.with.Clock != nil {
		r.clock = g.with.Clock
	}
	r.ask = g.service(at)
	g.renders = r
	return r, nil
}

// CloseIdleConnections lets go of connections that nothing is using.
func (r *renderer) CloseIdleConnections() {
	for _, t := range []http.RoundTripper{r.next, r.ask.transport} {
		(&http.Client{Transport: t}).CloseIdleConnections()
	}
}

func (r *renderer) RoundTrip(req *http.Request) (*http.Response, error) {
	hope, may := req.Context().Value(hopeKey{}).(Hope)
	resp, err := r.next.RoundTrip(req)
	if err == nil {
		resp.Header.Del(wire.RenderedHeader) // of a host's own
	}
	if !may || err != nil || !page.Arrived(resp.StatusCode) || !wire.IsPage(wire.MediaType(resp.Header)) {
		return resp, err
	}
	promising := r.heard(hope)
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	if !promising || !junk.Shell(body) || !r.take() {
		return resp, nil
	}
	rendered, err := r.render(req, hope)
	r.ended(err)
	if err != nil {
		return resp, nil
	}
	if int64(len(rendered)) > r.most {
		rendered = rendered[:r.most]
		resp.Header.Set(wire.CutHeader, wire.CutSize)
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(rendered)), int64(len(rendered))
	resp.Header.Set("Content-Type", "text/html; charset=utf-8")
	resp.Header.Set("Content-Length", strconv.Itoa(len(rendered)))
	resp.Header.Set(wire.CharsetHeader, "utf-8") // as whoever reads it in an archive will find
	resp.Header.Set(wire.RenderedHeader, r.ask.at.Host)
	return resp, nil
}

// heard takes in what a link promised, and tells whether that is much.
func (r *renderer) heard(h Hope) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen++
	if h.Start {
		return true
	}
	r.promise += h.Score
	r.links++
	return h.Score >= r.promise/float64(r.links)
}

// take takes one page off what may be rendered. A service that was of no use several times in a row is left alone for a while.
func (r *renderer) take() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left < 0 && float64(r.asked) >= max(1, renderShare*float64(r.seen)) || r.left >= 0 && r.asked >= r.left || r.clock.Now().Before(r.rests) {
		return false
	}
	r.asked++
	return true
}

// How often in a row a service may be of no use, and how long it is left alone then.
const (
	renderTries = 3
	renderRest  = time.Minute
)

// useless is why a service made nothing of a page, where that is its own failure. Each sentence is told once, and counted.
type useless string

func (u useless) Error() string { return string(u) }

// unfit is why what a service made of a page is not taken, or not asked for, where that is the page's own fault or its host's wish.
type unfit string

func (u unfit) Error() string { return string(u) }

// ended takes in how a rendering ended. A page that the service made nothing of is taken as it came, and another may be rendered for
// it.
func (r *renderer) ended(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.rendered++
		r.silent = 0
		return
	}
	r.asked--
	var failure useless
	var fault unfit
	why := err.Error()
	switch {
	case errors.As(err, &fault): // says nothing of the service
	case errors.As(err, &failure):
		if r.silent++; r.silent >= renderTries {
			r.silent, r.rests = 0, r.clock.Now().Add(renderRest)
		}
	default: // the visit was given up
		return
	}
	r.failed[why]++
	if r.failed[why] == 1 && r.say != nil {
		r.say(fmt.Sprintf("fetch.render: %s: %s; such pages are taken as they came", r.ask.at.Host, why))
	}
}

// sum is what became of the pages that were to be rendered; empty where there were none.
func (r *renderer) sum() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rendered+len(r.failed) == 0 {
		return ""
	}
	said := fmt.Sprintf("fetch.render: %d rendered", r.rendered)
	for _, why := range slices.Sorted(maps.Keys(r.failed)) {
		said += fmt.Sprintf("; %d not: %s", r.failed[why], why)
	}
	return said
}

// render is what the service makes of a page. The service asks the host as a browser does, so that the host is left alone first for
// as long as before any other visit; and what it ends on must be a page of that host that may be asked for.
func (r *renderer) render(req *http.Request, hope Hope) ([]byte, error) {
	rest := hope.Rest
	if hope.Rules != nil {
		rest = max(rest, hope.Rules.Delay())
	}
	if due, ok := req.Context().Deadline(); ok && time.Until(due) <= rest {
		return nil, unfit("a host is to be left alone for longer than fetch.timeout allows")
	}
	if rest > 0 {
		due, giveUp := r.clock.After(rest)
		defer giveUp()
		select {
		case <-due:
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
	body, at, err := r.ask.page(req)
	if err != nil {
		return nil, err
	}
	final, err := url.Parse(at)
	switch {
	case err != nil || at == "":
		return nil, useless("it does not say at which address it ended")
	case page.Host(at) != page.Host(req.URL.String()):
		return nil, unfit("a script led to another host")
	case final.Scheme != req.URL.Scheme:
		return nil, unfit("a script led from " + req.URL.Scheme + " to " + final.Scheme)
	}
	if hope.Refuses != nil {
		if why := hope.Refuses(at); why != "" {
			return nil, unfit("a script led where the crawl file lets nobody: " + why)
		}
	}
	if hope.Rules != nil {
		if may, _ := hope.Rules.Allowed(final.RequestURI()); !may {
			return nil, unfit("a script led where robots.txt forbids")
		}
	}
	if junk.Shell(body) || len(bytes.TrimSpace(body)) == 0 {
		return nil, unfit("its browser filled nothing in")
	}
	return body, nil
}
