// Package redis answers one question: how do many machines share one frontier?
//
// Frontier is a frontier.Frontier whose items, order, leases and host clocks live in Redis: every change is one
// script, so that a host is visited by one lease at a time whichever machine asks. A worker that dies keeps its
// leases until they lapse (Manners.Lease); a visit that takes its time is renewed with Renew. All keys of a crawl begin
// with thresher:{NAME}: and so stand in one slot of a cluster; the order is exact.
//
// An item with an address of 70 bytes costs Redis about 510 bytes in one lane and 560 in two (BenchmarkPage). Of these,
// 70 are what was seen, known by 12 bytes of the identity's SHA-256: of 1e9 addresses, two are taken for one with
// a probability of 1e-11. To visit a tier in order reads the whole tier.
package redis

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Options are what only this backend can be asked. The zero value is good.
type Options struct {
	// Worker is this machine's name in the list of leases.
	Worker string
	// Lanes is 1 for crawls that never ask for the second lane, which saves memory; 0 means 2.
	Lanes int
	// Poll is how often a waiting Pop looks for what other machines have told; 0 means a quarter of a second. It is
	// also the first wait when Redis does not answer; further ones are longer, up to half a minute.
	Poll time.Duration
}

// Frontier is a frontier that machines share.
type Frontier struct {
	client  goredis.UniversalClient
	prefix  string
	born    string
	manners frontier.Manners
	clock   frontier.Clock
	o       Options

	mu      sync.Mutex
	door    frontier.Door
	changes int // how often something was told: what changed while Redis was asked is not slept over
	closed  bool
}

var (
	_ frontier.Frontier = (*Frontier)(nil)
	_ frontier.Trier    = (*Frontier)(nil)
	_ frontier.Finder   = (*Frontier)(nil)
	_ frontier.Rescorer = (*Frontier)(nil)
	_ frontier.Holder   = (*Frontier)(nil)
	_ frontier.Pacer    = (*Frontier)(nil)
	_ frontier.Renewer  = (*Frontier)(nil)
	_ frontier.Locator  = (*Frontier)(nil)
	_ frontier.Examiner = (*Frontier)(nil)
)

// ErrGone: Redis does not hold the crawl any more that was opened, as when it was started again without its data.
var ErrGone = errors.New("redis: the crawl is gone from Redis: it was emptied, or started again without its data")

// Open joins the crawl of a name, or begins it. The client stays the caller's. The clock is Redis' own unless the
// manners have one.
func Open(ctx context.Context, client goredis.UniversalClient, crawl string, m frontier.Manners, o Options) (*Frontier, error) {
	if crawl == "" {
		return nil, errors.New("redis: a crawl needs a name")
	}
	if o.Lanes == 0 {
		o.Lanes = 2
	}
	if o.Lanes != 1 && o.Lanes != 2 {
		return nil, fmt.Errorf("redis: crawl %q: there are 1 or 2 lanes, not %d", crawl, o.Lanes)
	}
	if o.Poll <= 0 {
		o.Poll = time.Second / 4
	}
	if m.Turns {
		return nil, fmt.Errorf("redis: crawl %q: hosts cannot take turns on Redis", crawl)
	}
	m.PerHost = max(m.PerHost, 1)
	if m.Ceiling <= 0 {
		m.Ceiling = time.Hour
	}
	clock := m.Clock
	if clock == nil {
		clock = frontier.NewSchedule[struct{}](m).Clock()
	}
	f := &Frontier{client: client, prefix: "thresher:{" + crawl + "}:", manners: m, clock: clock, o: o,
		door: frontier.Door{Clock: clock}}
	return f, f.join(ctx, crawl)
}

