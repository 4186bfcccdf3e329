package focus

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/meters"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/selection"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/visits"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// New makes a crawl of a crawl file: its topic, its strategy, its collector and its run folder, which is locked until
// Run has ended. A crawler that is not run is given up with Close. The context ends the waiting of New for a store that
// answers and cannot be used yet, such as a Redis that reads its data back.
func New(ctx context.Context, config Config, options ...Option) (_ *Crawler, err error) {
	config.TakeLogins()
	c := &Crawler{config: config, with: settle(options), ledger: ledger.New()}
	if err := c.with.forCrawl(); err != nil {
		return nil, err
	}
	if c.with.collector != nil {
		if err := c.with.bring(&c.config); err != nil {
			return nil, err
		}
	}
	c.carrier, c.interrupted, c.halted = &carrier{crawl: c}, map[uint64]frontier.Lease{}, make(chan struct{})
	defer func() {
		if err != nil {
			c.abandon()
			if c.with.giveBack != nil {
				c.with.giveBack()
			}
		}
	}()
	if err := config.Sound(); err != nil {
		return nil, err
	}
	if err := c.keepCompany(); err != nil {
		return nil, err
	}
	if c.with.pages == nil {
		if err := config.NoContact(); err != nil {
			return nil, err
		}
	}
	if err := config.NoSeeds(); err != nil {
		return nil, err
	}
	c.config.Extract, c.config.Window = config.Extract, cmp.Or(config.Window, c.config.Polite.Parallel)
	polite := c.config.Polite
	c.polite.Store(&polite)
	c.budget.Init(c.config.Budget.Pages)
	c.lasts.Store(int64(c.config.Budget.Time))
	strategy, err := config.TrainedStrategy()
	if err != nil {
		return nil, err
	}
	if err := c.connect(); err != nil {
		return nil, err
	}
	if c.config.Polite.Robots == "obey" {
		c.ledger.Robots = ledger.NewKeeper()
		c.ledger.Robots.Terms = c.ground.Recorded() == nil // a recorded web has none, and is given no time to say so
	}
	about, err := probe.Topic(&c.config, strategy, c.ground)
	if err != nil {
		return nil, err
	}
	if err := c.warm(strategy); err != nil {
		return nil, err
	}
	if err := c.openFolder(ctx, strategy); err != nil {
		return nil, err
	}
	if err := c.attach(ctx, about, strategy); err != nil {
		return nil, err
	}
	return c, run.DiskTrouble(c.config.Store, c.begin(strategy))
}

// connect makes the collector and everything between it and the web.
func (c *Crawler) connect() (err error) {
	if err := c.collect(); err != nil {
		return err
	}
	o := ground.Options{Transport: c.with.transport, Clock: c.with.clock, Pages: c.with.pages, Record: c.with.record, Lookup: c.lookUp, Keep: keepExchange,
		Brought: c.with.brought, Agent: c.called, Say: c.say,
		Proxied: func(r *http.Request, by string) { exchangeOf(r).proxy = by }, Spared: func(r *http.Request) { exchangeOf(r).spared = true }}
	if c.figures != nil {
		o.OnLookup, o.Network = c.figures.Lookup, []wire.Layer{c.figures.Layer()}
	}
	if c.ground, err = ground.Open(&c.config, o); err != nil {
		return err
	}
	c.clock = clockOf(c.ground)
	c.carrier.next = c.ground.Transport
	return nil
}

// collect makes the collector, or takes the program's, and shows the figures that somebody may ask for: an address at which that cannot
// be is told of before anything of an earlier run is deleted.
func (c *Crawler) collect() (err error) {
	c.called = c.config.Polite.UserAgent()
	if c.collector = c.with.collector; c.collector == nil {
		c.collector = newCollector()
	} else if said := c.collector.UserAgent; said != "" && said != visits.PresetAgent() {
		p := c.config.Polite
		p.Agent = said
		if c.called = p.UserAgent(); strings.Contains(said, p.Contact) {
			c.called = said
		}
	}
	c.collector.UserAgent = c.called
	c.collector.WithTransport(c.carrier)
	if c.config.Metrics == "" || c.with.repair {
		return nil
	}
	if c.figures, err = meters.NewBoard(c.config.Metrics); err == nil {
		m := c.figures.Meters
		c.collector.OnResponse(func(r *colly.Response) { m.Ended(r.StatusCode, len(r.Body), r.Headers, nil) })
		c.collector.OnError(func(r *colly.Response, err error) { m.Ended(r.StatusCode, len(r.Body), r.Headers, err) })
	}
	return err
}

