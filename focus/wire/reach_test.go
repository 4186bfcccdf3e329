package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// outside is what a machine's network lets it reach.
type outside struct {
	*Reach
	mu      sync.Mutex
	fault   error // of every connection
	nameOf  error // of every name
	dead    []string
	dialled int
	top     http.RoundTripper
}

func newOutside() *outside {
	o := &outside{Reach: new(Reach)}
	o.names = &resolver{now: time.Now, missing: time.Minute, lookup: func(context.Context, string) ([]netip.Addr, error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		return []netip.Addr{netip.MustParseAddr("1.1.1.1")}, o.nameOf
	}}
	o.dial = func(context.Context, string, string) (net.Conn, error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.dialled++
		if o.fault != nil {
			return nil, o.fault
		}
		conn, other := net.Pipe()
		return conn, other.Close()
	}
	o.top = o.Layer().wrap(roundTripper(func(r *http.Request) (*http.Response, error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		switch {
		case o.nameOf != nil:
			return nil, o.nameOf
		case o.fault != nil:
			return nil, o.fault
		case slices.Contains(o.dead, r.URL.Host):
			return nil, &net.DNSError{Err: "no such host", Name: r.URL.Host, IsNotFound: true}
		}
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(""))}, nil
	}))
	return o
}

// set changes what fails.
func (o *outside) set(fault, nameOf error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.fault, o.nameOf = fault, nameOf
}

// ask answers how a request ended, and how long it took.
func (o *outside) ask(ctx context.Context, host string) (time.Duration, error) {
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+"/", nil)
	began := time.Now()
	_, err := o.top.RoundTrip(r)
	return time.Since(began), err
}

var (
	noRoute   = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ENETUNREACH}
	silent    = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ETIMEDOUT}
	noServer  = &net.DNSError{Err: "server misbehaving", IsTemporary: true}
	nameless  = &net.DNSError{Err: "no such host", IsNotFound: true}
	refuses   = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	forbidden = &net.OpError{Op: "dial", Net: "tcp", Err: ErrPrivate}
)

// Where the network is away requests wait until it is back, and end with an error that says nothing of their host. Where a host is
// gone, or of one host alone it cannot be told, the error is the host's.
func TestReach(t *testing.T) {
	for name, c := range map[string]struct {
		hosts         []string // that have answered
		fault, nameOf error
		away          bool
	}{
		"no way":                    {[]string{"a.example", "b.example:81"}, noRoute, nil, true},
		"no way to one alone":       {[]string{"a.example"}, noRoute, nil, true},
		"silence":                   {[]string{"a.example", "b.example"}, silent, nil, true},
		"silence of one alone":      {[]string{"a.example"}, silent, nil, false},
		"no name server":            {[]string{"a.example"}, nil, noServer, true},
		"a server that knows none":  {[]string{"a.example", "b.example"}, nil, nameless, true},
		"one name alone is gone":    {[]string{"a.example"}, nil, nameless, false},
		"nobody has answered":       {nil, noRoute, nil, false},
		"they refuse a connection":  {[]string{"a.example", "b.example"}, refuses, nil, false},
		"they are private":          {[]string{"a.example", "b.example"}, forbidden, nil, false},
		"the request was given up":  {[]string{"a.example", "b.example"}, context.Canceled, nil, false},
		"names that are addresses":  {[]string{"1.2.3.4", "[::1]:81"}, noRoute, nil, true},
		"the answer broke off":      {[]string{"a.example", "b.example"}, io.ErrUnexpectedEOF, nil, false},
		"time is over, both silent": {[]string{"a.example", "b.example"}, context.DeadlineExceeded, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newOutside()
				for _, host := range c.hosts {
					if _, err := o.ask(t.Context(), host); err != nil {
						t.Fatal(err)
					}
				}
				o.set(c.fault, c.nameOf)
				back := time.AfterFunc(23*time.Second, func() { o.set(nil, nil) })
				defer back.Stop()
				time.Sleep(time.Second)
				took, err := o.ask(t.Context(), "c.example")
				if is := errors.Is(err, ErrAway); is != c.away || err == nil || !c.away && took > 0 || c.away && (took < 20*time.Second || took > 30*time.Second) {
					t.Fatalf("after %v: %v", took, err)
				}
				if !c.away {
					return
				}
				if why := o.Away(); why != "" {
					t.Errorf("it is back, and it says %s", why)
				}
				if took, err := o.ask(t.Context(), "c.example"); err != nil || took > 0 {
					t.Errorf("it is back, and after %v: %v", took, err)
				}
			})
		})
	}
}

