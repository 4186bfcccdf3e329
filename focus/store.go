package focus

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
)

// keeper is what the crawl asks of a frontier that outlives the process, beside what it asks of all: to keep what was
// learned, and what was written, with the links.
type keeper interface {
	frontier.Keeper
	frontier.Behaver
	// Commit keeps what was told since the last outcome, a lesson, and how long the files are.
	Commit(lesson []byte, files map[string]int64) error
}

// syncWritten is asked before the frontier keeps anything: what it is about to say of the files must be there.
func (c *Crawler) syncWritten() error {
	if w := c.written.Load(); w != nil {
		return w.Sync()
	}
	return nil
}

// tell tells the frontier how a visit ended, with all that is to be kept together with it. The turn must be held.
func (c *Crawler) tell(id uint64, o frontier.Outcome) error {
	if c.keeper != nil {
		c.ledger.Record(&ledger.Ended{ID: id})
		o.Lesson, o.Files = c.lesson(), c.written.Load().Lengths()
		c.untold += int64(len(o.Lesson))
	}
	if err := c.company.tell(id, o); err != nil || c.keeper == nil || !c.steps.results.Looks.Thinned() {
		return err
	}
	// What took the place of files that go must be safe first, and known: nothing of a visit that is another machine's was kept.
	if err := errors.Join(c.keep(), c.keeper.Sync()); err != nil {
		return err
	}
	return c.steps.results.Looks.Sweep()
}

// keep has the frontier keep what no outcome ends. The turn must be held, and no visit be in the middle of its steps.
func (c *Crawler) keep() error {
	if c.keeper == nil {
		return nil
	}
	return c.keeper.Commit(c.lesson(), c.written.Load().Lengths())
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
	if err := c.company.hear(); err != nil {
		return err
	}
	c.ledger.Settle(c.now())
	state := c.state()
	c.untold, c.snapshot = 0, int64(len(state))
	return c.keeper.Snapshot(state)
}

// learners are all that learn in this crawl.
func (c *Crawler) learners() *run.Learners {
	st := c.steps
	var selects, traps, pages run.Learner // an interface that holds a nil pointer is not nil
	if st.selector != nil {
		selects = st.selector
	}
	if st.traps != nil {
		traps = st.traps
	}
	if st.repeats != nil {
		pages = st.repeats
	}
	all := run.LearnersOf(st.topic, st.memory, selects, traps, pages)
	return &all
}

// record lets all that learn write down from now on what they learn.
func (c *Crawler) record() {
	for _, l := range c.learners() {
		c.company.records(l)
	}
	c.ledger.Keeps = true
}

func (c *Crawler) lesson() []byte { return c.learners().Lesson(c.ledger) }
func (c *Crawler) state() []byte  { return c.learners().State(c.ledger, c.snapshot, c.untold) }

func (c *Crawler) restore(state []byte) error  { return c.learners().Restore(c.ledger, state) }
func (c *Crawler) relearn(lesson []byte) error { return c.learners().Relearn(c.ledger, lesson) }

// warm reads what the crawl begins with, before anything of an earlier run is touched.
func (c *Crawler) warm(strategy *rank.Strategy) (err error) {
	if c.learned, err = study.Begin(&c.config, strategy); err != nil || c.learned == nil {
		return err
	}
	if web := c.ground.Recorded(); web != nil {
		return c.learned.StrangeTo(web, c.config.Learn.From)
	}
	return nil
}

// prepare readies the memory of the strategy: its size, and what it begins with.
func (c *Crawler) prepare(strategy *rank.Strategy) error {
	m := c.steps.memory
	m.Bound(c.config.Learn.Keep)
	m.Serve(strategy)
	if c.learned == nil {
		return nil
	}
	if err := m.Begin(c.learned.Learned, c.config.Learn.Trust); err != nil {
		return fmt.Errorf("learn.from %s: %w", c.config.Learn.From, err)
	}
	return nil
}

// webName is the name of the recorded web that is crawled, empty for the live one.
func (c *Crawler) webName() string {
	if web := c.ground.Recorded(); web != nil {
		return web.Name()
	}
	return ""
}

// saveExperience writes what the strategy has learned into the run folder, if it has learned anything.
func (c *Crawler) saveExperience(counts *ledger.Counts) error {
	learned := c.steps.memory.Experience()
	if c.folder == nil || learned == nil {
		return nil
	}
	own, err := study.SourceOf(c.config.Name, c.ground.Recorded(), c.folder.Dir)
	if err != nil {
		return err
	}
	e := study.Experience{Crawl: c.config.Name, Web: c.webName(), Strategy: c.steps.strategy.Name, Pages: counts.Pages, Relevant: counts.Relevant, Learned: learned, Sources: []study.Source{own}}
	if c.learned != nil {
		e.Sources = append(e.Sources, c.learned.Sources...)
	}
	return e.Save(filepath.Join(c.folder.Dir, crawlfile.FileExperience))
}
