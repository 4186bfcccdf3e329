package redis

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

var errNoAddress = errors.New("redis: push: the item has no address")

// key is where an identity is noted, behind the shard's prefix, and as what. Redis keeps hashes of few small fields in a
// fifth of the room, so what was seen is spread over many.
func (s Seen) key(identity string) (key, field string) {
	if s == SeenWhole {
		return "seen", identity
	}
	h := sha256.Sum256([]byte(identity))
	end := 12
	if s == SeenShort {
		end = 7
	}
	return "seen:" + string(h[:2]), string(h[2:end])
}

// shardOf is where a host's links are.
func (f *Frontier) shardOf(host string) *shard {
	if len(f.shards) == 1 {
		return f.shards[0]
	}
	h := fnv.New32a()
	h.Write([]byte(host))
	return f.shards[h.Sum32()%uint32(len(f.shards))]
}

// global is the id of an item of a shard among those of all.
func (f *Frontier) global(sh *shard, id uint64) uint64 {
	if id == 0 {
		return 0
	}
	return (id-1)*uint64(len(f.shards)) + uint64(sh.number) + 1
}

// local is the shard of an item, and its id there.
func (f *Frontier) local(id uint64) (*shard, uint64) {
	if id == 0 {
		return f.shards[0], 0
	}
	n := uint64(len(f.shards))
	return f.shards[(id-1)%n], (id-1)/n + 1
}

// Push adds an item or raises one that waits.
func (f *Frontier) Push(it frontier.Item) (id uint64, fresh bool, err error) {
	pushed, err := f.PushAll([]frontier.Item{it})
	if err != nil {
		return 0, false, err
	}
	return pushed[0].ID, pushed[0].Fresh, nil
}

// mostItems bounds what one script pushes, as nobody else is served meanwhile.
const mostItems = 200

// PushAll pushes items in their order, in one round trip for each shard they belong to (and for each 200 of them).
func (f *Frontier) PushAll(items []frontier.Item) ([]frontier.Pushed, error) {
	pushed := make([]frontier.Pushed, len(items))
	places := map[*shard][]int{}
	for i := range items {
		if items[i].URL == "" {
			return nil, errNoAddress
		}
		if err := frontier.Check(items[i].Score, items[i].Alt); err != nil {
			return nil, err
		}
		sh := f.shardOf(items[i].Host)
		places[sh] = append(places[sh], i)
	}
	for _, sh := range f.shards {
		for some := range slices.Chunk(places[sh], mostItems) {
			if err := f.pushTo(sh, items, some, pushed); err != nil {
				return nil, err
			}
		}
	}
	f.tell()
	return pushed, nil
}

// pushTo pushes the items at some places, which belong to a shard.
func (f *Frontier) pushTo(sh *shard, items []frontier.Item, places []int, pushed []frontier.Pushed) error {
	page := pageOf(items, places)
	args := append(make([]any, 0, 3+8*len(places)), page, f.leaseOf(page, sh), f.call())
	for _, i := range places {
		it := &items[i]
		key, field := f.o.Seen.key(it.Known())
		args = append(args, key, field, it.Host, orderKey(it.Tier, it.Score), orderKey(it.Tier, it.Alt), address(it), f.carried(it),
			floats(it.Numbers))
	}
	a, err := f.run(sh, push, args...)
	if err != nil {
		return err
	}
	for n, i := range places {
		became := a[2+2*n].(int64)
		pushed[i] = frontier.Pushed{ID: f.global(sh, uint64(a[1+2*n].(int64))), Fresh: became == 1, Raised: became == 2}
	}
	return nil
}

// pageOf is the page that all of some items are links of, 0 if there is none.
func pageOf(items []frontier.Item, places []int) uint64 {
	page := items[places[0]].Via
	for _, i := range places {
		if items[i].Via != page {
			return 0
		}
	}
	return page
}

// leaseOf is the name of the lease under which a page is visited here, empty if it is not, and notes that links of it stand
// in a shard.
func (f *Frontier) leaseOf(page uint64, sh *shard) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, out := f.out[page]
	if own, _ := f.local(page); out && sh != own {
		if l.shards == nil {
			l.shards = map[*shard]struct{}{}
		}
		l.shards[sh] = struct{}{}
		f.out[page] = l
	}
	return l.name
}

// Find answers the id of an identity, 0 if it was never pushed or the frontier was closed.
func (f *Frontier) Find(identity string) uint64 { return f.FindAll([]string{identity})[0] }

// FindAll answers the ids of identities, in one round trip.
func (f *Frontier) FindAll(identities []string) []uint64 {
	found, _ := insist(f, func(ctx context.Context) ([]uint64, error) { return f.findAll(ctx, identities) })
	if found == nil {
		return make([]uint64, len(identities))
	}
	return found
}

func (f *Frontier) findAll(ctx context.Context, identities []string) ([]uint64, error) {
	ids := make([]uint64, len(identities))
	got := make([]*goredis.StringCmd, 0, len(identities)*len(f.shards))
	_, err := f.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for _, identity := range identities {
			key, field := f.o.Seen.key(identity)
			for _, sh := range f.shards {
				got = append(got, p.HGet(ctx, sh.prefix+key, field))
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, goredis.Nil) {
		return nil, fmt.Errorf("redis: %w", err)
	}
	for i, cmd := range got {
		if id, wrong := cmd.Uint64(); wrong == nil {
			ids[i/len(f.shards)] = f.global(f.shards[i%len(f.shards)], id)
		}
	}
	return ids, nil
}