// While others answer, a host that is gone costs a connection now and then, and none where one has answered since it was asked.
func TestReachOfADeadHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutside()
		o.dead = []string{"dead.example"}
		o.ask(t.Context(), "a.example")
		for range 100 {
			if _, err := o.ask(t.Context(), "dead.example"); err == nil || errors.Is(err, ErrAway) {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if o.dialled > 3 {
			t.Errorf("%d connections in ten seconds", o.dialled)
		}
	})
}

// A request that comes while the network is away waits without being made, as long as it may; who wants to know is told why. After
// half a day it is believed that the hosts are gone.
func TestReachWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutside()
		o.ask(t.Context(), "a.example")
		o.ask(t.Context(), "b.example")
		o.set(silent, nil)
		short, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for range 2 {
			if _, err := o.ask(short, "c.example"); !errors.Is(err, ErrAway) {
				t.Fatal(err)
			}
		}
		if why := o.Away(); !strings.Contains(why, "b.example:80, a.example:80, which answered before") || !strings.Contains(why, "(timeout)") {
			t.Errorf("it says %q", why)
		}
		if took, err := o.ask(t.Context(), "c.example"); errors.Is(err, ErrAway) && took < mostAway-2*time.Minute || took > mostAway+time.Minute {
			t.Errorf("after %v: %v", took, err)
		}
		if took, err := o.ask(t.Context(), "c.example"); err == nil || errors.Is(err, ErrAway) || took > 0 {
			t.Errorf("when they are taken for gone, after %v: %v", took, err)
		}
	})
}

// A site is one, whatever hosts and ports of it have answered, in this process or an earlier one: it may not want us any more.
func TestReachOfOneHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutside()
		o.Knew([]string{"a.example", "www.a.example:8080"})
		for _, host := range []string{"a.example", "b.a.example:81", "a.example:443"} {
			if _, err := o.ask(t.Context(), host); err != nil {
				t.Fatal(err)
			}
		}
		o.set(silent, nil)
		if took, err := o.ask(t.Context(), "a.example"); !errors.Is(err, silent) || errors.Is(err, ErrAway) || took > 0 {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

// Where there are proxies, hosts that answered an earlier process may have no name here: that one cannot be reached is its own affair.
func TestReachBehindProxies(t *testing.T) {
	for _, own := range [][]*url.URL{nil, {{Scheme: "http", Host: "proxy.test:3128"}}} {
		t.Setenv("HTTP_PROXY", map[bool]string{true: "http://proxy.test:3128"}[own == nil])
		synctest.Test(t, func(t *testing.T) {
			o := newOutside()
			g := ground{reach: o.Reach, names: o.names}
			Proxies(ProxiesConfig{Addresses: own}).ground(&g)
			dial := o.dial
			g.transport(&http.Transport{})
			o.dial = dial
			o.Knew([]string{"a.example", "b.example"})
			o.set(nil, nameless)
			if took, err := o.ask(t.Context(), "c.example"); err == nil || errors.Is(err, ErrAway) || took > 0 {
				t.Errorf("after %v: %v", took, err)
			}
		})
	}
}

// Who answers while it is tried whether others can be reached is somebody, and so is who answers later.
func TestReachHearsMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutside()
		o.ask(t.Context(), "a.example")
		o.ask(t.Context(), "b.example")
		o.names = nil // it is tried by connections
		o.dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			time.Sleep(3 * time.Second)
			return nil, silent
		}
		o.dead = []string{"c.example"}
		defer time.AfterFunc(time.Second, func() { o.heard("good.example:80", time.Now()) }).Stop()
		if _, err := o.ask(t.Context(), "c.example"); err == nil || errors.Is(err, ErrAway) {
			t.Errorf("while another answered: %v", err)
		}
		defer time.AfterFunc(6*time.Second, func() { o.heard("good.example:80", time.Now()) }).Stop()
		o.names = &resolver{now: time.Now, lookup: func(context.Context, string) ([]netip.Addr, error) { return nil, noServer }}
		if took, err := o.ask(t.Context(), "c.example"); !errors.Is(err, ErrAway) || took > 10*time.Second || o.names.back.Load() == 0 {
			t.Errorf("until another answered, after %v: %v; missing names are forgotten since %d", took, err, o.names.back.Load())
		}
	})
}

