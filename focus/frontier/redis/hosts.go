package redis

import (
	"context"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Pace sets the least delay between two visits of a host.
func (f *Frontier) Pace(host string, delay time.Duration) {
	f.set("pace", host, delay.Microseconds())
}

// Rest leaves a host alone until a time at least.
func (f *Frontier) Rest(host string, until time.Time) {
	if f.manners.Load().Clock == nil { // the time is meant by this machine's clock, and told by that of Redis
		now, err := insist(f, func(ctx context.Context) (time.Time, error) { return f.client.Time(ctx).Result() })
		if err == nil {
			until = now.Add(until.Sub(f.clock.Now()))
		}
	}
	f.set("rest", host, until.UnixMicro())
}

// Locate says at which address a host is.
func (f *Frontier) Locate(host, address string) {
	if f.manners.Load().PerIP <= 0 {
		return
	}
	f.set("locate", host, address)
}

// set changes something about a host. That it fails is told by whatever is asked next.
func (f *Frontier) set(what, host string, arg any) {
	f.run(setFor, what, host, arg)
	f.tell()
}

// Health is how a host is doing: for one that is being visited here, how it was doing when the visit began. It is well if
// the frontier was closed. Next is told by the clock of Redis.
func (f *Frontier) Health(host string) (h frontier.Health) {
	f.mu.Lock()
	id, here := f.hosts[host]
	h = f.out[id].health
	f.mu.Unlock()
	if here {
		return h
	}
	h, _ = insist(f, func(ctx context.Context) (frontier.Health, error) {
		got, err := stored(f.client.HMGet(ctx, f.prefix+"h:"+host, ofHealth...).Result())
		if err != nil {
			return frontier.Health{}, err
		}
		return f.health(got), nil
	})
	return h
}

// ofHealth is what of a host says how it is doing.
var ofHealth = []string{"fails", "why", "next", "pause"}

// health is how a host is doing of which that was answered.
func (f *Frontier) health(got []any) frontier.Health {
	n := int(number(got[0]))
	h := frontier.Health{Fails: n, Parked: f.manners.Load().Parked(n), GivenUp: f.manners.Load().GivenUp(n),
		Pause: time.Duration(number(got[3])) * time.Microsecond}
	h.Why, _ = got[1].(string)
	if at := number(got[2]); at > 0 {
		h.Next = time.UnixMicro(at)
	}
	return h
}

// Resting is how those of some hosts are doing that are not to be visited yet. Next is told by the clock of this machine.
func (f *Frontier) Resting(hosts []string) (map[string]frontier.Health, error) {
	return insist(f, func(ctx context.Context) (map[string]frontier.Health, error) {
		p := f.client.Pipeline()
		now, all := p.Time(ctx), make([]*goredis.SliceCmd, len(hosts))
		for i, host := range hosts {
			all[i] = p.HMGet(ctx, f.prefix+"h:"+host, ofHealth...)
		}
		if _, err := p.Exec(ctx); err != nil {
			return nil, fmt.Errorf("the store in Redis: %w", err)
		}
		resting, here, there := map[string]frontier.Health{}, f.clock.Now(), now.Val()
		if f.manners.Load().Clock != nil { // hosts go by the clock of the crawl
			there = here
		}
		for i, host := range hosts {
			if h := f.health(all[i].Val()); h.Next.After(there) {
				h.Next = here.Add(h.Next.Sub(there))
				resting[host] = h
			}
		}
		return resting, nil
	})
}
