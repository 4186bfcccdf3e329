package redis

import (
	"context"
	"fmt"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Done ends a lease. Counters, lesson and file lengths are kept with it. However often it is sent to a Redis that comes
// and goes, it happens once.
func (f *Frontier) Done(id uint64, o frontier.Outcome) error {
	key := ""
	if o.Again && o.Score == o.Score {
		if err := frontier.Check(o.Score, 0); err != nil {
			return err
		}
		key = orderKey(0, o.Score)[4:]
	}
	usual := f.manners.Delay
	if f.manners.Adapt > 0 {
		usual = max(usual, time.Duration(min(f.manners.Adapt*float64(o.Took), float64(f.manners.Ceiling))))
	}
	m := &f.manners
	sh, local := f.local(id)
	args := []any{local, o.Again, key, o.Idle, o.Failed, usual.Microseconds(), o.Wait.Microseconds(), m.Backoff.Microseconds(),
		m.Ceiling.Microseconds(), m.ParkFor.Microseconds(), m.Park, m.GiveUp, o.Why, f.worker(), f.call(), o.Lesson, id, len(o.Counters)}
	for name, n := range o.Counters {
		args = append(args, name, n)
	}
	for name, n := range o.Files {
		args = append(args, name, n)
	}
	if _, err := f.run(sh, done, args...); err != nil {
		return err
	}
	f.forget(f.returned(id))
	f.tell()
	return nil
}

// returned ends a lease here, and answers the other shards that know what its links were.
func (f *Frontier) returned(id uint64) (news []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for sh := range f.out[id].shards {
		news = append(news, sh.prefix+"news:"+strconv.FormatUint(id, 10))
	}
	delete(f.out, id)
	for host, last := range f.hosts {
		if last == id {
			delete(f.hosts, host)
		}
	}
	return news
}

// forget removes keys that nobody needs any more. Those that it cannot remove go by themselves.
func (f *Frontier) forget(keys []string) {
	if len(keys) == 0 {
		return
	}
	f.client.Pipelined(f.stop, func(p goredis.Pipeliner) error {
		for _, key := range keys {
			p.Unlink(f.stop, key)
		}
		return nil
	})
}

// call is the name of a call that must not be done twice.
func (f *Frontier) call() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	return f.mark + strconv.FormatUint(f.calls, 36)
}

// Renew lets a lease begin anew.
func (f *Frontier) Renew(id uint64) error {
	sh, local := f.local(id)
	a, err := f.run(sh, renew, f.manners.Lease.Microseconds(), local)
	if err == nil && a[1].(int64) > 0 {
		return frontier.ErrNotLeased
	}
	return err
}

// keepAlive renews the leases of this process while it lives.
func (f *Frontier) keepAlive() {
	tick := time.NewTicker(f.manners.Lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-f.stop.Done():
			return
		case <-tick.C:
		}
		for sh, ids := range f.leased() {
			f.ask(f.stop, sh, renew, append([]any{f.manners.Lease.Microseconds()}, ids...)...) // the next tick tries again
		}
	}
}

// leased are the items that are out here, by shard.
func (f *Frontier) leased() map[*shard][]any {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids := map[*shard][]any{}
	for id := range f.out {
		sh, local := f.local(id)
		ids[sh] = append(ids[sh], local)
	}
	return ids
}

// Len is the number of items that wait, 0 if the frontier was closed.
func (f *Frontier) Len() (waiting int) {
	for _, all := range f.sums("m") {
		waiting += int(number(all["waiting"]))
	}
	return waiting
}

// sums reads a hash of every shard; nothing if the frontier was closed.
func (f *Frontier) sums(key string) (all []map[string]string) {
	var got []*goredis.MapStringStringCmd
	err := f.insist(func(ctx context.Context) error {
		got = got[:0]
		_, err := f.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
			for _, sh := range f.shards {
				got = append(got, p.HGetAll(ctx, sh.prefix+key))
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("redis: %w", err)
		}
		return nil
	})
	for _, cmd := range got {
		if err == nil {
			all = append(all, cmd.Val())
		}
	}
	return all
}
