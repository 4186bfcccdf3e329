package redis

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// seen is where an identity is noted, behind the crawl's prefix, and as what. Redis keeps hashes of few small fields in a
// fifth of the room, so what was seen is spread over many.
func seen(identity string) (key, field string) {
	h := sha256.Sum256([]byte(identity))
	return "seen:" + string(h[:2]), string(h[2:12])
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

// PushAll pushes items in their order, in one round trip for each 200 of them.
func (f *Frontier) PushAll(items []frontier.Item) ([]frontier.Pushed, error) {
	for i := range items {
		if err := items[i].Check(); err != nil {
			return nil, err
		}
	}
	pushed := make([]frontier.Pushed, 0, len(items))
	for some := range slices.Chunk(items, mostItems) {
		became, err := f.pushSome(some)
		if err != nil {
			return nil, err
		}
		pushed = append(pushed, became...)
	}
	f.tell()
	return pushed, nil
}

// pushSome pushes items in one script. Its arguments are those of push.lua, eight for each item.
func (f *Frontier) pushSome(items []frontier.Item) ([]frontier.Pushed, error) {
	page, giveUp := pageOf(items), 0
	if !slices.ContainsFunc(items, func(it frontier.Item) bool { return it.Via != 0 }) {
		giveUp = f.manners.Load().GiveUp
	}
	args := append(make([]any, 0, 4+8*len(items)), page, f.leaseOf(page), f.call(), giveUp)
	for i := range items {
		it := &items[i]
		key, field := seen(it.Known())
		args = append(args, key, field, it.Host, orderKey(it.Tier, it.Score), orderKey(it.Tier, it.Alt), address(it), f.carried(it),
			floats(it.Numbers))
	}
	a, err := f.run(push, args...)
	if err != nil {
		return nil, err
	}
	pushed := make([]frontier.Pushed, len(items))
	for i := range items {
		became := a[2+2*i].(int64)
		pushed[i] = frontier.Pushed{ID: uint64(a[1+2*i].(int64)), Fresh: became == 1, Raised: became == 2}
	}
	return pushed, nil
}

// pageOf is the page that all of some items are links of, 0 if there is none.
func pageOf(items []frontier.Item) uint64 {
	page := items[0].Via
	for i := range items {
		if items[i].Via != page {
			return 0
		}
	}
	return page
}

// leaseOf is the name of the lease under which a page is visited here, empty if it is not.
func (f *Frontier) leaseOf(page uint64) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.out[page].name
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

// findAll asks once. What was never pushed is answered with Nil, which is no error here.
func (f *Frontier) findAll(ctx context.Context, identities []string) ([]uint64, error) {
	ids := make([]uint64, len(identities))
	got := make([]*goredis.StringCmd, len(identities))
	_, err := f.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for i, identity := range identities {
			key, field := seen(identity)
			got[i] = p.HGet(ctx, f.prefix+key, field)
		}
		return nil
	})
	if err != nil && !errors.Is(err, goredis.Nil) {
		return nil, fmt.Errorf("the store in Redis: %w", err)
	}
	for i, cmd := range got {
		ids[i], _ = cmd.Uint64() // 0 for what was never pushed
	}
	return ids, nil
}
