package focus

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/run"
)

// toInject is what was added to the list of injected addresses and not taken, up to its last whole line.
func (c *Crawler) toInject() ([]byte, error) {
	if c.keeper == nil {
		return nil, nil
	}
	path := filepath.Join(c.folder.Dir, run.FileState, run.FileInjected)
	if info, err := os.Stat(path); err != nil || info.Size() <= c.ledger.Injected() {
		return nil, nil // there is nothing, or nothing new
	}
	text, err := os.ReadFile(path)
	if err != nil || int64(len(text)) < c.ledger.Injected() {
		return nil, err
	}
	text = text[c.ledger.Injected():]
	return text[:bytes.LastIndexByte(text, '\n')+1], nil
}

// takeInjected lets the addresses in that somebody added to the list, each once, whatever happens. The turn must be held,
// and no visit be in the middle of its steps.
func (c *Crawler) takeInjected() error {
	text, err := c.toInject()
	if err != nil || len(text) == 0 {
		return err
	}
	for address := range strings.Lines(string(text)) {
		if _, _, err := c.steps.Seed(strings.TrimSpace(address)); err != nil {
			return err
		}
	}
	taken := c.ledger.Injected() + int64(len(text))
	c.ledger.Happen(&ledger.Injected{UpTo: taken})
	return errors.Join(c.keep(), c.keeper.Sync())
}

// heed looks every second whether somebody wants something of the crawl, until popping is over. stop ends the crawl.
func (c *Crawler) heed(popping context.Context, stop func()) {
	if c.keeper == nil {
		return
	}
	tick := time.NewTicker(c.config.every())
	defer tick.Stop()
	for {
		select {
		case <-popping.Done():
			return
		case <-tick.C:
		}
		c.steps.turn.enterNext()
		c.steps.fail(c.takeInjected())
		c.judgeBudget()
		if c.commanded() == frontier.Pause {
			c.standStill("paused", func() bool { return c.commanded() == frontier.Pause })
		}
		c.steps.turn.leave(0)
		if c.commanded() == frontier.Stop {
			stop()
		}
	}
}

// commanded is what the crawl is told to do.
func (c *Crawler) commanded() frontier.Command {
	text, err := os.ReadFile(filepath.Join(c.folder.Dir, run.FileState, run.FileCommand))
	if err != nil {
		return frontier.GoOn
	}
	return frontier.CommandOf(strings.TrimSpace(string(text)))
}

// standStill holds the turn until nothing holds the crawl up any more, or it is to end: pages under way are fetched, and
// wait; no other is begun. The time does not count.
func (c *Crawler) standStill(why string, still func() bool) {
	c.still.Store(&why)
	c.say("standing still: " + why)
	defer func() {
		c.still.Store(nil)
		c.say("going on")
	}()
	began := c.now()
	tick := time.NewTicker(c.config.every())
	defer tick.Stop()
	for still() {
		select {
		case <-c.halted:
			return
		case <-tick.C:
		}
	}
	c.ledger.Start(c.ledger.Standing().Started.Add(c.now().Sub(began)))
}

// StandsStill says why the crawl stands still; it is empty while it goes on.
func (c *Crawler) StandsStill() string {
	if why := c.still.Load(); why != nil {
		return *why
	}
	if c.shared == nil {
		return ""
	}
	if why := c.shared.awaited.Load(); why != nil {
		return *why
	}
	if c.shared.gate.isClosed() {
		return "paused"
	}
	return ""
}

// say tells whoever wants to know what happens to the crawl as a whole.
func (c *Crawler) say(line string) {
	if c.config.Told != nil {
		c.config.Told(line)
	}
}

// every is how often, on the wall, the crawl looks at what others may have changed.
func (c *Config) every() time.Duration {
	if c.look > 0 {
		return c.look
	}
	return lookEvery
}
