package ground

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// Hope is what is known of a page before it is asked for: what its link promised, and how long its host is to be left alone before it is
// asked again.
type Hope struct {
	Score float64
	Start bool // a start page: nothing promised it
	Rest  time.Duration
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
// came.
type renderer struct {
	next    http.RoundTripper
	service *url.URL
	ask     http.RoundTripper // to the service
	after   func(time.Duration) (<-chan time.Time, func())
	agent   string
	most    int64 // bytes of a page

	mu      sync.Mutex
	left    int // pages that may be rendered; below 0 a tenth of those that were asked for
	seen    int
	asked   int
	promise float64 // of all links that were followed, summed up
	links   int
}

// rendering puts the service that the crawl file names on a transport.
func (g *Ground) rendering(next http.RoundTripper, limits wire.Layer) (http.RoundTripper, error) {
	service, err := url.Parse(g.config.Fetch.Render)
	if err != nil || g.config.Fetch.Render == "" || g.Recorded() != nil {
		return next, err
	}
	r := &renderer{next: next, service: service, after: timer, agent: g.config.Polite.UserAgent(), most: int64(g.config.Fetch.MaxBody), left: -1}
	if g.config.Budget.Pages > 0 {
		r.left = max(1, int(renderShare*float64(g.config.Budget.Pages)))
	}
	if g.with.Clock != nil {
		r.after = g.with.Clock.After
	}
	// The service is one's own, and may stand in a private network; it is asked straight, and told no secrets.
	r.ask = wire.Stack(&http.Transport{}, limits, g.decode())
	return r, nil
}

// timer waits on the wall.
func timer(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// CloseIdleConnections lets go of connections that nothing is using.
func (r *renderer) CloseIdleConnections() {
	for _, t := range []http.RoundTripper{r.next, r.ask} {
		(&http.Client{Transport: t}).CloseIdleConnections()
	}
}

func (r *renderer) RoundTrip(req *http.Request) (*http.Response, error) {
	hope, may := req.Context().Value(hopeKey{}).(Hope)
	resp, err := r.next.RoundTrip(req)
	if !may || err != nil || resp.StatusCode != http.StatusOK || !wire.IsPage(wire.MediaType(resp.Header)) {
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
	if rendered := r.render(req, hope.Rest); rendered != nil {
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(rendered)), int64(len(rendered))
		resp.Header.Set("Content-Type", "text/html; charset=utf-8")
		resp.Header.Set("Content-Length", strconv.Itoa(len(rendered)))
	}
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

// take takes one page off what may be rendered.
func (r *renderer) take() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left < 0 && float64(r.asked) >= max(1, renderShare*float64(r.seen)) || r.left >= 0 && r.asked >= r.left {
		return false
	}
	r.asked++
	return true
}

// render is what a service makes of a page; nil where it makes nothing. The service asks the host as a browser does, so that the host
// is left alone first for as long as before any other visit.
func (r *renderer) render(req *http.Request, rest time.Duration) []byte {
	if rest > 0 {
		due, giveUp := r.after(rest)
		defer giveUp()
		select {
		case <-due:
		case <-req.Context().Done():
			return nil
		}
	}
	ask, err := r.request(req)
	if err != nil {
		return nil
	}
	resp, err := r.ask.RoundTrip(ask)
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, r.most))
	if err != nil || resp.StatusCode != http.StatusOK || junk.Shell(body) || len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	return body
}

// request is what a service is asked, by the kind of service that its address shows: Splash takes the address of the page in its own,
// browserless in a body of JSON.
func (r *renderer) request(page *http.Request) (*http.Request, error) {
	at, within := *r.service, 30*time.Second
	if due, ok := page.Context().Deadline(); ok {
		within = max(time.Second, time.Until(due))
	}
	if strings.HasSuffix(at.Path, "/render.html") {
		q := at.Query()
		q.Set("url", page.URL.String())
		q.Set("timeout", strconv.Itoa(int(within.Seconds())))
		q.Set("wait", "0.5")
		at.RawQuery = q.Encode()
		return http.NewRequestWithContext(page.Context(), http.MethodGet, at.String(), nil)
	}
	body, err := json.Marshal(map[string]any{"url": page.URL.String(), "gotoOptions": map[string]any{"waitUntil": "networkidle2", "timeout": within.Milliseconds()},
		"userAgent": r.agent})
	if err != nil {
		return nil, fmt.Errorf("render: %w", err)
	}
	req, err := http.NewRequestWithContext(page.Context(), http.MethodPost, at.String(), bytes.NewReader(body))
	if err == nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, err
}