// Of a host that answered an earlier process nobody knows whether it was by http or by https.
func TestReachKnewByHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutside()
		o.dial = func(_ context.Context, _, address string) (net.Conn, error) {
			if !strings.HasSuffix(address, ":80") && address != "[::1]:81" {
				return nil, silent
			}
			conn, other := net.Pipe()
			return conn, other.Close()
		}
		o.names, o.dead = nil, []string{"c.example"}
		for _, knew := range [][]string{{"a.example", "b.example"}, {"[::1]:81", "x.example:82"}} {
			o.known = nil
			o.Knew(knew)
			if _, err := o.ask(t.Context(), "c.example"); err == nil || errors.Is(err, ErrAway) {
				t.Errorf("where it knew %v: %v", knew, err)
			}
			time.Sleep(time.Minute)
		}
	})
}

// That a name does not exist, heard while the network was away, is forgotten when it is back.
func TestReachForgetsMissingNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		missing := true
		resolver := Resolver(ResolverConfig{Lookup: func(_ context.Context, host string) ([]netip.Addr, error) {
			if missing {
				return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
			}
			return []netip.Addr{netip.MustParseAddr("1.1.1.1")}, nil
		}})
		var g ground
		resolver.ground(&g)
		if _, err := g.lookup(t.Context(), "a.example"); err == nil {
			t.Fatal("it exists")
		}
		missing = false
		time.Sleep(time.Second)
		if _, err := g.lookup(t.Context(), "a.example"); err == nil {
			t.Fatal("it is not remembered")
		}
		g.names.unlearn()
		if _, err := g.lookup(t.Context(), "a.example"); err != nil {
			t.Fatal(err)
		}
	})
}

// Where no proxy lets anybody through that did before, requests wait until one can be reached, or has rested: it is nobody's fault
// that was asked for. What never was of use is told as it is.
func TestReachByProxies(t *testing.T) {
	one, other := &url.URL{Scheme: "http", Host: "one.test:3128"}, &url.URL{Scheme: "socks5", Host: "other.test"}
	unreachable := &net.OpError{Op: "proxyconnect", Err: refuses}
	for name, c := range map[string]struct {
		proxies     []*url.URL // nil is that of the environment
		used        bool       // before
		knew        bool       // an earlier process used it
		fault       error      // of a request; nil is the answer that a password is wanted
		host        string     // that is asked for then; of others than a.example nobody knows
		from, until time.Duration
	}{
		"it is dead":                            {[]*url.URL{one}, true, false, unreachable, "b.example", 20 * time.Second, 30 * time.Second},
		"both are":                              {[]*url.URL{one, other}, true, false, unreachable, "b.example", 20 * time.Second, 30 * time.Second},
		"that of the environment":               {nil, true, false, unreachable, "b.example", 20 * time.Second, 30 * time.Second},
		"it was reached, and lets nobody":       {[]*url.URL{one}, true, false, nil, "b.example", 0, 0},
		"it was, to an earlier process":         {[]*url.URL{one}, false, true, unreachable, "b.example", 20 * time.Second, 30 * time.Second},
		"it never was of use":                   {[]*url.URL{one}, false, false, unreachable, "b.example", 0, 0},
		"that of the environment, neither":      {nil, false, false, unreachable, "b.example", 0, 0},
		"it wants another password":             {[]*url.URL{one}, true, false, nil, "a.example", time.Minute, 66 * time.Second},
		"it does, to another process":           {[]*url.URL{one}, false, true, nil, "b.example", time.Minute, 66 * time.Second},
		"it always wanted one":                  {[]*url.URL{one}, false, false, nil, "a.example", 0, 0},
		"something else answers there":          {[]*url.URL{other}, true, false, errors.New("socks connect tcp other.test:1080->a.example:80: unexpected protocol version 72"), "a.example", 20 * time.Second, 30 * time.Second},
		"that of the environment wants another": {nil, true, false, nil, "a.example", time.Minute, 66 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HTTP_PROXY", one.String())
			synctest.Test(t, func(t *testing.T) {
				o, locked := newOutside(), false
				layer := Proxies(ProxiesConfig{Addresses: c.proxies})
				layer.ground(&ground{reach: o.Reach})
				o.top = layer.wrap(roundTripper(func(r *http.Request) (*http.Response, error) {
					o.mu.Lock()
					defer o.mu.Unlock()
					if o.fault != nil {
						return nil, c.fault
					}
					status := http.StatusOK
					if locked {
						status = http.StatusProxyAuthRequired
					}
					return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(""))}, nil
				}))
				if c.knew {
					o.Knew([]string{"a.example"})
				}
				if c.used {
					if _, err := o.ask(t.Context(), "a.example"); err != nil {
						t.Fatal(err)
					}
				}
				if locked = c.fault == nil; !locked {
					o.set(refuses, nil)
					defer time.AfterFunc(23*time.Second, func() { o.set(nil, nil) }).Stop()
				}
				took, err := o.ask(t.Context(), c.host)
				waits := c.until > 0
				if errors.Is(err, ErrAway) != waits || !errors.Is(err, ErrProxy) || took < c.from || took > c.until {
					t.Fatalf("after %v: %v", took, err)
				}
				if locked = false; Passing(0, err) != (c.used || c.fault != nil) {
					t.Errorf("it may pass: %v, %v", Passing(0, err), err)
				}
				if !waits {
					return
				}
				if took, err := o.ask(t.Context(), c.host); err != nil || took > 0 {
					t.Errorf("it is back, and after %v: %v", took, err)
				}
			})
		})
	}
}

