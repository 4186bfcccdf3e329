package focus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/run"
)

// toInject are the addresses in the list of injected ones that have not been taken yet, up to its last whole line, and where that
// ends. A list that is shorter than what was taken of it has been replaced, and is read from its beginning: an address that was
// taken before is known to the frontier, and not visited twice.
func (c *Crawler) toInject() (addresses []string, upTo int64, err error) {
	if c.keeper == nil {
		return nil, 0, nil
	}
	path, from := filepath.Join(c.folder.Dir, run.FileState, run.FileInjected), c.ledger.Injected()
	info, err := os.Stat(path)
	if err != nil || info.Size() == from {
		return nil, from, nil // there is nothing, or nothing new
	}
	if info.Size() < from {
		from = 0
	}
	upTo, err = run.EachSealed(path, from, func(address string) { addresses = append(addresses, address) })
	return addresses, upTo, err
}

// takeInjected lets the addresses in that somebody added to the list, each once, whatever happens. The turn must be held,
// and no visit be in the middle of its steps.
func (c *Crawler) takeInjected() error {
	addresses, upTo, err := c.toInject()
	if err != nil || len(addresses) == 0 {
		return err
	}
	for _, address := range addresses {
		if _, _, err := c.steps.Seed(address); err != nil {
			return err
		}
	}
	// Pushed links and how far the list was read are kept by one commit: after a crash, both are there or neither is.
	c.ledger.Record(&ledger.Injected{UpTo: upTo})
	return errors.Join(c.keep(), c.keeper.Sync())
}

// heed looks every second whether somebody wants something of the crawl, until popping is over. stop ends the crawl.
func (c *Crawler) heed(popping context.Context, stop func()) {
	if c.keeper == nil {
		return
	}
	changed := c.changes(popping)
	tick := time.NewTicker(c.with.every())
	defer tick.Stop()
	for {
		select {
		case <-popping.Done():
			return
		case <-tick.C:
		}
		change := changed() // out of turn: a file may be slow to read
		c.steps.turn.EnterNext()
		c.steps.fail(errors.Join(c.takeChange(change), c.takeOrders(), c.takeInjected(), c.commit())) // whoever watches sees what is committed, though no visit ends
		c.guard()
		c.judgeBudget()
		if c.commanded() == frontier.Pause {
			c.standStill("paused", func() bool { return c.commanded() == frontier.Pause })
		}
		c.steps.turn.Leave(0)
		if c.commanded() == frontier.Stop {
			stop()
		}
	}
}

// Follow lets a crawl that has a store look every second whether its crawl file says something else, and take what may change while
// it runs. It comes before Run. Of several machines, each follows its own copy of the file.
func (c *Crawler) Follow(w *crawlfile.Watch) { c.watch = w }

// changes answers what has changed in the crawl file; nil where nothing has, or nothing of it can take effect, which is logged. A
// file that is named there may hang, as on a file server that is away: whoever reads it is given a second, and no other reader is
// started beside it.
func (c *Crawler) changes(popping context.Context) func() *crawlfile.Change {
	var change *crawlfile.Change
	var err error
	var read chan struct{} // closed when both are there; nil while nothing is read
	return func() *crawlfile.Change {
		wait := time.Duration(0)
		if c.watch == nil {
			return nil
		} else if read == nil {
			wait, read = lookEvery, make(chan struct{})
			go func(over chan struct{}) { defer close(over); change, err = c.watch.Look() }(read)
		}
		select {
		case <-read:
		case <-popping.Done():
			return nil
		case <-time.After(wait):
			return nil
		}
		if read = nil; err != nil {
			c.with.logger.Warn(err.Error())
		}
		return change
	}
}

// takeChange puts into effect what has changed in the crawl file. What can fail because the file is wrong comes first, and then
// nothing of it takes effect. It is written down before it takes effect, start pages first, so that whoever goes on after a kill
// takes up the rest. The turn must be held, and no visit may be in the middle of its steps.
func (c *Crawler) takeChange(change *crawlfile.Change) error {
	if change == nil {
		return nil
	}
	scope, now := change.Config.Scope.Rules(), c.config
	now.Take(change)
	written, err := c.written.Load(), scope.Compile()
	if err == nil {
		written, err = written.More(c.folder.Dir, &now)
	}
	if err != nil {
		c.with.logger.Warn(c.watch.Refuse(change, err).Error())
		return nil
	}
	c.written.Store(written) // they are closed with the others, whatever comes now
	if err := c.giveSeeds(change.Seeds); err != nil {
		return err
	}
	c.config.Take(change)
	if err := run.WriteFile(filepath.Join(c.folder.Dir, run.FileCrawl), c.config.YAML()); err != nil {
		return err
	}
	c.steps.results.Sinks = written.Sinks
	c.steps.outputs.Store(written.Ahead())
	polite := c.config.Polite
	c.polite.Store(&polite)
	c.keeper.Behave(c.manners())
	c.steps.scope.Store(&scope)
	c.lasts.Store(int64(c.config.Budget.Time))
	c.with.logger.Info(c.config.File + " has changed: " + change.Says())
	return nil
}

