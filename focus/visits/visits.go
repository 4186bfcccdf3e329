// Package visits answers one question: was a page visited, as Colly asks its storage? A page counts as visited when its outcome was
// told, not when it was asked for: a lease that is given back after a crash is fetched, a finished page never twice.
package visits

import (
	"errors"
	"io"
	"net/url"
	"regexp"
	"slices"
	"sync/atomic"

	oldredis "github.com/go-redis/redis"
	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"
	"github.com/gocolly/redisstorage"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// Finished answers from finished pages. Cookies, where they are wanted, are kept as Colly keeps them, or by the program's own
// storage, which hears of finished pages, too.
type Finished struct {
	storage.Storage
	Own    bool // the storage is the program's
	Ready  bool // and the program has made it so
	Ledger *ledger.Ledger
	over   atomic.Bool
}

// errOver is what a Visit says when the crawl has ended: nobody would fetch the page.
var errOver = errors.New("the crawl has ended, and nothing more is visited: make another crawler")

// Unasked says of what Colly says of a request why it was not made: its page was visited before, or the collector's bounds were wider when
// its link was found. It is empty where something else went wrong.
func Unasked(err error) admit.Refused {
	var again *colly.AlreadyVisitedError
	switch {
	case errors.As(err, &again):
		return admit.RefusedVisited
	case errors.Is(err, colly.ErrMaxDepth):
		return admit.RefusedDepth
	case errors.Is(err, colly.ErrForbiddenDomain), errors.Is(err, colly.ErrForbiddenURL), errors.Is(err, colly.ErrNoURLFiltersMatch):
		return admit.RefusedColly
	}
	return ""
}

// Failure is what went wrong with a request: nothing, where a callback has aborted it after OnRequest. Its host has no part in that.
func Failure(err error) error {
	if errors.Is(err, colly.ErrAbortedBeforeRequest) || errors.Is(err, colly.ErrAbortedAfterHeaders) {
		return nil
	}
	return err
}

// RefusedBy says what a collector's own bounds have against an address, before a host is asked for it. Colly counts a start
// page as depth 1.
func RefusedBy(c *colly.Collector, l *page.Link, depth int) admit.Refused {
	if c == nil {
		return ""
	}
	if c.MaxDepth > 0 && depth+1 > c.MaxDepth {
		return admit.RefusedDepth
	}
	if len(c.AllowedDomains)+len(c.DisallowedDomains)+len(c.URLFilters)+len(c.DisallowedURLFilters) == 0 {
		return ""
	}
	u, err := url.Parse(l.URL)
	if err != nil {
		return admit.RefusedAddress
	}
	matches := func(f *regexp.Regexp) bool { return f.MatchString(l.URL) }
	if slices.Contains(c.DisallowedDomains, u.Hostname()) || len(c.AllowedDomains) > 0 && !slices.Contains(c.AllowedDomains, u.Hostname()) ||
		slices.ContainsFunc(c.DisallowedURLFilters, matches) || len(c.URLFilters) > 0 && !slices.ContainsFunc(c.URLFilters, matches) {
		return admit.RefusedColly
	}
	return ""
}

// Init readies a storage, once.
func (s *Finished) Init() error {
	if s.Ready {
		return nil
	}
	return s.Storage.Init()
}

// Visited is told before a fetch, which is too early: nothing is recorded.
func (s *Finished) Visited(uint64) error {
	if s.over.Load() {
		return errOver
	}
	return nil
}

// End is told when the crawl has ended.
func (s *Finished) End() { s.over.Store(true) }

// IsVisited tells whether the page of a request was finished.
func (s *Finished) IsVisited(request uint64) (bool, error) {
	if s.Ledger.IsFinished(request) || !s.Own {
		return s.Ledger.IsFinished(request), nil
	}
	return s.Storage.IsVisited(request)
}

// Finish records that the page of a request is finished.
func (s *Finished) Finish(request uint64) error {
	s.Ledger.Record(&ledger.Finished{Request: request})
	if !s.Own {
		return nil
	}
	return s.Storage.Visited(request)
}

// Shared is Colly's storage on Redis: which pages were visited, and the cookies, for all machines. It is gocolly/redisstorage, whose
// client knows neither clusters nor Sentinel nor users; with those the same keys are reached by other means. It is Colly's own check;
// that no link is handed over twice is the frontier's matter. So where Redis does not answer, nothing counts as visited.
type Shared struct {
	storage.Storage
	here  *Finished // what is known to be visited without asking
	close io.Closer // nil where it has no connections of its own
}

// OnRedis is the storage of a crawl on Redis.
func OnRedis(client redis.Client, crawl string, here *Finished) *Shared {
	s := &Shared{Storage: redis.NewVisits(client, crawl), here: here}
	if at, ok := redis.SingleServer(client); ok {
		own := oldredis.NewClient(&oldredis.Options{Network: at.Network, Addr: at.Address, Password: at.Password, DB: at.Database, TLSConfig: at.TLS})
		s.Storage, s.close = &redisstorage.Storage{Prefix: redis.VisitsPrefix(crawl), Client: own}, own
	}
	return s
}

// Close closes its connections, where they are its own.
func (s *Shared) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close.Close()
}

// Visited is told before a fetch, as above.
func (s *Shared) Visited(request uint64) error { return s.here.Visited(request) }

// IsVisited tells whether the page of a request was finished, by whichever machine.
func (s *Shared) IsVisited(request uint64) (bool, error) {
	if done, _ := s.here.IsVisited(request); done {
		return true, nil
	}
	done, err := s.Storage.IsVisited(request)
	return done && err == nil, nil
}

// SetCookies keeps the cookies of a host, which Colly hands over with those that stand there already behind the new ones.
func (s *Shared) SetCookies(u *url.URL, cookies string) {
	s.Storage.SetCookies(u, storage.StringifyCookies(wire.Bounded(storage.UnstringifyCookies(cookies))))
}

// IsOurs tells whether a storage is one that a crawl has put on its collector.
func IsOurs(store storage.Storage) bool {
	switch store.(type) {
	case *Finished, *Shared:
		return true
	}
	return false
}
