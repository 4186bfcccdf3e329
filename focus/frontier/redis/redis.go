// Package redis answers one question: how do many machines share one frontier?
//
// Frontier is a frontier.Frontier whose items, order, leases and host clocks live in Redis: every change is one
// script, so that a host is visited by one lease at a time whichever machine asks. A worker that lives renews its
// leases; those of one that died lapse (Manners.Lease), and their links wait again. All keys of a crawl begin with
// thresher:{NAME/0}: and so stand in one slot: a Redis Cluster keeps a crawl on one of its servers, and the order is exact.
// A pop is one round trip, all links of a page are one (Batcher), and the end of the visit is one.
//
// What was pushed is known again by 12 bytes of the SHA-256 of its identity: of 1e9 addresses, two are taken for one with a
// probability of 6e-12. That costs about 20 bytes per link, up to 33 million links where Redis has its default of
// hash-max-listpack-entries 512, and about 75 beyond (BenchmarkSeen).
//
// While Redis does not answer, whoever asks waits, ever longer, up to half a minute (Options.Away hears of it), until
// somebody has to go (GiveUp). A Redis that was started again without its data is recognised: ErrGone; and one that lacks what this
// process was told that it did: ErrOlder.
//
// What a page costs says BenchmarkPage. To visit a tier in order reads the whole tier.
package redis

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Options are what only this backend can be asked. The zero value is good.
type Options struct {
	// Worker is this machine's name in the list of leases and in the crawl's table of files.
	Worker string
	// Where is the address of Redis without its password, for messages.
	Where string
	// Lanes is 1 for crawls that never ask for the second lane, which saves memory; 0 means 2.
	Lanes int
	// Poll is how often a waiting Pop looks for what other machines have told; 0 means a quarter of a second. It is
	// also the first wait when Redis does not answer; further ones are longer, up to half a minute.
	Poll time.Duration
	// KeepAlive renews the leases of this process, three times in a lease.
	KeepAlive bool
	// Wall is the clock by which this process tells how long it has had a lease, whatever that of Redis shows; nil means the
	// clock on the wall.
	Wall frontier.Clock
	// Budget is how many visits all machines together may spend: outcomes that count one as Spent. When they are spent, nothing is handed over any more, as if nothing waited; while those under way may spend the last, Pop waits. 0
	// means any number.
	Budget int
	// Reach is where a note says how far its item may lead on, if notes of this crawl say that. Of all links to an item that
	// waits the farthest reach counts, whichever link has the best score.
	Reach Reach
	// About is what the crawl is (Describe), said in the moment in which it is begun.
	About map[string]string
	// Warn hears of what Redis is set to that loses parts of the crawl.
	Warn func(string)
	// Away hears when Redis does not answer any more, and why, and with nil when it answers again.
	Away func(error)

	looks bool // whoever joins has no part in the crawl, and need not know what was learned
}

// Spent is the counter of an outcome that costs something of Options.Budget.
const Spent = "spent"

// Reach reads the reach in a note, and writes another into it: a note that has been written with what was read is the same.
// Without both functions there is none.
type Reach struct {
	Of   func(note []byte) (reach int16, ok bool)
	With func(note []byte, reach int16) []byte
}

// Frontier is a frontier that machines share.
type Frontier struct {
	client  Client
	prefix  string // of all its keys
	born    string // the mark of whoever began it
	manners atomic.Pointer[frontier.Manners]
	budget  atomic.Int64 // see Options.Budget
	clock   frontier.Clock
	o       Options
	mark    string // this process among all
	counted count  // how many changes of this process Redis has told of: see order.lua
	leave

	mu      sync.Mutex
	door    frontier.Door
	changes int // how often something was told: what changed while Redis was asked is not slept over
	calls   uint64
	asked   map[uint64]struct{} // the calls that must not be done twice and are not answered yet
	away    bool
	refused int // of those who wait, how many it answers that it cannot
	leases
	found   frontier.Restored
	told    int64    // how many commands had been given when this process joined
	unheard []asking // in the order in which they were asked
	closed  bool

	hearing sync.Mutex // guards heard
	heard   int64      // how many lessons were heard
}

