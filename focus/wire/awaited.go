package wire

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Awaited knows which answers are waited for. The zero value is ready.
type Awaited struct {
	mu     sync.Mutex
	under  map[*http.Request]time.Time // when each was asked for
	failed string                      // what failed last, and how; empty after an answer
}

// Over is a transport whose requests are known.
func (a *Awaited) Over(next http.RoundTripper) http.RoundTripper { return &awaiting{a, next} }

type awaiting struct {
	a    *Awaited
	next http.RoundTripper
}

func (w *awaiting) RoundTrip(r *http.Request) (*http.Response, error) {
	a := w.a
	a.mu.Lock()
	if a.under == nil {
		a.under = map[*http.Request]time.Time{}
	}
	a.under[r] = time.Now()
	a.mu.Unlock()
	resp, err := w.next.RoundTrip(r)
	switch {
	case err != nil:
		a.end(r, Failure(err))
	case resp.StatusCode >= http.StatusInternalServerError:
		a.end(r, http.StatusText(resp.StatusCode))
	case resp.Body == nil:
		a.end(r, "")
	default:
		resp.Body = &ending{resp.Body, func() { a.end(r, "") }}
	}
	return resp, err
}

// CloseIdleConnections lets go of connections that nothing is using.
func (w *awaiting) CloseIdleConnections() { (&http.Client{Transport: w.next}).CloseIdleConnections() }

// end is told when a request is over, and how it failed.
func (a *Awaited) end(r *http.Request, failed string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.under, r)
	if a.failed = ""; failed != "" {
		a.failed = fmt.Sprintf("%s at %s://%s%s", failed, r.URL.Scheme, r.URL.Host, r.URL.EscapedPath())
	}
}

// Say says what is waited for: the answer that has been longest in coming, or, where none is under way, that what failed is tried
// again. It is empty where nothing is known.
func (a *Awaited) Say() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var first *http.Request
	for r, since := range a.under {
		if first == nil || since.Before(a.under[first]) {
			first = r
		}
	}
	switch {
	case first == nil && a.failed != "":
		return a.failed + ", and its host is given time"
	case first == nil:
		return ""
	case len(a.under) > 1:
		return fmt.Sprintf("waiting for %s://%s%s and %d more", first.URL.Scheme, first.URL.Host, first.URL.EscapedPath(), len(a.under)-1)
	}
	return fmt.Sprintf("waiting for %s://%s%s", first.URL.Scheme, first.URL.Host, first.URL.EscapedPath())
}
