package extensions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Pacer sets a host's clock apart from the usual. Every frontier of focus/frontier is one that has Pace.
type Pacer interface {
	Pace(host string, delay time.Duration)
}

// RobotsGate asks hosts for their robots.txt, each one once however many goroutines want it, and remembers the answer
// as long as it holds. It may be used by many goroutines at once.
type RobotsGate struct {
	refusing
	timed
	bounded
	agent   string
	token   string
	client  *http.Client
	within  time.Duration
	pacer   Pacer
	known   *recent[string, robotsAnswer]
	mu      sync.Mutex
	flights map[string]chan struct{} // closed when the answer is there, or nobody is asking any more
}

type robotsAnswer struct {
	rules *RobotsRules
	until time.Time
}

// Through names the transport that robots.txt files come through (Robots, NewRobotsGate). Default: what Transport
// gave the collector.
func Through(rt http.RoundTripper) Option {
	return option("Through", func(g *RobotsGate) { g.client.Transport = rt })
}

// Token is the name a robots.txt calls the crawler by (Robots, NewRobotsGate). Default: RobotsToken of the User-Agent.
func Token(token string) Option {
	return option("Token", func(g *RobotsGate) { g.token = token })
}

// Pacing names who is told of Crawl-delay (Robots, NewRobotsGate): the frontier of a Queue.
func Pacing(p Pacer) Option {
	return option("Pacing", func(g *RobotsGate) { g.pacer = p })
}

// robotsRedirects is how many redirects of a robots.txt are followed, to whatever host: RFC 9309 asks for five.
const robotsRedirects = 5

// NewRobotsGate makes a gate that asks through a transport, by the name of that User-Agent.
func NewRobotsGate(rt http.RoundTripper, agent string, o ...Option) *RobotsGate {
	g := &RobotsGate{
		timed:   timed{time.Now},
		bounded: bounded{10_000},
		agent:   agent,
		token:   RobotsToken(agent),
		client:  &http.Client{Transport: rt},
		within:  30 * time.Second,
		flights: map[string]chan struct{}{},
	}
	g.client.CheckRedirect = func(_ *http.Request, via []*http.Request) error {
		if len(via) > robotsRedirects {
			return http.ErrUseLastResponse
		}
		return nil
	}
	tune("Robots", g, o)
	g.known = newRecent[string, robotsAnswer](g.capacity)
	return g
}

// Cached answers the rules for a host that are known and still hold. It never asks.
func (g *RobotsGate) Cached(u *url.URL) (*RobotsRules, bool) {
	a, ok := g.known.get(origin(u))
	if !ok || !g.now().Before(a.until) {
		return nil, false
	}
	return a.rules, true
}

// Rules answers the rules for an address's host, and asks the host where they are not known. Of many goroutines that
// want the same one asks; the others wait. It fails only when the context ends.
func (g *RobotsGate) Rules(ctx context.Context, u *url.URL) (*RobotsRules, error) {
	key := origin(u)
	for {
		if rules, ok := g.Cached(u); ok {
			return rules, nil
		}
		g.mu.Lock()
		flight, asked := g.flights[key]
		if !asked {
			g.flights[key] = make(chan struct{})
		}
		g.mu.Unlock()
		if !asked {
			return g.ask(ctx, key, u)
		}
		select {
		case <-flight: // look again: whoever asked may have given up
		case <-ctx.Done():
			return nil, fmt.Errorf("extensions: robots.txt of %s: %w", key, context.Cause(ctx))
		}
	}
}

// Allowed tells whether an address may be fetched, and what decided.
func (g *RobotsGate) Allowed(ctx context.Context, u *url.URL) (bool, string) {
	rules, err := g.Rules(ctx, u)
	if err != nil {
		return false, err.Error()
	}
	return rules.Allowed(u.RequestURI())
}

// RobotsOrigin is the scheme and host that a robots.txt speaks for: a dot behind a name makes no other host of it.
func RobotsOrigin(address string) string {
	scheme, _, _ := strings.Cut(address, "://")
	return strings.ToLower(scheme) + "://" + page.Host(address)
}

func origin(u *url.URL) string { return RobotsOrigin(u.String()) }

// ask fetches a robots.txt and remembers what it says, unless the caller gave up.
func (g *RobotsGate) ask(ctx context.Context, key string, u *url.URL) (*RobotsRules, error) {
	defer func() {
		g.mu.Lock()
		close(g.flights[key])
		delete(g.flights, key)
		g.mu.Unlock()
	}()
	if rules, ok := g.Cached(u); ok { // the answer came meanwhile
		return rules, nil
	}
	status, body, err := g.fetch(ctx, key)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("extensions: robots.txt of %s: %w", key, context.Cause(ctx))
	}
	rules := RobotsFor(status, body, err, g.token)
	g.known.put(key, robotsAnswer{rules, g.now().Add(rules.Life())})
	if g.pacer != nil && rules.Delay() > 0 {
		g.pacer.Pace(page.Host(key+"/"), rules.Delay())
	}
	return rules, nil
}

func (g *RobotsGate) fetch(ctx context.Context, key string) (int, []byte, error) {
	// A redirect of a robots.txt is not itself looked up in a robots.txt.
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, gateKey{}, nil), g.within)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, key+"/robots.txt", nil)
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("User-Agent", g.agent)
	r.Header.Set("Accept", "text/plain,*/*;q=0.5")
	resp, err := g.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, robotsLength+1))
	switch cut := resp.Header.Get(CutHeader); cut {
	case CutShort, CutTime, CutDamaged:
		err = errors.New("body cut: " + cut)
	}
	return resp.StatusCode, body, err
}
