package focus

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/robots"
)

// patrol is one web that a scout goes to, with the clocks of its hosts.
type patrol struct {
	frontier *frontier.Memory
	clock    clock
	client   *http.Client
	gate     *robots.Gate // nil where robots.txt is ignored

	mu    sync.Mutex
	trips map[uint64]*trip
	down  map[string]error // hosts that nobody is sent to any more
}

// trip is an errand on its way.
type trip struct {
	errand Errand
	at     string // where it is by now, redirects followed
	hops   int
}

func (s *Scout) patrol(through http.RoundTripper, at clock) *patrol {
	p := s.config.Polite
	manners := frontier.Manners{Delay: p.Delay.Duration(), PerHost: p.PerHost}
	at.keep(&manners)
	w := &patrol{frontier: frontier.NewMemory(manners), clock: at, trips: map[uint64]*trip{}, down: map[string]error{},
		client: &http.Client{Transport: through, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	if p.Robots == "obey" {
		w.gate = robots.NewGate(through, s.crawl.agent(), robots.GateConfig{Pacing: w.frontier})
	}
	return w
}

// send lets a trip wait for its host.
func (w *patrol) send(t *trip) error {
	identity, err := page.Canonical(t.at)
	if err != nil {
		return fmt.Errorf("is no address: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	id, fresh, err := w.frontier.Push(frontier.Item{URL: t.at, Identity: identity, Host: page.Host(t.at), Score: float32(t.errand.Promise)})
	if err == nil && !fresh {
		err = ErrTwice
	}
	if err == nil {
		w.trips[id] = t
	}
	return err
}

// walk runs all trips that wait.
func (s *Scout) walk(ctx context.Context, w *patrol, tell func(*Sight)) error {
	if !w.clock.passes() {
		return s.replayed(ctx, w, tell)
	}
	frontier.Crew{
		Threads: min(s.config.Polite.Parallel, w.frontier.Len()),
		Next: func(context.Context) (frontier.Turn, bool) {
			return frontier.Turn{Missed: func(error) bool { return false }}, true // nothing waits any more, or the context is over
		},
		Visit: func(item frontier.Item, _ int) (frontier.Outcome, bool) { return s.run(ctx, w, item, tell), false },
	}.Run(ctx, w.frontier)
	return ctx.Err()
}

// replayed runs all trips over a recorded web, where time is virtual.
func (s *Scout) replayed(ctx context.Context, w *patrol, tell func(*Sight)) error {
	for ctx.Err() == nil {
		item, ready, err := w.frontier.TryPop(0)
		switch {
		case err != nil:
			return nil // nothing waits any more
		case item.ID == 0:
			w.clock.set(ready)
		default:
			w.frontier.Done(item.ID, s.run(ctx, w, item, tell)) // it is leased: nothing can go wrong
		}
	}
	return ctx.Err()
}

// run makes one visit of a trip, and tells what was seen unless the trip goes on.
func (s *Scout) run(ctx context.Context, w *patrol, item frontier.Item, tell func(*Sight)) frontier.Outcome {
	w.mu.Lock()
	t, down := w.trips[item.ID], w.down[item.Host]
	w.mu.Unlock()
	v := &Sight{Errand: t.errand, FinalURL: t.at}
	var o frontier.Outcome
	onward := ""
	if down != nil {
		v.Err, o.Idle = down, true
	} else if o.Again = s.ask(ctx, w, t, v); !o.Again && v.Err == nil {
		ctx, cancel := context.WithTimeout(ctx, s.config.Fetch.Timeout.Duration()+slack)
		onward, v.Err = s.fetch(ctx, w, t, v)
		cancel()
		o.Failed = v.Status == 0 || v.Status >= 500
		w.note(item.Host, v)
	} else {
		o.Idle = !o.Again
	}
	if onward != "" {
		if next := t.onward(onward); next.hops > s.config.Fetch.Redirects {
			v.Err = fmt.Errorf("redirects lead on and on, to %s at last", onward)
		} else if v.Err = w.send(next); v.Err == nil {
			return o
		}
		v.FinalURL = onward
	}
	if !o.Again {
		tell(v)
	}
	return o
}

// ask asks robots.txt; again tells that this visit of the host went into fetching it.
func (s *Scout) ask(ctx context.Context, w *patrol, t *trip, v *Sight) (again bool) {
	u, err := url.Parse(t.at)
	if err != nil || w.gate == nil || t.errand.Open {
		v.Err = err
		return false
	}
	rules, known := w.gate.Cached(u)
	if !known {
		if rules, v.Err = w.gate.Rules(ctx, u); v.Err != nil {
			return false
		}
		if _, known = w.gate.Cached(u); known {
			return true
		}
	}
	v.Sitemaps = rules.Sitemaps()
	if allowed, said := rules.Allowed(u.RequestURI()); !allowed {
		v.Err = fmt.Errorf("%w (%s)", ErrRobots, said)
	}
	return false
}

// onward is the trip after a redirect. What was meant for one host is not told to another.
func (t *trip) onward(to string) *trip {
	next := &trip{errand: t.errand, at: to, hops: t.hops + 1}
	if page.Host(to) != page.Host(t.at) {
		next.errand.Header, next.errand.Open = nil, false
	}
	return next
}

// note remembers hosts that are not to be asked again: those that said so, and those that are not there.
func (w *patrol) note(host string, v *Sight) {
	var why error
	switch {
	case v.Status == http.StatusTooManyRequests:
		why = fmt.Errorf("the host asked to be left alone (%d, Retry-After %q)", v.Status, v.Header.Get("Retry-After"))
	case v.Status == 0 && v.Err != nil && gone(v.Err):
		why = v.Err
	default:
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down[host] = why
}
