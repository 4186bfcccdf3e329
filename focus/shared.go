package focus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	oldredis "github.com/go-redis/redis"
	"github.com/gocolly/colly/v2/storage"
	"github.com/gocolly/redisstorage"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
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
func (c *Crawler) listen() {
	if c.shared == nil || time.Since(c.shared.listened) < listenEvery {
		return
	}
	err := c.hear()
	command := frontier.GoOn
	if err == nil {
		command, err = c.shared.frontier.Commanded()
	}
	if err != nil && !errors.Is(err, frontier.ErrClosed) {
		c.steps.fail(err)
	}
	paused := command == frontier.Pause
	switch changed := c.shared.gate.set(paused); {
	case changed && paused:
		c.say("standing still: paused")
	case changed:
		c.say("going on")
	}
	if command == frontier.Stop {
		c.stop(stoppedByCommand)
	}
}

// hear takes in what other machines have told since the last time, up to this moment. The turn must be held, and no visit be
// in the middle of its steps.
func (c *Crawler) hear() error {
	c.shared.listened = time.Now()
	lessons, err := c.shared.frontier.Hear()
	for _, l := range lessons {
		if err == nil {
			err = c.relearn(l)
		}
	}
	if len(lessons) > 0 {
		c.budget.others(c.ledger.Standing().Pages)
	}
	return err
}

// lost tells that a visit is another machine's: its lease lapsed while this one slept, or could not reach Redis. Nothing of
// it is written down here. The turn must be held.
func (c *Crawler) lost(v *Visit) bool {
	if c.shared == nil || c.shared.frontier.Holds(v.Item.ID) {
		return false
	}
	c.ledger.Lose(v.Item.ID)
	return true
}

// tooLate gives a link back whose lease may have lapsed before its visit could begin, because Redis was away and others in
// the turn waited for it: another machine may be visiting the host. The turn must be held.
func (c *Crawler) tooLate(item frontier.Item) bool {
	if c.shared == nil || !c.shared.frontier.Lapsed(item.ID) {
		return false
	}
	if err := c.frontier.Done(item.ID, frontier.Outcome{Again: true, Idle: true, Score: item.Score}); !errors.Is(err, frontier.ErrNotLeased) {
		c.steps.fail(err)
	}
	return true
}

// spentByAll stops a shared crawl whose budget all machines together have used up, and for which nothing is handed over any
// more. The turn must be held, and no visit be in the middle of its steps.
func (c *Crawler) spentByAll() {
	if c.shared != nil {
		c.steps.fail(c.hear())
		c.judgeBudget()
	}
}

// tellAll tells all machines how a visit ended. What was written of it is safe before. If its lease lapsed while it was in
// the middle of its steps, the visit is another machine's, and what was written of it is written twice: export leaves the
// second out. What was learned of it is unlearned (unlearn).
func (c *Crawler) tellAll(id uint64, o frontier.Outcome) error {
	if err := c.written.Load().hand(); err != nil {
		return err
	}
	if !o.Again && !o.Idle {
		o.Counters = map[string]int64{redis.Spent: 1}
	}
	err := c.frontier.Done(id, o)
	if c.shared.gone = errors.Is(err, frontier.ErrNotLeased); c.shared.gone {
		return nil
	}
	return err
}

// hand makes the records safe, and hands the log to the system: what is lost of it when a machine fails is no page.
func (w *written) hand() error {
	var errs []error
	for _, s := range w.outputs() {
		errs = append(errs, s.Sync())
	}
	return errors.Join(append(errs, w.log.Flush(), w.meter.Flush())...)
}

// attend listens while the crawl goes on, even when no visit ends here. It returns when popping is over.
func (c *Crawler) attend(popping context.Context) {
	if c.shared == nil {
		return
	}
	tick := time.NewTicker(listenEvery)
	defer tick.Stop()
	for {
		select {
		case <-popping.Done():
			c.shared.gate.set(false)
			return
		case <-tick.C:
		}
		c.steps.turn.enter(0)
		c.listen()
		c.judgeBudget()
		c.steps.turn.leave(0)
	}
}

// others takes what all machines together have spent into a budget, when it is more than is known here.
func (b *budget) others(spent int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = max(b.spent, spent)
	b.freed.Broadcast()
}

// hurry lets a crawl that was told to stop end while Redis is away.
func (c *Crawler) hurry() {
	if c.shared != nil {
		c.shared.frontier.GiveUp()
	}
}

// gate is closed while a crawl is paused.
type gate struct {
	mu     sync.Mutex
	closed bool
	opened chan struct{}
}

// set closes or opens the gate, and answers whether that is a change.
func (g *gate) set(closed bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if closed == g.closed {
		return false
	}
	if g.closed = closed; closed {
		g.opened = make(chan struct{})
	} else {
		close(g.opened)
	}
	return true
}

