package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/recent"
)

// TestAllowedNetworksStayAllThereIsByAProxy: that loopback is let through says nothing of other hosts; one that is let through by its name is not
// looked up.
func TestAllowedNetworksStayAllThereIsByAProxy(t *testing.T) {
	host := httptest.NewServer(http.HandlerFunc(echo))
	defer host.Close()
	for _, allow := range []string{"127.0.0.1", "127.0.0.0/8"} {
		at, heard := httpProxy(t, host.Listener.Addr().String(), "", 0)
		lookup := func(_ context.Context, host string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr(map[string]string{"local.example": "127.0.0.1", "metadata.example": "169.254.169.254"}[host])}, nil
		}
		by := Stack(nil, PrivateNetworks(PrivateNetworksConfig{Allow: []string{allow, "named.example"}}), Proxies(ProxiesConfig{Addresses: []*url.URL{at}}),
			Resolver(ResolverConfig{Lookup: lookup}))
		defer (&http.Client{Transport: by}).CloseIdleConnections()
		if said, err := ask(t, by, "http://metadata.example/"); !errors.Is(err, ErrPrivate) || len(heard.all()) > 0 {
			t.Errorf("with %s the proxy was asked: %q (%v)", allow, said, err)
		}
		for n, name := range []string{"local.example", "named.example"} {
			if _, err := ask(t, by, "http://"+name+"/"); err != nil || len(heard.all()) != n+1 {
				t.Errorf("%s with %s: %v", name, allow, err)
			}
		}
	}
}

// hangsUp is a proxy that ends every connection without a word.
func hangsUp(t *testing.T) *url.URL {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Read(make([]byte, 1024))
			c.Close()
		}
	}()
	return &url.URL{Scheme: "http", Host: l.Addr().String()}
}

// TestAProxyThatHangsUpIsAtFault, and not the host: the request goes to the next.
func TestAProxyThatHangsUpIsAtFault(t *testing.T) {
	for _, scheme := range []string{"http", "socks5"} {
		at := hangsUp(t)
		at.Scheme, at.User = scheme, url.User("k3y")
		alone := byProxies(t, nil, ProxiesConfig{Addresses: []*url.URL{at}, User: func(*url.URL) *url.Userinfo { return url.User("k3y") }})
		_, err := ask(t, alone, "https://example.com/")
		if !errors.Is(err, ErrProxy) || strings.Contains(err.Error(), "k3y") {
			t.Errorf("%s: %v", scheme, err)
		}
	}
}

// TestOneHiccupOfAProxyPasses: a proxy that hangs up, or is busy, may do in a moment; one that still does so after its rest may not, and
// neither does one where nobody listens. So it is with a proxy of the environment.
func TestOneHiccupOfAProxyPasses(t *testing.T) {
	now := time.Unix(1e9, 0)
	busy, _ := httpProxy(t, "127.0.0.1:1", "", http.StatusTooManyRequests)
	locked, _ := httpProxy(t, "127.0.0.1:1", "", http.StatusProxyAuthRequired)
	nobody := &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
	for name, c := range map[string]struct {
		at   *url.URL
		none bool
	}{"hangs up": {hangsUp(t), false}, "busy": {busy, false}, "locked": {locked, true}, "nobody": {nobody, true}} {
		by := byProxies(t, nil, ProxiesConfig{Addresses: []*url.URL{c.at}, Now: func() time.Time { return now }})
		for range proxySilent + 1 { // at one time
			if _, err := ask(t, by, "https://example.com/"); !errors.Is(err, ErrProxy) || NoProxy(err) != c.none {
				t.Errorf("%s: %v, no proxy %v, want %v", name, err, NoProxy(err), c.none)
			}
		}
		now = now.Add(proxyRest)
		if _, err := ask(t, by, "https://example.com/"); !NoProxy(err) {
			t.Errorf("%s: it has rested, and fails as before: %v", name, err)
		}
		t.Setenv("HTTPS_PROXY", c.at.String())
		if _, err := ask(t, byProxies(t, nil, ProxiesConfig{}), "https://example.com/"); !errors.Is(err, ErrProxy) || NoProxy(err) != c.none {
			t.Errorf("%s, in the environment: %v, no proxy %v, want %v", name, err, NoProxy(err), c.none)
		}
	}
}

// TestAPortThatAProxyClosesIsTheHosts: the proxy does not rest for it.
func TestAPortThatAProxyClosesIsTheHosts(t *testing.T) {
	strict, heard := httpProxy(t, "127.0.0.1:1", "", http.StatusForbidden)
	by := byProxies(t, nil, ProxiesConfig{Addresses: []*url.URL{strict}})
	for range 2 {
		if _, err := ask(t, by, "https://example.com:8443/"); err == nil || errors.Is(err, ErrProxy) || !strings.Contains(err.Error(), "this host and port") {
			t.Errorf("%v", err)
		}
	}
	if n := len(heard.all()); n != 2 {
		t.Errorf("%d requests", n)
	}
}

// TestWhenAProxyRests: silence about several hosts makes it rest, as a fault does; what a request that was given up, or one host, did says
// nothing, and takes nothing back.
func TestWhenAProxyRests(t *testing.T) {
	now := time.Unix(1e9, 0)
	p := &proxies{rests: make([]rest, 1), let: recent.New[string, struct{}](9), now: func() time.Time { return now }}
	resting := func() bool { return p.rests[0].until.After(now) }
	silent, spoken := &passage{}, &passage{}
	spoken.spoken.Store(true)
	for range 5 {
		p.heard(0, "one.example", nil, context.DeadlineExceeded, silent)
	}
	p.heard(0, "two.example", nil, context.DeadlineExceeded, silent)
	p.heard(0, "three.example", nil, context.Canceled, silent)
	if resting() {
		t.Error("it rests after the silence of two hosts")
	}
	p.heard(0, "three.example", nil, context.DeadlineExceeded, silent)
	if !resting() || p.rests[0].failed != 1 {
		t.Errorf("it said nothing of three hosts: %+v", p.rests[0])
	}
	p.heard(0, "four.example", nil, context.Canceled, silent)
	p.heard(0, "four.example", errors.New("it hangs up"), io.EOF, silent)
	if p.rests[0].failed != 2 {
		t.Errorf("a request that was given up made the earlier failure good: %+v", p.rests[0])
	}
	p.heard(0, "five.example", nil, io.EOF, spoken)
	if resting() {
		t.Error("it has spoken, and rests")
	}
}
