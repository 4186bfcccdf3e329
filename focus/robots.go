package focus

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
)

// robots is what the hosts' robots.txt files say. It is asked and told while the turn is held, so that what it knows at
// a pop does not depend on which worker was faster.
type robots struct {
	token   string // our product token, as robots.txt files name us
	hosts   map[string]*hostRobots
	flights map[string]*robotsFlight // by origin: what is being asked for
}

func newRobots(agent string) *robots {
	return &robots{token: extensions.RobotsToken(agent), hosts: map[string]*hostRobots{}, flights: map[string]*robotsFlight{}}
}

// robotsFlight is a robots.txt that is being asked for. Of several items of one host the first asks; the others share its
// answer.
type robotsFlight struct {
	origin string
	begun  bool // somebody was told to ask; guarded by the turn
	done   chan struct{}
	answer answer

	sitemaps    bool // those it names wait
	learned     bool // guarded by the turn, like what follows
	wait, delay time.Duration
}

// hostRobots is what is known of one host.
type hostRobots struct {
	rules   *extensions.RobotsRules
	expires time.Time
	tries   int // answers in a row that said nothing
}

const (
	robotsWait    = 15 * time.Second // before the second try; four times as long before the third
	robotsTries   = 3                // answers that say nothing, before the host's pages are refused
	robotsMost    = 500 << 10        // bytes that are read (RFC 9309 2.5)
	robotsHosts   = 100_000          // hosts that are remembered
	robotsTimeout = 30 * time.Second
)

// origin is the scheme and host that a robots.txt speaks for.
func origin(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return strings.ToLower(scheme + "://" + host)
}

// ask says whether an item may be fetched, or which robots.txt must be fetched first.
func (r *robots) ask(item frontier.Item, now time.Time) (refused admit.Refused, fetch *robotsFlight) {
	at := origin(item.URL)
	h, known := r.hosts[at]
	if !known || now.After(h.expires) {
		return "", r.flight(at)
	}
	u, err := url.Parse(item.URL)
	if err != nil {
		return admit.RefusedAddress, nil
	}
	if allowed, _ := h.rules.Allowed(u.RequestURI()); !allowed {
		return admit.RefusedRobots, nil
	}
	return "", nil
}

// rules are those of an item's host, nil if they are not known. They never change.
func (r *robots) rules(item frontier.Item) *extensions.RobotsRules {
	if h := r.hosts[origin(item.URL)]; h != nil {
		return h.rules
	}
	return nil
}

// flight is the robots.txt of an origin as it is being asked for, now or already.
func (r *robots) flight(at string) *robotsFlight {
	f := r.flights[at]
	if f == nil {
		f = &robotsFlight{origin: at, done: make(chan struct{})}
		r.flights[at] = f
	}
	return f
}

// fly asks if that is this job's part, and waits for the answer otherwise.
func (f *robotsFlight) fly(ctx context.Context, first bool, ask func() answer) {
	if first {
		defer close(f.done)
		f.answer = ask()
		return
	}
	select {
	case <-f.done:
	case <-ctx.Done():
	}
}

// answer is what a robots.txt request brought.
type answer struct {
	status int
	body   []byte
	err    error
}

// fetchRobots asks a host for its robots.txt, within the time of a page. Redirects are followed, up to five.
func fetchRobots(ctx context.Context, client *http.Client, at, agent string, within time.Duration) answer {
	ctx, cancel := context.WithTimeout(ctx, min(within, robotsTimeout))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at+"/robots.txt", nil)
	if err != nil {
		return answer{err: fmt.Errorf("focus: robots.txt of %s: %w", at, err)}
	}
	req.Header.Set("User-Agent", agent)
	resp, err := client.Do(req)
	if err != nil {
		return answer{err: err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, robotsMost+1)) // one more: the flag stands when the end was seen
	switch cut := resp.Header.Get(extensions.CutHeader); cut {
	case extensions.CutShort, extensions.CutTime, extensions.CutDamaged: // what was lost may be what forbids
		err = fmt.Errorf("focus: robots.txt of %s: body cut: %s", at, cut)
	}
	body = body[:min(len(body), robotsMost)]
	return answer{status: resp.StatusCode, body: body, err: err}
}

// learnRobots takes a host's answer, once however many wait for it. It answers how long the host is to be left alone, and the
// delay it asks for.
func (c *Crawler) learnRobots(f *robotsFlight) (wait, delay time.Duration) {
	if !f.learned {
		a := &f.answer
		c.steps.happen(&robotsLearned{origin: f.origin, rules: extensions.RobotsFor(a.status, a.body, a.err, c.robots.token), now: c.now()})
	}
	return f.wait, f.delay
}

// landed says that the robots.txt of an origin has been read, to all who wait for it.
func (r *robots) landed(at string, wait, delay time.Duration) {
	if f := r.flights[at]; f != nil {
		f.learned, f.wait, f.delay = true, wait, delay
		delete(r.flights, at)
	}
}

// take remembers what the robots.txt of an origin says.
func (r *robots) take(at string, rules *extensions.RobotsRules, now time.Time) (wait, delay time.Duration) {
	h := r.hosts[at]
	if h == nil {
		if len(r.hosts) >= robotsHosts {
			r.forget(now)
		}
		h = &hostRobots{}
		r.hosts[at] = h
	}
	h.rules, h.expires = rules, now.Add(rules.Life())
	if !rules.Unreachable() {
		h.tries = 0
		return 0, rules.Delay()
	}
	if h.tries++; h.tries >= robotsTries {
		return 0, 0 // what is waiting is refused now, and links found later ask again
	}
	h.expires = now // asked again when the host has its next turn
	return min(rules.Life(), robotsWait<<(2*(h.tries-1))), 0
}

// why is what is known of an origin whose robots.txt could not be had.
func (r *robots) why(at string) string {
	if h := r.hosts[at]; h != nil && h.rules != nil {
		_, said := h.rules.Allowed("/")
		return said
	}
	return "robots.txt"
}

// forget makes room by dropping what has expired, and everything if nothing has.
func (r *robots) forget(now time.Time) {
	for at, h := range r.hosts {
		if now.After(h.expires) {
			delete(r.hosts, at)
		}
	}
	if len(r.hosts) >= robotsHosts {
		clear(r.hosts)
	}
}
