package redis

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// cutting is a network that loses an answer now and then: what was asked is done, and nobody hears of it.
type cutting struct {
	net.Conn
	lost *atomic.Int64
}

func (c cutting) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err == nil && c.lost.Add(1)%7 == 0 {
		c.Conn.Close()
		return 0, errors.New("the connection was cut")
	}
	return n, err
}

// What is told over a network that loses answers is told once.
func TestNothingTwiceOverABadNetwork(t *testing.T) {
	for _, retries := range []int{-1, 3} { // the client itself asks again, or does not
		t.Run(fmt.Sprint(retries), func(t *testing.T) { testABadNetwork(t, retries) })
	}
}

func testABadNetwork(t *testing.T, retries int) {
	real := server(t)
	socket := real.Options().Addr
	var lost atomic.Int64
	client := goredis.NewClient(&goredis.Options{MaxRetries: retries, MinRetryBackoff: -1, MaxRetryBackoff: -1, Dialer: func(context.Context, string, string) (net.Conn, error) {
		c, err := net.Dial("unix", socket)
		return cutting{c, &lost}, err
	}})
	t.Cleanup(func() { client.Close() })
	f := open(t, real, frontier.Manners{Lease: time.Minute}, Options{})
	f.client, f.o.Poll = client, time.Microsecond
	var away, back atomic.Int64
	f.o.Away = func(err error) {
		if err != nil {
			away.Add(1)
		} else {
			back.Add(1)
		}
	}
	const links = 60
	for n := range links {
		if _, _, err := f.Push(frontier.Item{URL: fmt.Sprint("http://a/", n), Host: fmt.Sprint("h", n)}); err != nil {
			t.Fatal(err)
		}
	}
	visits := map[string]int{}
	for {
		it, err := f.Pop(context.Background(), 0)
		if err == nil {
			visits[it.URL]++
			err = f.Done(it.ID, frontier.Outcome{Counters: map[string]int64{"pages": 1}, Lesson: []byte("l")})
		}
		if err != nil {
			t.Fatal(err)
		}
		if sums, _ := f.Counters(); len(visits) == links {
			if sums["pages"] != int64(len(visits)) {
				t.Errorf("%d pages were counted for %d visits", sums["pages"], len(visits))
			}
			break
		}
	}
	for url, n := range visits {
		if n != 1 {
			t.Errorf("%s was visited %d times", url, n)
		}
	}
	if out, _ := real.HLen(context.Background(), f.prefix+"out").Result(); out != 0 || len(visits) != links {
		t.Errorf("%d visits and %d leases of %d links", len(visits), out, links)
	}
	if n, _ := real.LLen(context.Background(), f.prefix+"lessons").Result(); int(n) != len(visits) {
		t.Errorf("%d lessons for %d visits", n, len(visits))
	}
	if lost.Load() < links/7 {
		t.Errorf("%d answers were lost", lost.Load()/7)
	}
	if retries < 0 && away.Load() == 0 || back.Load() < away.Load()-1 {
		t.Errorf("it went away %d times and came back %d times", away.Load(), back.Load())
	}
}

// between lets something happen when the next script has been done, and before whoever asked for it hears the answer. An error
// is heard in its place.
type between struct{ next atomic.Pointer[func() error] }

func (b *between) DialHook(next goredis.DialHook) goredis.DialHook { return next }

func (b *between) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return next
}

func (b *between) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook {
	return func(ctx context.Context, cmd goredis.Cmder) error {
		err := next(ctx, cmd)
		if !strings.HasPrefix(cmd.Name(), "eval") || err != nil {
			return err
		}
		if then := b.next.Swap(nil); then != nil {
			if err = (*then)(); err != nil {
				cmd.SetErr(err)
			}
		}
		return err
	}
}

// errUnheard is what is heard of an answer that was lost on its way.
var errUnheard = errors.New("the answer was lost")

// What was told and not answered is known again after any outage, whatever else was told meanwhile; what was answered is
// forgotten.
func TestNothingTwiceAfterALongOutage(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { client.Close() })
	f := open(t, client, frontier.Manners{}, Options{Poll: time.Microsecond})
	var hook between
	client.AddHook(&hook)
	lease := func(n int) uint64 {
		f.Push(frontier.Item{URL: fmt.Sprint("http://a/", n), Host: fmt.Sprint("h", n)})
		it, err := f.Pop(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		return it.ID
	}
	told := frontier.Outcome{Counters: map[string]int64{"pages": 1}, Lesson: []byte("l")}
	for n := range 5 {
		slow, quick := lease(2*n), lease(2*n+1)
		outage := func() error {
			if err := f.Done(quick, told); err != nil {
				t.Error(err)
			}
			server.FastForward(48 * time.Hour)
			return errUnheard
		}
		hook.next.Store(&outage)
		if err := f.Done(slow, told); err != nil {
			t.Errorf("told again after two days: %v", err)
		}
	}
	outage := func() error { server.FastForward(48 * time.Hour); return errUnheard }
	hook.next.Store(&outage)
	if err := f.Commit([]byte("l"), nil); err != nil {
		t.Error(err)
	}
	if sums, _ := f.Counters(); sums["pages"] != 10 {
		t.Errorf("%d pages were counted", sums["pages"])
	}
	ctx := context.Background()
	if n, _ := client.LLen(ctx, f.prefix+"lessons").Result(); n != 11 {
		t.Errorf("%d lessons were told", n)
	}
	if n, _ := client.ZCard(ctx, f.prefix+"calls:"+f.mark).Result(); n != 1 {
		t.Errorf("%d calls are remembered", n)
	}
}

