package focus

import (
	"errors"
	"fmt"
	"io"

	oldredis "github.com/go-redis/redis"
	"github.com/gocolly/colly/v2/storage"
	"github.com/gocolly/redisstorage"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/run"
)

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
