package focus

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/meters"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
)

// grace is how long visits in flight may go on after a crawl was told to stop. With what it takes to save, that is the less
// than a second which Run promises.
const grace = 700 * time.Millisecond

// Crawler is one crawl. It is made by New, extended through Collector, OnPage and OnLink, and run once.
type Crawler struct {
	way
	memorable
	ending

	config    Config
	with      *running // what belongs to the program
	collector *colly.Collector
	steps     *Steps
	frontier  frontier.Frontier
	can       powers // of the frontier
	ledger    *ledger.Ledger
	learned   *study.Experience // what it begins with; nil where it begins cold
	clock     clock
	company   company
	folder    *run.Folder
	jobs      chan *job
	tickets   uint64
	starting  sync.Mutex    // held while a job over a recorded web begins
	underway  *run.Underway // nil where there is no run folder
	budget    frontier.Budget
	watch     *crawlfile.Watch // nil where the crawl file is not followed
	figures   *meters.Board    // nil where nobody asks for them
	starts    frontier.Starts
	openings  atomic.Uint64 // how often a selector was asked to let links go because all were held
	began     time.Time     // on the wall
	looked    time.Time     // at the disk, on the wall
}

// way is how visits come to the web.
type way struct {
	ground  *ground.Ground // nil until it is open
	carrier *carrier
	rules   frontier.Slots                         // of the program's collector
	polite  atomic.Pointer[crawlfile.PoliteConfig] // as it counts: it is replaced, and not changed
	called  string                                 // the honest name
	places  sync.Map                               // the addresses of names, and those that the frontier was told of hosts whose name has a port
}

// memorable is what outlives the process, and what came over from the one before.
type memorable struct {
	keeper      keeper                      // nil where the frontier keeps nothing
	written     atomic.Pointer[run.Written] // the files that are written; nil until they are open
	interrupted map[uint64]frontier.Lease   // the visits of an earlier run, until they are begun again
	resumed     *Resumed                    // nil where the crawl began afresh
	untold      int64                       // bytes of lessons since the last snapshot
	snapshot    int64                       // bytes of the last snapshot
	committed   time.Time                   // on the wall
}

// ending is how a crawl comes to its end.
type ending struct {
	left   atomic.Int64           // visits that were given up, and are the next run's
	lasts  atomic.Int64           // the time it is given; 0: no bound
	halted chan struct{}          // closed when it is to stop
	still  atomic.Pointer[string] // why it stands still; nil while it goes on

	mu     sync.Mutex // guards what follows
	reason string     // why it stops; empty while it goes on
	halt   context.CancelFunc
	panics []string
}

// Collector is the Colly collector of the crawl. What is hung on it runs for every page, before the page is judged and
// possibly for several pages at the same time. What becomes of its settings is the table in the package's documentation.
func (c *Crawler) Collector() *colly.Collector { return c.collector }

// OnPage adds a hook that sees every page when it has been judged, one at a time. A word it answers is the reason why the
// page is not kept.
func (c *Crawler) OnPage(hook func(*Visit) string) { c.steps.OnPage(hook) }

// OnLink adds a hook that sees every admitted link when it has been ranked, one at a time. A word it answers is the reason
// why the link does not enter.
func (c *Crawler) OnLink(hook func(*Visit, *Candidate) string) { c.steps.OnLink(hook) }

// OnDone adds a hook that sees every visit when its journey is over, one at a time.
func (c *Crawler) OnDone(hook func(*Visit)) { c.steps.OnDone(hook) }

// Counts are what was counted so far.
func (c *Crawler) Counts() ledger.Counts {
	counts := c.steps.Counts()
	counts.Now = c.now()
	return counts
}

// Given is how many pages may be fetched; 0 means no bound.
func (c *Crawler) Given() int { return c.budget.Most() }

// Awaits says whose answer is waited for, while there is one, or that the hosts of all that waits are visited by other machines; and
// whose turn is next, where all that waits is at hosts that rest.
func (c *Crawler) Awaits() (answer, rests string) {
	return frontier.Awaits(c.frontier, c.ground.Awaited.Say())
}
func (c *Crawler) now() time.Time { return c.clock.Now() }

// Waiting is how many links wait in the frontier, those included whose visits were given up.
func (c *Crawler) Waiting() int { return c.frontier.Len() + int(c.left.Load()) }