// attach hangs the journey on the collector.
func (c *Crawler) attach(ctx context.Context, about *topic.Topic, strategy *rank.Strategy) error {
	reading, err := c.config.PageOptions()
	if err != nil {
		return err
	}
	if c.frontier, err = c.company.store(ctx, c.manners(), strategy); err != nil {
		return err
	}
	c.keeper, _ = c.frontier.(keeper)
	c.can = powersOf(c.frontier)
	if c.config.Related == "strict" {
		strategy.Admit.Blocks = "related"
	}
	if c.steps, err = attach(c.collector, c.frontier, about, strategy, c.crawlRules(reading),
		func(st *Steps) {
			st.owner, st.ledger, st.logins = c, c.ledger, &c.ground.Logins
			st.choose, st.now = selection.OrderOf(strategy.Select, c.config.RandomSeed), c.now
			st.redirect, st.cookies = c.config.Fetch.Redirects, c.config.Cookies || c.config.Fetch.Cookies != "" || c.with.collector != nil
			st.lists, st.logsOut = c.config.Scope.Sitemaps, c.ground.LogsOut
			st.obey, st.reservations, st.values = c.ledger.Robots != nil, c.config.Obey, c.config.Extract
			st.panicked = c.notePanic
			if c.config.Scope.Traps == "watch" {
				st.traps = junk.NewTrapWatch(junk.TrapConfig{})
			}
			if c.config.Scope.Soft404 == "watch" && c.ground.Recorded() == nil { // a recorded web has no answer to nonsense
				st.soft = junk.NewErrorPages(softAfter, softHosts).Expect(c.config.Seeds)
			}
			if c.config.Duplicates == "drop" {
				st.repeats = st.traps.Duplicates()
			}
			st.pages = c.with.pages
		}); err != nil {
		return err
	}
	if err := c.prepare(strategy); err != nil {
		return err
	}
	ahead := c.clock.Ahead(c.config.Polite.Parallel, c.config.Window)
	if err := c.steps.appoint(selection.Setting{Seed: c.config.RandomSeed, Rounds: c.config.Budget.Rounds, Ahead: ahead}); err != nil {
		return err
	}
	if c.figures != nil {
		if err := c.watchFigures(); err != nil {
			return err
		}
	}
	for _, s := range c.config.Sites {
		c.steps.memory.Site(s.Site, s.Weight, s.Confidence)
	}
	c.steps.memory.Examples(c.config.Topic.Examples)
	if err := c.company.join(); err != nil {
		return err
	}
	if !c.config.Cookies && c.with.collector == nil {
		c.collector.DisableCookies()
	}
	return nil
}

// crawlRules are the program's options, and beside them what the crawl file says of scope and reading.
func (c *Crawler) crawlRules(reading page.Options) *running {
	r, scope := *c.with, c.config.Scope.Rules()
	r.scope, r.reading, r.transport = &scope, reading, nil // the transport is the collector's already
	return &r
}

// openFolder holds the run folder for this process, and looks at what is there. A crawl without a store has none.
func (c *Crawler) openFolder(ctx context.Context, strategy *rank.Strategy) (err error) {
	if c.config.Store == "" {
		return nil
	}
	standing := run.Standing{Name: c.config.Name, File: c.config.File, Strategy: strategy.Name, Fingerprint: strategy.Fingerprint(), Model: run.DigestOf(c.config.Topic.Model), Started: c.now()}
	if c.folder, err = c.company.folder(ctx, standing); err != nil {
		return err
	}
	return c.folder.Continue(c.with.fresh, c.config.YAML(), strategy)
}

// begin opens what is written into, and goes on where an interrupted run was. Whether the folder may be gone on with is asked before
// anything in it is touched; the results are cut back to what the frontier knows before anything is added to them; and the crawl
// file is written down anew last, because what was added to it is found by comparing it with the one that ran (addSeeds).
func (c *Crawler) begin(strategy *rank.Strategy) error {
	if c.folder == nil {
		return c.steps.results.Begin()
	}
	var restored frontier.Restored
	if c.keeper != nil {
		restored = c.keeper.Restored()
	}
	if err := c.folder.MayGoOn(&restored, ""); err != nil {
		return err
	}
	again := c.folder.Before != nil
	if !again {
		if err := c.folder.Begin(strategy.YAML()); err != nil {
			return err
		}
	}
	if err := c.openWritten(restored); err != nil {
		return err
	}
	if c.keeper != nil {
		var err error
		if c.underway, err = run.OpenUnderway(c.folder.Dir, c.keeper.Sync, c.ledger.Shared); err != nil {
			return err
		}
		c.underway.Follow(c.frontier, c.written.Load)
		c.warmUp()
	}
	if err := c.resume(restored); err != nil {
		return err
	}
	if err := c.addSeeds(); err != nil {
		return err
	}
	if err := c.folder.MayGoOn(&restored, c.wouldEnd()); err != nil && !c.with.repair {
		return err
	}
	if !again {
		return nil
	}
	return c.folder.Begin(strategy.YAML())
}

// Close gives up a crawler that was not run.
func (c *Crawler) Close() error {
	if !c.began.IsZero() {
		return nil
	}
	c.began = time.Now()
	c.abandon()
	return nil
}

// abandon lets go of what New had opened.
func (c *Crawler) abandon() {
	var open []io.Closer
	if c.ground != nil {
		open = append(open, c.ground)
	}
	if c.frontier != nil {
		open = append(open, c.frontier)
	} else if s, ok := c.company.(*shared); ok {
		open = append(open, s.client)
	}
	if c.steps != nil {
		open = append(open, &c.steps.results)
	}
	c.underway.Abandon()
	c.figures.Close()
	if c.folder != nil {
		open = append(open, c.folder)
	}
	for _, o := range open {
		o.Close() // nothing was written that anybody needs
	}
}