// join finds the crawl's mark, or makes it. Who was first decides how many lanes there are.
func (f *Frontier) join(ctx context.Context, crawl string) error {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return fmt.Errorf("redis: %w", err)
	}
	born := hex.EncodeToString(b[:])
	p := f.client.Pipeline()
	p.HSetNX(ctx, f.prefix+"m", "born", born)
	p.HSetNX(ctx, f.prefix+"m", "lanes", f.o.Lanes)
	got := p.HMGet(ctx, f.prefix+"m", "born", "lanes")
	if _, err := p.Exec(ctx); err != nil {
		return fmt.Errorf("redis: join crawl %q: %w", crawl, err)
	}
	f.born, _ = got.Val()[0].(string)
	if lanes, _ := got.Val()[1].(string); lanes != fmt.Sprint(f.o.Lanes) {
		return fmt.Errorf("redis: crawl %q was begun with %s lanes and is joined with %d", crawl, lanes, f.o.Lanes)
	}
	return nil
}

//go:embed order.lua
var order string

var (
	//go:embed push.lua
	pushLua string
	//go:embed pop.lua
	popLua string
	//go:embed done.lua
	doneLua string
	//go:embed change.lua
	changeLua string
	//go:embed host.lua
	hostLua string
	//go:embed renew.lua
	renewLua string

	push   = goredis.NewScript(order + pushLua)
	pop    = goredis.NewScript(order + popLua)
	done   = goredis.NewScript(order + doneLua)
	change = goredis.NewScript(order + changeLua)
	setFor = goredis.NewScript(order + hostLua)
	renew  = goredis.NewScript(order + renewLua)
)

// run runs a script. Its answer is a list that begins with a word.
func (f *Frontier) run(ctx context.Context, s *goredis.Script, args ...any) ([]any, error) {
	f.mu.Lock()
	closed := f.closed
	f.mu.Unlock()
	if closed {
		return nil, frontier.ErrClosed
	}
	now := int64(-1)
	if f.manners.Clock != nil {
		now = f.clock.Now().UnixMicro()
	}
	m := &f.manners
	all := append([]any{f.born, now, m.PerHost, f.o.Lanes, m.PerIP, int(m.Share * 100), m.Patience.Microseconds(), m.Steps(),
		m.Delay.Microseconds()}, args...)
	answer, err := s.Run(ctx, f.client, []string{f.prefix}, all...).Slice()
	if err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	switch answer[0] {
	case "gone":
		return nil, ErrGone
	case "not leased":
		return nil, frontier.ErrNotLeased
	case "idle":
		return nil, frontier.ErrIdle
	case "held":
		return nil, frontier.ErrHeld
	case "empty":
		return nil, frontier.ErrEmpty
	}
	return answer, nil
}

// tell wakes one of those who wait, because something has changed.
func (f *Frontier) tell() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes++
	f.door.Tell(time.Time{}, nil)
}

// pass wakes one of those who wait, because whoever left may have watched the clock for them.
func (f *Frontier) pass() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.door.Tell(time.Time{}, nil)
}

var errLane = errors.New("redis: no such lane")

var errNoAddress = errors.New("redis: push: the item has no address")

func digest(identity string) string {
	h := sha256.Sum256([]byte(identity))
	return string(h[:12])
}

// Push adds an item or raises one that waits.
func (f *Frontier) Push(it frontier.Item) (id uint64, fresh bool, err error) {
	if it.URL == "" {
		return 0, false, errNoAddress
	}
	if err := frontier.Check(it.Score, it.Alt); err != nil {
		return 0, false, err
	}
	a, err := f.run(context.Background(), push, digest(it.Known()), it.Host, orderKey(it.Tier, it.Score), orderKey(it.Tier, it.Alt),
		address(&it), carried(&it), floats(it.Numbers))
	if err != nil {
		return 0, false, err
	}
	f.tell()
	return uint64(a[1].(int64)), a[2].(int64) == 1, nil
}

// TryPop leases the best item that is ready, and never waits.
func (f *Frontier) TryPop(lane int) (frontier.Item, time.Time, error) {
	return f.tryPop(context.Background(), lane)
}