// Run crawls until a budget is used up, nothing waits any more, or ctx is done. A crawl that was told to stop finishes
// what is in flight, for less than a second, and saves: that is not an error. The Report tells why it ended.
//
// Callbacks, hooks and sinks of the program are waited for however long they take, also then and past budget.time: one that never
// returns holds it for ever. The second look at what was kept is no part of it: winnow.Run takes that.
func (c *Crawler) Run(ctx context.Context) (Report, error) {
	if !c.began.IsZero() {
		return Report{}, errors.New("a crawler runs once, and not after Close; make another with New")
	}
	c.began = time.Now()
	if err := errors.Join(c.settle(), c.takeOrders()); err != nil { // some may have been given since it was made
		c.steps.fail(err)
		return Report{}, run.DiskTrouble(c.config.Store, errors.Join(err, c.close("failed")))
	}
	// Three contexts end one after the other. ctx ends when somebody wants the crawl to stop; popping, when no further link is to be
	// taken, for that reason or because a budget is used up; inFlight, which does not inherit the end of ctx, when visits under
	// way have had their grace.
	ctx, told := context.WithCancel(ctx)
	defer told()
	defer context.AfterFunc(c.collector.Context, told)()
	defer context.AfterFunc(ctx, c.company.hurry)()
	if err := c.plant(); err != nil {
		c.steps.fail(err)
		return Report{}, run.DiskTrouble(c.config.Store, errors.Join(err, c.close("failed")))
	}
	popping, halt := context.WithCancel(ctx)
	defer halt()
	c.mu.Lock()
	c.halt = halt
	c.mu.Unlock()
	inFlight, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	cutAfter := func(wait time.Duration) {
		timer := time.AfterFunc(wait, cut)
		context.AfterFunc(inFlight, func() { timer.Stop() })
	}
	defer context.AfterFunc(ctx, func() {
		c.stop(run.StoppedByUser)
		c.written.Load().Hurry()
		cutAfter(grace)
	})()
	defer context.AfterFunc(popping, func() { cutAfter(c.config.Fetch.Timeout.Duration() + grace) })()
	heeded, over := context.WithCancel(popping)
	var heeding sync.WaitGroup
	heeding.Go(func() { c.heed(heeded, told) })
	heeding.Go(func() { c.keepTime(heeded) })
	c.clock.crawl(c, popping, inFlight)
	over()
	heeding.Wait()
	if ctx.Err() != nil {
		c.stop(run.StoppedByUser) // the AfterFunc above runs in a goroutine of its own, and may not have come to it yet
	}
	return c.report()
}

// keepTime ends the crawl when its time is over, also while nothing is fetched and every host is waited for. The time that
// it stood still does not count, so it is reckoned anew until it is over.
func (c *Crawler) keepTime(popping context.Context) {
	for c.clock.Passes() && c.company.mayPop(popping) && !c.stopped() {
		given := time.Duration(c.lasts.Load())
		if given <= 0 {
			return // no bound: if the crawl file sets one later, heed will see it
		}
		left := c.steps.Counts().Started.Add(given).Sub(c.now())
		due, giveUp := c.with.after(max(left, time.Millisecond))
		select {
		case <-popping.Done():
			giveUp()
			return
		case <-due:
		}
		c.steps.turn.EnterNext()
		c.judgeBudget()
		c.steps.turn.Leave(0)
	}
}

// plant pushes the start pages, unless they wait already.
func (c *Crawler) plant() error {
	if c.ledger.Planted() {
		c.judgeBudget()
		return c.takeInjected()
	}
	began, inside := c.now(), 0
	for _, seed := range c.config.Seeds {
		_, refused, err := c.steps.Seed(seed)
		if err != nil {
			return err
		}
		if refused == "" {
			inside++
		}
	}
	if inside == 0 && c.frontier.Len() == 0 {
		return c.config.NoneTaken() // the scope was asked before
	}
	c.ledger.Record(&ledger.Planted{Began: began})
	if c.keeper == nil {
		return nil
	}
	return errors.Join(c.keep(), c.keeper.Sync()) // before anything is fetched, so that a run of pages has a state
}

// stop ends the crawl after what is in flight. The first reason counts.
func (c *Crawler) stop(reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reason == "" {
		c.reason = reason
		close(c.halted)
	}
	if c.halt != nil {
		c.halt()
	}
}

func (c *Crawler) stopped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reason != ""
}
