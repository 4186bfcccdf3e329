package focus

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// manners are the rules of visiting, on the clock of this crawl.
func (c *Crawler) manners() frontier.Manners {
	m := run.Manners(&c.config.Polite)
	m.ParkFor = cmp.Or(c.with.retryWait, m.ParkFor)
	c.clock.Keep(&m)
	return m
}

// lookUp finds the addresses of a host, and tells the frontier: the hosts of one address share its visits.
func (c *Crawler) lookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	look := c.with.lookup
	if look == nil {
		look = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	found, err := look(ctx, host)
	if c.can.locate != nil && err == nil && len(found) > 0 && c.polite.Load().PerIP > 0 {
		address := found[0].Unmap().String()
		c.places.Store(host, address)
		c.can.locate.Locate(host, address)
	}
	return found, err
}

// locate tells the frontier where a host is that nobody looks up as it is written: one whose name has a port has a clock of its own, and is
// looked up without it; and of one that is an address it is known anyway.
func (c *Crawler) locate(host string) {
	name := (&url.URL{Host: host}).Hostname()
	address, known := c.places.Load(name)
	if ip, err := netip.ParseAddr(name); err == nil && c.clock.Passes() && c.polite.Load().PerIP > 0 {
		address, known = ip.Unmap().String(), true
	}
	told, _ := c.places.Load(host)
	if known && told != address && c.can.locate != nil {
		c.places.Store(host, address)
		c.can.locate.Locate(host, address.(string))
	}
}

// mayBegin is asked right before a request. A process that slept since the link was handed over must not make it where somebody
// else may be visiting the host by now. While all machines are paused, those that were waiting for a host's turn give their pages
// back; a robots.txt is fetched all the same, because one that is not counts as unreachable.
func (c *Crawler) mayBegin(ctx context.Context, j *job) bool {
	if !c.clock.Passes() {
		return true
	}
	polite := c.polite.Load()
	delay := polite.Delay.Duration()
	if c.company.lapsed(j.visit.Item.ID, j.handed) || j.robots == nil && c.company.paused() {
		return false
	}
	if polite.PerHost < 2 || delay <= 0 {
		return true
	}
	for {
		wait := c.starts.Next(j.visit.Item.Host, time.Now(), delay)
		if wait <= 0 {
			return true
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return true // the request is given up by itself
		}
	}
}

// learnRobots takes a host's answer, once however many wait for it. It answers how long the host is to be left alone, and the
// delay it asks for.
func (c *Crawler) learnRobots(f *robots.Flight) (wait, delay time.Duration) {
	if !f.Learned {
		c.ledger.Record(c.ledger.RobotsTold(f.Origin, c.ledger.Robots.Rules(f, c.steps.token), c.now()))
	}
	return f.Wait, f.Delay
}

// How long a host is left alone after a failure that may pass. It doubles with each attempt; Retry-After counts instead
// where the host sends one, up to a bound.
const (
	retryWait = 10 * time.Second
	retryMost = time.Hour
)

// again gives a page back that could not be had for a reason that may pass, as often as the crawl file allows. The page
// waits in its place, and its host is left alone for a while. The turn must be held.
func (c *Crawler) again(v *Visit) (frontier.Outcome, bool) {
	if !c.unread(v) && !wire.Passing(v.Status, v.Err) || c.gone(v, v.Err) || c.ledger.Tries(v.Item.ID) >= c.config.Fetch.Retries {
		if c.ledger.Tries(v.Item.ID) > 0 {
			c.ledger.Record(&ledger.Settled{ID: v.Item.ID})
		}
		return frontier.Outcome{}, false
	}
	c.ledger.Record(&ledger.Retried{ID: v.Item.ID}) // counted before the tries are asked for below: the wait after the first is not doubled yet
	wait := cmp.Or(c.with.retryWait, retryWait) << (c.ledger.Tries(v.Item.ID) - 1)
	if asked, ok := wire.RetryAfter(v.Header, c.now()); ok {
		wait = asked
	}
	c.steps.putOff(v, string(pageless(v)))
	return frontier.Outcome{Again: true, Score: v.Item.Score, Wait: min(wait, retryMost), Took: v.Took, Failed: failed(v), Why: string(pageless(v))}, true
}

// putOff writes down why a visit is made later.
func (st *Steps) putOff(v *Visit, said string) {
	st.fail(st.results.Log.Write(&run.Decision{Time: v.Time, Decision: "again", Reason: admit.Refuse(admit.RefusedPutOff, said), ID: v.Item.ID, Via: v.Item.Via,
		Hops: v.note.Hops, Status: v.Status, Score: math.NaN(), Relevance: math.NaN(), URL: v.Item.URL, Anchor: v.note.Anchor}))
}

// unread tells that an answer came and could not be read now: what reads it was busy, or was ended, or the page broke off. The turn must be
// held.
func (c *Crawler) unread(v *Visit) bool {
	if v.Err == nil && v.Page != nil && c.clock.Passes() {
		v.Err = c.carrier.broken.Again(v.Item.Host, v.Header, c.ledger.Tries(v.Item.ID) < c.config.Fetch.Retries)
	}
	return v.Status != 0 && probe.NotNow(v.Err)
}

// gone tells that there is nobody to ask. A host that has answered and refuses a connection is being started again, perhaps. That no proxy
// can be used passes as a rule; but while nothing at all has been fetched, it is the settings that are wrong, and trying again would only
// delay saying so.
func (c *Crawler) gone(v *Visit, err error) bool {
	s, host := c.ledger.Standing(), v.Item.Host
	back := wire.Refuses(err) && c.ledger.Host(host).Pages > c.ledger.Failures(host)
	return wire.Gone(err) && !back || wire.NoProxy(err) && v.Item.Via == 0 && s.Pages <= s.Failed+s.Redirects
}

// heard takes the end of a visit into what is known of its host: failures in a row. A panic and a cancelled request say nothing
// about the host. The turn must be held.
func (c *Crawler) heard(v *Visit) {
	switch {
	case v.panicked, v.Err != nil && wire.Failure(v.Err) == "cancelled":
	case failed(v):
		c.ledger.Record(&ledger.HostHeard{Host: v.Item.Host, Failed: true})
	case c.ledger.Failures(v.Item.Host) > 0 && (v.Status != 0 || v.redirect != ""):
		c.ledger.Record(&ledger.HostHeard{Host: v.Item.Host})
	}
}

// failed tells whether a visit counts against its host: it did not answer, or said that it cannot, or not without money.
func failed(v *Visit) bool {
	if v.panicked || v.Err != nil && (wire.Failure(v.Err) == "cancelled" || errors.Is(v.Err, wire.ErrProxy)) {
		return false
	}
	return v.Err != nil && v.Status == 0 && v.redirect == "" || v.Status >= http.StatusInternalServerError || admit.Tolled(v.Status, v.Header) != ""
}

// hopeless tells of a host that was given up that it is not tried again: nothing but such hosts is left, or it has failed more often
// than it ever answered. The turn must be held.
func (c *Crawler) hopeless(host string) bool {
	return c.down(host) && (!c.can.examine.Health(host).Due || c.ledger.Silent(host))
}

// down tells whether a host has failed so often, time after time, that it is left alone: the frontier counts, so that it is known to
// all machines and after a restart.
func (c *Crawler) down(host string) bool {
	return c.can.examine != nil && c.can.examine.Health(host).GivenUp
}

// give gives a slot back, once.
func (v *Visit) give(rest bool) {
	if v.slot != nil {
		v.slot(rest)
		v.slot = nil
	}
}
