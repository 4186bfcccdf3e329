package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// names is a resolver of the test's own.
type names struct {
	mu    sync.Mutex
	hosts map[string][]string // answers, one after the other; the last one stays
	asked map[string]int
}

func (n *names) lookup(_ context.Context, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked[host]++
	answers := n.hosts[host]
	if len(answers) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	now := answers[0]
	if len(answers) > 1 {
		n.hosts[host] = answers[1:]
	}
	if now == "fail" {
		return nil, &net.DNSError{Err: "server misbehaving", Name: host, IsTemporary: true}
	}
	return []netip.Addr{netip.MustParseAddr(now)}, nil
}

func newNames(hosts map[string][]string) *names { return &names{hosts: hosts, asked: map[string]int{}} }

func TestResolver(t *testing.T) {
	n := newNames(map[string][]string{"a.example": {"1.1.1.1", "2.2.2.2"}, "shaky.example": {"fail", "3.3.3.3"}})
	clock := &watch{}
	var hits, misses int
	l := Resolver(ResolverConfig{Now: clock.now, Lookup: n.lookup, Hold: time.Minute, Missing: 10 * time.Second, OnLookup: func(_ string, known bool) {
		if known {
			hits++
		} else {
			misses++
		}
	}})
	var g ground
	l.ground(&g)
	look := func(host string) string {
		addrs, err := g.lookup(t.Context(), host)
		if err != nil {
			return "error"
		}
		return addrs[0].String()
	}
	steps := []struct {
		after      time.Duration
		host, want string
	}{
		{0, "a.example", "1.1.1.1"}, {59 * time.Second, "A.example.", "1.1.1.1"}, {time.Second, "a.example", "2.2.2.2"},
		{0, "gone.example", "error"}, {9 * time.Second, "gone.example", "error"}, {time.Second, "gone.example", "error"},
		{0, "shaky.example", "error"}, {0, "shaky.example", "3.3.3.3"}, {0, "shaky.example", "3.3.3.3"},
	}
	for i, s := range steps {
		clock.advance(s.after)
		if got := look(s.host); got != s.want {
			t.Errorf("step %d, %s: %s, want %s", i, s.host, got, s.want)
		}
	}
	if n.asked["a.example"] != 2 || n.asked["gone.example"] != 2 || n.asked["shaky.example"] != 2 || hits != 3 || misses != 6 {
		t.Errorf("asked %v, %d hits, %d misses", n.asked, hits, misses)
	}
}

func TestResolverAsksOnce(t *testing.T) {
	var lookups atomic.Int32
	arrived, open := make(chan struct{}, 20), make(chan struct{})
	l := Resolver(ResolverConfig{Lookup: func(context.Context, string) ([]netip.Addr, error) {
		lookups.Add(1)
		arrived <- struct{}{}
		<-open
		return []netip.Addr{netip.MustParseAddr("1.1.1.1")}, nil
	}})
	var g ground
	l.ground(&g)
	ctx, cancel := context.WithCancel(t.Context())
	impatient := make(chan error)
	go func() { _, err := g.lookup(ctx, "a.example"); impatient <- err }()
	<-arrived
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if _, err := g.lookup(t.Context(), "a.example"); err != nil {
				t.Error(err)
			}
		})
	}
	cancel()
	if err := <-impatient; !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up: %v", err)
	}
	close(open)
	wg.Wait()
	if lookups.Load() != 1 {
		t.Errorf("%d lookups", lookups.Load())
	}
}

// TestResolverAndPrivateNetworks: a name that is public when it is asked for first, and private the next time.
func TestResolverAndPrivateNetworks(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	clock := &watch{}
	n := newNames(map[string][]string{"rebind.example": {"203.0.113.7", "127.0.0.1"}, "home.example": {"127.0.0.1"}})
	dial := func(layers ...Layer) error {
		rt := Stack(nil, append(layers, Resolver(ResolverConfig{Now: clock.now, Lookup: n.lookup}), Limits(LimitsConfig{Connect: time.Minute}))...)
		defer rt.(*stack).CloseIdleConnections()
		_, _, err := get(t, rt, fmt.Sprintf("http://rebind.example:%s/", port))
		if err == nil || errors.Is(err, ErrPrivate) {
			_, _, other := get(t, rt, fmt.Sprintf("http://home.example:%s/", port))
			err = errors.Join(err, other)
		}
		return err
	}
	n.lookup(t.Context(), "rebind.example") // the public answer was for somebody who only looked
	if err := dial(PrivateNetworks(PrivateNetworksConfig{})); !errors.Is(err, ErrPrivate) {
		t.Errorf("rebound to 127.0.0.1: %v", err)
	}
	if err := dial(PrivateNetworks(PrivateNetworksConfig{Allow: []string{"127.0.0.0/8"}})); err != nil {
		t.Errorf("where that is allowed: %v", err)
	}
}

