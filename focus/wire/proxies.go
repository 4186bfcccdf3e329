package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// ErrProxy: no proxy let the request through. It says nothing of the host that was asked for.
var ErrProxy = errors.New("the proxy cannot be used")

// ProxiesConfig tunes Proxies; the zero value asks the environment.
type ProxiesConfig struct {
	// Addresses are those of proxies (http://, https://, socks5://) that take turns. Without any, HTTP_PROXY, HTTPS_PROXY and
	// NO_PROXY say which one is asked, as everywhere.
	Addresses []*url.URL
	// User is the name and password that a proxy asks for; nil is nobody's.
	User func(proxy *url.URL) *url.Userinfo
	Now  func() time.Time // the clock; nil is the wall's
}

// How long a proxy rests that could not be used; it doubles with each failure in a row.
const (
	proxyRest = 10 * time.Second
	proxyMost = 10 * time.Minute
	// proxyTries is how many proxies one request is taken to.
	proxyTries = 3
)

// Proxies is the layer that goes by way of proxies. One that cannot be used rests for a while, and the request goes to the next.
// What is dialled then is the proxy, which may stand anywhere; what PrivateNetworks looks at is where the request is to go in the
// end: the addresses that its host has from here. Over plain http, where a proxy reads all that is sent, the login and the cookies of an
// origin stay at home.
func Proxies(o ProxiesConfig) Layer {
	p := &proxies{own: o.Addresses, user: o.User, now: o.Now, rests: make([]rest, len(o.Addresses))}
	if p.now == nil {
		p.now = time.Now
	}
	if len(p.own) == 0 {
		p.environment = httpproxy.FromEnvironment().ProxyFunc()
	}
	return Layer{
		name:   "Proxies",
		place:  AtProxies,
		ground: func(g *ground) { p.ground, g.proxied = g, true },
		wrap: func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) { return p.roundTrip(next, r) })
		},
	}
}

type proxies struct {
	own         []*url.URL
	user        func(*url.URL) *url.Userinfo
	environment func(*url.URL) (*url.URL, error)
	now         func() time.Time
	ground      *ground

	mu    sync.Mutex
	turn  int
	rests []rest
}

// rest is how a proxy does.
type rest struct {
	failed int // times in a row
	until  time.Time
}

type (
	viaKey  struct{} // the proxy that a request goes by
	bareKey struct{} // a request as it was before secrets were put into it
)

// via is the proxy of a request; nil where it goes straight.
func via(ctx context.Context) *url.URL {
	at, _ := ctx.Value(viaKey{}).(*url.URL)
	return at
}

// bare tells those below a layer that adds secrets to a request how it was without.
func bare(with, without *http.Request) *http.Request {
	if with.Context().Value(bareKey{}) != nil {
		return with
	}
	return with.WithContext(context.WithValue(with.Context(), bareKey{}, without.Header))
}

func (p *proxies) roundTrip(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	for try := 1; ; try++ {
		n, at, err := p.choose(r)
		if err != nil {
			return nil, err
		}
		if at == nil {
			return next.RoundTrip(r)
		}
		if err := p.judge(r); err != nil {
			return nil, err
		}
		by := r.WithContext(context.WithValue(r.Context(), viaKey{}, at))
		if before, ok := r.Context().Value(bareKey{}).(http.Header); ok && r.URL.Scheme == "http" {
			by.Header = before
		}
		resp, err := next.RoundTrip(by)
		if resp != nil {
			resp.Request = r
		}
		fault := p.fault(resp, err)
		p.heard(n, fault != nil)
		if fault == nil {
			return resp, err
		}
		if resp != nil {
			resp.Body.Close()
		}
		if try >= min(len(p.own), proxyTries) || r.Context().Err() != nil || r.Body != nil && r.Body != http.NoBody {
			return nil, fmt.Errorf("%w: %s: %w", ErrProxy, at.Redacted(), fault)
		}
	}
}

// choose is the proxy whose turn it is: the next that does not rest, or the one that has rested the longest. n is its number, and at is nil
// where a request goes straight.
func (p *proxies) choose(r *http.Request) (n int, at *url.URL, err error) {
	if p.environment != nil {
		at, err := p.environment(r.URL)
		if err != nil {
			return 0, nil, fmt.Errorf("%w: HTTP_PROXY or HTTPS_PROXY: %w", ErrProxy, err)
		}
		return 0, at, nil
	}
	p.mu.Lock()
	now := p.now()
	n = p.turn
	for i := range p.own {
		next := (p.turn + i) % len(p.own)
		if !p.rests[next].until.After(now) {
			n = next
			break
		}
		if p.rests[next].until.Before(p.rests[n].until) {
			n = next
		}
	}
	p.turn = (n + 1) % len(p.own)
	p.mu.Unlock()
	with := *p.own[n]
	if p.user != nil {
		with.User = p.user(p.own[n])
	}
	return n, &with, nil
}

// heard lets a proxy rest that could not be used.
func (p *proxies) heard(n int, failed bool) {
	if n >= len(p.rests) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	q := &p.rests[n]
	if !failed {
		*q = rest{}
		return
	}
	q.until = p.now().Add(min(proxyRest<<min(q.failed, 10), proxyMost))
	q.failed++
}

// judge looks at where a request is to go in the end, by the addresses that its host has from here.
func (p *proxies) judge(r *http.Request) error {
	g, host := p.ground, r.URL.Hostname()
	if g.refuse == nil {
		return nil
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return nil // PrivateNetworks has seen it
	}
	if g.refuse(host, netip.AddrFrom4([4]byte{127, 0, 0, 1})) == nil {
		return nil // it is let through wherever it is
	}
	lookup := g.lookup
	if lookup == nil {
		lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	addrs, err := lookup(r.Context(), host)
	if err != nil {
		return err
	}
	for _, a := range addrs {
		if err := g.refuse(host, a); err != nil {
			return err
		}
	}
	return nil
}

// fault is why a proxy could not be used; nil where it was the host, or nothing, that failed.
func (p *proxies) fault(resp *http.Response, err error) error {
	var op *net.OpError
	switch {
	case resp != nil && resp.StatusCode == http.StatusProxyAuthRequired:
		return errors.New("it wants another name and password")
	case err == nil, errors.Is(err, context.Canceled):
		return nil
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return op.Err
	case errors.Is(err, errConnect):
		return err
	case strings.Contains(err.Error(), "socks connect") && strings.Contains(err.Error(), "authentication"):
		return errors.New("it wants another name and password")
	}
	return nil
}

// errConnect: a proxy lets nobody through to any host.
var errConnect = errors.New("it does not let us through")

// connected looks at what a proxy says to CONNECT. What it says of the host is the host's affair.
func connected(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	switch answer.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusProxyAuthRequired, http.StatusForbidden, http.StatusTooManyRequests, http.StatusMethodNotAllowed:
		return fmt.Errorf("%w: %d %s", errConnect, answer.StatusCode, http.StatusText(answer.StatusCode))
	}
	return fmt.Errorf("the proxy could not reach the host: %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
}