// commanded is what the crawl is told to do.
func (c *Crawler) commanded() frontier.Command { return run.Commanded(c.folder.Dir) }

// standStill keeps the turn until nothing holds the crawl up any more, or it is to end. Pages under way are fetched and wait for the
// turn, and no other is begun, because a pop needs the turn, too. The time does not count against the budget. One of many machines
// stands aside instead, and the others go on.
func (c *Crawler) standStill(why string, still func() bool) {
	if c.company.aside(why, still) {
		return
	}
	began := c.now()
	defer func() { c.ledger.Start(c.ledger.Standing().Started.Add(c.now().Sub(began))) }()
	c.still.Store(&why)
	c.say("standing still: " + why)
	defer c.still.Store(nil)
	tick := time.NewTicker(c.with.every())
	defer tick.Stop()
	for still() && c.commanded() != frontier.Stop {
		select {
		case <-c.halted:
			return
		case <-tick.C:
			c.steps.fail(c.commit())
		}
	}
	if c.commanded() != frontier.Stop && !still() {
		c.with.logger.Info("going on")
	}
}

// StandsStill says why the crawl stands still; it is empty while it goes on.
func (c *Crawler) StandsStill() string {
	if why := c.still.Load(); why != nil {
		return *why
	}
	return c.company.awaits()
}

// say tells whoever runs the crawl what holds it up.
func (c *Crawler) say(line string) { c.with.logger.Warn(line) }

// every is how often, on the wall, the crawl looks at what others may have changed.
func (r *running) every() time.Duration {
	if r.look > 0 {
		return r.look
	}
	return lookEvery
}

// judgeBudget stops the crawl when something it was given is used up, unless it is paused: that time will not count. The turn must be
// held.
func (c *Crawler) judgeBudget() {
	if c.steps.err != nil {
		c.stop("failed: " + c.steps.err.Error())
	} else if reason := c.usedUp(); reason != "" && !c.company.paused() {
		c.stop(reason)
	}
}

// usedUp says what of the budget is used up; nothing if nothing is.
func (c *Crawler) usedUp() string {
	counts := c.ledger.Standing()
	if c.budget.Used() {
		return fmt.Sprintf("the budget of %s is used up", run.Several(c.budget.Most(), "page"))
	}
	return c.config.Budget.UsedUp(counts, c.now().Sub(counts.Started))
}

// takeOrders does what a person has ordered since: some hosts are not asked any more, and there may be more pages than the crawl file
// allows. The budget is set once, to what counts in the end: a worker that saw a smaller one in between would go home. The turn must
// be held.
func (c *Crawler) takeOrders() error {
	if c.folder == nil {
		return nil
	}
	o, err := run.ReadOrders(c.folder.Dir)
	c.steps.blocked = o.Blocked
	if most := o.Budget(c.config.Budget.Pages); err == nil && most != c.budget.Most() {
		c.budget.Bound(most)
		if shared, ok := c.frontier.(interface{ Bound(pages int) }); ok {
			shared.Bound(most)
		}
	}
	return err
}

// lookEvery is how often, on the wall, it is asked whether the crawl must wait.
const lookEvery = time.Second

// guard lets the crawl stand still before the disk of its run folder is full, while more waits for a sink than may, and while nobody
// can be reached, until that is over. The turn must be held.
func (c *Crawler) guard() {
	if c.config.Store == "" || c.stopped() || c.company.paused() || time.Since(c.looked) < c.with.every() {
		return
	}
	c.looked = time.Now()
	if why := c.heldUp(); why != "" {
		if c.keeper != nil {
			c.steps.fail(c.keeper.Sync())
		}
		c.standStill(why, func() bool { return c.heldUp() != "" })
	}
}

// heldUp says what the crawl must wait for, or nothing.
func (c *Crawler) heldUp() string {
	return cmp.Or(run.Full(c.config.Store, c.config.MinFree, c.with.free), c.steps.results.Behind(), c.ground.Reach.Away())
}
