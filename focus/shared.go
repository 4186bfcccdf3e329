package focus

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
)

// A crawl that many machines share has its links, its hosts' clocks and its leases in Redis. What a machine learns and
// counts it tells with each outcome, and the others hear it: site weights, document frequencies, robots.txt files,
// duplicates, traps, refusals. What one knows is what another knew at most listenEvery before, and the time of a visit that
// is in the middle of its steps. The budget of pages is kept in Redis itself; the others may be overdrawn by what the others
// fetch meanwhile.

// listenEvery is how often, on the wall, a machine listens to the others.
const listenEvery = 250 * time.Millisecond

// stoppedByCommand is the reason of a crawl that was told to stop.
const stoppedByCommand = "it was told to stop"

// listen takes in what other machines have told since the last time, and does what all are told. The turn must be held,
// and no visit be in the middle of its steps.
func (c *Crawler) listen() {
	if c.shared == nil || time.Since(c.shared.listened) < listenEvery {
		return
	}
	err := c.hear()
	command := frontier.GoOn
	if err == nil {
		command, err = c.shared.frontier.Commanded()
	}
	if err != nil && !errors.Is(err, frontier.ErrClosed) {
		c.steps.fail(err)
	}
	paused := command == frontier.Pause
	switch changed := c.shared.gate.set(paused); {
	case changed && paused:
		c.say("standing still: paused")
	case changed:
		c.say("going on")
	}
	if command == frontier.Stop {
		c.stop(stoppedByCommand)
	}
}

// hear takes in what other machines have told since the last time, up to this moment. The turn must be held, and no visit be
// in the middle of its steps.
func (c *Crawler) hear() error {
	c.shared.listened = time.Now()
	lessons, err := c.shared.frontier.Hear()
	for _, l := range lessons {
		if err == nil {
			err = c.relearn(l)
		}
	}
	if len(lessons) > 0 {
		c.budget.others(c.ledger.Standing().Pages)
	}
	return err
}

// lost tells that a visit is another machine's: its lease lapsed while this one slept, or could not reach Redis. Nothing of
// it is written down here. The turn must be held.
func (c *Crawler) lost(v *Visit) bool {
	if c.shared == nil || c.shared.frontier.Holds(v.Item.ID) {
		return false
	}
	c.ledger.Lose(v.Item.ID)
	return true
}

// tooLate gives a link back whose lease may have lapsed before its visit could begin, because Redis was away and others in
// the turn waited for it: another machine may be visiting the host. The turn must be held.
func (c *Crawler) tooLate(item frontier.Item) bool {
	if c.shared == nil || !c.shared.frontier.Lapsed(item.ID) {
		return false
	}
	if err := c.frontier.Done(item.ID, frontier.Outcome{Again: true, Idle: true, Score: item.Score}); !errors.Is(err, frontier.ErrNotLeased) {
		c.steps.fail(err)
	}
	return true
}

// spentByAll stops a shared crawl whose budget all machines together have used up, and for which nothing is handed over any
// more. The turn must be held, and no visit be in the middle of its steps.
func (c *Crawler) spentByAll() {
	if c.shared != nil {
		c.steps.fail(c.hear())
		c.judgeBudget()
	}
}

// tellAll tells all machines how a visit ended. What was written of it is safe before. If its lease lapsed while it was in
// the middle of its steps, the visit is another machine's, and what was written of it is written twice: export leaves the
// second out. What was learned of it is unlearned (unlearn).
func (c *Crawler) tellAll(id uint64, o frontier.Outcome) error {
	if err := c.written.Load().hand(); err != nil {
		return err
	}
	if !o.Again && !o.Idle {
		o.Counters = map[string]int64{redis.Spent: 1}
	}
	err := c.frontier.Done(id, o)
	if c.shared.gone = errors.Is(err, frontier.ErrNotLeased); c.shared.gone {
		return nil
	}
	return err
}

// hand makes the records safe, and hands the log to the system: what is lost of it when a machine fails is no page.
func (w *written) hand() error {
	var errs []error
	for _, s := range w.outputs() {
		errs = append(errs, s.Sync())
	}
	return errors.Join(append(errs, w.log.Flush(), w.gauge.Flush())...)
}

// attend listens while the crawl goes on, even when no visit ends here. It returns when popping is over.
func (c *Crawler) attend(popping context.Context) {
	if c.shared == nil {
		return
	}
	tick := time.NewTicker(listenEvery)
	defer tick.Stop()
	for {
		select {
		case <-popping.Done():
			c.shared.gate.set(false)
			return
		case <-tick.C:
		}
		c.steps.turn.enter(0)
		c.listen()
		c.judgeBudget()
		c.steps.turn.leave(0)
	}
}

// others takes what all machines together have spent into a budget, when it is more than is known here.
func (b *budget) others(spent int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = max(b.spent, spent)
	b.freed.Broadcast()
}

// hurry lets a crawl that was told to stop end while Redis is away.
func (c *Crawler) hurry() {
	if c.shared != nil {
		c.shared.frontier.GiveUp()
	}
}

// gate is closed while a crawl is paused.
type gate struct {
	mu     sync.Mutex
	closed bool
	opened chan struct{}
}

// set closes or opens the gate, and answers whether that is a change.
func (g *gate) set(closed bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if closed == g.closed {
		return false
	}
	if g.closed = closed; closed {
		g.opened = make(chan struct{})
	} else {
		close(g.opened)
	}
	return true
}

func (g *gate) isClosed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// pass waits while the gate is closed, and answers false when ctx is done.
func (g *gate) pass(ctx context.Context) bool {
	g.mu.Lock()
	closed, opened := g.closed, g.opened
	g.mu.Unlock()
	if closed {
		select {
		case <-opened:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

// mayPop waits while the crawl is paused, and answers false when it is over.
func (c *Crawler) mayPop(ctx context.Context) bool {
	return c.shared == nil || c.shared.gate.pass(ctx)
}