func (g *gate) isClosed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// pass waits while the gate is closed, and answers false when ctx is done.
func (g *gate) pass(ctx context.Context) bool {
	g.mu.Lock()
	closed, opened := g.closed, g.opened
	g.mu.Unlock()
	if closed {
		select {
		case <-opened:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

// mayPop waits while the crawl is paused, and answers false when it is over.
func (c *Crawler) mayPop(ctx context.Context) bool {
	return c.shared == nil || c.shared.gate.pass(ctx)
}

// Elsewhere are the keys of the identity that name files, which may be other ones on another machine.
var Elsewhere = []string{"topic.examples", "topic.corpus.relevant", "topic.corpus.other", "topic.model", "text.user_dict", "web"}

// strange says what makes this crawl another one than that which machines share; nothing where they are the same, or it
// is not said yet what that is.
func (c *Crawler) strange(about map[string]string, strategy *rank.Strategy) (said []string) {
	if about[run.FileCrawl] == "" {
		return nil
	}
	if there := about[run.FileStrategy]; there != "" && !strategy.HasModel() && there != string(strategy.YAML()) {
		said = append(said, fmt.Sprintf("the strategy is not %s as this machine has it", strategy.Name))
	}
	return append(said, run.Differences([]byte(about[run.FileCrawl]), c.config.YAML(), Elsewhere)...)
}

// unlearn lets go of what this machine has learned of a visit that turned out to be another machine's after its steps were
// done: it learns anew what all machines have told, which is what it knew but for that visit. It happens to a machine that was
// cut off in the middle of a visit's steps for longer than a lease, and to nobody else. The turn must be held, and no visit be
// in the middle of its steps.
func (c *Crawler) unlearn() error {
	if c.shared == nil || !c.shared.gone {
		return nil
	}
	c.shared.gone = false
	if err := c.keep(); err != nil { // what was decided of visits under way
		return err
	}
	all, err := c.shared.frontier.Recall()
	if err != nil {
		return err
	}
	return c.relearnAll(all)
}

// relearnAll takes back what all machines have learned, in the place of what this one knows. Its own visits that are under
// way, and when the crawl began for it, stay as they are.
func (c *Crawler) relearnAll(all frontier.Restored) error {
	if len(all.Learned) == 0 {
		all.Learned = c.shared.blank
	}
	c.untold = 0
	err := c.ledger.Anew(func() error { return c.rememberAll(all) })
	c.budget.recount(c.ledger.Standing().Pages)
	return err
}

// recount sets what of a budget is spent.
func (b *budget) recount(spent int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = spent
	b.freed.Broadcast()
}

// sharedVisits is Colly's storage on Redis: which pages were visited, and the cookies, for all machines. It is
// gocolly/redisstorage, whose client knows neither clusters nor Sentinel nor users; with those the same keys are reached by
// other means. It is Colly's own check; that no link is handed over twice is the frontier's matter. So where Redis does
// not answer, nothing counts as visited.
type sharedVisits struct {
	storage.Storage
	here  *visited  // what is known to be visited without asking
	close io.Closer // nil where it has no connections of its own
}

// openVisits gives the collector a storage on Redis, and tells those who come later what the crawl is.
func (c *Crawler) openVisits() error {
	s := c.shared
	about := map[string]string{run.FileCrawl: string(c.config.YAML()), run.FileStrategy: string(c.steps.strategy.YAML())}
	if err := s.frontier.Describe(about); err != nil {
		return fmt.Errorf("focus: store %s: %w", redis.Hidden(s.address), err)
	}
	s.visits = &sharedVisits{Storage: redis.NewVisits(s.client, s.target.Crawl), here: c.steps.visited}
	if at, ok := redis.SingleServer(s.client); ok {
		client := oldredis.NewClient(&oldredis.Options{Network: at.Network, Addr: at.Address, Password: at.Password, DB: at.Database, TLSConfig: at.TLS})
		s.visits.Storage = &redisstorage.Storage{Prefix: redis.VisitsPrefix(s.target.Crawl), Client: client}
		s.visits.close = client
	}
	if err := c.collector.SetStorage(s.visits); err != nil {
		return fmt.Errorf("focus: store %s: %w", redis.Hidden(s.address), err)
	}
	return nil
}

// Close closes its connections, where they are its own.
func (s *sharedVisits) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close.Close()
}

// Visited is told before a fetch, which is too early: nothing is recorded.
func (s *sharedVisits) Visited(uint64) error { return nil }

// IsVisited tells whether the page of a request was finished, by whichever machine.
func (s *sharedVisits) IsVisited(request uint64) (bool, error) {
	if done, _ := s.here.IsVisited(request); done {
		return true, nil
	}
	done, err := s.Storage.IsVisited(request)
	return done && err == nil, nil
}

// finishForAll records that a page was visited, for Colly on all machines. The turn must be held.
func (c *Crawler) finishForAll(v *Visit, o frontier.Outcome) {
	if c.shared == nil || c.shared.gone || o.Again {
		return
	}
	if id, ok := requestID(v.Item.URL); ok {
		c.shared.visits.Storage.Visited(id) // if Redis does not answer, the frontier knows all the same
	}
}

// leaveCrawl closes what connects this machine with the others.
func (s *shared) leaveCrawl() error {
	var errs []error
	if s.visits != nil {
		errs = append(errs, s.visits.Close())
	}
	return errors.Join(append(errs, s.client.Close())...)
}
