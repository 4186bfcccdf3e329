package focus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
)

// Config is what a crawl file says, and nothing else. What belongs to the program that runs the crawl is an Option.
type Config = crawlfile.Config

// Default is what counts where a crawl file says nothing.
func Default() Config { return crawlfile.Default() }

// Load reads a crawl file, as crawlfile.Load does.
func Load(file string, overrides ...crawlfile.Override) (Config, error) {
	return crawlfile.Load(file, overrides...)
}

// Option is something that belongs to the running program: New and Attach take the same ones. Where one of them can do
// nothing with an option, because a crawl file says it or because only a crawl has it, it refuses the option.
type Option func(*running)

// running is what the options come to.
type running struct {
	logger    *slog.Logger
	clock     frontier.Clock // nil: the one on the wall
	own       []sink.Sink
	transport http.RoundTripper
	storage   storage.Storage
	ready     bool                      // the storage is the collector's already
	collector *colly.Collector          // of the program's own, for a crawl; nil makes one
	brought   http.RoundTripper         // of that collector, in the place of the network
	giveBack  func()                    // leaves that collector as it was
	withheld  func(address string) bool // of links

	scope   *admit.Scope // for Attach, as the next
	reading page.Options

	fresh  bool // for a crawl, as the rest
	record string
	redis  redis.Client
	pages  *study.Pages

	attachOnly, crawlOnly []string // which of those were given

	// What tests change: how long a host is left alone after a failure that may pass, where hosts are, how much room is on
	// the disk of a folder, the clock by which leases are told, how often the world around is looked at.
	retryWait time.Duration
	lookup    func(ctx context.Context, host string) ([]netip.Addr, error)
	free      func(folder string) (uint64, error)
	wall      frontier.Clock
	look      time.Duration
	repair    bool // it is opened to be repaired, not to be gone on with
}

// settle makes of options what they come to.
func settle(options []Option) *running {
	r := &running{logger: slog.New(slog.DiscardHandler), withheld: func(string) bool { return false }}
	for _, o := range options {
		if o != nil {
			o(r)
		}
	}
	return r
}

func (r *running) forCrawl() error {
	if len(r.attachOnly) > 0 {
		return fmt.Errorf("focus.New: the crawl file says what the option %s would: change the Config", strings.Join(r.attachOnly, " and "))
	}
	if r.collector == nil && slices.Contains(r.crawlOnly, "On") {
		return errors.New("focus.On: the collector is nil: give it one of colly.NewCollector")
	}
	return nil
}

func (r *running) forAttach(s *rank.Strategy) error {
	if lacks := crawlfile.Untrained(s); lacks != "" {
		return errors.New("focus.Attach: " + lacks)
	}
	if len(r.crawlOnly) > 0 {
		return fmt.Errorf("focus.Attach: the option %s is for a crawl of a crawl file: make one with New", strings.Join(r.crawlOnly, " and "))
	}
	return nil
}

// after waits for a time.
func (r *running) after(d time.Duration) (<-chan time.Time, func()) {
	if r.clock != nil {
		return r.clock.After(d)
	}
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// Logger is told what happens to the crawl as a whole, such as that it waits for its store, and why it cannot go on.
// Without it nothing is told.
func Logger(l *slog.Logger) Option { return func(r *running) { r.logger = l } }

// Clock is the time that is told and waited for, instead of the clock on the wall. Over a recorded web a crawl has a time of
// its own.
func Clock(c frontier.Clock) Option { return func(r *running) { r.clock = c } }

// Into writes a record of every kept page to sinks of the program's own, beside those of the crawl file. The program closes them,
// and names them in the same order when a run goes on. After a crash, pages of the last second are written to them again, but a
// sink.Resumable is taken back first: it has each page once in a crawl of one process, and on Redis may get one twice, with one ID.
// Where no run is kept, without a store and by Attach, it is emptied first.
func Into(sinks ...sink.Sink) Option {
	return func(r *running) { r.own = append(r.own, sinks...) }
}

// Transport is asked instead of the network.
func Transport(t http.RoundTripper) Option { return func(r *running) { r.transport = t } }

// Storage keeps cookies, and which pages are visited, in the program's own storage. A page counts as visited when it has been
// fetched, not when it was asked for.
func Storage(s storage.Storage) Option { return func(r *running) { r.storage = s } }

// Offer says of the address of a link that nothing else speaks against, and of a sitemap that a robots.txt names, whether it may enter.
// Start pages enter, and where an answer leads.
func Offer(may func(address string) bool) Option {
	return func(r *running) { r.withheld = func(a string) bool { return may != nil && !may(a) } }
}

// Within keeps what Attach hangs on a collector inside a scope. Without it every address of the web may enter.
func Within(s admit.Scope) Option {
	return func(r *running) { r.scope, r.attachOnly = &s, append(r.attachOnly, "Within") }
}

// Reading bounds and tunes the reading of pages for Attach.
func Reading(o page.Options) Option {
	return func(r *running) { r.reading, r.attachOnly = o, append(r.attachOnly, "Reading") }
}

// Fresh starts a crawl over: what its run folder holds is deleted, and what Redis holds of it, unless visits are under way there.
func Fresh() Option {
	return func(r *running) { r.fresh, r.crawlOnly = true, append(r.crawlOnly, "Fresh") }
}

// Record writes everything that a crawl fetches into a folder, as a recorded web.
func Record(folder string) Option {
	return func(r *running) { r.record, r.crawlOnly = folder, append(r.crawlOnly, "Record") }
}

// Redis is the client by which a crawl whose store is on Redis speaks to it, instead of one made from the store's address,
// which still says the crawl's name and lease. The crawl closes it.
func Redis(client redis.Client) Option {
	return func(r *running) { r.redis, r.crawlOnly = client, append(r.crawlOnly, "Redis") }
}

// Over crawls a recorded web by its pages as they were read before, once for many crawls. It runs in virtual time. The pages come
// without their bytes: callbacks find none, redirects lead nowhere, and what goes by bytes wants to be off in the Config (Duplicates
// is "keep", Extract empty).
func Over(p *study.Pages) Option {
	return func(r *running) { r.pages, r.crawlOnly = p, append(r.crawlOnly, "Over") }
}
