package run

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
)

// Together is how a crawl that machines share stands for all of them, as Redis says.
type Together struct {
	At      time.Time // when it was asked
	Command frontier.Command
	Waiting int // links
	Ended   int // visits
}

// Together asks Redis how the crawl stands. While Redis is away it waits.
func (s *Shared) Together() (*Together, error) {
	t := &Together{At: time.Now()}
	var sums map[string]int64
	var err, other error
	t.Command, err = s.frontier.Commanded()
	sums, other = s.frontier.Counters()
	t.Waiting, t.Ended = s.frontier.Len(), int(sums[redis.Spent])
	return t, errors.Join(err, other)
}

// Companion knows how a crawl on Redis stands, for those who watch it: they never wait for Redis.
type Companion struct{ heard atomic.Pointer[Together] }

// Now is what was heard last; nil before anything was. It is older than a few seconds only while Redis does not answer.
func (c *Companion) Now() *Together { return c.heard.Load() }

// askEvery is how often Redis is asked, whether somebody looks or not: who comes after an hour sees how the crawl stands now.
const askEvery = time.Second

// Listen asks, as Shared.Together does, until the context ends.
func (c *Companion) Listen(ctx context.Context, ask func() (*Together, error)) {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		if t, err := ask(); err == nil {
			c.heard.Store(t)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