// leave is how a process leaves the crawl.
type leave struct {
	stop    context.Context
	halt    context.CancelFunc
	keeping sync.WaitGroup
	leaving sync.Once
	left    chan struct{} // closed when nobody may wait for Redis any longer
	grace   time.Duration
	quiet   time.Duration
}

// leases are the visits under way here.
type leases struct {
	out    map[uint64]lease
	hosts  map[string]uint64        // their items by their hosts
	ending map[uint64]chan struct{} // the items of those whose ends are being told
	others int64                    // those of other machines, where nothing but these keeps what waits
	turn   time.Time                // the next, where nothing is visited here and all that waits is at hosts that rest
}

// lease is a visit under way here.
type lease struct {
	name   string          // among all leases
	handed uint64          // the call by which Redis handed it over, or did so again
	since  time.Time       // when it began, by the clock on the wall; never later than Redis has it
	lapsed bool            // it may have, before it began anew
	health frontier.Health // of its host, when it began
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
	_ frontier.Batcher  = (*Frontier)(nil)
	_ frontier.Keeper   = (*Frontier)(nil)
)

// ErrGone: Redis does not hold the crawl any more that was opened, as when it was started again without its data.
var ErrGone = errors.New("the crawl is gone from Redis: it was begun anew (--fresh), or Redis was emptied, or started again without its data (appendonly yes keeps it)")

// ErrOlder: Redis has lost some of what this process did: it read a snapshot back, or is a replica that was behind its master.
var ErrOlder = errors.New("what this machine did, or heard from others, is not in Redis any more, which came back with older data (it read a snapshot back, or a replica took over that was behind its master). Start this machine again: its files are cut back to what Redis knows, and what was lost is visited again. Redis loses nothing with appendonly yes and appendfsync always")

// count is the highest number that somebody was told.
type count struct{ atomic.Int64 }

func (c *count) raise(to int64) {
	for was := c.Load(); was < to && !c.CompareAndSwap(was, to); was = c.Load() {
	}
}

// at says of an error which Redis it is about.
func (f *Frontier) at(err error) error {
	if f.o.Where == "" {
		return err
	}
	return fmt.Errorf("%s: %w", f.o.Where, err)
}

// Open joins the crawl of a name, or begins it. The client stays the caller's. The clock is Redis' own unless the
// manners have one.
func Open(ctx context.Context, client Client, crawl string, m frontier.Manners, o Options) (*Frontier, error) {
	if err := o.sound(crawl, &m); err != nil {
		return nil, err
	}
	m = m.With(m)
	clock := m.Clock
	if clock == nil {
		clock = frontier.NewSchedule[struct{}](m).Clock()
	}
	if o.Wall == nil {
		o.Wall = frontier.NewSchedule[struct{}](frontier.Manners{}).Clock()
	}
	f := &Frontier{client: client, prefix: prefixOf(crawl), clock: clock, o: o, door: frontier.Door{Clock: clock},
		leases: leases{out: map[uint64]lease{}, hosts: map[string]uint64{}, ending: map[uint64]chan struct{}{}},
		leave:  leave{left: make(chan struct{}), grace: grace, quiet: quiet}, asked: map[uint64]struct{}{}}
	f.manners.Store(&m)
	f.budget.Store(int64(o.Budget))
	f.stop, f.halt = context.WithCancel(context.Background())
	var err error
	if f.mark, err = newMark(); err != nil {
		return nil, err
	}
	if err := f.enter(ctx); err != nil {
		return nil, fmt.Errorf("join crawl %q on Redis: %w", crawl, err)
	}
	if o.KeepAlive && m.Lease > 0 {
		f.keeping.Go(f.keepAlive)
	}
	return f, nil
}

