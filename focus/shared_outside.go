package focus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/selection"
)

// SharedCrawl is a crawl on Redis for somebody who has no part in it: its links can be read, addresses can be given to it,
// and all its machines can be told what to do.
type SharedCrawl struct {
	Name     string
	config   Config
	strategy string // as it was written down
	frontier *redis.Frontier
	close    func() error
}

// OpenShared finds the crawl of an address, redis://host:6379/0?crawl=NAME; the name may be left out where there is but
// one. told hears when Redis does not answer any more, and when it does again.
func OpenShared(ctx context.Context, address string, told *slog.Logger) (*SharedCrawl, error) {
	client, to, err := redis.Dial(address)
	if err != nil {
		return nil, fmt.Errorf("focus: %w", err)
	}
	s, err := findShared(ctx, client, to, address, told)
	if err != nil {
		client.Close()
		return nil, err
	}
	s.close = client.Close
	return s, nil
}

func findShared(ctx context.Context, client redis.Client, to redis.Target, address string, told *slog.Logger) (*SharedCrawl, error) {
	away := (&Crawler{with: settle([]Option{Logger(told)}), shared: &shared{address: address}}).away
	name, about, err := redis.About(ctx, client, to.Crawl, away)
	var none *redis.NoCrawlError
	switch {
	case errors.As(err, &none) && len(none.Others) > 0:
		return nil, fmt.Errorf("focus: %s: %w: name one with ?crawl=%s", redis.Hidden(address), err, none.Others[0])
	case errors.As(err, &none):
		return nil, fmt.Errorf("focus: %s: %w: 'thresher crawl FILE --store redis://…' begins one", redis.Hidden(address), err)
	case err != nil:
		return nil, fmt.Errorf("focus: %s: %w", redis.Hidden(address), err)
	}
	s := &SharedCrawl{Name: name, strategy: about[run.FileStrategy]}
	where := redis.Hidden(address) + " crawl " + name
	if about[run.FileCrawl] == "" {
		return nil, fmt.Errorf("focus: %s does not say what it is: an older version began it; let a machine of this one join it", where)
	}
	if s.config, err = run.AsItRan(where, []byte(about[run.FileCrawl])); err != nil {
		return nil, err
	}
	s.frontier, err = redis.Join(ctx, client, name, (&Crawler{with: settle(nil), config: s.config, clock: wall{}}).manners(), redis.Options{Away: away, Reach: reach, Where: redis.Hidden(address)})
	return s, err
}

// Close leaves the crawl as it is.
func (s *SharedCrawl) Close() error { return errors.Join(s.frontier.Close(), s.close()) }

// Folder is where the run folders are that machines have written in this working directory.
func (s *SharedCrawl) Folder() string { return filepath.Join("runs", s.Name) }

// Command tells all machines what to do.
func (s *SharedCrawl) Command(what frontier.Command) error { return s.frontier.Command(what) }

// Len is how many links wait.
func (s *SharedCrawl) Len() int { return s.frontier.Len() }

// Waiting are the first links that wait, in the order in which they would be visited if no host had to rest; 0 means all.
// Visits that are under way are not among them.
func (s *SharedCrawl) Waiting(ctx context.Context, most int) ([]run.WaitingLink, error) {
	items, err := s.frontier.Best(ctx, most)
	if err != nil {
		return nil, err
	}
	links := make([]run.WaitingLink, len(items))
	for i, item := range items {
		if links[i], err = run.WaitingOf(item); err != nil {
			return nil, err
		}
	}
	return links, nil
}

// Run is what machines have written of the crawl below Folder: of a crawl of which nobody has written anything here, its
// strategy, and no Parts.
func (s *SharedCrawl) Run() (*run.Run, error) {
	if len(run.Parts(s.Folder())) > 0 {
		return run.OpenAll(s.Folder())
	}
	strategy, err := s.loadStrategy()
	return &run.Run{Dir: s.Folder(), Strategy: strategy}, err
}

func (s *SharedCrawl) loadStrategy() (*rank.Strategy, error) {
	return rank.Load("the strategy of crawl "+s.Name, []byte(s.strategy), rank.Factors)
}

// Why answers for an address of which no machine has written anything where it is asked: one that was given to the crawl
// (Inject), or that a machine elsewhere has found, visits or has visited.
func (s *SharedCrawl) Why(ctx context.Context, address string) (run.Why, error) {
	w := run.Why{Address: address, Fate: run.FateUnknown}
	item, state, err := s.frontier.Look(ctx, s.frontier.Find(page.LinkTo(address).Identity))
	if err != nil || state == frontier.Unknown || state == frontier.Dropped {
		return w, err
	}
	n, err := run.ReadNote(item)
	if err != nil {
		return w, err
	}
	w.Fate, w.Reason = run.FateWaiting, "a machine elsewhere has found it"
	if item.Via == 0 {
		w.Reason = "it was given to the crawl as a start page"
	}
	switch state {
	case frontier.Leased:
		w.Reason += "; it is being visited"
	case frontier.Finished:
		w.Fate, w.Reason = run.FateElsewhere, admit.Refused("what became of it stands in that machine's folder: bring it below "+s.Folder())
	}
	w.Link = &run.Decision{Decision: "push", ID: item.ID, Via: item.Via, Hops: n.Hops, Score: math.NaN(), Relevance: math.NaN(), URL: item.URL,
		Numbers: item.Numbers, Anchor: n.Anchor}
	w.Trail = []run.Hop{{URL: item.URL, Anchor: n.Anchor, Score: math.NaN(), Relevance: math.NaN()}}
	return w, nil
}

// Inject gives the crawl addresses as start pages: they wait before everything else, once, for whichever machine comes
// first. The scope is that of the crawl.
func (s *SharedCrawl) Inject(addresses []string) (run.Injected, error) {
	admitted, done, err := run.Admit(&s.config, addresses)
	if err != nil {
		return done, err
	}
	strategy, err := s.loadStrategy()
	if err != nil {
		return done, err
	}
	choose := selection.OrderOf(strategy.Select, s.config.RandomSeed)
	n := run.Note{Trail: strategy.Root()}
	items := make([]frontier.Item, len(admitted))
	for i, l := range admitted {
		items[i] = frontier.Item{URL: l.URL, Identity: l.Identity, Host: l.Host, Score: seedScore, Alt: seedScore, Note: n.Bytes()}
		choose(&items[i], 0)
	}
	pushed, err := s.frontier.PushAll(items)
	if err != nil {
		return done, err
	}
	for i := range pushed {
		if !pushed[i].Fresh {
			done.Known++
		}
	}
	return done, nil
}
