package redis

import (
	"context"
	"errors"
	"hash/fnv"
	"maps"
	"strconv"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// What several shards have in common: how many visits the hosts of an address have, how many of the last hundred turns a host
// had, and how many pages of the budget are left. A shard hands an item over without knowing it; then whoever asked asks the
// shard that knows, and gives the item back if it may not be visited now. So each costs a round trip more, and nothing where
// there is one shard.

// crowded is how long a shard takes an address for full that others have filled, unless it is told before that a visit of it
// has ended.
const crowded = time.Second

// noPage is that no page of the budget is left, of whichever shard.
type noPage struct{ error }

// commonAt asks the shard that knows.
func (f *Frontier) commonAt(sh *shard, what string, args ...any) ([]any, error) {
	return f.run(sh, common, append([]any{what}, args...)...)
}

// pages asks about the pages of the budget.
func (f *Frontier) pages(what string, id uint64) error {
	f.mu.Lock()
	ended := f.paid
	f.paid = nil
	f.mu.Unlock()
	_, err := f.commonAt(f.shards[0], what, f.pagesArgs(id, ended)...)
	return err
}

func (f *Frontier) pagesArgs(id uint64, ended []any) []any {
	return append([]any{f.o.Budget, f.manners.Lease.Microseconds(), id, f.mark}, ended...)
}

// pagesHere is how many pages there may be in all, for a shard that counts them as it ends visits: the only one. Of several no one
// knows what all have spent, and each takes it for any number.
func (f *Frontier) pagesHere() int {
	if len(f.shards) > 1 {
		return 0
	}
	return f.o.Budget
}

// addressShard is the shard that counts the visits of an address.
func (f *Frontier) addressShard(ip string) *shard {
	h := fnv.New32a()
	h.Write([]byte(ip))
	return f.shards[h.Sum32()%uint32(len(f.shards))]
}

// room tells, after no page was left, whether there is one again; the error is that there is none now, or none any more.
func (f *Frontier) room(ctx context.Context) error {
	f.mu.Lock()
	short := f.short
	f.mu.Unlock()
	if !short {
		return nil
	}
	_, err := f.ask(ctx, f.shards[0], common, append([]any{"room"}, f.pagesArgs(0, nil)...)...)
	if err == nil {
		f.mu.Lock()
		f.short = false
		f.mu.Unlock()
	}
	return err
}

// granted asks whether an item that a shard has handed over may be visited now, for all that the other shards know. What may
// not is given back. over is what the shard knows of its host's share.
func (f *Frontier) granted(sh *shard, it frontier.Item, ip string, over bool) (bool, error) {
	if f.o.Budget > 0 {
		err := f.pages("reserve", it.ID)
		if err == frontier.ErrEmpty {
			err = f.recount(it.ID)
		}
		if err == frontier.ErrIdle || err == frontier.ErrEmpty {
			f.mu.Lock()
			f.short = true
			f.mu.Unlock()
			if back := f.giveBack(sh, it.ID, ""); back != nil {
				return false, back
			}
			return false, noPage{err}
		}
		if err != nil {
			return false, err
		}
	}
	if ip != "" && f.manners.PerIP > 0 {
		seated, err := f.seat(it.ID, ip, false)
		if err == nil && !seated {
			if f.o.Budget > 0 {
				err = f.pages("return", it.ID)
			}
			err = errors.Join(err, f.giveBack(sh, it.ID, ip))
		}
		if err != nil || !seated {
			return false, err
		}
	}
	if f.manners.Share > 0 {
		return true, f.turn(sh, it.Host, over)
	}
	return true, nil
}

// recount takes back what those have paid who died before their visits ended, and then asks for a page once more: the
// visits that they could not end wait to be made again, and one page of the budget each with them.
func (f *Frontier) recount(id uint64) error {
	paid, err := insist(f, func(ctx context.Context) (map[string]string, error) {
		return f.client.HGetAll(ctx, f.shards[0].prefix+"paid").Result()
	})
	if err != nil {
		return err
	}
	var ended []any
	ending := false
	for item, payer := range paid {
		n, _ := strconv.ParseUint(item, 10, 64)
		sh, local := f.local(n)
		a, err := f.run(sh, inform, "forfeit", local)
		if err != nil {
			return err
		}
		switch state, _ := a[1].(string); state {
		case "W":
			if _, err := f.commonAt(f.shards[0], "return", f.o.Budget, f.manners.Lease.Microseconds(), item, payer); err != nil {
				return err
			}
		case "F":
			ended = append(ended, item)
		default:
			ending = true
		}
	}
	_, err = f.commonAt(f.shards[0], "reserve", f.pagesArgs(id, ended)...)
	if err == frontier.ErrEmpty && ending {
		err = frontier.ErrIdle
	}
	return err
}

// giveBack lets an item wait again that was handed over, and is not visited; of an address that is full, if one is named.
func (f *Frontier) giveBack(sh *shard, id uint64, ip string) error {
	defer f.parting(id)()
	_, local := f.local(id)
	_, err := f.run(sh, inform, "refuse", local, f.worker(), ip, crowded.Microseconds())
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drop(id)
	return err
}

// seat asks for a visit at an address, or notes one that goes on already.
func (f *Frontier) seat(id uint64, ip string, goes bool) (bool, error) {
	f.mu.Lock()
	visit := f.out[id].name
	f.mu.Unlock()
	own, _ := f.local(id)
	a, err := f.commonAt(f.addressShard(ip), "seat", ip, visit, f.manners.Lease.Microseconds(), own.number, goes)
	if err != nil || a[1] == int64(0) {
		return false, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if l, out := f.out[id]; out {
		l.ip = ip
		f.out[id] = l
	}
	return true, nil
}

// leave ends a visit at an address, and tells the shards that wait for that.
func (f *Frontier) leave(visit, ip string) error {
	waiting, err := f.commonAt(f.addressShard(ip), "leave", ip, visit)
	if err != nil {
		return err
	}
	for _, number := range waiting[1:] {
		s, _ := number.(string)
		if n, wrong := strconv.Atoi(s); wrong == nil && n < len(f.shards) {
			_, failed := f.run(f.shards[n], inform, "open", ip)
			err = errors.Join(err, failed)
		}
	}
	return err
}

// reseat moves the visits of a host that go on here to the address at which it was found to be.
func (f *Frontier) reseat(host, ip string) {
	f.mu.Lock()
	moved := map[uint64]lease{}
	for id, l := range f.out {
		if l.host == host && l.ip != ip {
			moved[id] = l
		}
	}
	f.mu.Unlock()
	for id, l := range moved { // that it fails is told by whatever is asked next
		if l.ip != "" {
			f.leave(l.name, l.ip)
		}
		if ip != "" {
			f.seat(id, ip, true)
		}
	}
}

// turn counts a turn of a host, and tells the shards whose hosts have had more than their share by that, or not any more.
func (f *Frontier) turn(sh *shard, host string, was bool) error {
	a, err := f.commonAt(f.shards[0], "turn", host)
	if err != nil {
		return err
	}
	if over := a[1] == int64(1); over != was {
		_, err = f.run(sh, inform, "over", host, over)
	}
	if len(a) > 2 {
		other, _ := a[2].(string)
		_, failed := f.run(f.shardOf(other), inform, "over", other, false)
		err = errors.Join(err, failed)
	}
	return err
}

// settle ends a visit by end, and what the shards have in common of it. A page that it costs is counted before, so that none
// is spent twice whenever this process dies: whoever makes the visit again finds it paid.
func (f *Frontier) settle(id uint64, o frontier.Outcome, end func() error) error {
	if len(f.shards) == 1 {
		return end()
	}
	f.mu.Lock()
	l := f.out[id]
	f.mu.Unlock()
	spends := o.Counters[Spent] > 0
	err := error(nil)
	if spends {
		err = f.pages("pay", id)
	}
	if err == nil {
		err = end()
	} else if err == frontier.ErrNotLeased { // somebody else has its page, and perhaps the item
		sh, local := f.local(id)
		if _, failed := f.run(sh, inform, "refuse", local, f.worker(), "", 0); failed != nil {
			return failed
		}
	}
	if err != nil && err != frontier.ErrNotLeased {
		return err
	}
	if failed := f.settled(id, l, spends, err == nil); failed != nil {
		return errors.Join(err, failed)
	}
	return err
}

// settled notes what a visit that has ended leaves to others; ours tells that it was not another worker's.
func (f *Frontier) settled(id uint64, l lease, spends, ours bool) (err error) {
	if spends && ours {
		f.mu.Lock()
		f.paid = append(f.paid, id)
		f.mu.Unlock()
	} else if spends || f.o.Budget > 0 {
		err = f.pages("return", id)
	}
	if l.ip != "" {
		err = errors.Join(err, f.leave(l.name, l.ip))
	}
	return err
}

// renewCommon lets what this process has in common with all shards begin anew. What fails is tried again before it lapses.
func (f *Frontier) renewCommon() {
	f.mu.Lock()
	out := maps.Clone(f.out)
	f.mu.Unlock()
	for id, l := range out {
		if l.ip != "" {
			f.ask(f.stop, f.addressShard(l.ip), common, "stay", l.ip, l.name, f.manners.Lease.Microseconds())
		}
		if f.o.Budget > 0 {
			f.ask(f.stop, f.shards[0], common, append([]any{"renew"}, f.pagesArgs(id, nil)...)...)
		}
	}
}
