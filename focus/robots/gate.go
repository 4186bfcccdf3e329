package robots

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// Pacer sets a host's clock apart from the usual. Every frontier of focus/frontier is one that has Pace.
type Pacer interface {
	Pace(host string, delay time.Duration)
}

// GateConfig tunes a Gate; the zero value is the default.
type GateConfig struct {
	Token    string           // the name a robots.txt calls the crawler by; empty means that of the User-Agent
	Pacing   Pacer            // who is told of Crawl-delay, up to MostDelay, such as the frontier of a queue; nil is nobody
	Remember int              // hosts at most; 0 means 10,000
	Now      func() time.Time // the clock; nil is the wall's
}

// Gate asks hosts for their robots.txt, each one once however many goroutines want it, and remembers the answer as long
// as it holds. It may be used by many goroutines at once.
type Gate struct {
	agent  string
	token  string
	client *http.Client
	pacer  Pacer
	now    func() time.Time

	mu     sync.Mutex
	keeper *Keeper
}

// NewGate makes a gate that asks through a transport, by the name of that User-Agent.
func NewGate(rt http.RoundTripper, agent string, o GateConfig) *Gate {
	if o.Remember < 0 {
		panic(fmt.Sprintf("robots.GateConfig.Remember is %d: want a value above 0, or 0 for the default", o.Remember))
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Gate{
		agent: agent, client: Client(rt), pacer: o.Pacing, now: o.Now,
		token: cmp.Or(o.Token, Token(agent)), keeper: NewKeeper(1, cmp.Or(o.Remember, 10_000)),
	}
}

// Token is the name that robots.txt files call the crawler by.
func (g *Gate) Token() string { return g.token }

// Cached answers the rules for a host that are known and still hold. It never asks.
func (g *Gate) Cached(u *url.URL) (*Rules, bool) {
	now := g.now()
	g.mu.Lock()
	defer g.mu.Unlock()
	rules, asks := g.keeper.Known(originOf(u), now)
	return rules, asks == ""
}

// Rules answers the rules for an address's host, and asks the host where they are not known. Of many goroutines that
// want the same one asks; the others wait. It fails only when the context ends.
func (g *Gate) Rules(ctx context.Context, u *url.URL) (*Rules, error) {
	at := originOf(u)
	for {
		rules, flight, first := g.knownOrFlight(at)
		switch {
		case rules != nil:
			return rules, nil
		case first:
			return g.ask(ctx, flight)
		}
		select {
		case <-flight.done: // look again: whoever asked may have given up
		case <-ctx.Done():
			return nil, fmt.Errorf("robots.txt of %s: %w", at, context.Cause(ctx))
		}
	}
}

// knownOrFlight answers what is known of an origin, or who asks, and whether that is the caller's part.
func (g *Gate) knownOrFlight(at string) (rules *Rules, flight *Flight, first bool) {
	now := g.now()
	g.mu.Lock()
	defer g.mu.Unlock()
	if rules, asks := g.keeper.Known(at, now); asks == "" {
		return rules, nil, false
	}
	flight = g.keeper.Flight(at)
	first, flight.Begun = !flight.Begun, true
	return nil, flight, first
}

// Allowed tells whether an address may be fetched, and what decided.
func (g *Gate) Allowed(ctx context.Context, u *url.URL) (bool, string) {
	rules, err := g.Rules(ctx, u)
	if err != nil {
		return false, err.Error()
	}
	return rules.Allowed(u.RequestURI())
}

func originOf(u *url.URL) string { return Origin(u.String()) }

// ask fetches a robots.txt and remembers what it says, unless the caller gave up.
func (g *Gate) ask(ctx context.Context, f *Flight) (*Rules, error) {
	defer close(f.done)
	// A redirect of a robots.txt is not itself looked up in a robots.txt.
	a := Fetch(wire.WithHopCheck(ctx, nil), g.client, f.Address(), g.agent, fetchWithin)
	rules, now := a.Rules(g.token), g.now()
	g.mu.Lock()
	if ctx.Err() != nil {
		delete(g.keeper.Flights, f.Origin)
		g.mu.Unlock()
		return nil, fmt.Errorf("robots.txt of %s: %w", f.Origin, context.Cause(ctx))
	}
	g.keeper.Take(f.Origin, rules, now)
	g.mu.Unlock()
	if g.pacer != nil && f.Delay > 0 {
		g.pacer.Pace(page.Host(f.Origin+"/"), min(f.Delay, MostDelay))
	}
	return rules, nil
}
