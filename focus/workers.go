package focus

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/turn"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// job is what a worker does next: a visit, or a robots.txt that stands before it.
type job struct {
	visit    *Visit
	robots   *robots.Flight // what is fetched first; nil for a visit
	question *junk.Question // what is fetched first, to know the host's error page; nil for a visit
	first    bool           // it is the one that asks
	slow     bool           // its host may not answer: no worker waits for it
	start    time.Time      // when it was popped, by the crawl's clock
	handed   time.Time      // when the frontier handed it over; zero over a recorded web
	took     time.Duration  // what was waited for the host, where it was asked for something else than its page
	late     bool           // it could not begin when it was to: the link goes back
	asking   *wire.Asking   // how the host is asked for the page; nil over a recorded web
}

// under is what a job asks for, and empty where it asks for nothing: it was refused, or waits for another's answer.
func (j *job) under() string {
	switch {
	case j.visit.Refused != "" || j.visit.Err != nil || j.robots != nil && !j.first:
		return ""
	case j.robots != nil:
		return j.robots.Address()
	}
	return j.visit.Item.Known()
}

// live runs the crawl on the web: each worker pops, fetches and concludes, and the frontier's clocks keep the manners.
func (c *Crawler) live(popping, inFlight context.Context) {
	attended, over := context.WithCancel(popping)
	var attending sync.WaitGroup
	attending.Go(func() { c.company.attend(attended) })
	// Hosts that take their time are attended to aside, by goroutines of their own, so that a few of them cannot occupy all workers.
	aside := wire.NewSlow(c.config.Polite.Parallel, c.config.Fetch.Answer.Duration())
	frontier.Crew{Threads: c.config.Polite.Parallel, Next: c.next, Visit: func(item frontier.Item, lane int) (frontier.Outcome, bool) {
		handed, watch := c.now(), c.steps.turn.Begin()
		c.steps.turn.Enter(0)
		watch.Lap(turn.Wait)
		j := c.leased(item, lane)
		watch.Lap(turn.Pop)
		c.steps.turn.Leave(0)
		if j == nil {
			c.budget.GiveBack()
			return frontier.Outcome{}, true // it was told when it was put back
		}
		j.handed, j.visit.watch = handed, watch
		work := func() { c.unhurried(popping, inFlight, aside, j) }
		j.asking = &wire.Asking{Slow: aside, Host: item.Host}
		if !j.slow && !aside.Knows(item.Host) || !aside.Run(work) {
			aside.Attend(j.asking, work)
		}
		return frontier.Outcome{}, true // it is told with all that is kept together with it
	}}.Run(popping, c.frontier)
	aside.Wait()
	over()
	attending.Wait()
}

// unhurried does a job, after it has waited for a seat where the page of a slow host is to be fetched: a crawl that is to end
// meanwhile leaves the page to the next run.
func (c *Crawler) unhurried(popping, inFlight context.Context, aside *wire.Slow, j *job) {
	host := j.visit.Item.Host
	if waits := j.robots == nil && (j.slow || aside.Knows(host)); waits && !aside.Sit(popping, host) {
		j.late = true
	} else if waits {
		j.asking.Sits()
		defer aside.GetUp(host)
	}
	end := c.underway.Begin(j.under(), host)
	defer func() { end(!j.late) }()
	c.work(inFlight, j)
	if took := max(j.took, j.asking.Took()); took > 0 {
		aside.Saw(host, took)
	}
}

// next waits until another page may be fetched. It takes that page off the budget before anything is popped, or as many pages too
// many could be popped as there are workers; Missed gives it back.
func (c *Crawler) next(popping context.Context) (frontier.Turn, bool) {
	if !c.company.mayPop(popping) || !c.budget.Take(popping) {
		return frontier.Turn{}, false
	}
	openings := c.openings.Load()
	return frontier.Turn{Lane: c.lane(), Missed: func(err error) bool {
		c.budget.GiveBack()
		c.steps.turn.Enter(0)
		defer c.steps.turn.Leave(0)
		if c.held(err, openings) {
			return true
		}
		c.ended(err)
		return false
	}}, true
}

// lane is the lane of the frontier that the next link is taken from.
func (c *Crawler) lane() int {
	c.steps.turn.Enter(0)
	defer c.steps.turn.Leave(0)
	return c.steps.memory.Lane(c.budget.Leased() - 1)
}

// ended gives the reason why nothing was popped. The turn must be held.
func (c *Crawler) ended(err error) {
	switch {
	case errors.Is(err, frontier.ErrEmpty), errors.Is(err, frontier.ErrHeld) && c.steps.selector != nil:
		c.steps.fail(c.company.hear()) // nothing is handed over any more once all together have used the budget up
		c.judgeBudget()
		c.stop("nothing more to visit")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
	default:
		c.steps.fail(err)
		c.stop("failed: " + err.Error())
	}
}

// replay runs the crawl over a recorded web. Time is virtual. The workers fetch and read as they like, but outcomes are
// applied in the order of the pops, and the next pops are made while the turn is held. So a pop sees exactly the outcomes of
// the visits window pops before it, however the workers were scheduled, and the same file, seed and window give the same bytes.
func (c *Crawler) replay(inFlight context.Context) {
	c.jobs = make(chan *job, c.config.Window)
	var workers sync.WaitGroup
	for range c.config.Polite.Parallel {
		frontier.Outlive(&workers, func() bool {
			j, end := c.nextJob()
			if j == nil {
				return false
			}
			defer func() { end(!j.late) }()
			c.work(inFlight, j)
			return true
		})
	}
	c.steps.turn.Enter(0)
	c.fill()
	c.steps.turn.Leave(0)
	workers.Wait()
}

