package extensions

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

type resolver struct {
	timed
	bounded
	holds    time.Duration
	missing  time.Duration
	lookup   func(ctx context.Context, host string) ([]netip.Addr, error)
	asked    func(host string, known bool)
	known    *recent[string, resolved]
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

// Hold is how long an address holds, and that there is none (Resolver). Default five minutes and one.
func Hold(address, missing time.Duration) Option {
	wantTime("Hold", address)
	wantTime("Hold", missing)
	return option("Hold", func(r *resolver) { r.holds, r.missing = address, missing })
}

// Lookup replaces how names are looked up (Resolver). Default: the resolver of the standard library.
func Lookup(lookup func(ctx context.Context, host string) ([]netip.Addr, error)) Option {
	return option("Lookup", func(r *resolver) { r.lookup = lookup })
}

// OnLookup names who hears of every name that is asked for, and whether the answer was known (Resolver): Meters.Lookup.
func OnLookup(asked func(host string, known bool)) Option {
	return option("OnLookup", func(r *resolver) { r.asked = asked })
}

// lookupWithin is the time that a name server gets.
const lookupWithin = 15 * time.Second

// Resolver is the layer that remembers the addresses of hosts: a crawl asks for the same ones again and again. It
// remembers that a name does not exist, too, but no other failure; many requests for one name are one question.
// PrivateNetworks looks at remembered addresses as at fresh ones, each time one is dialled.
func Resolver(o ...Option) Layer {
	r := &resolver{
		timed: timed{time.Now}, bounded: bounded{50_000}, holds: 5 * time.Minute, missing: time.Minute,
		lookup: func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		},
		asked:    func(string, bool) {},
		underway: map[string]*resolution{},
	}
	tune("Resolver", r, o)
	r.known = newRecent[string, resolved](r.capacity)
	return Layer{name: "Resolver", place: placeResolver, ground: func(g *ground) { g.lookup = r.resolve }}
}

// resolve answers the addresses of a host.
func (r *resolver) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if a, ok := r.known.get(host); ok && r.now().Before(a.until) {
		r.asked(host, true)
		return a.addrs, a.err
	}
	r.asked(host, false)
	r.mu.Lock()
	if a, ok := r.known.get(host); ok && r.now().Before(a.until) { // the answer came meanwhile
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
		return nil, fmt.Errorf("extensions: look up %q: %w", host, context.Cause(ctx))
	}
}

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
		r.known.put(host, l.resolved)
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
