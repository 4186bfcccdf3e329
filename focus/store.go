package focus

import (
	"context"
	"errors"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// keeper is what the crawl asks of a frontier that outlives the process, beside what it asks of all: to keep what was
// learned, and what was written, with the links.
type keeper interface {
	frontier.Keeper
	// Commit keeps what was told since the last outcome, a lesson, and how long the files are.
	Commit(lesson []byte, files map[string]int64) error
}

// openStore opens the frontier of the crawl: below its run folder, or in memory where it has none.
func (c *Crawler) openStore(ctx context.Context, m frontier.Manners, strategy *rank.Strategy) (frontier.Frontier, error) {
	if c.shared != nil {
		return c.openRedis(ctx, m, strategy)
	}
	if c.folder == nil {
		return frontier.NewMemory(m), nil
	}
	o := disk.Options{BeforeSync: c.syncWritten}
	if !c.clock.passes() {
		o.AtOnce, o.Every = true, virtualSync
	}
	f, err := c.folder.Frontier(m, o)
	if err != nil {
		return nil, err // and not a frontier that is nil
	}
	return f, nil
}

// virtualSync is how long what was done may stay in memory over a recorded web, where a second is a thousand pages.
const virtualSync = 100 * time.Millisecond

// written are the files that a crawl writes results into.
type written struct {
	sinks []sink.Sink // of the crawl file
	own   []sink.Sink // of the program: it knows how long they are
	looks *sink.Looks // nil where nothing is kept for a second look
	log   *run.Log
	gauge *run.Meter
}

// outputs are the files of records that the crawl knows the length of: of those that are kept and of those that are looked
// at again.
func (w *written) outputs() []sink.Output {
	var all []sink.Output
	for _, s := range w.sinks {
		all = append(all, s)
	}
	if w.looks != nil {
		all = append(all, w.looks)
	}
	return all
}

// sync makes all that was written before survive a crash. It may be called while the crawl goes on.
func (w *written) sync() error {
	var errs []error
	for _, s := range w.outputs() {
		errs = append(errs, s.Sync())
	}
	for _, s := range w.own {
		errs = append(errs, s.Sync())
	}
	return errors.Join(append(errs, w.log.Sync(), w.gauge.Sync())...)
}

// lengths is how long each file is with all that was written, by its name below the run folder.
func (w *written) lengths() map[string]int64 {
	all := map[string]int64{run.FileLog: w.log.Size(), run.FileMeter: w.gauge.Size()}
	for _, s := range w.outputs() {
		for name, n := range s.Lengths() {
			all[name] = n
		}
	}
	return all
}

// syncWritten is asked before the frontier keeps anything: what it is about to say of the files must be there.
func (c *Crawler) syncWritten() error {
	if w := c.written.Load(); w != nil {
		return w.sync()
	}
	return nil
}

// tell tells the frontier how a visit ended, with all that is to be kept together with it. The turn must be held.
func (c *Crawler) tell(id uint64, o frontier.Outcome) error {
	if c.keeper != nil {
		c.ledger.Happen(&ledger.Ended{ID: id})
		o.Lesson, o.Files = c.lesson(), c.written.Load().lengths()
		c.untold += int64(len(o.Lesson))
	}
	if c.shared != nil {
		return c.tellAll(id, o)
	}
	return c.frontier.Done(id, o)
}

// keep has the frontier keep what no outcome ends. The turn must be held, and no visit be in the middle of its steps.
func (c *Crawler) keep() error {
	if c.keeper == nil {
		return nil
	}
	if c.shared != nil {
		if err := c.written.Load().hand(); err != nil {
			return err
		}
	}
	return c.keeper.Commit(c.lesson(), c.written.Load().lengths())
}

// leastLessons is how many bytes of lessons are never worth a snapshot.
const leastLessons = 8 << 20

// snapshotWhenDue writes down all that was learned when the lessons since the last time are as long as that is: then
// snapshots cost no more than the lessons, and no more than that is learned again by a crawl that is resumed. The turn
// must be held.
func (c *Crawler) snapshotWhenDue() error {
	if c.keeper == nil || c.steps.err != nil || c.untold < max(leastLessons, c.snapshot) {
		return nil
	}
	return c.takeSnapshot()
}

// takeSnapshot keeps all that was learned. What this machine has told is among what all have told, and counts as heard: so
// it hears up to this moment first, and who joins later learns nothing twice.
func (c *Crawler) takeSnapshot() error {
	if c.shared != nil {
		if err := c.hear(); err != nil {
			return err
		}
	}
	state := c.state()
	c.untold, c.snapshot = 0, int64(len(state))
	return c.keeper.Snapshot(state)
}
