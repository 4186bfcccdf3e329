package wire

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestPrivateAddresses(t *testing.T) {
	refused := []string{
		"127.0.0.1", "127.8.8.8", "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "100.127.255.255",
		"169.254.169.254", "168.63.129.16", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1",
		"192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255",
		"240.0.0.1", "255.255.255.255",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
		"64:ff9b:1::1", "2002:7f00:1::", "2002:c0a8:101::1", "2001::1", "2001:2::1", "2001:10::1", "2001:20::1",
		"2001:db8::1", "3fff::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "100::1",
		"4000::1",
	}
	for _, a := range refused {
		if err := (&networks{}).refuse("h.example", netip.MustParseAddr(a)); !errors.Is(err, ErrPrivate) {
			t.Errorf("%s: got %v", a, err)
		}
	}
	public := []string{"1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "192.0.1.1",
		"198.17.0.1", "223.255.255.255", "2606:4700::1111", "2400:3200::1", "64:ff9b::101:101", "2002:101:101::1", "::ffff:1.1.1.1"}
	for _, a := range public {
		if err := (&networks{}).refuse("h.example", netip.MustParseAddr(a)); err != nil {
			t.Errorf("%s: %v", a, err)
		}
	}
	if err := (&networks{}).refuse("h.example", netip.Addr{}); !errors.Is(err, ErrPrivate) {
		t.Errorf("no address: %v", err)
	}
}

func TestPrivateNetworksAllows(t *testing.T) {
	cases := []struct {
		allow, host, ip string
		want            bool
	}{
		{"intranet.example", "INTRANET.example.", "10.0.0.1", true},
		{"Bücher.example", "xn--bcher-kva.example", "10.0.0.1", true},
		{"intranet.example", "other.example", "10.0.0.1", false},
		{"intranet.example", "sub.intranet.example", "10.0.0.1", false},
		{"10.1.0.0/16", "a.example", "10.1.2.3", true},
		{"10.1.0.0/16", "a.example", "10.2.2.3", false},
		{"10.1.0.0/16", "a.example", "::ffff:10.1.2.3", true},
		{"127.0.0.1", "a.example", "127.0.0.1", true},
		{"127.0.0.1", "a.example", "127.0.0.2", false},
		{"::1", "a.example", "::1", true},
		{"fd00::/8", "a.example", "fd12::1", true},
	}
	for _, c := range cases {
		n := &networks{}
		n.allow(c.allow)
		if got := n.refuse(c.host, netip.MustParseAddr(c.ip)) == nil; got != c.want {
			t.Errorf("Allow(%q), %s at %s: let through %v, want %v", c.allow, c.host, c.ip, got, c.want)
		}
	}
}

// TestPrivateNetworksLooksWhenItDials: the name is public until it is dialled.
func TestPrivateNetworksLooksWhenItDials(t *testing.T) {
	hits := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { hits++ }))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())

	answers := [][]netip.Addr{{netip.MustParseAddr("127.0.0.1")}}
	rebinding := Layer{name: "resolver of the test", place: AtResolver, ground: func(g *ground) {
		g.lookup = func(context.Context, string) ([]netip.Addr, error) { return answers[0], nil }
	}}
	rt := Stack(nil, PrivateNetworks(PrivateNetworksConfig{}), rebinding)
	defer rt.(*stack).CloseIdleConnections()
	if _, _, err := get(t, rt, "http://public.example:"+port+"/"); !errors.Is(err, ErrPrivate) {
		t.Errorf("got %v, want %v", err, ErrPrivate)
	}
	for _, address := range []string{server.URL, "http://localhost:" + port, "http://[::ffff:127.0.0.1]:" + port} {
		if _, _, err := get(t, Stack(nil, PrivateNetworks(PrivateNetworksConfig{})), address); !errors.Is(err, ErrPrivate) {
			t.Errorf("%s: got %v, want %v", address, err, ErrPrivate)
		}
	}
	if hits != 0 {
		t.Errorf("%d requests arrived", hits)
	}
	allowed := Stack(nil, PrivateNetworks(PrivateNetworksConfig{Allow: []string{"public.example"}}), rebinding)
	defer allowed.(*stack).CloseIdleConnections()
	if _, _, err := get(t, allowed, "http://public.example:"+port+"/"); err != nil || hits != 1 {
		t.Errorf("allowed by name: %v, %d requests", err, hits)
	}
}

// TestPrivateNetworksKeepsAForeignDialer: a transport that brings a dialer of its own keeps it, and is still watched.
func TestPrivateNetworksKeepsAForeignDialer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	dialled := 0
	base := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		dialled++
		return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
	}}
	if _, _, err := get(t, Stack(base, PrivateNetworks(PrivateNetworksConfig{})), "http://public.example/"); !errors.Is(err, ErrPrivate) || dialled != 1 {
		t.Errorf("got %v after %d dials", err, dialled)
	}
}

func TestPrivateNetworksRefusesOtherSchemes(t *testing.T) {
	rt := Stack(answer(200, nil, ""), PrivateNetworks(PrivateNetworksConfig{}))
	for _, address := range []string{"file:///etc/passwd", "ftp://a.example/", "gopher://a.example/"} {
		if _, _, err := get(t, rt, address); !errors.Is(err, ErrScheme) {
			t.Errorf("%s: got %v, want %v", address, err, ErrScheme)
		}
	}
	if _, _, err := get(t, rt, "http://169.254.169.254/latest/meta-data/"); !errors.Is(err, ErrPrivate) {
		t.Errorf("an address that needs no resolving: %v", err)
	}
}

// TestANameThatIsReboundIsNotReached: a name server of the test's own says a public address first and a private one after that,
// or both at once. What is dialled is looked at each time, and the private one is reached neither by a page nor by a redirect.
func TestANameThatIsReboundIsNotReached(t *testing.T) {
	reached := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	public, private := netip.MustParseAddr("192.0.9.1"), netip.MustParseAddr("127.0.0.1")
	for name, answers := range map[string][][]netip.Addr{
		"public first":  {{public}, {private}, {private}},
		"both at once":  {{public, private}, {private, public}, {public, private}},
		"wrapped later": {{public}, {netip.MustParseAddr("::ffff:127.0.0.1")}, {netip.MustParseAddr("64:ff9b::7f00:1")}},
	} {
		asked, clock := 0, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		names := Resolver(ResolverConfig{Hold: time.Second, Now: func() time.Time { return clock },
			Lookup: func(context.Context, string) ([]netip.Addr, error) {
				asked++
				return answers[min(asked, len(answers))-1], nil
			}})
		base := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if strings.HasPrefix(address, public.String()) {
				return nil, errors.New("there is nobody at the public address")
			}
			return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
		}}
		rt := Stack(base, PrivateNetworks(PrivateNetworksConfig{}), names)
		for range 3 {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://rebinds.example:"+port+"/", nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := rt.RoundTrip(r)
			if err == nil {
				resp.Body.Close()
				t.Errorf("%s: it was answered at its lookup %d", name, asked)
			}
			clock = clock.Add(2 * time.Second) // what was looked up holds no longer
		}
		if asked != 3 {
			t.Errorf("%s: %d lookups, want 3", name, asked)
		}
	}
	if reached > 0 {
		t.Errorf("the private address was reached %d times", reached)
	}
}