// Who looked in vain among what is known, and then was slower than whoever asked meanwhile, does not ask once more.
func TestWhoComesAsTheAnswerDoesNotAskAgain(t *testing.T) {
	var lookups atomic.Int32
	var inBetween func()
	l := Resolver(ResolverConfig{Lookup: func(context.Context, string) ([]netip.Addr, error) {
		lookups.Add(1)
		return []netip.Addr{netip.MustParseAddr("1.1.1.1")}, nil
	}, OnLookup: func(string, bool) {
		if then := inBetween; then != nil {
			inBetween = nil
			then()
		}
	}})
	var g ground
	l.ground(&g)
	look := func() {
		if _, err := g.lookup(t.Context(), "a.example"); err != nil {
			t.Error(err)
		}
	}
	inBetween = look
	look()
	if n := lookups.Load(); n != 1 {
		t.Errorf("%d lookups", n)
	}
}

// addressed is a transport whose host has two addresses, and how connections to them end; another one that is dialled answers.
func addressed(dialled *[]string, faults map[string]error) *ground {
	l := Resolver(ResolverConfig{Lookup: func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("1.1.1.1"), netip.MustParseAddr("2606:4700::1")}, nil
	}})
	g := &ground{}
	l.ground(g)
	dial := g.dialing(func(_ context.Context, _, address string) (net.Conn, error) {
		*dialled = append(*dialled, address)
		if err := faults[address]; err != nil {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
		}
		conn, other := net.Pipe()
		return conn, other.Close()
	})
	g.reach = &Reach{dial: dial, names: g.names}
	return g
}

// That a machine has no IPv6, which many have not, is not what is wrong with a host: what its IPv4 address came to is.
func TestAMachineWithoutIPv6SaysWhatTheHostSaid(t *testing.T) {
	for name, said := range map[string]error{"refused": syscall.ECONNREFUSED, "silent": syscall.ETIMEDOUT, "private": ErrPrivate} {
		for lacks, none := range map[string]error{"no route": syscall.ENETUNREACH, "no address": syscall.EADDRNOTAVAIL, "no IPv6": syscall.EAFNOSUPPORT} {
			for four, six := range map[error]error{said: none, none: said} { // and the other way round, of a machine with IPv6 alone
				var dialled []string
				g := addressed(&dialled, map[string]error{"1.1.1.1:80": four, "[2606:4700::1]:80": six})
				if _, err := g.reach.dial(t.Context(), "tcp", "a.example:80"); !errors.Is(err, said) || len(dialled) != 2 {
					t.Errorf("%s, and %s: %v, after %v", name, lacks, err, dialled)
				}
			}
		}
	}
	var dialled []string
	g := addressed(&dialled, map[string]error{"1.1.1.1:80": syscall.ECONNREFUSED, "[2606:4700::1]:80": syscall.ENETUNREACH})
	if err := g.reach.reaches(t.Context(), "a.example:80", false); err != nil {
		t.Errorf("a host that refuses was not reached: %v", err)
	}
}

// A host whose first address is dead, as one of several often is, costs the time of a connection once, and not with each request.
func TestADeadAddressOfAHostIsTriedLast(t *testing.T) {
	var dialled []string
	faults := map[string]error{"1.1.1.1:80": syscall.ETIMEDOUT}
	g := addressed(&dialled, faults)
	connects := func(ctx context.Context, want ...string) {
		t.Helper()
		dialled = nil
		if conn, err := g.reach.dial(ctx, "tcp", "a.example:80"); err == nil {
			conn.Close()
		} else if ctx.Err() == nil {
			t.Fatal(err)
		}
		if !slices.Equal(dialled, want) {
			t.Errorf("dialled %v, want %v", dialled, want)
		}
	}
	if _, err := g.lookup(t.Context(), "a.example"); err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	connects(over, "1.1.1.1:80") // whoever gave up has learned nothing
	connects(t.Context(), "1.1.1.1:80", "[2606:4700::1]:80")
	connects(t.Context(), "[2606:4700::1]:80")
	faults["[2606:4700::1]:80"] = syscall.ECONNREFUSED
	delete(faults, "1.1.1.1:80")
	connects(t.Context(), "[2606:4700::1]:80", "1.1.1.1:80")
	connects(t.Context(), "1.1.1.1:80")
}

// watch is a clock that stands still until it is set.
type watch struct{ at atomic.Int64 }

func (w *watch) now() time.Time          { return time.Unix(w.at.Load(), 0) }
func (w *watch) advance(d time.Duration) { w.at.Add(int64(d / time.Second)) }
