package visits

import (
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
