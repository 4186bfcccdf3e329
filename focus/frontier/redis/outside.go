package redis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// What somebody who has no part in a crawl asks Redis: which crawls there are, what they are, and what waits.

// NoCrawlError tells that a crawl is not in Redis, and which are.
type NoCrawlError struct {
	Crawl  string
	Others []string
}

func (e *NoCrawlError) Error() string {
	there := "there is none at all"
	if len(e.Others) > 0 {
		there = "there are " + strings.Join(e.Others, ", ")
	}
	if e.Crawl == "" {
		return "which crawl? " + there
	}
	return fmt.Sprintf("there is no crawl %q; %s", e.Crawl, there)
}

// crawls are the names of the crawls in Redis, in order.
func crawls(ctx context.Context, client Client) ([]string, error) {
	found := make(chan string)
	var err error
	go func() {
		defer close(found)
		err = everyKey(ctx, client, "thresher:{*/0}:m", func(_ context.Context, _ goredis.Cmdable, key string) error {
			found <- strings.TrimSuffix(strings.TrimPrefix(key, "thresher:{"), "/0}:m")
			return nil
		})
	}()
	var names []string
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	if err != nil {
		return nil, fmt.Errorf("which crawls are on Redis: %w", err)
	}
	return slices.Compact(names), nil
}

// Describe says what the crawl is, in the caller's words, for those who come later (About). It replaces what was said.
func (f *Frontier) Describe(about map[string]string) error {
	_, err := insist(f, func(ctx context.Context) (added int64, err error) {
		return stored(f.client.HSet(ctx, f.prefix+"about", about).Result())
	})
	return err
}

// About is what the machines of a crawl said of it (Describe). An empty name means the only crawl there is; where
// there is none of the name, or more than one to choose from, the error is a *NoCrawlError. away hears why it has to wait for
// Redis, and with nil when that is over; it may be nil.
func About(ctx context.Context, client Client, crawl string, away func(error)) (name string, about map[string]string, err error) {
	wait := newOpening(client, away)
	if err := wait.knock(ctx); err != nil {
		return crawl, nil, fmt.Errorf("the store in Redis: %w", err)
	}
	name = crawl
	err = wait.do(ctx, func(ctx context.Context) (err error) {
		name, about, err = find(ctx, client, crawl)
		return err
	})
	return name, about, err
}

// find looks once for what the machines of a crawl said of it.
func find(ctx context.Context, client Client, crawl string) (name string, about map[string]string, err error) {
	if crawl != "" {
		about, err = client.HGetAll(ctx, prefixOf(crawl)+"about").Result()
		var there int64
		if err == nil {
			there, err = client.Exists(ctx, prefixOf(crawl)+"m").Result()
		}
		if err != nil {
			return crawl, nil, fmt.Errorf("crawl %q on Redis: %w", crawl, err)
		}
		if there > 0 {
			return crawl, about, nil
		}
	}
	names, err := crawls(ctx, client)
	if err != nil {
		return crawl, nil, err
	}
	if crawl == "" && len(names) == 1 {
		return find(ctx, client, names[0])
	}
	return crawl, nil, &NoCrawlError{crawl, names}
}

// Unused refuses where visits of a crawl are under way: another process works on it, or one died so shortly ago that its leases have
// not lapsed. away hears why it has to wait for Redis, and with nil when that is over; it may be nil.
func Unused(ctx context.Context, client Client, crawl string, away func(error)) error {
	if err := Await(ctx, client, away); err != nil {
		return err
	}
	var underway int64
	err := newOpening(client, away).do(ctx, func(ctx context.Context) error {
		now, err := client.Time(ctx).Result()
		if err == nil {
			underway, err = client.ZCount(ctx, prefixOf(crawl)+"lapse", "("+strconv.FormatInt(now.UnixMicro(), 10), "+inf").Result()
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("crawl %q on Redis: %w", crawl, err)
	}
	if underway > 0 {
		return fmt.Errorf("visits of the crawl %s are under way, %d now: 'thresher stop --run REDIS?crawl=%s' stops all machines, and those of one that died end with their leases", crawl, underway, crawl)
	}
	return nil
}

// Join is Open of a crawl that is there, kept as it was begun, for somebody who has no part in it: what was learned is not
// read (Restored is empty).
func Join(ctx context.Context, client Client, crawl string, m frontier.Manners, o Options) (*Frontier, error) {
	var lanes string
	err := newOpening(client, o.Away).do(ctx, func(ctx context.Context) (err error) {
		lanes, err = client.HGet(ctx, prefixOf(crawl)+"m", "lanes").Result()
		return err
	})
	if errors.Is(err, goredis.Nil) {
		return nil, &NoCrawlError{Crawl: crawl}
	}
	if err != nil {
		return nil, fmt.Errorf("join crawl %q on Redis: %w", crawl, err)
	}
	o.Lanes, o.looks = int(number(lanes)), true
	return Open(ctx, client, crawl, m, o)
}

// atOnce is how many hosts or items are asked for in one round trip.
const atOnce = 500

// Best are the first items that wait, in the order in which they would be handed over if no host had to rest; 0 means all.
// Items that are held, and visits that are under way, are not among them.
func (f *Frontier) Best(ctx context.Context, most int) (items []frontier.Item, err error) {
	hosts, err := f.client.SMembers(ctx, f.prefix+"hosts").Result()
	if err != nil {
		return nil, fmt.Errorf("the store in Redis: %w", err)
	}
	var members []string
	for some := range slices.Chunk(hosts, atOnce) {
		found, err := f.foremost(ctx, some, most)
		if err != nil {
			return nil, err
		}
		members = append(members, found...)
		if slices.Sort(members); most > 0 {
			members = members[:min(most, len(members))]
		}
	}
	for some := range slices.Chunk(members, atOnce) {
		found, err := f.waitingItems(ctx, some)
		if err != nil {
			return nil, err
		}
		items = append(items, found...)
	}
	return items, nil
}

// foremost is what waits first at some hosts, as members of their orders.
func (f *Frontier) foremost(ctx context.Context, hosts []string, most int) (members []string, err error) {
	got := make([]*goredis.StringSliceCmd, len(hosts))
	_, err = f.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for i, host := range hosts {
			got[i] = p.ZRange(ctx, f.prefix+"q0:"+host, 0, int64(most)-1)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the store in Redis: %w", err)
	}
	for _, found := range got {
		members = append(members, found.Val()...)
	}
	return members, nil
}

// waitingItems are the items of some members, without those that were handed over meanwhile.
func (f *Frontier) waitingItems(ctx context.Context, members []string) (items []frontier.Item, err error) {
	got := make([][4]*goredis.StringCmd, len(members))
	_, err = f.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for i, m := range members {
			for k, key := range [4]string{"s", "a", "c", "x"} {
				got[i][k] = p.HGet(ctx, f.prefix+key, strconv.FormatUint(idOf(m), 10))
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, goredis.Nil) {
		return nil, fmt.Errorf("the store in Redis: %w", err)
	}
	for i, m := range members {
		parts := got[i]
		it, state, err := f.item(idOf(m), parts[0].Val(), parts[1].Val(), parts[2].Val(), parts[3].Val())
		if err != nil {
			return nil, err
		}
		if state == frontier.Waiting {
			items = append(items, it)
		}
	}
	return items, nil
}
