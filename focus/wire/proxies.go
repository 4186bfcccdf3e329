package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/thresher-crawler/thresher/focus/recent"
)

// ErrProxy: no proxy let the request through. It says nothing of the host that was asked for.
var ErrProxy = errors.New("the proxy cannot be used")

// proxyError says which proxy could not be used, and how.
type proxyError struct {
	at    string
	fault error
	none  bool // no other one can be used either
	used  bool // one was of use before
}

func (e *proxyError) Error() string   { return fmt.Sprintf("%v: %s: %v", ErrProxy, e.at, e.fault) }
func (e *proxyError) Unwrap() []error { return []error{ErrProxy, e.fault} }

// NoProxy tells that nobody can be reached by any proxy, as far as is known.
func NoProxy(err error) bool {
	var e *proxyError
	return errors.As(err, &e) && e.none
}

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
	// proxySilent is after how many hosts in a row a proxy rests that said nothing of any: one alone may be the host's silence.
	proxySilent = 3
	// proxyLookup is how long a request by a proxy waits for the addresses that its host has from here. The proxy finds the host without them,
	// and where only proxies get out, nobody here may answer at all. A name that was waited for in vain is not waited for again for proxyMute.
	proxyLookup = time.Second
	proxyMute   = time.Minute
)

// Proxies is the layer that goes by way of proxies. One that cannot be used rests for a while, and the request goes to the next.
// What is dialled then is the proxy, which may stand anywhere; what PrivateNetworks looks at is where the request is to go in the
// end: the addresses that its host has from here. Over plain http, where a proxy reads all that is sent, the login and the cookies of an
// origin stay at home.
func Proxies(o ProxiesConfig) Layer {
	p := &proxies{own: o.Addresses, user: o.User, now: o.Now, rests: make([]rest, len(o.Addresses)), mute: recent.New[string, time.Time](10_000), let: recent.New[string, struct{}](10_000)}
	for i, at := range o.Addresses {
		p.rests[i].at = at
	}
	if p.now == nil {
		p.now = time.Now
	}
	some := len(p.own) > 0
	if !some {
		named := httpproxy.FromEnvironment()
		p.environment, some = named.ProxyFunc(), named.HTTPProxy+named.HTTPSProxy != ""
	}
	return Layer{
		name:   "Proxies",
		place:  AtProxies,
		ground: func(g *ground) { p.ground, g.proxied, g.behind = g, true, some },
		wrap:   trips(p.roundTrip),
	}
}

// ProxyReads tells whether a proxy reads all that is sent to an address: it goes by one, and over plain http. own are the proxies that
// take turns; without any the environment says.
func ProxyReads(own []*url.URL, u *url.URL) bool {
	if u.Scheme != "http" || len(own) > 0 {
		return u.Scheme == "http"
	}
	at, err := httpproxy.FromEnvironment().ProxyFunc()(u)
	return err == nil && at != nil
}

type proxies struct {
	own         []*url.URL
	user        func(*url.URL) *url.Userinfo
	environment func(*url.URL) (*url.URL, error)
	now         func() time.Time
	ground      *ground
	mute        *recent.Map[string, time.Time] // names that nobody here answered for, and until when they are not waited for

	let *recent.Map[string, struct{}] // hosts that a proxy has let requests through to

	mu    sync.Mutex
	turn  int
	rests []rest // of its own, and else of those that the environment has named
}

// rest is how a proxy does.
type rest struct {
	at     *url.URL
	failed int // times in a row
	rested int // the same
	until  time.Time
	since  time.Time // the first of these times
	shut   bool      // it will not be of use in a moment, as far as is known
	used   bool      // it has been of use: it is not the settings that are wrong
	dead   bool      // it could not be reached, wants another password than before, or is no proxy any more
	silent int       // hosts in a row of which it said nothing, or that it would not go to
	host   string    // the last of them, or one that it could not reach
}

// behind is until when the others are asked before this one: while it rests, and for a host that it has failed at.
func (q *rest) behind(host string, now time.Time) time.Time {
	switch {
	case q.until.After(now):
		return q.until
	case q.host == host:
		return now
	}
	return time.Time{}
}

