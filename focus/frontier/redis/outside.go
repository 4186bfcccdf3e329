package redis

import (
	"cmp"
	"context"
	"encoding/binary"
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
		return "redis: which crawl? " + there
	}
	return fmt.Sprintf("redis: there is no crawl %q; %s", e.Crawl, there)
}

// Crawls are the names of the crawls in Redis, in order.
func Crawls(ctx context.Context, client goredis.UniversalClient) ([]string, error) {
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
		return nil, fmt.Errorf("redis: which crawls there are: %w", err)
	}
	return slices.Compact(names), nil
}

// Describe says what the crawl is, in the caller's words, for those who come later (About). It replaces what was said.
func (f *Frontier) Describe(about map[string]string) error {
	_, err := insist(f, func(ctx context.Context) (added int64, err error) {
		if added, err = f.client.HSet(ctx, f.shards[0].prefix+"about", about).Result(); err != nil {
			return 0, fmt.Errorf("redis: %w", err)
		}
		return added, nil
	})
	return err
}

// About is what the machines of a crawl said of it (Describe). An empty name means the only crawl there is; where
// there is none of the name, or more than one to choose from, the error is a *NoCrawlError. away hears why it has to wait for
// Redis, and with nil when that is over; it may be nil.
func About(ctx context.Context, client goredis.UniversalClient, crawl string, away func(error)) (name string, about map[string]string, err error) {
	wait := newOpening(client, away)
	if err := wait.knock(ctx); err != nil {
		return crawl, nil, fmt.Errorf("redis: %w", err)
	}
	name = crawl
	err = wait.do(ctx, func(ctx context.Context) (err error) {
		name, about, err = find(ctx, client, crawl)
		return err
	})
	return name, about, err
}

// find looks once for what the machines of a crawl said of it.
func find(ctx context.Context, client goredis.UniversalClient, crawl string) (name string, about map[string]string, err error) {
	if crawl != "" {
		about, err = client.HGetAll(ctx, prefixOf(crawl, 0)+"about").Result()
		var there int64
		if err == nil {
			there, err = client.Exists(ctx, prefixOf(crawl, 0)+"m").Result()
		}
		if err != nil {
			return crawl, nil, fmt.Errorf("redis: crawl %q: %w", crawl, err)
		}
		if there > 0 {
			return crawl, about, nil
		}
	}
	names, err := Crawls(ctx, client)
	if err != nil {
		return crawl, nil, err
	}
	if crawl == "" && len(names) == 1 {
		return find(ctx, client, names[0])
	}
	return crawl, nil, &NoCrawlError{crawl, names}
}

// Join is Open of a crawl that is there, kept as it was begun, for somebody who has no part in it: what was learned is not
// read (Restored is empty).
func Join(ctx context.Context, client goredis.UniversalClient, crawl string, m frontier.Manners, o Options) (*Frontier, error) {
	var kept []any
	err := newOpening(client, o.Away).do(ctx, func(ctx context.Context) (err error) {
		kept, err = client.HMGet(ctx, prefixOf(crawl, 0)+"m", "lanes", "shards", "seen as").Result()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("redis: join crawl %q: %w", crawl, err)
	}
	o.Lanes, o.Shards = int(number(kept[0])), int(number(kept[1]))
	if seen, _ := kept[2].(string); seen == "" {
		return nil, &NoCrawlError{Crawl: crawl}
	} else {
		o.Seen = Seen(seen)
	}
	o.looks = true
	return Open(ctx, client, crawl, m, o)
}

// atOnce is how many hosts or items are asked for in one round trip.
const atOnce = 500

// waitingAt is an item that waits, by its place in the order.
type waitingAt struct {
	member string // its key, and its id in the shard
	sh     *shard
}

func (w waitingAt) id() uint64 { return binary.BigEndian.Uint64([]byte("\x00\x00" + w.member[8:14])) }

// Best are the first items that wait, in the order in which they would be handed over if no host had to rest; 0 means all.
// Items that are held, and visits that are under way, are not among them.
func (f *Frontier) Best(ctx context.Context, most int) ([]frontier.Item, error) {
	var places []waitingAt
	for _, sh := range f.shards {
		hosts, err := f.client.SMembers(ctx, sh.prefix+"hosts").Result()
		if err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
		for some := range slices.Chunk(hosts, atOnce) {
			found, err := f.foremost(ctx, sh, some, most)
			if err != nil {
				return nil, err
			}
			places = first(append(places, found...), most)
		}
	}
	var items []frontier.Item
	for some := range slices.Chunk(places, atOnce) {
		found, err := f.waitingItems(ctx, some)
		if err != nil {
			return nil, err
		}
		items = append(items, found...)
	}
	return items, nil
}

// first puts places in order, and leaves out what comes after the first so many.
func first(places []waitingAt, most int) []waitingAt {
	slices.SortFunc(places, func(a, b waitingAt) int {
		return cmp.Or(strings.Compare(a.member, b.member), cmp.Compare(a.sh.number, b.sh.number))
	})
	if most > 0 {
		places = places[:min(most, len(places))]
	}
	return places
}

// foremost is what waits first at some hosts of a shard.
func (f *Frontier) foremost(ctx context.Context, sh *shard, hosts []string, most int) (places []waitingAt, err error) {
	got := make([]*goredis.StringSliceCmd, len(hosts))
	_, err = f.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for i, host := range hosts {
			got[i] = p.ZRange(ctx, sh.prefix+"q0:"+host, 0, int64(most)-1)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	for _, members := range got {
		for _, m := range members.Val() {
			places = append(places, waitingAt{m, sh})
		}
	}
	return places, nil
}

// waitingItems are the items at some places, without those that were handed over meanwhile.
func (f *Frontier) waitingItems(ctx context.Context, places []waitingAt) (items []frontier.Item, err error) {
	got := make([][4]*goredis.StringCmd, len(places))
	_, err = f.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for i, at := range places {
			for k, key := range [4]string{"s", "a", "c", "x"} {
				got[i][k] = p.HGet(ctx, at.sh.prefix+key, strconv.FormatUint(at.id(), 10))
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, goredis.Nil) {
		return nil, fmt.Errorf("redis: %w", err)
	}
	for i, at := range places {
		parts := got[i]
		it, state, err := f.item(f.global(at.sh, at.id()), parts[0].Val(), parts[1].Val(), parts[2].Val(), parts[3].Val())
		if err != nil {
			return nil, err
		}
		if state == frontier.Waiting {
			items = append(items, it)
		}
	}
	return items, nil
}
