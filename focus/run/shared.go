package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/selection"
)

// Shared is a crawl on Redis for somebody who has no part in it: its links can be read, addresses can be given to it,
// and all its machines can be told what to do.
type Shared struct {
	Name     string
	config   crawlfile.Config
	strategy string // as it was written down
	frontier *redis.Frontier
	close    func() error
}

// OpenShared finds the crawl of an address, redis://host:6379/0?crawl=NAME; the name may be left out where there is but
// one. told hears when Redis does not answer any more, and when it does again.
func OpenShared(ctx context.Context, address string, told *slog.Logger) (*Shared, error) {
	client, to, err := redis.Dial(address)
	if err != nil {
		return nil, err
	}
	s, err := findShared(ctx, client, to, address, told)
	if err != nil {
		client.Close()
		return nil, err
	}
	s.close = client.Close
	return s, nil
}

func findShared(ctx context.Context, client redis.Client, to redis.Target, address string, told *slog.Logger) (*Shared, error) {
	away := func(err error) {
		if err == nil {
			told.Info("Redis answers again")
			return
		}
		told.Info(fmt.Sprintf("waiting for %s: %v", redis.Hidden(address), err))
	}
	name, about, err := redis.About(ctx, client, to.Crawl, away)
	var none *redis.NoCrawlError
	switch {
	case errors.As(err, &none) && len(none.Others) > 0:
		return nil, fmt.Errorf("%s: %w: name one with ?crawl=%s", redis.Hidden(address), err, none.Others[0])
	case errors.As(err, &none):
		return nil, fmt.Errorf("%s: %w: 'thresher crawl FILE --store redis://…' begins one", redis.Hidden(address), err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", redis.Hidden(address), err)
	}
	s := &Shared{Name: name, strategy: about[FileStrategy]}
	where := redis.Hidden(address) + " crawl " + name
	if about[FileCrawl] == "" {
		return nil, fmt.Errorf("%s does not say what it is: an older version began it; let a machine of this one join it", where)
	}
	if s.config, err = asItRan(where, []byte(about[FileCrawl])); err != nil {
		return nil, err
	}
	s.frontier, err = redis.Join(ctx, client, name, Manners(&s.config.Polite), redis.Options{Away: away, Reach: Reach, Where: redis.Hidden(address)})
	return s, err
}

// Close leaves the crawl as it is.
func (s *Shared) Close() error { return errors.Join(s.frontier.Close(), s.close()) }

// Folder is where the run folders are that machines have written in this working directory.
func (s *Shared) Folder() string { return filepath.Join("runs", s.Name) }

// Command tells all machines what to do.
func (s *Shared) Command(what frontier.Command) error { return s.frontier.Command(what) }

// Len is how many links wait.
func (s *Shared) Len() int { return s.frontier.Len() }

// Waiting are the first links that wait, in the order in which they would be visited if no host had to rest; 0 means all.
// Visits that are under way are not among them.
func (s *Shared) Waiting(ctx context.Context, most int) ([]WaitingLink, error) {
	items, err := s.frontier.Best(ctx, most)
	if err != nil {
		return nil, err
	}
	links := make([]WaitingLink, len(items))
	for i, item := range items {
		if links[i], err = waitingOf(item); err != nil {
			return nil, err
		}
	}
	return links, nil
}

// Run is what machines have written of the crawl below Folder: of a crawl of which nobody has written anything here, its
// strategy, and no Parts.
func (s *Shared) Run() (*Run, error) {
	if len(Parts(s.Folder())) > 0 {
		return OpenAll(s.Folder())
	}
	strategy, err := s.loadStrategy()
	return &Run{Dir: s.Folder(), Strategy: strategy}, err
}

func (s *Shared) loadStrategy() (*rank.Strategy, error) {
	return rank.Load("the strategy of crawl "+s.Name, []byte(s.strategy), rank.Factors.Reading())
}

// Why answers for an address of which no machine has written anything where it is asked: one that was given to the crawl
// (Inject), or that a machine elsewhere has found, visits or has visited.
func (s *Shared) Why(ctx context.Context, address string) (Why, error) {
	w := Why{Address: address, Fate: FateUnknown}
	item, state, err := s.frontier.Look(ctx, s.frontier.Find(page.LinkTo(address).Identity))
	if err != nil || state == frontier.Unknown || state == frontier.Dropped {
		return w, err
	}
	n, err := ReadNote(item)
	if err != nil {
		return w, err
	}
	w.Fate, w.Reason = FateWaiting, "a machine elsewhere has found it"
	if item.Via == 0 {
		w.Reason = "it was given to the crawl as a start page"
	}
	switch state {
	case frontier.Leased:
		w.Reason += "; it is being visited"
	case frontier.Finished, frontier.Shelved:
		w.Fate, w.Reason = FateElsewhere, admit.Refused("what became of it stands in that machine's folder: bring it below "+s.Folder())
	}
	w.Link = &Decision{Decision: "push", ID: item.ID, Via: item.Via, Hops: n.Hops, Score: math.NaN(), Relevance: math.NaN(), URL: item.URL,
		Numbers: item.Numbers, Anchor: n.Anchor}
	w.Trail = []Hop{{URL: item.URL, Anchor: n.Anchor, Score: math.NaN(), Relevance: math.NaN()}}
	return w, nil
}

// Inject gives the crawl addresses as start pages: they wait before everything else, once, for whichever machine comes
// first. The scope is that of the crawl.
func (s *Shared) Inject(addresses []string) (Injected, error) {
	admitted, done, err := Admit(&s.config, &Orders{}, addresses)
	if err != nil {
		return done, err
	}
	strategy, err := s.loadStrategy()
	if err != nil {
		return done, err
	}
	choose := selection.OrderOf(strategy.Select, s.config.RandomSeed)
	n := Note{Trail: strategy.Root()}
	items := make([]frontier.Item, len(admitted))
	for i, l := range admitted {
		items[i] = frontier.Item{URL: l.URL, Identity: l.Identity, Host: l.Host, Score: SeedScore, Alt: SeedScore, Note: n.Bytes()}
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

// SeedScore puts start pages before everything that they lead to.
const SeedScore = 1e6

const (
	// farBetter is how many times as promising a link must be to be waited for. Measured over drawn and recorded webs at
	// equal pages, beside 3: with 2 the harvest is larger on some webs and the same on others, and the crawl takes two to four
	// times as long; with 6 it is smaller. 3 is a bargain between the two, and no optimum.
	farBetter = 3

	// parkFor is how long a host that failed too often is left alone; it doubles with every further failure.
	parkFor = 5 * time.Second
)

// Manners are the rules of visiting, as a crawl file has them.
func Manners(p *crawlfile.PoliteConfig) frontier.Manners {
	delay := p.Delay.Duration()
	m := frontier.Manners{
		Delay: delay, PerHost: p.PerHost, PerIP: p.PerIP, Share: p.Share,
		Park: p.Park, ParkFor: parkFor, GiveUp: p.GiveUp,
		Patience: time.Duration(p.Patience * float64(delay)), Margin: farBetter,
	}
	if delay > 0 {
		m.Adapt, m.Backoff = p.Adapt, delay
	}
	return m
}

// Reach is the allowance of a trail, for a frontier that keeps the longest of all links to an address by itself: between two
// questions of this machine another one may raise or visit it.
var Reach = redis.Reach{
	Of: func(note []byte) (int16, bool) {
		trail, _, err := rank.ParseTrail(note)
		return trail.Allowance, err == nil
	},
	With: func(note []byte, allowance int16) []byte {
		trail, rest, err := rank.ParseTrail(note)
		if err != nil {
			return note
		}
		trail.Allowance = allowance
		return append(trail.Append(nil), rest...)
	},
}

// Promised is what the link of an item was promised to be worth. A start page was promised nothing: NaN.
func Promised(i frontier.Item) float64 {
	switch {
	case len(i.Numbers) > 0:
		return float64(i.Numbers[0])
	case i.Score >= SeedScore:
		return math.NaN()
	}
	return float64(i.Score)
}