func (f *Frontier) tryPop(ctx context.Context, lane int) (it frontier.Item, ready time.Time, err error) {
	if lane < 0 || lane >= f.o.Lanes {
		return it, ready, fmt.Errorf("%w: there are %d, counted from 0, and no lane %d", errLane, f.o.Lanes, lane)
	}
	a, err := f.run(ctx, pop, lane, f.o.Worker, f.manners.Lease.Microseconds())
	if err != nil {
		return it, ready, err
	}
	if a[0] == "at" {
		return it, f.ready(a[1], a[2]), nil
	}
	it, _, err = item(uint64(a[1].(int64)), a[2], a[3], a[4], a[5])
	return it, ready, err
}

// ready is a time of Redis' clock by the clock of this machine.
func (f *Frontier) ready(at, now any) time.Time {
	if f.manners.Clock != nil {
		return time.UnixMicro(number(at))
	}
	return f.clock.Now().Add(time.Duration(number(at)-number(now)) * time.Microsecond)
}

// Pop leases the best item that is ready, and waits until there is one. While Redis does not answer it waits too.
func (f *Frontier) Pop(ctx context.Context, lane int) (frontier.Item, error) {
	patience := f.o.Poll
	for {
		if err := ctx.Err(); err != nil {
			return frontier.Item{}, err
		}
		f.mu.Lock()
		before := f.changes
		f.mu.Unlock()
		it, ready, err := f.tryPop(ctx, lane)
		now := f.clock.Now()
		switch {
		case it.ID != 0:
			f.pass()
			return it, err
		case err == nil:
			patience = f.o.Poll
			if soon := now.Add(f.o.Poll); soon.Before(ready) {
				ready = soon
			}
		case err == frontier.ErrIdle:
			patience = f.o.Poll
			ready = now.Add(f.o.Poll)
		case f.away(err):
			ready = now.Add(patience)
			patience = min(2*patience, 30*time.Second)
		default:
			f.end(err)
			return frontier.Item{}, err
		}
		if err := f.wait(ctx, ready, before); err != nil {
			return frontier.Item{}, err
		}
	}
}

// away tells that an error is about reaching Redis, and not an answer.
func (f *Frontier) away(err error) bool {
	for _, final := range []error{frontier.ErrClosed, frontier.ErrEmpty, frontier.ErrHeld, ErrGone, errItem, errLane,
		context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, final) {
			return false
		}
	}
	var answer goredis.Error
	if errors.As(err, &answer) {
		return goredis.IsLoadingError(err) || goredis.IsTryAgainError(err) || goredis.IsClusterDownError(err)
	}
	return true
}

func (f *Frontier) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes++
	f.door.Tell(time.Time{}, err)
}

// wait waits until ready, unless something has changed meanwhile.
func (f *Frontier) wait(ctx context.Context, ready time.Time, before int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return frontier.ErrClosed
	}
	if f.changes != before {
		return nil
	}
	return f.door.Wait(ctx, &f.mu, ready)
}

// Done ends a lease.
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
	args := []any{id, o.Again, key, o.Idle, o.Failed, usual.Microseconds(), o.Wait.Microseconds(),
		f.manners.Backoff.Microseconds(), f.manners.Ceiling.Microseconds(), f.manners.ParkFor.Microseconds(),
		f.manners.Park, f.manners.GiveUp, o.Why}
	for name, n := range o.Counters {
		args = append(args, name, n)
	}
	_, err := f.run(context.Background(), done, args...)
	if err == nil {
		f.tell()
	}
	return err
}

// Counters is what all machines have counted.
func (f *Frontier) Counters(ctx context.Context) (map[string]int64, error) {
	all, err := f.client.HGetAll(ctx, f.prefix+"count").Result()
	if err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	out := make(map[string]int64, len(all))
	for name, s := range all {
		out[name] = number(s)
	}
	return out, nil
}

// Renew lets a lease begin anew.
func (f *Frontier) Renew(id uint64) error {
	a, err := f.run(context.Background(), renew, f.manners.Lease.Microseconds(), id)
	if err == nil && a[1].(int64) > 0 {
		return frontier.ErrNotLeased
	}
	return err
}

// Close ends the waiting of whoever waits here. The crawl stays in Redis.
func (f *Frontier) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.door.Tell(time.Time{}, frontier.ErrClosed)
	return nil
}
