package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/thresher-crawler/thresher/focus/recent"
)

type resolver struct {
	now      func() time.Time
	holds    time.Duration
	missing  time.Duration
	lookup   func(ctx context.Context, host string) ([]netip.Addr, error)
	asked    func(host string, known bool)
	known    *recent.Map[string, resolved]
	back     atomic.Int64 // when the network came back: that a name did not exist before says nothing
	mu       sync.Mutex
	underway map[string]*resolution
}

// resolved is what is known of a name.
type resolved struct {
	addrs []netip.Addr
	err   error // that the name does not exist
	until time.Time
}

// resolution is a lookup under way.
type resolution struct {
	done chan struct{}
	resolved
}

// ResolverConfig tunes Resolver; the zero value is the default.
type ResolverConfig struct {
	Hold     time.Duration // how long an address holds; 0 means five minutes
	Missing  time.Duration // how long it holds that a name does not exist; 0 means one minute
	Remember int           // hosts at most; 0 means 50,000
	// Lookup looks names up; nil is the resolver of the standard library.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	// OnLookup hears of every name that is asked for, and whether the answer was known; nil is nobody.
	OnLookup func(host string, known bool)
	Now      func() time.Time // the clock; nil is the wall's
}

// lookupWithin is the time that a name server gets.
const lookupWithin = 15 * time.Second

// Resolver is the layer that remembers the addresses of hosts: a crawl asks for the same ones again and again. It
// remembers that a name does not exist, too, but no other failure; many requests for one name are one question.
// PrivateNetworks looks at remembered addresses as at fresh ones, each time one is dialled.
func Resolver(o ResolverConfig) Layer {
	r := &resolver{
		now: o.Now, holds: setting("ResolverConfig.Hold", o.Hold, 5*time.Minute), missing: setting("ResolverConfig.Missing", o.Missing, time.Minute),
		lookup: o.Lookup, asked: o.OnLookup,
		known:    recent.New[string, resolved](setting("ResolverConfig.Remember", o.Remember, 50_000)),
		underway: map[string]*resolution{},
	}
	if r.now == nil {
		r.now = time.Now
	}
	if r.lookup == nil {
		r.lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if r.asked == nil {
		r.asked = func(string, bool) {}
	}
	return Layer{name: "Resolver", place: AtResolver, ground: func(g *ground) { g.lookup, g.names = r.resolve, r }}
}

// resolve answers the addresses of a host.
func (r *resolver) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if a, ok := r.known.Get(host); ok && r.holdsStill(a) {
		r.asked(host, true)
		return a.addrs, a.err
	}
	r.asked(host, false)
	r.mu.Lock()
	if a, ok := r.known.Get(host); ok && r.holdsStill(a) { // the answer came meanwhile
		r.mu.Unlock()
		return a.addrs, a.err
	}
	l, ok := r.underway[host]
	if !ok {
		l = &resolution{done: make(chan struct{})}
		r.underway[host] = l
		go r.ask(l, host)
	}
	r.mu.Unlock()
	select {
	case <-l.done:
		return l.addrs, l.err
	case <-ctx.Done():
		return nil, fmt.Errorf("look up %q: %w", host, context.Cause(ctx))
	}
}

// demote puts an address of a host behind its others, for as long as they hold: nothing came of the connection.
func (r *resolver) demote(host string, dead netip.Addr) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if a, ok := r.known.Get(host); !ok || len(a.addrs) < 2 {
		return
	}
	r.known.Update(host, func(a resolved, _ bool) resolved {
		if rest := slices.DeleteFunc(slices.Clone(a.addrs), func(b netip.Addr) bool { return b == dead }); len(rest) < len(a.addrs) {
			a.addrs = append(rest, dead)
		}
		return a
	})
}

// holdsStill tells whether what is known of a name still holds.
func (r *resolver) holdsStill(a resolved) bool {
	return r.now().Before(a.until) && (len(a.addrs) > 0 || a.until.Add(-r.missing).UnixNano() > r.back.Load())
}

// unlearn forgets which names do not exist.
func (r *resolver) unlearn() { r.back.Store(r.now().UnixNano()) }

// ask looks a name up for all who want it: none of them can give it up for the others.
func (r *resolver) ask(l *resolution, host string) {
	ctx, cancel := context.WithTimeout(context.Background(), lookupWithin)
	defer cancel()
	addrs, err := r.lookup(ctx, host)
	l.addrs, l.err = first4(addrs), err
	var dns *net.DNSError
	switch {
	case err == nil && len(addrs) > 0:
		l.until = r.now().Add(r.holds)
	case err == nil, errors.As(err, &dns) && dns.IsNotFound:
		l.until = r.now().Add(r.missing)
	}
	r.mu.Lock()
	if !l.until.IsZero() {
		r.known.Put(host, l.resolved)
	}
	delete(r.underway, host)
	r.mu.Unlock()
	close(l.done)
}

// first4 puts IPv4 addresses first: where IPv6 does not work, it often looks as if it did.
func first4(addrs []netip.Addr) []netip.Addr {
	sorted := make([]netip.Addr, 0, len(addrs))
	for _, a := range addrs {
		sorted = append(sorted, a.Unmap())
	}
	slices.SortStableFunc(sorted, func(a, b netip.Addr) int { return a.BitLen() - b.BitLen() })
	return sorted
}
