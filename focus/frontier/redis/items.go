package redis

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// orderKey is 8 bytes that are lower the earlier an item comes: the tier, and the score turned round.
func orderKey(tier uint32, score float32) string {
	b := binary.BigEndian.AppendUint32(nil, tier)
	return string(binary.BigEndian.AppendUint32(b, falling(score)))
}

// falling maps finite numbers to integers that fall as the numbers rise; risen is its inverse. Both zeros are one.
func falling(score float32) uint32 {
	if score == 0 {
		score = 0
	}
	bits := math.Float32bits(score)
	if bits>>31 == 0 {
		return ^(bits | 1<<31)
	}
	return bits
}

func risen(x uint32) float32 {
	if x>>31 == 0 {
		return math.Float32frombits(^x &^ (1 << 31))
	}
	return math.Float32frombits(x)
}

func address(it *frontier.Item) string {
	b := binary.AppendUvarint(nil, uint64(len(it.Identity)))
	return string(append(append(b, it.Identity...), it.URL...))
}

// carried is what an item carries along: the reach of its note, where it was found, and the note.
func (f *Frontier) carried(it *frontier.Item) string {
	b := binary.AppendUvarint(f.reach(it.Note), it.Via)
	b = binary.AppendUvarint(b, uint64(it.Depth))
	return string(append(b, it.Note...))
}

// reach is how far a note reaches, written so that higher bytes reach farther; 0 is a note that does not say.
func (f *Frontier) reach(note []byte) []byte {
	b := []byte{0, 0}
	if f.o.Reach.Of != nil {
		if reach, ok := f.o.Reach.Of(note); ok {
			binary.BigEndian.PutUint16(b, uint16(max(int(reach)-math.MinInt16, 1)))
		}
	}
	return b
}

func floats(xs []float32) string {
	b := make([]byte, 0, 4*len(xs))
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return string(b)
}

var errItem = errors.New("an item in Redis is not as it was written: " + thrown)

var states = map[byte]frontier.State{'W': frontier.Waiting, 'L': frontier.Leased, 'F': frontier.Finished, 'D': frontier.Dropped, 'S': frontier.Shelved}

// item puts an item together from what Redis answered: its standing (state, key of each lane, host), its address behind its identity and
// the length of that, what it carries along (reach, page, depth, note), and its numbers.
func (f *Frontier) item(id uint64, standing, address, carried, numbers any) (it frontier.Item, st frontier.State, err error) {
	s, _ := standing.(string)
	a, _ := address.(string)
	c, _ := carried.(string)
	x, _ := numbers.(string)
	if len(s) < 17 || states[s[0]] == frontier.Unknown {
		return it, frontier.Unknown, errItem
	}
	if len(c) < 2 {
		return it, frontier.Unknown, errItem
	}
	reach, c := binary.BigEndian.Uint16([]byte(c)), c[2:]
	n, w := binary.Uvarint([]byte(a))
	via, v := binary.Uvarint([]byte(c))
	if w <= 0 || v <= 0 || n > uint64(len(a)-w) {
		return it, frontier.Unknown, errItem
	}
	depth, d := binary.Uvarint([]byte(c[v:]))
	if d <= 0 || depth > math.MaxUint16 {
		return it, frontier.Unknown, errItem
	}
	u32 := func(i int) uint32 { return binary.BigEndian.Uint32([]byte(s[i : i+4])) }
	it = frontier.Item{ID: id, Identity: a[w : w+int(n)], URL: a[w+int(n):], Host: s[17:], Via: via, Depth: uint16(depth),
		Tier: u32(1), Score: risen(u32(5)), Alt: risen(u32(13))}
	if note := c[v+d:]; note != "" {
		it.Note = []byte(note)
	}
	if reach > 0 && f.o.Reach.With != nil {
		it.Note = f.o.Reach.With(it.Note, int16(int(reach)+math.MinInt16))
	}
	for ; len(x) >= 4; x = x[4:] {
		it.Numbers = append(it.Numbers, math.Float32frombits(binary.LittleEndian.Uint32([]byte(x))))
	}
	return it, states[s[0]], nil
}

