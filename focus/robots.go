package focus

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
)

// robotsFlight is a robots.txt that is being asked for. Of several items of one host the first asks; the others share its
// answer.
type robotsFlight struct {
	*ledger.Asked      // guarded by the turn
	begun         bool // somebody was told to ask; guarded by the turn
	done          chan struct{}
	answer        answer
	sitemaps      bool // those it names wait
}

// flightOf is how a robots.txt is asked for that is waited for; nil where none is.
func flightOf(a *ledger.Asked) *robotsFlight {
	if a == nil {
		return nil
	}
	f, ok := a.Carry.(*robotsFlight)
	if !ok {
		f = &robotsFlight{Asked: a, done: make(chan struct{}), sitemaps: a.Learned}
		a.Carry = f
	}
	return f
}

const (
	robotsMost    = 500 << 10 // bytes that are read (RFC 9309 2.5)
	robotsTimeout = 30 * time.Second
)

// mayVisit says why an item may not be fetched, or whose robots.txt must be fetched first.
func (c *Crawler) mayVisit(item frontier.Item) (refused admit.Refused, asks string) {
	at := ledger.Origin(item.URL)
	if !c.ledger.Robots.Valid(at, c.now()) {
		return "", at
	}
	u, err := url.Parse(item.URL)
	if err != nil {
		return admit.RefusedAddress, ""
	}
	if allowed, _ := c.ledger.Robots.Rules(at).Allowed(u.RequestURI()); !allowed {
		return admit.RefusedRobots, ""
	}
	return "", ""
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
	if !f.Learned {
		a := &f.answer
		c.ledger.Happen(&ledger.RobotsRead{Origin: f.Origin, Rules: extensions.RobotsFor(a.status, a.body, a.err, c.steps.token), Now: c.now()})
	}
	return f.Wait, f.Delay
}