// What was handed over and not heard of is handed over again to the same machine, whoever there asks next: nobody else would
// visit it for as long as a lease. The lease begins anew with that.
func TestWhatWasHandedOverUnheardIsAskedForAgain(t *testing.T) {
	lots := rand.New(rand.NewPCG(1, 8))
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { client.Close() })
	clock := frontier.NewManual(start)
	f := open(t, client, frontier.Manners{Lease: time.Hour, Clock: clock}, Options{KeepAlive: true})
	var hook between
	client.AddHook(&hook)
	const links = 30
	for n := range links {
		f.Push(frontier.Item{URL: fmt.Sprint("http://a/", n), Host: fmt.Sprint("h", n), Score: float32(n)})
	}
	unheardOf := 0
	var next func() error
	next = func() error {
		hook.next.Store(&next)
		if lots.IntN(3) > 0 {
			return nil
		}
		unheardOf = max(unheardOf, leasedAt(server, f))
		return errUnheard
	}
	for visits := 0; visits < links; {
		hook.next.Store(&next)
		it, _, err := f.TryPop(0)
		hook.next.Store(nil)
		clock.Advance(40 * time.Minute)
		if it.ID == 0 {
			if !isAway(err) {
				t.Fatal(it, err)
			}
			continue
		}
		visits++
		if err := f.Done(it.ID, frontier.Outcome{}); err != nil {
			t.Errorf("what was handed over: %v", err)
		}
	}
	if _, _, err := f.TryPop(0); err != frontier.ErrEmpty || unheardOf == 0 {
		t.Errorf("in the end %v; %d at once were handed over unheard", err, unheardOf)
	}
}

// leasedAt is how many items are leased, as Redis has it.
func leasedAt(server *miniredis.Miniredis, f *Frontier) int {
	ids, _ := server.HKeys(f.prefix + "out")
	return len(ids)
}

// What was handed over unheard, lapsed, and was taken by another is that one's.
func TestWhatWasHandedOverUnheardMayBeAnothers(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { client.Close() })
	clock := frontier.NewManual(start)
	m := frontier.Manners{Lease: time.Hour, Clock: clock}
	deaf, other := open(t, client, m, Options{}), open(t, client, m, Options{})
	var hook between
	client.AddHook(&hook)
	deaf.Push(frontier.Item{URL: "http://a/", Host: "a"})
	unheard := func() error { return errUnheard }
	hook.next.Store(&unheard)
	if it, _, err := deaf.TryPop(0); it.ID != 0 || !errors.Is(err, errUnheard) {
		t.Fatal(it, err)
	}
	clock.Advance(time.Hour)
	it, _, err := other.TryPop(0)
	if err != nil || it.ID == 0 {
		t.Fatal(it, err)
	}
	if it, _, err := deaf.TryPop(0); it.ID != 0 || err != nil {
		t.Errorf("handed over to two: %+v, %v", it, err)
	}
	if err := other.Done(it.ID, frontier.Outcome{}); err != nil {
		t.Error(err)
	}
	if _, _, err := deaf.TryPop(0); err != frontier.ErrEmpty {
		t.Error(err)
	}
}

// A machine that dies while it keeps what it has learned leaves nothing that is learned twice.
func TestWhatWasLearnedIsKeptAtOnce(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { client.Close() })
	for dies := range 3 { // after which step
		crawl := fmt.Sprint("crawl ", dies)
		join := func() *Frontier {
			f, err := Open(context.Background(), client, crawl, frontier.Manners{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			return f
		}
		f := join()
		teach := func(n int) {
			f.Push(frontier.Item{URL: fmt.Sprint("http://a/", n), Host: fmt.Sprint("h", n)})
			it, err := f.Pop(context.Background(), 0)
			if err == nil {
				err = f.Done(it.ID, frontier.Outcome{Lesson: fmt.Append(nil, "lesson ", n)})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for n := range 40 {
			teach(n)
		}
		if _, err := f.Hear(); err != nil {
			t.Fatal(err)
		}
		scripts := dies
		f.client = dying{client, &scripts, f}
		f.Snapshot([]byte("all forty"))
		f.client = client
		r := join().Restored()
		if kept := string(r.Learned) == "all forty"; kept != (dies > 0) || kept && len(r.Lessons) != 0 || !kept && len(r.Lessons) != 40 {
			t.Errorf("it died after %d steps: %q and %d lessons are there", dies, r.Learned, len(r.Lessons))
		}
	}
}

// dying is the client of a machine that dies after some scripts.
type dying struct {
	goredis.UniversalClient
	left *int
	f    *Frontier
}

func (d dying) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *goredis.Cmd {
	if *d.left == 0 {
		d.f.Close()
		cmd := goredis.NewCmd(ctx)
		cmd.SetErr(frontier.ErrClosed)
		return cmd
	}
	cmd := d.UniversalClient.EvalSha(ctx, sha, keys, args...)
	if cmd.Err() == nil {
		*d.left--
	}
	return cmd
}

func (d dying) Eval(ctx context.Context, script string, keys []string, args ...any) *goredis.Cmd {
	*d.left--
	return d.UniversalClient.Eval(ctx, script, keys, args...)
}
