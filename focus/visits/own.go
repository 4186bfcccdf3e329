package visits

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/gocolly/colly/v2"
)

// Asked is the request that fetches a visit's page; none was made as long as its URL is nil. A callback may make others for the same
// visit, which share its Ctx.
type Asked struct {
	URL *url.URL
	ID  uint32 // Colly's
}

// Ask notes the request.
func (a *Asked) Ask(r *colly.Request) { a.URL, a.ID = r.URL, r.ID }

// Has tells whether an answer is to it.
func (a *Asked) Has(r *colly.Response) bool { return a.URL != nil && a.ID == r.Request.ID }

// Own are the requests of a Colly program, and those under way that fetch what a crawl visits on its collector. These are known by the
// address that Colly made for them, the same one in its callbacks and below in net/http.
type Own struct {
	underway sync.Map
	most     uint32 // MaxRequests; 0 is no bound
	made     atomic.Uint32
}

// errLate: Colly would mark as visited what a callback asks for, and the crawl would find it so when its turn has come.
var errLate = errors.New("focus.Attach: the collector's storage was set after it, and would take for visited what callbacks have only asked for: call SetStorage before")

// TakeOver says from now on of a collector's requests which are led on, and how many there may be: Colly would count towards MaxRequests
// the links that callbacks ask for and that only wait.
func (o *Own) TakeOver(c *colly.Collector) {
	c.SetRedirectHandler(o.redirect)
	o.most, c.MaxRequests = c.MaxRequests, 0
}

// Begin is told of a request of the crawl before it is made, and End when it has ended. An error says why it must not be made, nor
// any other.
func (o *Own) Begin(c *colly.Collector, u *url.URL) error {
	if store, err := StorageOf(c); err != nil || !IsOurs(store) {
		return errors.Join(err, errLate)
	}
	if o.Count(); o.most > 0 && o.made.Load() > o.most {
		return colly.ErrMaxRequests
	}
	o.underway.Store(u, nil)
	return nil
}

// Count counts a request that the program makes itself.
func (o *Own) Count() { o.made.Add(1) }

func (o *Own) End(u *url.URL) { o.underway.Delete(u) }

// redirect is the collector's redirect handler. A visit follows none: where it leads waits for its host's turn. What the program asks
// for itself, such as a login, and what a clone of the collector asks for, is followed as Colly does it.
func (o *Own) redirect(next *http.Request, via []*http.Request) error {
	const most = 10 // as in Colly and net/http
	if _, own := o.underway.Load(via[0].URL); own || len(via) >= most {
		return http.ErrUseLastResponse
	}
	if next.URL.Host != via[len(via)-1].URL.Host {
		next.Header.Del("Authorization")
	}
	return nil
}

// Unheard are the calls in callbacks of which a crawl makes nothing: Request.Retry, for it asks again in the host's turn or not at all,
// what is to be asked by another method than GET, and what a clone of the collector asks for. The first of each is told to a logger.
type Unheard struct {
	mu                       sync.Mutex
	retries, methods, clones tally
}

type tally struct {
	first string
	calls int
}

// Retry tells whether a request asks again, as deep as before, for what the request of a visit has asked for; a Visit is one deeper. own
// is nil as long as that was not made.
func (h *Unheard) Retry(own, again *url.URL, depth, of int, l *slog.Logger) bool {
	if own == nil || depth != of || own.String() != again.String() {
		return false
	}
	h.note(&h.retries, sayRetries, own.Redacted(), l)
	return true
}

// Method hears of a request by another method.
func (h *Unheard) Method(r *colly.Request, l *slog.Logger) {
	h.note(&h.methods, sayMethods, r.Method+" "+r.URL.Redacted(), l)
}

// Clone hears of a request that a clone has made.
func (h *Unheard) Clone(u *url.URL, l *slog.Logger) { h.note(&h.clones, sayClones, u.Redacted(), l) }

const (
	sayRetries = "callbacks called Request.Retry, first for %s (calls: %d), and nothing came of it: a crawl asks again by fetch.retries, a queue by its Retries"
	sayMethods = "callbacks asked by another method than GET, first %s (calls: %d), and nothing came of it: a crawl only fetches pages; " +
		"log in before it begins, and bring the cookies (fetch.cookies, or SetCookies of the collector)"
	sayClones = "a Clone of the collector asked for pages, first %s (requests: %d), and was given none: it has no part in a crawl; hang its " +
		"callbacks on the collector itself, and ask there what page it is"
)

func (h *Unheard) note(t *tally, say, at string, l *slog.Logger) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t.calls++; t.calls == 1 {
		t.first = at
		l.Warn(fmt.Sprintf(say, t.first, t.calls))
	}
}

// Notes say how many there were.
func (h *Unheard) Notes() (said []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.retries; t.calls > 0 {
		said = append(said, fmt.Sprintf(sayRetries, t.first, t.calls))
	}
	if t := h.methods; t.calls > 0 {
		said = append(said, fmt.Sprintf(sayMethods, t.first, t.calls))
	}
	if t := h.clones; t.calls > 0 {
		said = append(said, fmt.Sprintf(sayClones, t.first, t.calls))
	}
	return said
}
