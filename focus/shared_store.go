package focus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/visits"
)

// shared is the company of a crawl that many machines share.
type shared struct {
	c        *Crawler
	client   redis.Client
	target   redis.Target
	address  string
	worker   string // this machine's name among them
	frontier *redis.Frontier
	visits   *visits.Shared
	gate     frontier.Gate          // closed while this machine is to begin nothing
	listened time.Time              // on the wall
	gone     bool                   // the visit that it ended last was another machine's
	blank    []byte                 // what it knew before anybody had learned anything
	awaited  atomic.Pointer[string] // what is said while Redis does not answer
}

// sharedLease is how long the links of a machine that died are waited for.
const sharedLease = time.Minute

// keepCompany finds out from the store who has a part in the crawl. A store on Redis is taken apart: what the machines share
// is there, and what this one writes is in a folder of its own below runs/NAME.
func (c *Crawler) keepCompany() error {
	if !crawlfile.IsShared(c.config.Store) {
		c.company = alone{c}
		return nil
	}
	if c.with.storage != nil {
		return errors.New("focus.New: on Redis, which pages were visited and the cookies are kept there for all machines: leave the option Storage out, or crawl into a run folder")
	}
	client, to, err := redis.Dial(c.config.Store)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if c.with.redis != nil {
		client.Close() // nothing was connected
		client = c.with.redis
	}
	to.Crawl, to.Lease = cmp.Or(to.Crawl, c.config.Name), cmp.Or(to.Lease, sharedLease)
	c.company, c.ledger.Shared = &shared{c: c, client: client, target: to, address: c.config.Store}, true
	c.config.Store = filepath.Join("runs", to.Crawl)
	return nil
}

// folder opens the first run folder of this machine's that no other process has.
func (s *shared) folder(ctx context.Context, standing run.Standing) (*run.Folder, error) {
	if s.c.with.fresh { // before anything of this machine's is deleted
		if err := redis.Unused(ctx, s.client, s.target.Crawl, s.away); err != nil {
			return nil, fmt.Errorf("store %s: --fresh: %w", redis.Hidden(s.address), err)
		}
	}
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "machine"
	}
	all, store := s.c.config.Store, &s.c.config.Store
	for n := 1; ; n++ {
		s.worker = host
		if n > 1 {
			s.worker = fmt.Sprintf("%s-%d", host, n)
		}
		*store = filepath.Join(all, s.worker)
		f, err := run.OpenFolder(*store, standing)
		var inUse *run.InUseError
		if !errors.As(err, &inUse) || n == 1000 {
			return f, err
		}
	}
}

// store joins the crawl that machines share, or begins it.
func (s *shared) store(ctx context.Context, m frontier.Manners, strategy *rank.Strategy) (frontier.Frontier, error) {
	c := s.c
	if err := redis.Await(ctx, s.client, s.away); err != nil {
		return nil, fmt.Errorf("store %s: %w", redis.Hidden(s.address), err)
	}
	if c.with.fresh {
		err := redis.Clear(ctx, s.client, s.target.Crawl, s.away)
		if err == nil {
			err = c.folder.ClearMachines(c.say)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := s.sameCrawl(ctx, strategy); err != nil {
		return nil, err
	}
	if c.clock.Passes() {
		m.Lease = s.target.Lease
	}
	machine, err := c.folder.Machine()
	if err != nil {
		return nil, err
	}
	o := redis.Options{Worker: s.worker + "-" + machine, Lanes: 1, KeepAlive: true, Away: s.away, Warn: c.say,
		Budget: c.config.Budget.Pages, Where: redis.Hidden(s.address), Wall: c.with.wall, About: run.About(c.config.YAML(), strategy.YAML())}
	if _, hedged := strategy.Hedged(); hedged {
		o.Lanes = 2
	}
	if strategy.Admit.Tunnel.Depth >= 0 {
		o.Reach = run.Reach
	}
	s.frontier, err = redis.Open(ctx, s.client, s.target.Crawl, m, o)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", redis.Hidden(s.address), err)
	}
	if err := s.sameCrawl(ctx, strategy); err != nil { // another may have begun in the same moment
		return nil, errors.Join(err, s.frontier.Close())
	}
	return &remote{Frontier: s.frontier, shared: s}, nil
}

// sameCrawl refuses to join a crawl of the same name that looks for something else, or in another way.
func (s *shared) sameCrawl(ctx context.Context, strategy *rank.Strategy) error {
	_, about, err := redis.About(ctx, s.client, s.target.Crawl, s.away)
	if err != nil && !errors.As(err, new(*redis.NoCrawlError)) {
		return fmt.Errorf("store %s: %w", redis.Hidden(s.address), err)
	}
	if said := s.strange(about, strategy); len(said) > 0 {
		return fmt.Errorf("store %s: crawl %s is another one: %s; put it back to join, give this one a name of its own with ?crawl=NAME, or begin anew with --fresh",
			redis.Hidden(s.address), s.target.Crawl, strings.Join(said, "; "))
	}
	return nil
}

// away tells the user that Redis does not answer, and when it does again.
func (s *shared) away(err error) {
	if err == nil {
		s.awaited.Store(nil)
		s.c.with.logger.Info("Redis answers again")
		return
	}
	line := fmt.Sprintf("waiting for %s: %v", redis.Hidden(s.address), err)
	s.awaited.Store(&line)
	s.c.say(line)
}

// remote is a frontier on another machine as the steps see it.
type remote struct {
	*redis.Frontier
	shared *shared
}

// Commit makes the records safe first, as an outcome does.
func (r *remote) Commit(lesson []byte, files map[string]int64) error {
	if err := r.shared.c.written.Load().Hand(); err != nil {
		return err
	}
	return r.Frontier.Commit(lesson, files)
}

// Close ends this machine's part in the crawl.
func (r *remote) Close() error {
	err := r.Frontier.Close()
	return errors.Join(err, r.shared.leaveCrawl())
}

// pushAtOnce pushes all admitted links of a page in one call, where the frontier is on another machine; it answers false
// where it is not. That an address has the longest allowance of all links to it is the frontier's matter there (run.Reach).
func (st *Steps) pushAtOnce(v *Visit) bool {
	p := st.can.far
	if p == nil {
		return false
	}
	items, places := st.items[:0], st.places[:0]
	for i := range v.Found {
		if v.Found[i].Refused != "" {
			st.refuse(&v.Found[i])
			continue
		}
		items, places = append(items, frontier.Item{}), append(places, i)
		st.fill(&items[len(items)-1], v, i)
		items[len(items)-1].Note = st.noted(v, i)
	}
	pushed, err := p.PushAll(items)
	if err != nil {
		st.fail(err)
		return true
	}
	for n, i := range places {
		f := &v.Found[i]
		f.ID, f.Fresh, f.Raised = pushed[n].ID, pushed[n].Fresh, pushed[n].Raised
		st.memory.Linked(f.ID, &st.evidence[i])
	}
	return true
}
