package focus

import (
	"net/url"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/robots"
)

// mayVisit says why an item may not be fetched, or whose robots.txt must be fetched first. The turn must be held: what is
// known at a pop must not depend on which worker was faster.
func (c *Crawler) mayVisit(item frontier.Item) (refused admit.Refused, asks string) {
	at := robots.Origin(item.URL)
	rules, known := c.ledger.Robots.Known(at, c.now())
	if !known {
		return "", at
	}
	u, err := url.Parse(item.URL)
	if err != nil {
		return admit.RefusedAddress, ""
	}
	if allowed, _ := rules.Allowed(u.RequestURI()); !allowed {
		return admit.RefusedRobots, ""
	}
	return "", ""
}

// learnRobots takes a host's answer, once however many wait for it. It answers how long the host is to be left alone, and the
// delay it asks for.
func (c *Crawler) learnRobots(f *robots.Flight) (wait, delay time.Duration) {
	if !f.Learned {
		c.ledger.Happen(&ledger.RobotsRead{Origin: f.Origin, Rules: f.Answer.Rules(c.steps.token), Now: c.now()})
	}
	return f.Wait, f.Delay
}
