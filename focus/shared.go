package focus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/visits"
)

// A crawl that many machines share has its links, its hosts' clocks and its leases in Redis. What a machine learns and
// counts it tells with each outcome, and the others hear it: site weights, document frequencies, robots.txt files,
// duplicates, traps, refusals. What one knows is what another knew at most listenEvery before, and the time of a visit that
// is in the middle of its steps. The budget of pages is kept in Redis itself; the others may be overdrawn by what the others
// fetch meanwhile.

// listenEvery is how often, on the wall, a machine listens to the others.
const listenEvery = 250 * time.Millisecond

// stoppedByCommand is the reason of a crawl that was told to stop.
const stoppedByCommand = "it was told to stop"

// listen takes in what other machines have told since the last time, and does what all are told. The turn must be held,
// and no visit be in the middle of its steps.
func (s *shared) listen() {
	if time.Since(s.listened) < listenEvery {
		return
	}
	err := s.hear()
	command := frontier.GoOn
	if err == nil {
		command, err = s.frontier.Commanded()
	}
	if err != nil && !errors.Is(err, frontier.ErrClosed) {
		s.c.steps.fail(err)
	}
	said, stood := s.gate.Look(command == frontier.Pause, s.c.now())
	if s.c.ledger.Start(s.c.ledger.Standing().Started.Add(stood)); said != "" {
		s.c.say(said)
	}
	if command == frontier.Stop {
		s.c.stop(stoppedByCommand)
	}
}

// hear takes in what other machines have told since the last time, up to this moment. The turn must be held, and no visit be
// in the middle of its steps.
func (s *shared) hear() error {
	s.listened = time.Now()
	lessons, err := s.frontier.Hear()
	for _, l := range lessons {
		if err == nil {
			err = s.c.relearn(l)
		}
	}
	if len(lessons) > 0 {
		s.c.budget.Others(s.c.ledger.Standing().Pages)
	}
	return err
}

// holds tells whether a visit's lease is still this machine's: it lapses while the machine sleeps, or cannot reach Redis.
func (s *shared) holds(id uint64) bool { return s.frontier.Holds(id) }

// lapsed tells of a lease that may have lapsed. Where a host may be visited by several machines at a time, a visit that
// begins late meets the next one, which was handed over meanwhile; without a delay none of them is too early.
func (s *shared) lapsed(id uint64, handed time.Time) bool {
	p := s.c.polite.Load()
	late := p.PerHost > 1 && p.Delay > 0 && !handed.IsZero() && s.c.now().Sub(handed) > max(p.Delay.Duration()/lateBy, lateAtLeast)
	return late || s.frontier.Lapsed(id)
}

// lateBy is the part of the delay by which a request may be late where other machines visit the same host at the same time. What
// any machine needs is never late.
const (
	lateBy      = 4
	lateAtLeast = 25 * time.Millisecond
)

// tell tells all machines how a visit ended. What was written of it is safe before. If its lease lapsed while it was in
// the middle of its steps, the visit is another machine's, and what was written of it is written twice: export leaves the
// second out. What was learned of it is unlearned (unlearn).
func (s *shared) tell(id uint64, o frontier.Outcome) error {
	if err := s.c.written.Load().Hand(); err != nil {
		return err
	}
	if !o.Again && !o.Idle {
		o.Counters = map[string]int64{redis.Spent: 1}
	}
	err := s.frontier.Done(id, o)
	if s.gone = errors.Is(err, frontier.ErrNotLeased); s.gone {
		return nil
	}
	return err
}

// attend listens while the crawl goes on, even when no visit ends here. It returns when popping is over.
func (s *shared) attend(popping context.Context) {
	tick := time.NewTicker(listenEvery)
	defer tick.Stop()
	for {
		select {
		case <-popping.Done():
			return
		case <-tick.C:
		}
		s.c.steps.turn.Enter(0)
		s.listen()
		s.c.steps.fail(errors.Join(s.c.takeOrders(), s.c.commit())) // whoever watches sees what is committed
		s.c.guard()
		s.c.judgeBudget()
		s.c.steps.turn.Leave(0)
	}
}

// hurry lets a crawl that was told to stop end while Redis is away.
func (s *shared) hurry() { s.frontier.GiveUp() }

// awaits says what keeps this machine from going on: Redis, that all were told to pause, or what holds it up itself.
func (s *shared) awaits() string {
	if why := s.awaited.Load(); why != nil {
		return *why
	}
	return s.gate.Why()
}