// Behave takes other manners, for the visits that this machine begins and ends from now on.
func (f *Frontier) Behave(m frontier.Manners) {
	was := f.manners.Load()
	if m = was.With(m); was.Patience > 0 { // hosts stand where they are waited for, and must be found there
		m.Patience = max(m.Patience, time.Microsecond)
	}
	f.manners.Store(&m)
	f.tell()
}

// Bound changes what all machines together may spend, as far as this one hands anything out: see Options.Budget.
func (f *Frontier) Bound(budget int) {
	f.budget.Store(int64(budget))
	f.tell()
}

// prefixOf is what the keys of a crawl begin with.
func prefixOf(crawl string) string { return "thresher:{" + crawl + "/0}:" }

// sound fills what was left out and refuses what cannot be.
func (o *Options) sound(crawl string, m *frontier.Manners) error {
	if o.Lanes == 0 {
		o.Lanes = 2
	}
	if o.Poll <= 0 {
		o.Poll = time.Second / 4
	}
	switch {
	case crawl == "":
		return errors.New("a crawl on Redis needs a name")
	case o.Lanes < 1 || o.Lanes > 2:
		return fmt.Errorf("crawl %q: there are 1 or 2 lanes, not %d", crawl, o.Lanes)
	case m.Turns:
		return fmt.Errorf("crawl %q: hosts cannot take turns on Redis", crawl)
	}
	return nil
}

func newMark() (string, error) {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("the store in Redis: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// Close ends the waiting of whoever waits here. The crawl stays in Redis.
func (f *Frontier) Close() error {
	f.mu.Lock()
	f.closed = true
	f.door.Tell(time.Time{}, frontier.ErrClosed)
	f.mu.Unlock()
	f.halt()
	f.keeping.Wait()
	return nil
}

// Clear removes a crawl from Redis. First it takes away the mark that every script asks for, so that those of machines that work
// on it write nothing more, and tell them ErrGone. Last goes what stood beside the mark: a crawl that is half removed is none
// that anybody could join. Nothing is added, for which a Redis that is full has no room. away hears why it has to wait for Redis, and
// with nil when that is over; it may be nil.
func Clear(ctx context.Context, client Client, crawl string, away func(error)) error {
	wait := newOpening(client, away)
	err := wait.knock(ctx)
	mark := prefixOf(crawl) + "m"
	if err == nil {
		err = wait.do(ctx, func(ctx context.Context) error { return client.HDel(ctx, mark, "born").Err() })
	}
	for _, keys := range []string{"/*", "}:request:*", "}:cookie:*"} { // the frontier's, and Colly's
		if err != nil {
			break
		}
		err = wait.do(ctx, func(ctx context.Context) error {
			return everyKey(ctx, client, "thresher:{"+escaped(crawl)+keys, func(ctx context.Context, c goredis.Cmdable, key string) error {
				if key == mark {
					return nil
				}
				return c.Unlink(ctx, key).Err()
			})
		})
	}
	if err == nil {
		err = wait.do(ctx, func(ctx context.Context) error { return client.Unlink(ctx, mark).Err() })
	}
	if err != nil {
		return fmt.Errorf("clear crawl %q on Redis: %w", crawl, err)
	}
	return nil
}

// everyKey does something for every key of a pattern, on all servers of a cluster at once.
func everyKey(ctx context.Context, client Client, pattern string, do func(context.Context, goredis.Cmdable, string) error) error {
	every := func(ctx context.Context, c goredis.Cmdable) error {
		found := c.Scan(ctx, 0, pattern, 1000).Iterator()
		for found.Next(ctx) {
			if err := do(ctx, c, found.Val()); err != nil {
				return err
			}
		}
		return found.Err()
	}
	if cluster, ok := client.(*goredis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, c *goredis.Client) error { return every(ctx, c) })
	}
	return every(ctx, client)
}

// escaped is a name as a pattern for it alone.
func escaped(name string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "?", "\\?", "[", "\\[", "]", "\\]").Replace(name)
}
