package wire

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// ground is what layers ask of the transport they stand on.
type ground struct {
	connect   time.Duration // to one address
	firstByte time.Duration // from the request sent to the header read
	header    int64         // bytes of a response's header
	idle      int           // connections to a host that are kept for what comes next
	refuse    func(host string, ip netip.Addr) error
	named     func(host string) bool // let through by its name, wherever it is; there where refuse is
	lookup    func(ctx context.Context, host string) ([]netip.Addr, error)
	names     *resolver       // whose lookup that is; nil where it is nobody's
	reach     *Reach          // wants to know how connections are made; nil where nobody does
	proxied   bool            // a layer says by which proxy a request goes
	behind    bool            // there are some
	trusted   *x509.CertPool  // nil are the system's authorities
	count     func(bytes int) // hears of every byte of a body that comes over the wire
}

// transport is the base made as the layers ask.
func (g *ground) transport(base http.RoundTripper) http.RoundTripper {
	var t *http.Transport
	switch b := base.(type) {
	case nil:
		t = defaultTransport()
	case *http.Transport:
		t = b.Clone()
	default:
		return base
	}
	if g.firstByte > 0 {
		t.ResponseHeaderTimeout = g.firstByte
	}
	if g.connect > 0 {
		t.TLSHandshakeTimeout = g.connect
	}
	if g.header > 0 {
		t.MaxResponseHeaderBytes = g.header
	}
	if t.MaxIdleConnsPerHost == 0 { // else whoever brought it along has said so
		t.MaxIdleConnsPerHost = g.idle
	}
	if g.proxied {
		t.Proxy = func(r *http.Request) (*url.URL, error) { return via(r.Context()), nil }
		t.OnProxyConnectResponse = connected
	}
	if g.trusted != nil {
		trust(t, g.trusted)
	}
	if g.connect > 0 || g.refuse != nil || g.lookup != nil {
		t.DialContext = g.dialing(t.DialContext)
		t.DialTLSContext = nil // it would go round the dialer above
	}
	if base == nil {
		t.MaxIdleConns = mostIdle(openFiles(), t.MaxIdleConnsPerHost)
		t.DialContext = newDescriptors(openFiles(), t.CloseIdleConnections).dialing(g.dialOr(t.DialContext))
	}
	if g.reach != nil {
		g.reach.dial, g.reach.names, g.reach.behind = t.DialContext, g.names, g.reach.behind || g.behind
	}
	return t
}

// defaultTransport keeps idle connections for a short time: a crawler talks to many hosts, a little to each.
func defaultTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		ForceAttemptHTTP2:     true,
		IdleConnTimeout:       30 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
}

// mostIdle are so many connections that are kept for what comes next, of some 50 KB each: those to the hosts that some workers come back to
// within the half minute that one is kept, or half of the files that the system lets this process open (0 is no limit).
func mostIdle(files uint64, workers int) int {
	most := uint64(max(1024, 4*workers))
	if files > 0 {
		most = min(most, max(files/2, 1))
	}
	return int(most)
}

type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// dialOr is a dialer, or the plain one where there is none.
func (g *ground) dialOr(own dialFunc) dialFunc {
	if own != nil {
		return own
	}
	return (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext
}

// dialing is how the transport dials. A dialer that the base brought along is kept; what it connects to is then
// looked at after it connected and before anything is sent.
func (g *ground) dialing(own dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, fmt.Errorf("dial %q: %w", address, err)
		}
		dial, guard := own, g.refuse
		if via(ctx) != nil { // what is dialled is the proxy, and where the request goes was looked at
			guard = nil
		}
		if dial == nil {
			dial = g.dialer(host, guard).DialContext
		} else if guard != nil {
			dial = g.inspected(own, host)
		}
		if _, err := netip.ParseAddr(host); err == nil || g.lookup == nil {
			return dial(ctx, network, address)
		}
		addrs, err := g.lookup(ctx, host)
		if err != nil {
			return nil, err
		}
		return g.each(ctx, dial, network, host, port, addrs)
	}
}

// each tries the addresses of a host in turn. The error is that of the first one to which this machine has a way: that it has none to
// IPv6 says nothing of a host that has IPv4 too.
func (g *ground) each(ctx context.Context, dial dialFunc, network, host, port string, addrs []netip.Addr) (net.Conn, error) {
	var failed error
	for _, a := range addrs {
		conn, err := dial(ctx, network, net.JoinHostPort(a.String(), port))
		if err == nil {
			return conn, nil
		}
		if failed == nil || withoutWay(failed) && !withoutWay(err) {
			failed = err
		}
		if errors.Is(ctx.Err(), context.Canceled) {
			break
		}
		if g.names != nil {
			g.names.demote(host, a)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if failed == nil {
		return nil, &net.DNSError{Err: "no addresses", Name: host, IsNotFound: true}
	}
	return nil, failed
}

// withoutWay tells that this machine has no way to addresses of that kind.
func withoutWay(err error) bool {
	return errors.Is(err, syscall.ENETUNREACH) || errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT)
}

// dialer connects for one host. Its control sees each address after the name was resolved, and right before the
// connection is made: no later answer of a name server can change it.
func (g *ground) dialer(host string, guard func(host string, ip netip.Addr) error) *net.Dialer {
	d := &net.Dialer{Timeout: g.connect, KeepAlive: 30 * time.Second}
	if guard == nil {
		return d
	}
	d.Control = func(_, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("dial %q for %q: %w", address, host, err)
		}
		return guard(host, ap.Addr())
	}
	return d
}

// inspected closes a connection of a foreign dialer that went where it must not.
func (g *ground) inspected(own dialFunc, host string) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := own(ctx, network, address)
		if err != nil {
			return nil, err
		}
		ap, err := netip.ParseAddrPort(conn.RemoteAddr().String())
		if err != nil {
			conn.Close()
			return nil, fmt.Errorf("dial %q for %q: where it leads cannot be told: %w", address, host, err)
		}
		if err := g.refuse(host, ap.Addr()); err != nil {
			conn.Close()
			return nil, err
		}
		return conn, nil
	}
}