// Of two proxies of the environment each stands alone: where the one that was of use is away, it is waited for, whatever the other does;
// one that never was, while the other is, is wrong.
func TestReachByTwoProxiesOfTheEnvironment(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://one.test:3128")
	t.Setenv("HTTPS_PROXY", "http://other.test:3128")
	for name, used := range map[string]bool{"it was of use": true, "it never was": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newOutside()
				layer := Proxies(ProxiesConfig{})
				layer.ground(&ground{reach: o.Reach})
				dead := false
				top := layer.wrap(roundTripper(func(r *http.Request) (*http.Response, error) {
					if dead && r.URL.Scheme == "http" {
						return nil, &net.OpError{Op: "proxyconnect", Err: refuses}
					}
					return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
				}))
				ask := func(address string) (time.Duration, error) {
					r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
					began := time.Now()
					_, err := top.RoundTrip(r)
					return time.Since(began), err
				}
				if _, err := ask("https://a.example/"); err != nil {
					t.Fatal(err)
				}
				if used {
					if _, err := ask("http://a.example/"); err != nil {
						t.Fatal(err)
					}
				}
				dead = true
				o.set(refuses, nil)
				defer time.AfterFunc(23*time.Second, func() { o.set(nil, nil) }).Stop()
				if took, err := ask("http://b.example/"); !errors.Is(err, ErrProxy) || errors.Is(err, ErrAway) != used || (took >= 20*time.Second) != used {
					t.Errorf("after %v: %v", took, err)
				}
			})
		})
	}
}

// A host that answers as only a proxy should, while that lets others through, is waited for once, and no second time. Behind a tunnel it
// is the host anyway.
func TestReachOfAHostThatAnswersLikeAProxy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, status := newOutside(), http.StatusOK
		layer := Proxies(ProxiesConfig{Addresses: []*url.URL{{Scheme: "http", Host: "one.test:3128"}}})
		layer.ground(&ground{reach: o.Reach})
		o.top = layer.wrap(roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.URL.Host == "b.example" {
				return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
			}
			return &http.Response{StatusCode: status, Body: http.NoBody}, nil
		}))
		if _, err := o.ask(t.Context(), "a.example"); err != nil {
			t.Fatal(err)
		}
		status = http.StatusProxyAuthRequired
		if _, err := o.ask(t.Context(), "a.example"); !errors.Is(err, ErrAway) {
			t.Errorf("the first time: %v", err)
		}
		if took, err := o.ask(t.Context(), "b.example"); err != nil || took > 0 {
			t.Errorf("another, after %v: %v", took, err)
		}
		if took, err := o.ask(t.Context(), "a.example"); !errors.Is(err, ErrProxy) || errors.Is(err, ErrAway) || took > 0 {
			t.Errorf("the second time, after %v: %v", took, err)
		}
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://a.example/", nil)
		if resp, err := o.top.RoundTrip(r); err != nil || resp.StatusCode != status {
			t.Errorf("by a tunnel: %v, %v", resp, err)
		}
	})
}
