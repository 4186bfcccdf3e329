package focus

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/replay"
)

// grace is how long visits in flight may go on after a crawl was told to stop.
const grace = 700 * time.Millisecond

// slack is what a visit may take beyond the time that its transport keeps.
const slack = 5 * time.Second

// stoppedByUser is the reason of a crawl whose context ended.
const stoppedByUser = "you stopped it"

// Crawler is one crawl. It is made by New, extended through Collector, OnPage and OnLink, and run once.
type Crawler struct {
	config    Config
	collector *colly.Collector
	steps     *Steps
	frontier  frontier.Frontier
	carrier   *carrier
	client    *http.Client     // for robots.txt
	robots    *robots          // nil where they are not asked
	web       *replay.Web      // nil on the live web
	earlier   *replay.Web      // what is taken from an earlier crawl where it has not changed; nil if there is none
	recorder  *replay.Recorder // nil where nothing is recorded
	now       func() time.Time // the crawl's clock
	virtual   *frontier.Manual // the clock over a recorded web; nil on the live web
	folder    *folder
	jobs      chan *job
	budget    budget
	figures   *figures       // nil where nobody asks for them
	tries     map[uint64]int // failed visits of items that wait again
	failures  map[string]int // visits in a row that failed, by host
	shared    *shared        // nil where no other machine has a part in the crawl
	stale     int            // links in a row that were put back
	redo      uint64         // the item that was put back and not scored again before the crawl was interrupted
	planted   bool           // the start pages wait
	injected  int64          // how far the list of injected addresses was taken
	left      atomic.Int64   // visits that were given up, and are the next run's

	keeper      keeper                    // nil where the frontier keeps nothing
	written     atomic.Pointer[written]   // the files that are written; nil until they are open
	out         map[uint64]*popped        // visits under way
	interrupted map[uint64]frontier.Lease // those of an earlier run, until they are begun again
	resumed     *Resumed                  // nil where the crawl began afresh
	halted      chan struct{}             // closed when it is to stop
	still       atomic.Pointer[string]    // why it stands still; nil while it goes on
	untold      int64                     // bytes of lessons since the last snapshot
	snapshot    int64                     // bytes of the last snapshot

	openings  atomic.Uint64 // how often a steward was asked to let links go because all were held
	began     time.Time     // on the wall
	committed time.Time     // on the wall
	looked    time.Time     // at the disk, on the wall

	mu      sync.Mutex // guards what follows
	reason  string     // why it stops; empty while it goes on
	halt    context.CancelFunc
	tickets uint64
	panics  []string
}

// job is what a worker does next: a visit, or a robots.txt that stands before it.
type job struct {
	visit  *Visit
	robots *robotsFlight // what is fetched first; nil for a visit
	probe  *url.URL      // what is fetched first, to know the host's error page; nil for a visit
	first  bool          // it is the one that asks
	aside  bool          // its host may not answer: no worker waits for it
	start  time.Time     // when it was popped, by the crawl's clock
}

// Collector is the Colly collector of the crawl. What is hung on it runs for every page, before the page is judged and
// possibly for several pages at the same time. Its settings and its transport belong to the crawl.
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
func (c *Crawler) Counts() Counts {
	counts := c.steps.Counts()
	counts.Now = c.now()
	return counts
}

// Waiting is how many links wait in the frontier, those included whose visits were given up.
func (c *Crawler) Waiting() int { return c.frontier.Len() + int(c.left.Load()) }

// Run crawls until a budget is used up, nothing waits any more, or ctx is done. A crawl that was told to stop finishes
// what is in flight, for less than a second, and saves: that is not an error. The Report tells why it ended.
func (c *Crawler) Run(ctx context.Context) (Report, error) {
	if !c.began.IsZero() {
		return Report{}, errors.New("focus: a crawler runs once, and not after Close; make another with New")
	}
	if c.collector.Async {
		return Report{}, errors.Join(errors.New("focus: the collector is Async, and the crawl must know when a request has ended: leave Async off"), c.close("failed"))
	}
	c.began = time.Now()
	if err := c.plant(); err != nil {
		return Report{}, errors.Join(err, c.close("failed"))
	}
	if c.figures != nil {
		if err := c.figures.serve(c.config.Metrics); err != nil {
			return Report{}, errors.Join(err, c.close("failed"))
		}
	}
	ctx, told := context.WithCancel(ctx)
	defer told()
	popping, halt := context.WithCancel(ctx)
	defer halt()
	c.mu.Lock()
	c.halt = halt
	c.mu.Unlock()
	inFlight, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	defer context.AfterFunc(ctx, func() {
		c.stop(stoppedByUser)
		timer := time.AfterFunc(grace, cut)
		context.AfterFunc(inFlight, func() { timer.Stop() })
	})()
	heeded, over := context.WithCancel(popping)
	var heeding sync.WaitGroup
	heeding.Go(func() { c.heed(heeded, told) })
	if c.virtual != nil {
		c.replay(popping, inFlight)
	} else {
		c.live(popping, inFlight)
	}
	over()
	heeding.Wait()
	return c.report()
}

