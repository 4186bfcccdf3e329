package focus

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
)

// keeper is what the crawl asks of a frontier that outlives the process, beside what it asks of all: to keep what was
// learned, and what was written, with the links.
type keeper interface {
	frontier.Keeper
	// Commit keeps what was told since the last outcome, a lesson, and how long the files are.
	Commit(lesson []byte, files map[string]int64) error
}

// written are the files that a crawl writes results into.
type written struct {
	sinks []sink.Sink // of the crawl file
	own   []sink.Sink // of the program: it knows how long they are
	looks *sink.Looks // nil where nothing is kept for a second look
	log   *run.Log
	meter *run.Meter
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
	return errors.Join(append(errs, w.log.Sync(), w.meter.Sync())...)
}

// lengths is how long each file is with all that was written, by its name below the run folder.
func (w *written) lengths() map[string]int64 {
	all := map[string]int64{run.FileLog: w.log.Size(), run.FileMeter: w.meter.Size()}
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
		c.ledger.Record(&ledger.Ended{ID: id})
		o.Lesson, o.Files = c.lesson(), c.written.Load().lengths()
		c.untold += int64(len(o.Lesson))
	}
	return c.company.tell(id, o)
}

// keep has the frontier keep what no outcome ends. The turn must be held, and no visit be in the middle of its steps.
func (c *Crawler) keep() error {
	if c.keeper == nil {
		return nil
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
	if err := c.company.hear(); err != nil {
		return err
	}
	state := c.state()
	c.untold, c.snapshot = 0, int64(len(state))
	return c.keeper.Snapshot(state)
}

// learner is what experience changes. State and Restore are for snapshots; Lesson tells what was learned since it was
// last asked, and Relearn is told that again: a learner that takes back an older state and is told all lessons since is
// exactly the one that learned.
type learner interface {
	State() []byte
	Restore([]byte) error
	Lesson() []byte
	Relearn([]byte) error
}

// pupil is a learner under a name for messages; nil where this crawl has none.
type namedLearner struct {
	name string
	learner
}

// pupils are all that learn in this crawl, always in the same order.
func (c *Crawler) learners() []namedLearner {
	st := c.steps
	all := []namedLearner{{"the topic", st.topic}, {"the strategy's memory", st.memory}, {"the selection", nil}, {"the watch for traps", nil}, {"the pages seen", nil}}
	if s := st.selector; s != nil {
		all[run.SelectionPlace].learner = s
	}
	if st.traps != nil {
		all[3].learner = st.traps
	}
	if st.repeats != nil {
		all[4].learner = st.repeats
	}
	return all
}

// record lets all that learn write down from now on what they learn.
func (c *Crawler) record() {
	for _, p := range c.learners() {
		c.company.records(p.learner)
	}
	c.ledger.Keeps = true
}

// lesson is all that was learned since it was last asked.
func (c *Crawler) lesson() []byte { return c.ledger.Told(c.gather(learner.Lesson)) }

// state is all that was learned.
func (c *Crawler) state() []byte { return c.ledger.State(c.gather(learner.State)) }

// gather puts the parts of all that learn one behind the other. The ledger's comes last, up to the end.
func (c *Crawler) gather(part func(learner) []byte) []byte {
	w := pack.Writer{run.LearnedVersion}
	for _, p := range c.learners() {
		var b []byte
		if p.learner != nil {
			b = part(p.learner)
		}
		w.Bytes(b)
	}
	return w
}

// restore takes back a state.
func (c *Crawler) restore(state []byte) error {
	own, err := c.parts(state, learner.Restore)
	if err != nil {
		return err
	}
	return c.ledger.Restore(own)
}

// relearn is told a lesson again.
func (c *Crawler) relearn(lesson []byte) error {
	own, err := c.parts(lesson, learner.Relearn)
	if err != nil {
		return err
	}
	return c.ledger.Again(own)
}

// parts gives each pupil its part, and answers what is left: the ledger's.
func (c *Crawler) parts(b []byte, give func(learner, []byte) error) ([]byte, error) {
	if len(b) == 0 {
		return nil, ledger.ErrDamaged
	}
	if err := pack.Version(int(b[0]), run.LearnedVersion); err != nil {
		return nil, err
	}
	r := pack.Reader{Left: b[1:]}
	for _, p := range c.learners() {
		part := r.Bytes()
		if r.Bad {
			return nil, ledger.ErrDamaged
		}
		if p.learner == nil || len(part) == 0 {
			continue
		}
		if err := give(p.learner, part); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return r.Left, nil
}

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