type (
	viaKey  struct{} // the proxy that a request goes by
	bareKey struct{} // a request as it was before secrets were put into it
)

// passage is the way of a request by a proxy.
type passage struct {
	at     *url.URL
	tunnel bool        // it leads to the host itself: by CONNECT or SOCKS
	spoken atomic.Bool // the proxy has said something: what fails then fails behind it
	sent   atomic.Bool // the request was sent, once at least
}

// context is that of a request which goes this way. A request that is hung up on where it went over a connection that was open already is
// sent again by net/http, and again as long as it finds an open one. The open ones to a proxy are those of all hosts: the second time it
// finds none, and goes over a new connection, after which net/http leaves it at that.
func (w *passage) context(ctx context.Context) context.Context {
	trace := &httptrace.ClientTrace{GotFirstResponseByte: func() { w.spoken.Store(true) }, WroteHeaders: func() { w.sent.Store(true) }}
	trace.GotConn = func(i httptrace.GotConnInfo) {
		if w.tunnel || i.Reused { // behind CONNECT or SOCKS the host listens, and a reused connection has been answered on
			w.spoken.Store(true)
		}
		if i.Reused && !w.tunnel && w.sent.Load() {
			i.Conn.Close() // nothing has been written to it, so that net/http takes another
		}
	}
	return httptrace.WithClientTrace(context.WithValue(ctx, viaKey{}, w), trace)
}

// via is the proxy of a request; nil where it goes straight.
func via(ctx context.Context) *url.URL {
	if w, ok := ctx.Value(viaKey{}).(*passage); ok {
		return w.at
	}
	return nil
}

// shown is a proxy as it may be told of: of many that one pays for the name is the secret.
func shown(at *url.URL) string {
	plain := *at
	plain.User = nil
	return plain.String()
}

// bare tells those below a layer that adds secrets to a request how it was without.
func bare(with, without *http.Request) *http.Request {
	if with.Context().Value(bareKey{}) != nil {
		return with
	}
	return with.WithContext(context.WithValue(with.Context(), bareKey{}, without.Header))
}

func (p *proxies) roundTrip(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	reach := p.ground.reach
	if reach != nil && !reach.wait(r.Context()) {
		return nil, ErrAway
	}
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
		way := &passage{at: at, tunnel: r.URL.Scheme == "https" || strings.HasPrefix(at.Scheme, "socks")}
		by := r.WithContext(way.context(r.Context()))
		if before, ok := r.Context().Value(bareKey{}).(http.Header); ok && r.URL.Scheme == "http" {
			by.Header = before
		}
		resp, err := next.RoundTrip(by)
		if resp != nil {
			resp.Request = r
		}
		err = barredBySOCKS(err, way)
		fault := p.fault(resp, err, way)
		p.heard(n, r.URL.Host, fault, err, way)
		last := try >= min(len(p.own), proxyTries) || r.Context().Err() != nil || r.Body != nil && r.Body != http.NoBody
		if fault == nil && (last || !isBarred(err)) {
			return resp, err
		}
		if resp != nil {
			resp.Body.Close()
		}
		if last {
			err := &proxyError{shown(at), fault, p.none(), p.used()}
			if reach != nil && p.away(reach, n, err) {
				p.let.Drop(r.URL.Host) // if others are let through then, and it is not, it says so itself
				reach.wait(r.Context())
				return nil, fmt.Errorf("%w: %w", ErrAway, err)
			}
			return nil, err
		}
	}
}

