package ground

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/thresher-crawler/thresher/focus/wire"
)

// through is the live web, by the way that the program has brought along if it has. A transport of the standard library gets the
// bounds of the live web, and dials only its public part; where it goes by a proxy, the proxy dials. Any other is asked as it is.
func (g *Ground) through(limits wire.Layer) http.RoundTripper {
	t, ok := g.with.Brought.(*http.Transport)
	switch {
	case g.with.Brought == nil:
		return g.network(nil, limits)
	case !ok:
		return g.with.Brought
	case t.Proxy == nil:
		return g.network(t, limits)
	}
	direct, by := t.Clone(), t.Clone()
	direct.Proxy = nil
	g.Reach.Behind()
	by.Proxy = func(r *http.Request) (*url.URL, error) { return r.Context().Value(proxyKey{}).(*url.URL), nil }
	return &switched{t.Proxy, g.with.Proxied, g.network(direct, limits), wire.Stack(by, limits)}
}

// switched asks directly or by a proxy, as the function of a program says.
type switched struct {
	proxy      func(*http.Request) (*url.URL, error)
	told       func(r *http.Request, proxy string) // nil tells nobody
	direct, by http.RoundTripper
}

type proxyKey struct{}

func (s *switched) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.WithContext(r.Context()) // such functions write down in a request which proxy they took
	at, err := s.proxy(r)
	if err != nil {
		return nil, fmt.Errorf("proxy: %w", err)
	}
	if at == nil {
		return s.direct.RoundTrip(r)
	}
	if s.told != nil {
		s.told(r, at.String())
	}
	return s.by.RoundTrip(r.WithContext(context.WithValue(r.Context(), proxyKey{}, at)))
}

// CloseIdleConnections lets go of connections that nothing is using.
func (s *switched) CloseIdleConnections() {
	for _, t := range []http.RoundTripper{s.direct, s.by} {
		(&http.Client{Transport: t}).CloseIdleConnections()
	}
}
