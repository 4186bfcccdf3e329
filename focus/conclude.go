package focus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/turn"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// conclude takes the turn, lets the visit through the steps it has not been through, and tells the outcome to the
// frontier. The order is what makes a crash harmless: all that the visit changed stands in the ledger, in what the selector let
// go, and in the files, before the frontier is told, which keeps it in one frame with the outcome (tell). What comes after
// that may be lost.
func (c *Crawler) conclude(ctx context.Context, j *job) {
	v := j.visit
	c.steps.enter(v)
	defer c.steps.leave(v)
	if c.leaving() && !v.judged {
		c.leave()
		return
	}
	if !v.judged && c.lost(v) {
		if j.robots != nil {
			c.learnRobots(j.robots) // others here may wait for this very answer
		}
		c.budget.GiveBack()
		return
	}
	c.clock.Ended(j.start, v.Took)
	v.Time = c.now()
	c.locate(v.Item.Host)
	told := false
	defer func() {
		if !told { // what was done with this page may be incomplete: it is left to the next run
			c.judgeBudget()
			c.leave()
		}
	}()
	outcome := c.outcome(ctx, j)
	if !outcome.Again && !outcome.Shelved && c.steps.err == nil {
		c.steps.finish(v)
	}
	if !outcome.Again {
		c.steps.comeBack(v.Item.ID, false)
		if ended := c.steps.letGo(); ended != "" {
			c.stop(ended)
		}
	}
	c.steps.fail(c.commit())
	if c.steps.err == nil {
		c.steps.fail(c.tell(v.Item.ID, outcome))
	}
	if told = c.steps.err == nil; !told {
		return
	}
	c.budget.Done(!outcome.Again && !v.Refused.Unvisited())
	c.company.concluded(v, outcome)
	c.steps.fail(c.snapshotWhenDue())
	c.guard()
	c.judgeBudget()
	v.watch.Lap(turn.Settle)
	c.clock.concluded(c) // over a recorded web the next pops are decided here, after everything of this visit is known
	v.watch.Lap(turn.Pop)
}

// outcome runs what is left of the journey, and says how the visit ended.
func (c *Crawler) outcome(ctx context.Context, j *job) frontier.Outcome {
	v := j.visit
	c.steps.taken(v)
	switch {
	case ctx.Err() != nil && v.Status == 0: // cut off: it is the next run's
		return frontier.Outcome{Again: true, Score: v.Item.Score}
	case j.late && j.robots == nil || errors.Is(v.Err, wire.ErrAway) || j.robots != nil && errors.Is(j.robots.Answer.Err, wire.ErrAway):
		c.ledger.Robots.Unasked(j.robots)
		return frontier.Outcome{Again: true, Idle: true, Score: v.Item.Score}
	case j.asking.GivenUp():
		c.steps.putOff(v, "slow")
		return frontier.Outcome{Again: true, Score: v.Item.Score, Took: v.Took}
	case j.question != nil:
		return frontier.Outcome{Again: true, Score: v.Item.Score, Took: v.Took}
	case v.Refused.Unvisited():
		c.steps.dismiss(v)
		return frontier.Outcome{Idle: true, Shelved: v.Refused.Kind() == admit.RefusedTrap}
	case j.robots != nil && !j.robots.Terms && c.gone(v, j.robots.Answer.Err): // a host that is not there has no pages either
		v.Err = j.robots.Answer.Err
		c.learnRobots(j.robots)
	case j.robots != nil:
		wait, delay := c.learnRobots(j.robots)
		c.pushSitemaps(v, j.robots)
		wait = min(wait, cmp.Or(c.with.retryWait, wait))
		if wait > 0 {
			c.steps.putOff(v, c.ledger.Robots.Why(j.robots.Origin))
		}
		if c.can.pace != nil && delay > 0 {
			if j.first && !j.robots.Terms && delay > robots.MostDelay {
				c.say(fmt.Sprintf("%s asks for %v between two visits, and is visited once in %v", v.Item.Host, delay, robots.MostDelay))
			}
			c.can.pace.Pace(v.Item.Host, min(delay, robots.MostDelay))
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

// commitEvery is how often, on the wall, it is written down how the run stands: as often as somebody who watches wants to see
// it, and seldom enough to cost nothing beside a page.
const commitEvery = time.Second

// commit writes down now and then how the run stands, for whoever looks into its folder. The crawl itself never reads that
// again. The turn must be held.
func (c *Crawler) commit() (err error) {
	if time.Since(c.committed) < commitEvery {
		return nil
	}
	c.committed = time.Now()
	if w := c.written.Load(); w != nil && c.keeper == nil {
		err = w.Sync()
	}
	if c.folder != nil {
		err = errors.Join(err, c.folder.Note(c.ledger.Standing(), c.frontier.Len(), c.written.Load().Told()))
	}
	return err
}

// lost tells that a visit is another machine's. Nothing of it is written down here. The turn must be held.
func (c *Crawler) lost(v *Visit) bool {
	if c.company.holds(v.Item.ID) {
		return false
	}
	c.ledger.Lose(v.Item.ID)
	return true
}

// enter waits for the turn of a visit, which has it until leave.
func (st *Steps) enter(v *Visit) {
	if !v.entered {
		v.watch.Lap(turn.Hooks)
		st.turn.Enter(v.ticket)
		v.watch.Lap(turn.Wait)
		v.entered = true
	}
}

func (st *Steps) leave(v *Visit) {
	if v.entered {
		v.entered = false
		st.turn.Leave(v.ticket)
	}
}

// setAside gives up a link that killed the process every time it was visited, or whose robots.txt or tdmrep.json did: it is
// refused and waits no longer. When a page that links to it brings it back, it is given up again in silence; when somebody
// has injected it since, it is visited. The turn must be held, and no visit may be in the middle of its steps.
func (c *Crawler) setAside(item frontier.Item) bool {
	name, before := item.Known(), robots.Asked(item.URL)
	aside, told := c.underway.IsAside(name)
	if !aside && c.ledger.Robots != nil {
		aside = c.underway.IsAnyAside(before)
	}
	if !aside || c.can.tiers == nil {
		return false
	}
	if told && item.Via == 0 {
		c.steps.fail(c.underway.Forgive(append(before, name)...))
		return false
	}
	delete(c.interrupted, item.ID)
	err := c.frontier.Done(item.ID, frontier.Outcome{Again: true, Idle: true, Score: item.Score})
	if errors.Is(err, frontier.ErrNotLeased) { // it is another machine's by now
		return true
	}
	c.steps.fail(errors.Join(err, c.can.tiers.Drop(item.ID)))
	if !told {
		v := c.visitOf(item)
		v.Refused, v.Time = admit.RefusedKiller, c.now()
		c.steps.dismiss(v)
	}
	c.ledger.Record(&ledger.Ended{ID: item.ID})
	c.steps.fail(c.keep())
	// That it was told is noted only when the refusal is safe: the other way round, a crash between the two would lose the refusal.
	if c.keeper != nil && !told && c.steps.err == nil {
		c.steps.fail(errors.Join(c.keeper.Sync(), c.underway.Told(name)))
	}
	return true
}