// choose is the proxy whose turn it is: the next that does not rest and has not failed at this very host, or the one that has rested the
// longest. n is its number, and at is nil where a request goes straight.
func (p *proxies) choose(r *http.Request) (n int, at *url.URL, err error) {
	if p.environment != nil {
		at, err := p.environment(r.URL)
		if err != nil {
			return 0, nil, fmt.Errorf("%w: HTTP_PROXY or HTTPS_PROXY: %w", ErrProxy, err)
		}
		return p.number(at), at, nil
	}
	p.mu.Lock()
	now := p.now()
	n = p.turn
	for i := range p.own {
		if next := (p.turn + i) % len(p.own); p.rests[next].behind(r.URL.Host, now).Before(p.rests[n].behind(r.URL.Host, now)) {
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

// number is that of a proxy which the environment has named.
func (p *proxies) number(at *url.URL) int {
	if at == nil {
		return -1
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	n := slices.IndexFunc(p.rests, func(q rest) bool { return q.at.String() == at.String() })
	if n < 0 {
		n = len(p.rests)
		p.rests = append(p.rests, rest{at: at})
	}
	return n
}

// heard takes in how a proxy did with a request. One that could not be used rests, and so does one that said nothing of several hosts in
// a row; what was given up before it spoke says nothing of it.
func (p *proxies) heard(n int, host string, fault, err error, way *passage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := &p.rests[n]
	switch {
	case fault != nil:
	case err == nil || way.spoken.Load():
		p.let.Put(host, struct{}{})
		if *q = (rest{at: q.at, used: true}); isBarred(err) {
			q.host = host
		}
		return
	case errors.Is(err, context.Canceled) || host == q.host:
		return
	default:
		q.host = host
		if q.silent++; q.silent < proxySilent && q.rested == 0 {
			return
		}
	}
	now := p.now()
	q.silent, q.host, q.dead = 0, "", unreached(fault) || (errors.Is(fault, errLogin) || errors.Is(fault, errNoProxy)) && (q.dead || p.knows(q, host))
	if !q.until.After(now) { // what fails while it rests was under way before
		q.until = now.Add(min(proxyRest<<min(q.rested, 10), proxyMost))
		q.rested++
	}
	if q.failed++; q.failed == 1 {
		q.since = now
	}
	q.shut = stays(fault) || q.failed >= proxySilent && now.Sub(q.since) >= proxyRest // many requests meet one hiccup
}

// none tells that no proxy can be used, and none will be in a moment, where one has just failed: its fault stays, and so do those of all
// others.
func (p *proxies) none() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !slices.ContainsFunc(p.rests, func(q rest) bool { return !q.shut })
}

// knows tells whether a host was let through that now is not: it is the password then. That it was, in an earlier process, is believed
// of a proxy that has not been of use in this one. p.mu must be held.
func (p *proxies) knows(q *rest, host string) bool {
	_, let := p.let.Get(host)
	return let || !q.used && p.ground.reach != nil && p.ground.reach.knows()
}

// used tells whether a proxy was of use.
func (p *proxies) used() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.rests, func(q rest) bool { return q.used })
}

// away tells whether nobody can be reached for now, because none of the proxies can be used that were of use before. One that was reached
// and hangs up, or lets nobody through whom it did not before, may do so because of the host. Of the environment it is the one that was
// asked: no other takes its place, and where another is of use and this one never was, the settings are wrong.
func (p *proxies) away(reach *Reach, n int, err *proxyError) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	of, used := p.rests, err.used
	if p.environment != nil {
		of = p.rests[n : n+1]
		if used = of[0].used; err.used && !used {
			return false
		}
	}
	var dead []*url.URL
	for _, q := range of {
		if !q.dead || !q.until.After(p.now()) {
			return false
		}
		dead = append(dead, q.at)
	}
	return len(dead) > 0 && reach.shut(err, used, dead)
}

// judge looks at where a request is to go in the end, by the addresses that its host has from here, where they are known in time.
func (p *proxies) judge(r *http.Request) error {
	g, host := p.ground, r.URL.Hostname()
	if g.refuse == nil {
		return nil
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return nil // PrivateNetworks has seen it
	}
	if g.named(host) {
		return nil // it is let through wherever it is
	}
	lookup := g.lookup
	if lookup == nil {
		lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	within := proxyLookup
	if until, ok := p.mute.Get(host); ok && p.now().Before(until) {
		within = 0 // what has been found out meanwhile counts
	}
	ctx, cancel := context.WithTimeout(r.Context(), within)
	defer cancel()
	addrs, err := lookup(ctx, host)
	if err != nil {
		if within > 0 && ctx.Err() != nil {
			p.mute.Put(host, p.now().Add(proxyMute))
		}
		return r.Context().Err() // a name that is not known here is looked up by the proxy, which answers for it
	}
	for _, a := range addrs {
		if err := g.refuse(host, a); err != nil {
			return err
		}
	}
	return nil
}
