package redis

import (
	"context"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// skewed is a machine whose clock differs from that of Redis, which is the test's.
func skewed(t *testing.T, server *miniredis.Miniredis, by time.Duration, m frontier.Manners) (*Frontier, *frontier.Manual) {
	t.Helper()
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	f, clock := open(t, client, m, Options{Poll: time.Hour}), frontier.NewManual(start.Add(by))
	f.clock, f.door.Clock = clock, clock
	return f, clock
}

// Machines whose clocks differ by minutes crawl together as if they did not: pauses, rests and leases are told by the clock of
// Redis, and when to ask again by how long that is, on each machine's own.
func TestOnlyTheClockOfRedisCounts(t *testing.T) {
	server := miniredis.RunT(t)
	now := start
	passes := func(d time.Duration) { now = now.Add(d); server.SetTime(now) }
	passes(0)
	m := frontier.Manners{Delay: 10 * time.Second, Lease: time.Minute}
	early, clockEarly := skewed(t, server, 7*time.Minute, m)
	late, clockLate := skewed(t, server, -5*time.Minute, m)
	waits := func(f *Frontier, clock *frontier.Manual, want time.Duration) {
		t.Helper()
		it, ready, err := f.TryPop(0)
		if got := ready.Sub(clock.Now()); it.ID != 0 || err != nil || got < want-time.Second || got > want+time.Second {
			t.Errorf("handed over %+v, %v; the next is ready in %v, want %v", it, err, got, want)
		}
	}
	handed := func(f *Frontier) frontier.Item {
		t.Helper()
		it, _, err := f.TryPop(0)
		if err != nil || it.ID == 0 {
			t.Fatal(it, err)
		}
		return it
	}
	early.Push(frontier.Item{URL: "http://a/1", Host: "a"})
	late.Push(frontier.Item{URL: "http://a/2", Host: "a"})
	one := handed(early)
	waits(late, clockLate, time.Minute) // until the lease lapses
	if err := early.Done(one.ID, frontier.Outcome{}); err != nil {
		t.Fatal(err)
	}
	waits(early, clockEarly, 10*time.Second)
	waits(late, clockLate, 10*time.Second)
	early.Rest("a", clockEarly.Now().Add(20*time.Second)) // longer than its pause, whatever another clock shows
	waits(late, clockLate, 20*time.Second)
	late.Rest("a", clockLate.Now().Add(30*time.Second))
	waits(early, clockEarly, 30*time.Second)
	late.Rest("a", clockLate.Now().Add(-time.Minute)) // which is over
	waits(early, clockEarly, 30*time.Second)

	got := make(chan frontier.Item)
	go func() {
		it, err := late.Pop(context.Background(), 0)
		if err != nil {
			t.Error(err)
		}
		got <- it
	}()
	clockLate.AwaitTimers(1)
	passes(30 * time.Second)
	clockLate.Advance(31 * time.Second)
	two := <-got

	clockEarly.Advance(time.Hour) // which is no time at all for Redis
	clockLate.Advance(time.Hour)
	waits(early, clockEarly, time.Minute)
	passes(time.Minute)
	waits(early, clockEarly, 10*time.Second) // it has lapsed
	passes(10 * time.Second)
	if again := handed(early); again.ID != two.ID {
		t.Errorf("%+v came back, want %+v", again, two)
	}
	if err := late.Done(two.ID, frontier.Outcome{}); err != frontier.ErrNotLeased {
		t.Errorf("whose lease lapsed ended its visit: %v", err)
	}
}

// A clock of Redis that ran ahead and was set right stalls nothing: what it said of hosts and leases is taken back by as much, and
// no host is visited sooner than its pause allows.
func TestAClockThatRanAheadStallsNothing(t *testing.T) {
	server := miniredis.RunT(t)
	set := func(d time.Duration) { server.SetTime(start.Add(d)) }
	set(time.Hour)
	f, clock := skewed(t, server, 0, frontier.Manners{Delay: 10 * time.Second, Lease: time.Minute})
	for _, url := range []string{"http://a/1", "http://a/2", "http://b/1"} {
		f.Push(frontier.Item{URL: url, Host: url[7:8]})
	}
	one, _, _ := f.TryPop(0)
	other, _, _ := f.TryPop(0)
	if one.ID == 0 || other.ID == 0 {
		t.Fatal(one, other)
	}
	visits := map[string]uint64{one.Host: one.ID, other.Host: other.ID}
	if err := f.Done(visits["a"], frontier.Outcome{}); err != nil {
		t.Fatal(err)
	}
	waits := func(want time.Duration) {
		t.Helper()
		it, ready, err := f.TryPop(0)
		if got := ready.Sub(clock.Now()); it.ID != 0 || err != nil || got != want {
			t.Errorf("handed over %+v, %v; the next is ready in %v, want %v", it, err, got, want)
		}
	}
	waits(10 * time.Second)
	set(0)
	waits(10 * time.Second)
	set(9 * time.Second)
	waits(time.Second)
	set(10 * time.Second)
	if it, _, err := f.TryPop(0); it.Host != "a" {
		t.Errorf("handed over %+v, %v", it, err)
	}
	waits(50 * time.Second) // until the other lease lapses
}

// A machine that looks on hears by its own clock which of some hosts rest, and for how long.
func TestWhoLooksOnHearsOfRests(t *testing.T) {
	server := miniredis.RunT(t)
	server.SetTime(start)
	f, clock := skewed(t, server, 7*time.Minute, frontier.Manners{Delay: 10 * time.Second})
	for _, host := range []string{"a", "b", "c"} {
		f.Push(frontier.Item{URL: "http://" + host + "/", Host: host})
	}
	for range 2 {
		it, _, err := f.TryPop(0)
		if err == nil {
			err = f.Done(it.ID, frontier.Outcome{Wait: time.Minute})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	resting, err := f.Resting([]string{"a", "b", "c", "unknown"})
	if err != nil || len(resting) != 2 {
		t.Fatalf("%v rest (%v), want the two that were visited", resting, err)
	}
	for host, h := range resting {
		if rest := h.Next.Sub(clock.Now()); rest != time.Minute || h.Pause != time.Minute {
			t.Errorf("%s rests %v of %v, want a minute", host, rest, h.Pause)
		}
	}
	server.SetTime(start.Add(2 * time.Minute))
	if resting, err := f.Resting([]string{"a", "b", "c"}); err != nil || len(resting) != 0 {
		t.Errorf("%v rest (%v) two minutes later", resting, err)
	}
	if resting, err := f.Resting(nil); err != nil || len(resting) != 0 {
		t.Errorf("nobody was asked for, and %v rest (%v)", resting, err)
	}
}
