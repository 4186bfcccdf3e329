package wire

import (
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/recent"
)

// says is something that reads a little of every connection, answers that, a part for each time, and hangs up.
func says(t *testing.T, scheme string, parts ...string) *url.URL {
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
			for _, part := range parts {
				c.Read(make([]byte, 1024))
				io.WriteString(c, part)
			}
			c.Close()
		}
	}()
	return &url.URL{Scheme: scheme, Host: l.Addr().String()}
}

// secured is a web by https that answers everything, where it listens, and who it is believed to be.
func secured(t *testing.T) (target string, trusted *x509.CertPool) {
	t.Helper()
	s := httptest.NewTLSServer(http.HandlerFunc(echo))
	t.Cleanup(s.Close)
	trusted = x509.NewCertPool()
	trusted.AddCert(s.Certificate())
	return s.Listener.Addr().String(), trusted
}

// TestWhatIsNoProxy: what answers something else at its address is at fault, and not the host. The request goes to the next.
func TestWhatIsNoProxy(t *testing.T) {
	target, trusted := secured(t)
	good, _ := httpProxy(t, target, "", 0)
	for name, at := range map[string]*url.URL{
		"not HTTP":     says(t, "http", "\x16\x03\x01 hello\r\n\r\n"),
		"not SOCKS":    says(t, "socks5", "HTTP/1.1 400 Bad Request\r\n\r\n"),
		"half a SOCKS": says(t, "socks5", "\x05\x00", "\x05\x00\x07\x09\x00\x00"),
	} {
		_, err := ask(t, byProxies(t, nil, ProxiesConfig{Addresses: []*url.URL{at}}), "https://example.com/")
		if want := ErrProxy.Error() + ": " + at.String() + ": " + errNoProxy.Error(); !NoProxy(err) || Failure(err) != want {
			t.Errorf("%s: %q, want %q (%v)", name, Failure(err), want, err)
		}
		by := byProxies(t, trusted, ProxiesConfig{Addresses: []*url.URL{at, good}})
		for range 3 {
			if _, err := ask(t, by, "https://example.com/"); err != nil {
				t.Errorf("%s: the other proxy is of use: %v", name, err)
			}
		}
	}
}

// TestAnotherProxyReachesTheHost: one that lets nobody through, or has no way to the web, keeps no request from the next. Where it is the
// only one it is told that it was the proxy who said so, and what may be otherwise in a moment is tried again.
func TestAnotherProxyReachesTheHost(t *testing.T) {
	target, trusted := secured(t)
	good, _ := httpProxy(t, target, "", 0)
	strict, _ := httpProxy(t, target, "", http.StatusForbidden)
	cutOff, _ := httpProxy(t, target, "", http.StatusBadGateway)
	for _, c := range []struct {
		at      *url.URL
		want    string
		passing bool
	}{
		{strict, "the proxy lets nobody through to this host and port: 403 Forbidden", false},
		{cutOff, "the proxy could not reach the host: 502 Bad Gateway", true},
		{says(t, "socks5", "\x05\x00", "\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00"), "the proxy lets nobody through to this host and port: connection not allowed by ruleset", false},
		{says(t, "socks5", "\x05\x00", "\x05\x05\x00\x01\x00\x00\x00\x00\x00\x00"), "the proxy could not reach the host: connection refused", true},
	} {
		_, err := ask(t, byProxies(t, nil, ProxiesConfig{Addresses: []*url.URL{c.at}}), "https://example.com/")
		if Failure(err) != c.want || Passing(0, err) != c.passing || errors.Is(err, ErrProxy) {
			t.Errorf("%q, want %q (%v), passing %v, want %v", Failure(err), c.want, err, Passing(0, err), c.passing)
		}
		by := byProxies(t, trusted, ProxiesConfig{Addresses: []*url.URL{c.at, good}})
		for range 3 {
			if _, err := ask(t, by, "https://example.com/"); err != nil {
				t.Errorf("%s: the other proxy is of use: %v", c.want, err)
			}
		}
	}
}

// TestAProxyThatSaidNothing of a host is asked for it after the others, and one that has rested for its silence rests again for one host more.
func TestAProxyThatSaidNothing(t *testing.T) {
	now := time.Unix(1e9, 0)
	at := []*url.URL{{Scheme: "http", Host: "one.example"}, {Scheme: "http", Host: "two.example"}}
	p := &proxies{own: at, rests: []rest{{at: at[0]}, {at: at[1]}}, let: recent.New[string, struct{}](9), now: func() time.Time { return now }}
	choose := func(host string, times int) (chosen []int) {
		for range times {
			n, _, _ := p.choose(httptest.NewRequest(http.MethodGet, "https://"+host+"/", strings.NewReader("")))
			chosen = append(chosen, n)
		}
		return chosen
	}
	silent := func(host string) { p.heard(0, host, nil, http.ErrHandlerTimeout, &passage{}) }
	silent("a.example")
	if have := choose("a.example", 3); !slices.Equal(have, []int{1, 1, 1}) {
		t.Errorf("a host of which it said nothing was taken to %v", have)
	}
	if have := choose("b.example", 4); !slices.Contains(have, 0) {
		t.Errorf("another host was taken to %v", have)
	}
	silent("b.example")
	silent("c.example")
	now = now.Add(proxyRest)
	silent("d.example")
	if have := choose("e.example", 3); !slices.Equal(have, []int{1, 1, 1}) {
		t.Errorf("it has said nothing since it rested, and a host was taken to %v", have)
	}
}
