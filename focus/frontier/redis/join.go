package redis

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	goredis "github.com/redis/go-redis/v9"
)

// enter joins all shards, and reads what the crawl has come to, which may be much.
func (f *Frontier) enter(ctx context.Context) error {
	wait := newOpening(f.client, f.o.Away)
	if err := wait.knock(ctx); err != nil {
		return err
	}
	for _, s := range f.shards {
		if err := wait.do(ctx, func(ctx context.Context) error { return f.join(ctx, s) }); err != nil {
			return err
		}
	}
	if f.o.looks {
		return nil
	}
	return wait.do(ctx, f.find)
}

// join finds a shard's mark, or makes it. Who was first decides how the crawl is kept.
func (f *Frontier) join(ctx context.Context, s *shard) error {
	kept := []keeping{{"lanes", strconv.Itoa(f.o.Lanes)}, {"shards", strconv.Itoa(f.o.Shards)}, {"seen as", string(f.o.Seen)}}
	look := func() ([]any, error) {
		return f.client.HMGet(ctx, s.prefix+"m", "born", "commands", kept[0].what, kept[1].what, kept[2].what).Result()
	}
	got, err := look() // who only looks need not write: a Redis that is full can be read
	if err == nil && got[0] == nil {
		if err = f.begin(ctx, s, kept); err == nil {
			got, err = look()
		}
	}
	if err != nil {
		return err
	}
	s.born, _ = got[0].(string)
	if s.number == 0 {
		f.told = number(got[1])
	}
	for i, k := range kept {
		if theirs, _ := got[2+i].(string); theirs != k.ours {
			return fmt.Errorf("it was begun with %s: %s, and is joined with %s", k.what, theirs, k.ours)
		}
	}
	return nil
}

// keeping is a way in which a crawl is kept.
type keeping struct{ what, ours string }

// begin makes a shard's mark, unless somebody else was quicker.
func (f *Frontier) begin(ctx context.Context, s *shard, kept []keeping) error {
	born, err := newMark()
	if err != nil {
		return err
	}
	set := func(p goredis.Pipeliner) error {
		p.HSetNX(ctx, s.prefix+"m", "born", born)
		for _, k := range kept {
			p.HSetNX(ctx, s.prefix+"m", k.what, k.ours)
		}
		return nil
	}
	cmds, err := f.client.TxPipelined(ctx, set)
	if goredis.IsExecAbortError(err) { // why is said of the command that was refused
		err = cmp.Or(cmds[0].Err(), err)
	}
	return err
}
