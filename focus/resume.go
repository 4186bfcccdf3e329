package focus

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
)

// Resumed is what an interrupted run had done when it is gone on with.
type Resumed struct {
	Pages, Waiting int
	Added          int // start pages that the crawl file has and had not; they are visited first
}

// Resumed says from where the crawl goes on; ok is false where it begins afresh.
func (c *Crawler) Resumed() (r Resumed, ok bool) {
	if c.resumed != nil {
		r, ok = *c.resumed, true
	}
	return r, ok
}

// openWritten opens the files that results go into, cut back to what the frontier knows of them.
func (c *Crawler) openWritten(restored frontier.Restored) (err error) {
	dir := c.folder.Dir
	switch {
	case restored.Items > 0:
		err = c.cutBack(restored.Files)
	case c.folder.Before != nil: // it was interrupted before anything was kept
		err = c.folder.ClearResults()
	}
	if err != nil {
		return fmt.Errorf("run folder %s: %w", dir, err)
	}
	w := &c.steps.results
	w.Say = c.say
	if err := w.Open(dir, &c.config, restored.Files); err != nil {
		return err
	}
	if err := w.OpenLooks(dir, &c.config, c.steps.topic.Threshold()); err != nil {
		return err
	}
	opened := *w
	c.written.Store(&opened)
	c.steps.outputs.Store(w.Ahead())
	return nil
}

// cutBack cuts the files of results back, and says what helps where they are too short.
func (c *Crawler) cutBack(files map[string]int64) error {
	dir := c.folder.Dir
	err := sink.Cut(dir, run.Below(files))
	if err == nil {
		return nil
	}
	remedy, _ := c.company.remedy(dir)
	return fmt.Errorf("%w; %s", err, remedy)
}

// resume takes back what was learned, and goes on where the run was interrupted.
func (c *Crawler) resume(restored frontier.Restored) error {
	c.steps.memory.Serve(c.steps.strategy)
	if restored.Items > 0 {
		if err := c.remember(restored); err != nil {
			return err
		}
		c.resumed = &Resumed{Pages: c.ledger.Standing().Pages, Waiting: restored.Waiting}
	}
	c.record()
	return c.takeOrders() // some may have been given before it began
}

// remember takes back the state and the lessons since, and sets the clock. Of the visits that had begun, those whose leases the
// frontier does not know are forgotten: nobody will hand them over again.
func (c *Crawler) remember(restored frontier.Restored) error {
	wrong := func(err error) error {
		_, remedy := c.company.remedy(c.folder.Dir)
		if run.Newer(err) {
			remedy = "or --fresh starts over"
		}
		return fmt.Errorf("run folder %s: what was learned cannot be taken back: %w; %s", c.folder.Dir, err, remedy)
	}
	if err := c.rememberAll(restored); err != nil {
		return wrong(err)
	}
	if !restored.At.IsZero() {
		c.clock.Set(restored.At)
		c.ledger.Resume(c.now(), restored.At)
	}
	c.budget.Recount(c.ledger.Standing().Pages)
	c.ground.Reach.Knew(c.ledger.Answering(100))
	leased := map[uint64]bool{}
	for _, l := range restored.Leases {
		c.interrupted[l.ID], leased[l.ID] = l, true
	}
	c.ledger.LoseOthers(func(id uint64) bool { return leased[id] })
	return errors.Join(c.takeOrders(), c.putBackAgain())
}

// rememberAll takes back the state and the lessons since.
func (c *Crawler) rememberAll(restored frontier.Restored) error {
	if len(restored.Learned) > 0 {
		if err := c.restore(restored.Learned); err != nil {
			return err
		}
		c.snapshot = int64(len(restored.Learned))
	}
	for _, lesson := range restored.Lessons {
		if err := c.relearn(lesson); err != nil {
			return err
		}
		c.untold += int64(len(lesson))
	}
	return nil
}

// warmUp loads, after a process has died, what the first page would load. The dictionaries take a second, and a process that is killed
// within it, for whatever reason, would seem to have died over the page that happened to come first.
func (c *Crawler) warmUp() {
	if c.underway.Died() {
		c.steps.topic.Cut(study.Document(page.Parse([]byte("<p>wind 风力发电"), "http://example.org/", c.steps.reading)))
	}
}

// repeated makes a job of a visit that an earlier run had begun and not ended, with the decision of that time. It is nil for
// any other item, and where nothing is known of the decision. The turn must be held.
func (c *Crawler) repeated(item frontier.Item) *job {
	lease, was := c.interrupted[item.ID]
	delete(c.interrupted, item.ID)
	e := c.ledger.Out(item.ID)
	if !was || e == nil {
		return nil
	}
	v := c.visitOf(item)
	v.Refused = e.Refused
	v.take(e.Lane)
	j := &job{visit: v, robots: e.Asks, start: c.clock.Begun(lease)}
	v.Time = j.start
	c.ready(j)
	return j
}

// leaving tells that visits under way are the next run's: somebody stopped a crawl over a recorded web, which then goes
// on as if nobody had.
func (c *Crawler) leaving() bool {
	if c.keeper == nil || c.clock.Passes() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reason == run.StoppedByUser
}

// leave gives up a visit without an outcome: the next run begins it again. The turn must be held.
func (c *Crawler) leave() {
	c.left.Add(1)
	c.budget.Done(false)
	c.clock.concluded(c)
}

// addSeeds gives a run that is gone on with the start pages that were added to its crawl file meanwhile, as if somebody had
// injected them. It comes before the crawl file is written down anew.
func (c *Crawler) addSeeds() error {
	if c.resumed == nil || c.ledger.Shared || !c.ledger.Planted() {
		return nil
	}
	ran, err := (&run.Run{Dir: c.folder.Dir}).Config()
	if err != nil {
		return nil // another version wrote it: nobody can tell what was added
	}
	added := slices.DeleteFunc(slices.Clone(c.config.Seeds), func(seed string) bool { return slices.Contains(ran.Seeds, seed) })
	c.resumed.Added = len(added)
	return c.giveSeeds(added)
}

// giveSeeds adds start pages to what was injected.
func (c *Crawler) giveSeeds(seeds []string) error {
	var lines []byte
	for _, seed := range seeds {
		lines = append(lines, run.Sealed(seed)...)
	}
	if len(lines) == 0 {
		return nil
	}
	return run.AppendSafely(filepath.Join(c.folder.Dir, run.FileState, run.FileInjected), lines)
}

// wouldEnd is why a run that is gone on with would end at once; empty where it would not.
func (c *Crawler) wouldEnd() string {
	if more, _, err := c.toInject(); err == nil && len(more) == 0 && c.frontier.Len() == 0 {
		return run.NothingMore
	}
	if !c.ledger.Planted() {
		return ""
	}
	return c.usedUp()
}
