package visits

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
)

// Own are the requests under way that fetch what a crawl visits, on a collector of a Colly program. They are known by the address that
// Colly made for them, the same one in its callbacks and below in net/http.
type Own struct{ underway sync.Map }

// Begin is told of such a request before it is made, and End when it has ended.
func (o *Own) Begin(u *url.URL) { o.underway.Store(u, nil) }
func (o *Own) End(u *url.URL)   { o.underway.Delete(u) }

// Redirect is the collector's redirect handler. A visit follows none: where it leads waits for its host's turn. What the program asks
// for itself, such as a login, and what a clone of the collector asks for, is followed as Colly does it.
func (o *Own) Redirect(next *http.Request, via []*http.Request) error {
	const most = 10 // as in Colly and net/http
	if _, own := o.underway.Load(via[0].URL); own || len(via) >= most {
		return http.ErrUseLastResponse
	}
	if next.URL.Host != via[len(via)-1].URL.Host {
		next.Header.Del("Authorization")
	}
	return nil
}

// Retries are the calls of Request.Retry in callbacks, of which a crawl makes nothing: it asks again in the host's turn, or not at all.
type Retries struct {
	mu    sync.Mutex
	first string
	calls int
}

// Asked tells whether a request asks again, as deep as before, for what the request of a visit has asked for; a Visit is one deeper. own
// is nil as long as that was not made. The first time it is told to a logger.
func (r *Retries) Asked(own, again *url.URL, depth, of int, l *slog.Logger) bool {
	if own == nil || depth != of || own.String() != again.String() {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls++; r.calls == 1 {
		r.first = own.Redacted()
		l.Warn(r.say())
	}
	return true
}

// Notes say how many there were.
func (r *Retries) Notes() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls == 0 {
		return nil
	}
	return []string{r.say()}
}

func (r *Retries) say() string {
	return fmt.Sprintf("callbacks called Request.Retry, first for %s (calls: %d), and nothing came of it: a crawl asks again by "+
		"fetch.retries, a queue by its Retries", r.first, r.calls)
}