// number reads a number that Lua has written out, as its own are rounded on their way.
func number(x any) int64 {
	s, _ := x.(string)
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// Get answers an item and its state; Unknown, too, if the frontier was closed. Look tells the one from the other.
func (f *Frontier) Get(id uint64) (it frontier.Item, st frontier.State) {
	type found struct {
		item  frontier.Item
		state frontier.State
	}
	there, _ := insist(f, func(ctx context.Context) (there found, err error) {
		there.item, there.state, err = f.Look(ctx, id)
		return there, err
	})
	return there.item, there.state
}

// Standing answers how an item stands.
func (f *Frontier) Standing(id uint64) frontier.Standing {
	it, st := f.Get(id)
	return frontier.Standing{State: st, Host: it.Host, Tier: it.Tier, Score: it.Score, Alt: it.Alt}
}

// Look is Get with the error.
func (f *Frontier) Look(ctx context.Context, id uint64) (frontier.Item, frontier.State, error) {
	var parts [4]*goredis.StringCmd
	_, err := f.client.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for i, key := range [4]string{"s", "a", "c", "x"} {
			parts[i] = p.HGet(ctx, f.prefix+key, strconv.FormatUint(id, 10))
		}
		return nil
	})
	if err != nil && !errors.Is(err, goredis.Nil) {
		return frontier.Item{}, frontier.Unknown, fmt.Errorf("the store in Redis: %w", err)
	}
	if parts[0].Err() != nil {
		return frontier.Item{}, frontier.Unknown, nil
	}
	return f.item(id, parts[0].Val(), parts[1].Val(), parts[2].Val(), parts[3].Val())
}

// Rescore changes the scores of a waiting item, and its note if one is given.
func (f *Frontier) Rescore(id uint64, score, alt float32, numbers []float32, note []byte) error {
	if err := frontier.Check(score, alt); err != nil {
		return err
	}
	args := []any{orderKey(0, score)[4:], orderKey(0, alt)[4:], floats(numbers)}
	if note != nil {
		args = append(args, f.reach(note), note)
	}
	return f.change("rescore", id, args...)
}

// Promote moves a waiting item to another tier.
func (f *Frontier) Promote(id uint64, tier uint32, score float32) error {
	if err := frontier.Check(score, 0); err != nil {
		return err
	}
	return f.change("promote", id, orderKey(tier, score))
}

// Drop forgets that an item waits.
func (f *Frontier) Drop(id uint64) error { return f.change("drop", id) }

// Unshelve lets an item wait again that was given up.
func (f *Frontier) Unshelve(id uint64) (was bool, err error) {
	answer, err := f.run(change, "unshelve", id)
	if err == nil {
		f.tell()
	}
	return len(answer) > 1, err
}

func (f *Frontier) change(what string, id uint64, args ...any) error {
	_, err := f.run(change, append([]any{what, id}, args...)...)
	if err == nil {
		f.tell()
	}
	return err
}

// Each visits the waiting items of a tier in order. It ends early if Redis does not answer.
func (f *Frontier) Each(tier uint32, visit func(id uint64) bool) {
	members, err := f.members(f.stop, orderKey(tier, 0)[:4], tier >= frontier.Held)
	if err != nil {
		return
	}
	slices.Sort(members)
	for _, m := range members {
		it, st, err := f.Look(f.stop, idOf(m))
		if err != nil || st == frontier.Waiting && it.Tier == tier && !visit(it.ID) {
			return
		}
	}
}

// idOf is the item of a member of an order: its key of 8 bytes stands before it.
func idOf(member string) uint64 { return binary.BigEndian.Uint64([]byte("\x00\x00" + member[8:14])) }

// members is what waits in a tier, in no order.
func (f *Frontier) members(ctx context.Context, tier string, held bool) ([]string, error) {
	if held {
		return f.client.ZRange(ctx, f.prefix+"t:"+tier, 0, -1).Result()
	}
	hosts, err := f.client.SMembers(ctx, f.prefix+"hosts").Result()
	if err != nil {
		return nil, err
	}
	var all []string
	for _, host := range hosts {
		some, err := f.client.ZRangeByLex(ctx, f.prefix+"q0:"+host,
			&goredis.ZRangeBy{Min: "[" + tier, Max: "[" + tier + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"}).Result()
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}