// errLeasedElsewhere: over a recorded web time stands still while nothing is done, so that nobody can wait for another
// machine, nor for the links of one that was killed to come back.
var errLeasedElsewhere = errors.New("what waits is behind visits that another machine has begun, or one that was killed: a recorded web on Redis is crawled by one machine, from beginning to end; begin anew with --fresh")

// fill leases as many items as the window holds. The turn must be held. When nothing is leased any more, the crawl is
// over and the workers may go home. It never blocks on the channel of jobs, which has room for a whole window.
func (c *Crawler) fill() {
	for c.budget.Leased() < c.config.Window && !c.stopped() && c.budget.Try() {
		lane := c.steps.memory.Lane(c.budget.Leased() - 1)
		item, ready, err := c.can.try.TryPop(lane)
		if err == nil && item.ID != 0 {
			j := c.leased(item, lane)
			if j == nil {
				c.budget.GiveBack()
				continue
			}
			c.tickets++
			j.visit.ticket = c.tickets
			c.jobs <- j
			continue
		}
		c.budget.GiveBack()
		if c.held(err, c.openings.Load()) {
			continue
		}
		if err != nil && !errors.Is(err, frontier.ErrIdle) {
			c.ended(err)
			break
		}
		if c.budget.Leased() > 0 {
			return // an outcome must come first
		}
		if err != nil {
			c.ended(errLeasedElsewhere)
			break
		}
		c.clock.Set(ready) // nothing is under way, and all that waits is at hosts that rest: time moves on to the first that is ready
	}
	if c.budget.Leased() == 0 {
		close(c.jobs)
	}
}

// nextJob is the next job over a recorded web, and what ends it; nil when the crawl is over. The jobs begin in the order of
// their tickets: one that is made alone waits for those before it, which could not end if one after them had begun.
func (c *Crawler) nextJob() (j *job, end func(made bool)) {
	c.starting.Lock()
	defer c.starting.Unlock()
	j, more := <-c.jobs
	if !more {
		return nil, nil
	}
	return j, c.underway.Begin(j.under(), j.visit.Item.Host)
}

// leased makes a job of an item that was popped; nil if there is none to do: it was given up, is another machine's, or was put
// back because it promises less by now. A visit that an earlier run had begun comes before these questions are asked: it is begun
// again as it was. The turn must be held.
func (c *Crawler) leased(item frontier.Item, lane int) *job {
	if c.setAside(item) {
		return nil
	}
	if j := c.repeated(item); j != nil {
		return j
	}
	if c.tooLate(item) || c.putBack(item, lane) {
		return nil
	}
	j := c.pop(item, lane)
	j.start = c.now()
	j.visit.Time = j.start
	return j
}

// tooLate gives a link back whose lease may have lapsed before its visit could begin, because the frontier was away and others
// in the turn waited for it: another machine may be visiting the host. The turn must be held.
func (c *Crawler) tooLate(item frontier.Item) bool {
	if !c.company.lapsed(item.ID, time.Time{}) {
		return false
	}
	if err := c.frontier.Done(item.ID, frontier.Outcome{Again: true, Idle: true, Score: item.Score}); !errors.Is(err, frontier.ErrNotLeased) {
		c.steps.fail(err)
	}
	return true
}

// work does a job and concludes it, whatever happens. A panic in a user's callback costs its page only.
func (c *Crawler) work(ctx context.Context, j *job) {
	defer c.conclude(ctx, j)
	came := false
	defer func() {
		p := recover()
		if p == nil && !came {
			p = frontier.ErrGoexit
		}
		if p != nil {
			c.panicked(j.visit, p)
		}
	}()
	c.do(ctx, j)
	came = true
}

// do makes a visit, or asks what is asked before it.
func (c *Crawler) do(ctx context.Context, j *job) {
	v := j.visit
	if !v.watch.Running() {
		v.watch = c.steps.turn.Begin()
	}
	if v.Refused == "" && v.Err == nil && !j.late {
		var free bool
		v.slot, free = c.rules.Enter(ctx, c.halted, v.Item.Host)
		j.late = !free || !c.mayBegin(ctx, j)
		defer func() { v.give(!j.late && (j.robots != nil || j.question != nil)) }()
	}
	began := time.Now()
	switch {
	case v.Refused != "" || v.Err != nil || j.late && j.robots == nil:
		return
	case j.robots != nil:
		j.robots.Fly(ctx, j.first, func() robots.Answer {
			if j.late {
				return robots.Answer{Err: wire.ErrAway}
			}
			return robots.Fetch(ctx, c.ground.Client, j.robots.Address(), c.collector.UserAgent, c.config.Fetch.Timeout.Duration())
		})
		v.Took = c.clock.Took(j.robots.Address(), v.Took)
	case j.question != nil:
		probe.Nonsense(ctx, c.ground.Transport, c.header(), j.question, c.steps.reading)
	default:
		own, cancel := context.WithTimeout(ctx, c.config.Fetch.Timeout.Duration()+ground.Slack) // the transport keeps the time, and what came in it
		defer cancel()
		c.fetch(own, j)
		return
	}
	j.took = time.Since(began)
}

// panicked notes a panic where the report and the log will show it. The visit goes on as one that failed, and its host is not
// blamed for it.
func (c *Crawler) panicked(v *Visit, p any) {
	v.Err, v.panicked = fmt.Errorf("panic: %.200s", fmt.Sprint(p)), true
	c.notePanic(v, p)
}

// notePanic keeps the first panics for the report: a callback that always panics does so on every page.
func (c *Crawler) notePanic(v *Visit, p any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.panics) < 10 {
		c.panics = append(c.panics, fmt.Sprintf("%s: %.2000s\n%s", v.Item.URL, fmt.Sprint(p), debug.Stack()))
	}
}
