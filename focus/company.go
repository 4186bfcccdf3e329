package focus

import (
	"context"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
)

// A company is who has a part in a crawl: this process alone, or the machines that share the crawl on Redis.
type company interface {
	// folder opens the run folder that is this process's own.
	folder(ctx context.Context, standing run.Standing) (*run.Folder, error)
	// store opens the frontier in the run folder that was opened.
	store(ctx context.Context, m frontier.Manners, strategy *rank.Strategy) (frontier.Frontier, error)
	// join is told when the steps hang on the collector, and nothing has been learned yet.
	join() error
	// records lets a learner write down from now on what it learns, for whoever will have to understand it.
	records(l run.Learner)
	// remedy is what somebody can do about results in a run folder that are shorter than the frontier knows them to be, and
	// about what was learned where it cannot be taken back.
	remedy(dir string) (short, unlearned string)

	// attend listens to the others until popping is over, and hurry lets a crawl end that waits for them.
	attend(popping context.Context)
	hurry()
	// paused tells whether nothing is to be begun: all were told to pause, or this process is held up and leaves the work to others,
	// which aside answers, and not that it keeps the turn. mayPop waits meanwhile, and answers false when popping is over. awaits
	// says what this process is waiting for, a pause among other things; it is empty while it waits for nothing.
	paused() bool
	aside(why string, still func() bool) bool
	mayPop(ctx context.Context) bool
	awaits() string

	// holds tells whether a visit is still this process's own, and lapsed whether it may be another's already: of one that was
	// handed over then and has not begun, or of any where that is zero.
	holds(id uint64) bool
	lapsed(id uint64, handed time.Time) bool
	// tell tells the frontier how a visit ended. concluded is told afterwards, and no visit is in the middle of its steps.
	tell(id uint64, o frontier.Outcome) error
	concluded(v *Visit, o frontier.Outcome)
	// hear takes in what the others have learned, up to this moment.
	hear() error
}

// alone is the company of a process that shares its crawl with nobody.
type alone struct{ c *Crawler }

func (alone) join() error                        { return nil }
func (alone) attend(context.Context)             {}
func (alone) hurry()                             {}
func (alone) mayPop(context.Context) bool        { return true }
func (alone) paused() bool                       { return false }
func (alone) aside(string, func() bool) bool     { return false }
func (alone) awaits() string                     { return "" }
func (alone) holds(uint64) bool                  { return true }
func (alone) lapsed(uint64, time.Time) bool      { return false }
func (alone) concluded(*Visit, frontier.Outcome) {}
func (alone) hear() error                        { return nil }

func (a alone) folder(_ context.Context, standing run.Standing) (*run.Folder, error) {
	return run.OpenFolder(a.c.config.Store, standing)
}

// store opens the frontier below the run folder, or in memory where there is none.
func (a alone) store(_ context.Context, m frontier.Manners, _ *rank.Strategy) (frontier.Frontier, error) {
	if a.c.folder == nil {
		return frontier.NewMemory(m), nil
	}
	o := disk.Options{BeforeSync: a.c.syncWritten}
	if !a.c.clock.Passes() {
		o.AtOnce, o.Every = true, virtualSync
	}
	f, err := a.c.folder.Frontier(m, o)
	if err != nil {
		return nil, err // and not a frontier that is nil
	}
	return f, nil
}

// virtualSync is how long what was done may stay in memory over a recorded web, where a second is a thousand pages.
const virtualSync = 100 * time.Millisecond

func (alone) records(l run.Learner) {
	if r, ok := l.(interface{ Record() }); ok {
		r.Record()
	}
}

func (alone) remedy(dir string) (short, unlearned string) {
	repair := "'thresher repair --run " + shell.Word(dir) + "' rebuilds the state "
	return repair + "from what is left", repair + "and lets it learn again, --fresh starts over"
}

func (a alone) tell(id uint64, o frontier.Outcome) error { return a.c.frontier.Done(id, o) }
