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
	Waiting int    // links
	Ended   int    // visits
	Rests   []Rest // of those hosts that were asked for
}

// Together asks Redis how the crawl stands, and which of some hosts rest. While Redis is away it waits.
func (s *Shared) Together(hosts []string) (*Together, error) {
	t := &Together{At: time.Now()}
	command, err := s.frontier.Commanded()
	sums, other := s.frontier.Counters()
	resting, none := s.frontier.Resting(hosts)
	t.Command, t.Waiting, t.Ended = command, s.frontier.Len(), int(sums[redis.Spent])
	for host, is := range resting {
		t.Rests = append(t.Rests, Rest{Host: host, Pause: is.Pause, Until: is.Next})
	}
	return t, errors.Join(err, other, none)
}

// Companion knows how a crawl on Redis stands, for those who watch it: they never wait for Redis.
type Companion struct {
	heard atomic.Pointer[Together]
	hosts atomic.Pointer[[]string] // that somebody looks at
}

// Now is what was heard last; nil before anything was. It is older than a few seconds only while Redis does not answer. Of these
// hosts, where there are any, it is heard from now on which of them rest.
func (c *Companion) Now(hosts []string) *Together {
	if len(hosts) > 0 {
		c.hosts.Store(&hosts)
	}
	return c.heard.Load()
}

// askEvery is how often Redis is asked, whether somebody looks or not: who comes after an hour sees how the crawl stands now.
const askEvery = time.Second

// Listen asks, as Shared.Together does, until the context ends.
func (c *Companion) Listen(ctx context.Context, ask func(hosts []string) (*Together, error)) {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		var hosts []string
		if asked := c.hosts.Load(); asked != nil {
			hosts = *asked
		}
		if t, err := ask(hosts); err == nil {
			c.heard.Store(t)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
