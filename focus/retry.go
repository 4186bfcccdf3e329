package focus

import (
	"errors"
	"math"
	"net"
	"syscall"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// How long a host is left alone after a failure that may pass. It doubles with each attempt; Retry-After counts instead
// where the host sends one, up to a bound.
const (
	retryWait = 10 * time.Second
	retryMost = time.Hour
)

// again gives a page back that could not be had for a reason that may pass, as often as the crawl file allows. The page
// waits in its place, and its host is left alone for a while. The turn must be held.
func (c *Crawler) again(v *Visit) (frontier.Outcome, bool) {
	if !passing(v) || c.ledger.Tries(v.Item.ID) >= c.config.Fetch.Retries {
		if c.ledger.Tries(v.Item.ID) > 0 {
			c.ledger.Happen(&ledger.Settled{ID: v.Item.ID})
		}
		return frontier.Outcome{}, false
	}
	c.ledger.Happen(&ledger.Retried{ID: v.Item.ID})
	wait := retryWait
	if c.with.retryWait > 0 {
		wait = c.with.retryWait
	}
	wait <<= c.ledger.Tries(v.Item.ID) - 1
	if asked, ok := wire.RetryAfter(v.Header, c.now()); ok {
		wait = asked
	}
	c.steps.putOff(v, string(pageless(v)))
	return frontier.Outcome{Again: true, Score: v.Item.Score, Wait: min(wait, retryMost), Took: v.Took, Failed: failed(v), Why: string(pageless(v))}, true
}

// putOff writes down why a visit is made later.
func (st *Steps) putOff(v *Visit, said string) {
	st.fail(st.log.Write(&run.Decision{Time: v.Time, Decision: "again", Reason: admit.Refuse("put off", said), ID: v.Item.ID, Via: v.Item.Via,
		Hops: v.note.Hops, Status: v.Status, Score: math.NaN(), Relevance: math.NaN(), URL: v.Item.URL, Anchor: v.note.Anchor}))
}

// gone tells that there is nobody to ask: the host has no address, nothing listens there, or it may not be asked.
func gone(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound || errors.Is(err, syscall.ECONNREFUSED) ||
		errors.Is(err, wire.ErrPrivate) || errors.Is(err, wire.ErrScheme)
}

// passing tells whether what went wrong may be gone at the next attempt. A host that is not there is not asked again: its
// failures are counted elsewhere.
func passing(v *Visit) bool {
	return wire.Passing(v.Status, v.Err) && (v.Status != 0 || !gone(v.Err))
}