// paused tells whether this machine begins nothing. mayPop waits meanwhile, and answers false when the crawl is over.
func (s *shared) paused() bool                    { return s.gate.Why() != "" }
func (s *shared) mayPop(ctx context.Context) bool { return s.gate.Pass(ctx) }

// aside leaves the work to the others while this machine is held up. What is under way here ends or is given back: while it
// waited for the turn, its hosts would be nobody else's. Over a recorded web there are no others.
func (s *shared) aside(why string, is func() bool) bool {
	return s.c.clock.Passes() && s.gate.Hold(why, is)
}

// records: what one machine learned must be understood by those that have learned other things.
func (s *shared) records(l run.Learner) {
	if all, ok := l.(interface{ RecordForAll() }); ok {
		all.RecordForAll()
		return
	}
	alone{}.records(l)
}

func (s *shared) remedy(dir string) (short, unlearned string) {
	return run.MoveAway(dir), "it is in Redis, and --fresh starts over"
}

// elsewhere are the keys of the identity that name files, which may be other ones on another machine.
var elsewhere = []string{"topic.examples", "topic.corpus.relevant", "topic.corpus.other", "topic.model", "text.user_dict", "web"}

// strange says what makes this crawl another one than that which machines share; nothing where they are the same, or it
// is not said yet what that is.
func (s *shared) strange(about map[string]string, strategy *rank.Strategy) (said []string) {
	if about[run.FileCrawl] == "" {
		return nil
	}
	if there := about[run.FileStrategy]; there != "" && !strategy.HasModel() && there != string(strategy.YAML()) {
		said = append(said, fmt.Sprintf("the strategy is not %s as this machine has it", strategy.Name))
	}
	return append(said, run.Differences(run.FileCrawl, []byte(about[run.FileCrawl]), s.c.config.YAML(), elsewhere)...)
}

// unlearn lets go of what this machine has learned of a visit that turned out to be another machine's after its steps were
// done: it learns anew what all machines have told, which is what it knew but for that visit. It happens to a machine that was
// cut off in the middle of a visit's steps for longer than a lease, and to nobody else. The turn must be held, and no visit be
// in the middle of its steps.
func (s *shared) unlearn() error {
	if !s.gone {
		return nil
	}
	s.gone = false
	if err := s.c.keep(); err != nil { // what was decided of visits under way
		return err
	}
	all, err := s.frontier.Recall()
	if err != nil {
		return err
	}
	return s.relearnAll(all)
}

// relearnAll takes back what all machines have learned, in the place of what this one knows. Its own visits that are under
// way, and when the crawl began for it, stay as they are.
func (s *shared) relearnAll(all frontier.Restored) error {
	if len(all.Learned) == 0 {
		all.Learned = s.blank
	}
	c := s.c
	c.untold = 0
	err := c.ledger.Anew(func() error { return c.rememberAll(all) })
	c.budget.Recount(c.ledger.Standing().Pages)
	return err
}

// join gives the collector a storage on Redis, and tells those who come later what the crawl is.
func (s *shared) join() error {
	c := s.c
	s.blank = c.state()
	if err := s.frontier.Describe(run.About(c.config.YAML(), c.steps.strategy.YAML())); err != nil {
		return fmt.Errorf("store %s: %w", redis.Hidden(s.address), err)
	}
	s.visits = visits.OnRedis(s.client, s.target.Crawl, c.steps.visited)
	client, err := visits.ClientOf(c.collector)
	if err != nil {
		return err
	}
	jar := client.Jar
	if err := c.collector.SetStorage(s.visits); err != nil {
		return fmt.Errorf("store %s: %w", redis.Hidden(s.address), err)
	}
	if c.with.collector != nil && !c.config.Cookies {
		c.collector.SetCookieJar(jar)
	}
	return nil
}

// concluded records that a page was visited, for Colly on all machines, and listens to the others.
func (s *shared) concluded(v *Visit, o frontier.Outcome) {
	if id, ok := ledger.Request(v.Item.URL); ok && !s.gone && !o.Again && !o.Shelved && (v.redirect == "" || !s.c.steps.cookies) {
		s.visits.Storage.Visited(id) // if Redis does not answer, the frontier knows all the same
	}
	s.c.steps.fail(s.unlearn())
	s.listen()
}

// leaveCrawl closes what connects this machine with the others.
func (s *shared) leaveCrawl() error {
	var errs []error
	if s.visits != nil {
		errs = append(errs, s.visits.Close())
	}
	return errors.Join(append(errs, s.client.Close())...)
}