// plant pushes the start pages, unless they wait already.
func (c *Crawler) plant() error {
	if c.planted {
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
		return fmt.Errorf("focus: none of the %d start pages is inside the scope; change seeds or scope in %s",
			len(c.config.Seeds), c.config.File)
	}
	c.steps.happen(&planted{began})
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

// live runs the crawl on the web: each worker pops, fetches and concludes, and the frontier's clocks keep the manners.
func (c *Crawler) live(popping, inFlight context.Context) {
	var workers sync.WaitGroup
	asking := aside{crew: &workers, places: make(chan struct{}, robotsAside*c.config.Polite.Parallel)}
	for range c.config.Polite.Parallel {
		workers.Go(func() {
			for c.mayPop(popping) && c.budget.take(popping) {
				openings := c.openings.Load()
				lane := c.lane()
				item, err := c.frontier.Pop(popping, lane)
				if err != nil {
					c.budget.giveBack()
					if c.heldLive(err, openings) {
						continue
					}
					c.steps.turn.enter(0)
					c.ended(err)
					c.steps.turn.leave(0)
					return
				}
				if j := c.leased(item, lane); j == nil {
					c.budget.giveBack()
				} else if !j.aside || !asking.run(func() { c.work(inFlight, j) }) {
					c.work(inFlight, j)
				}
			}
		})
	}
	attended, over := context.WithCancel(popping)
	var attending sync.WaitGroup
	attending.Go(func() { c.attend(attended) })
	workers.Wait()
	over()
	attending.Wait()
}

// lane is the lane of the frontier that the next link is taken from.
func (c *Crawler) lane() int {
	c.steps.turn.enter(0)
	defer c.steps.turn.leave(0)
	return c.steps.memory.Lane(c.budget.leased() - 1)
}

// ended gives the reason why nothing was popped. The turn must be held.
func (c *Crawler) ended(err error) {
	switch {
	case errors.Is(err, frontier.ErrEmpty), errors.Is(err, frontier.ErrHeld) && c.steps.steward != nil:
		c.stop("nothing more to visit")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
	default:
		c.steps.fail(err)
		c.stop("failed: " + err.Error())
	}
}

// replay runs the crawl over a recorded web. Time is virtual. The workers fetch and read as they like, but outcomes are
// applied in the order of the pops, and the next pops are made while the turn is held.
func (c *Crawler) replay(popping, inFlight context.Context) {
	c.jobs = make(chan *job, c.config.Window)
	var workers sync.WaitGroup
	for range c.config.Polite.Parallel {
		workers.Go(func() {
			for j := range c.jobs {
				c.work(inFlight, j)
			}
		})
	}
	c.steps.turn.enter(0)
	c.fill()
	c.steps.turn.leave(0)
	workers.Wait()
}

// fill leases as many items as the window holds. The turn must be held. When nothing is leased any more, the crawl is
// over and the workers may go home.
func (c *Crawler) fill() {
	for c.budget.leased() < c.config.Window && !c.stopped() && c.budget.try() {
		lane := c.steps.memory.Lane(c.budget.leased() - 1)
		item, ready, err := c.frontier.(frontier.Trier).TryPop(lane)
		if err == nil && item.ID != 0 {
			j := c.leased(item, lane)
			if j == nil {
				c.budget.giveBack()
				continue
			}
			c.tickets++
			j.visit.ticket = c.tickets
			c.jobs <- j
			continue
		}
		c.budget.giveBack()
		if c.held(err, c.openings.Load()) {
			continue
		}
		if err != nil && !errors.Is(err, frontier.ErrIdle) {
			c.ended(err)
			break
		}
		if c.budget.leased() > 0 || err != nil {
			return // an outcome must come first
		}
		c.virtual.Set(ready)
	}
	if c.budget.leased() == 0 {
		close(c.jobs)
	}
}

// leased makes a job of an item that was popped; nil if it was put back because it promises less by now.
func (c *Crawler) leased(item frontier.Item, lane int) *job {
	if c.virtual == nil {
		c.steps.turn.enter(0)
		defer c.steps.turn.leave(0)
	}
	if j := c.repeated(item); j != nil {
		return j
	}
	if c.putBack(item, lane) {
		return nil
	}
	c.space(item)
	j := c.pop(item, lane)
	j.start = c.now()
	j.visit.Time = j.start
	return j
}

// space keeps the pause between visits of a host that may be visited several times at once: the next one may not begin
// before it is over. With one visit at a time the frontier does it.
func (c *Crawler) space(item frontier.Item) {
	pacer, ok := c.frontier.(frontier.Pacer)
	if c.config.Polite.PerHost < 2 || !ok {
		return
	}
	pause := c.config.Polite.Delay.Duration()
	if c.robots != nil {
		if rules := c.robots.rules(item); rules != nil {
			pause = max(pause, min(rules.Delay(), maxCrawlDelay))
		}
	}
	if pause > 0 {
		pacer.Rest(item.Host, c.now().Add(pause))
	}
}

// work does a job and concludes it, whatever happens. A panic in a user's callback costs its page only.
func (c *Crawler) work(ctx context.Context, j *job) {
	defer c.conclude(ctx, j)
	defer func() {
		if p := recover(); p != nil {
			c.panicked(j.visit, p)
		}
	}()
	v := j.visit
	switch {
	case v.Refused != "" || v.Err != nil:
	case j.robots != nil:
		j.robots.fly(ctx, j.first, func() answer {
			return fetchRobots(ctx, c.client, j.robots.origin, c.collector.UserAgent)
		})
		if c.web != nil {
			v.Took = c.web.Latency(j.robots.origin + "/robots.txt")
		}
	case j.probe != nil:
		c.askSoftly(ctx, j.probe)
	default:
		own, cancel := context.WithTimeout(ctx, c.config.Fetch.Timeout.Duration()+slack) // the transport keeps the time, and what came in it
		defer cancel()
		c.fetch(own, v)
	}
}

// panicked notes a panic where the report and the log will show it.
func (c *Crawler) panicked(v *Visit, p any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v.Err, v.panicked = fmt.Errorf("panic: %v", p), true
	c.notePanic(v, p)
}

// notePanic keeps the first panics for the report. c.mu must be held.
func (c *Crawler) notePanic(v *Visit, p any) {
	if len(c.panics) < 10 {
		c.panics = append(c.panics, fmt.Sprintf("%s: %v\n%s", v.Item.URL, p, debug.Stack()))
	}
}

// conclude takes the turn, lets the visit through the steps it has not been through, and tells the outcome to the
// frontier.
func (c *Crawler) conclude(ctx context.Context, j *job) {
	v := j.visit
	c.steps.enter(v)
	defer c.steps.leave(v)
	if c.leaving() && !v.judged {
		c.leave()
		return
	}
	if c.virtual != nil {
		c.virtual.Set(j.start.Add(v.Took))
	}
	v.Time = c.now()
	outcome := c.outcome(ctx, j)
	if id, ok := requestID(v.Item.URL); ok && !outcome.Again && c.steps.err == nil {
		c.steps.happen(&finished{id})
	}
	if !outcome.Again {
		c.letGo()
	}
	c.steps.fail(c.commit())
	if c.steps.err == nil {
		c.steps.fail(c.tell(v.Item.ID, outcome))
	}
	if c.steps.err != nil { // what was done with this page may be incomplete: it is left to the next run
		c.judgeBudget()
		c.leave()
		return
	}
	c.budget.done(!outcome.Again && !v.Refused.unvisited())
	c.finishForAll(v, outcome)
	c.listen()
	c.steps.fail(c.snapshotWhenDue())
	c.guardDisk()
	c.judgeBudget()
	if c.jobs != nil {
		c.fill()
	}
}

// outcome runs what is left of the journey, and says how the visit ended.
func (c *Crawler) outcome(ctx context.Context, j *job) frontier.Outcome {
	v := j.visit
	c.steps.memory.Taken(v.lane)
	switch {
	case ctx.Err() != nil && v.Status == 0: // cut off: it is the next run's
		return frontier.Outcome{Again: true, Score: v.Item.Score}
	case j.probe != nil:
		return frontier.Outcome{Again: true, Score: v.Item.Score, Took: v.Took}
	case v.Refused.unvisited():
		c.steps.dismiss(v)
		return frontier.Outcome{Idle: true}
	case j.robots != nil && gone(j.robots.answer.err): // a host that is not there has no pages either
		v.Err = j.robots.answer.err
		c.learnRobots(j.robots)
	case j.robots != nil:
		wait, delay := c.learnRobots(j.robots)
		c.pushSitemaps(v, j.robots)
		if wait > 0 && c.config.RetryWait > 0 {
			wait = c.config.RetryWait
		}
		if wait > 0 {
			c.steps.putOff(v, c.robots.why(j.robots.origin))
		}
		if pacer, ok := c.frontier.(frontier.Pacer); ok && delay > 0 {
			pacer.Pace(v.Item.Host, min(delay, maxCrawlDelay))
		}
		return frontier.Outcome{Again: true, Score: v.Item.Score, Wait: wait, Took: v.Took}
	}
	c.heard(v)
	if outcome, again := c.again(v); again {
		return outcome
	}
	if !v.judged {
		c.steps.process(v)
	}
	return frontier.Outcome{Took: v.Took, Failed: failed(v), Why: string(pageless(v))}
}

// maxCrawlDelay bounds what a robots.txt may ask for: a host that wants more is visited once in that time.
const maxCrawlDelay = 2 * time.Minute

// commitEvery is how often, on the wall, it is written down how the run stands.
const commitEvery = time.Second

// commit writes down now and then how the run stands, for whoever looks into its folder. The turn must be held.
func (c *Crawler) commit() error {
	if time.Since(c.committed) < commitEvery {
		return nil
	}
	c.committed = time.Now()
	var err error
	if w := c.written.Load(); w != nil && c.keeper == nil {
		err = w.sync()
	}
	if c.folder != nil {
		err = errors.Join(err, c.folder.note(&c.steps.counts, c.frontier.Len()))
	}
	return err
}
