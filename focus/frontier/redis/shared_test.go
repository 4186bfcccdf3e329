package redis

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// While a process lives its leases do not lapse, however long its visits take; when it is gone they do. It renews them by
// the clock on the wall, three times in a lease; the leases lapse by one that is moved on only when that was done.
func TestLeasesAreKeptAlive(t *testing.T) {
	client := server(t)
	clock := frontier.NewManual(start)
	m := frontier.Manners{Lease: 60 * time.Millisecond, Clock: clock}
	lives := open(t, client, m, Options{Worker: "lives", KeepAlive: true})
	other := open(t, client, m, Options{Worker: "other"})
	lives.Push(frontier.Item{URL: "http://a/1", Host: "a"})
	long, _, err := lives.TryPop(0)
	if err != nil {
		t.Fatal(err)
	}
	lapses := func() time.Time {
		left, err := client.ZScore(context.Background(), lives.prefix+"lapse", "1").Result()
		if err != nil {
			t.Fatal(err)
		}
		return time.UnixMicro(int64(left))
	}
	for range 4 { // twice the time of a lease
		clock.Advance(m.Lease / 2)
		for renewed := clock.Now().Add(m.Lease); !lapses().Equal(renewed); {
			if it, ready, err := other.TryPop(0); it.ID != 0 || err != nil || ready.IsZero() {
				t.Fatalf("the lease of a process that lives lapsed: %+v, %v", it, err)
			}
		}
	}
	lives.Close()
	clock.Advance(m.Lease)
	if got, _, err := other.TryPop(0); err != nil || got.ID != long.ID {
		t.Errorf("popped %+v, %v", got, err)
	}
}

// A visit whose lease lapsed and was taken by another machine is that machine's: who was away learns it before it writes
// anything down, and cannot end it. If nobody has taken it, the visit goes on.
func TestAVisitBelongsToWhoHoldsItsLease(t *testing.T) {
	client := server(t)
	clock := frontier.NewManual(start)
	m := frontier.Manners{Lease: time.Hour, Clock: clock} // so long that nothing is renewed but where it is asked for
	slept, other := open(t, client, m, Options{KeepAlive: true}), open(t, client, m, Options{KeepAlive: true})
	for _, host := range []string{"a", "b"} {
		slept.Push(frontier.Item{URL: "http://" + host, Host: host})
	}
	taken, _, err := slept.TryPop(0)
	if err != nil {
		t.Fatal(err)
	}
	kept, _, err := slept.TryPop(0)
	if err != nil {
		t.Fatal(err)
	}
	away := func(id uint64) {
		slept.mu.Lock()
		defer slept.mu.Unlock()
		l := slept.out[id]
		l.since = l.since.Add(-time.Hour)
		slept.out[id] = l
	}
	clock.Advance(time.Hour)
	for _, it := range []frontier.Item{taken, kept} {
		if away(it.ID); it.ID == taken.ID {
			if got, _, err := other.TryPop(0); err != nil || got.ID != taken.ID {
				t.Fatalf("popped %+v, %v", got, err)
			}
		}
	}
	if got, ready, err := slept.TryPop(0); got.ID != 0 || ready.IsZero() || err != nil {
		t.Errorf("what is being visited here was handed over again: %+v, %v", got, err)
	}
	if slept.Holds(taken.ID) || !slept.Holds(kept.ID) || !other.Holds(taken.ID) {
		t.Error("they do not know whose the visits are")
	}
	if err := slept.Renew(taken.ID); err != frontier.ErrNotLeased {
		t.Errorf("renewed what is another's: %v", err)
	}
	if err := slept.Done(taken.ID, frontier.Outcome{Lesson: []byte("twice")}); err != frontier.ErrNotLeased {
		t.Errorf("ended what is another's: %v", err)
	}
	for id, f := range map[uint64]*Frontier{taken.ID: other, kept.ID: slept} {
		if err := f.Done(id, frontier.Outcome{Lesson: []byte("once")}); err != nil {
			t.Error(err)
		}
	}
	if told, err := other.Hear(); len(told) != 1 || string(told[0]) != "once" || err != nil {
		t.Errorf("heard %q, %v", told, err)
	}
}

// How a host is doing is known after a visit of it was lost to another machine, too: it is asked of Redis again.
func TestTheHealthOfAHostWhoseVisitWasLost(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	clock := frontier.NewManual(start)
	m := frontier.Manners{Lease: time.Hour, Clock: clock}
	slept, other := open(t, client, m, Options{}), open(t, client, m, Options{})
	slept.Push(frontier.Item{URL: "http://a", Host: "a"})
	it, _, err := slept.TryPop(0)
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	if got, _, err := other.TryPop(0); err != nil || got.ID != it.ID {
		t.Fatalf("popped %+v, %v", got, err)
	}
	if err := other.Done(it.ID, frontier.Outcome{Failed: true, Why: "refused"}); err != nil {
		t.Fatal(err)
	}
	if err := slept.Renew(it.ID); err != frontier.ErrNotLeased {
		t.Fatalf("renewed what is another's: %v", err)
	}
	if h := slept.Health("a"); h.Fails != 1 || h.Why != "refused" {
		t.Errorf("the host is doing %+v", h)
	}
}

// What one machine learns the others hear, in order and once; who joins later begins with a snapshot and what came after.
func TestLessonsAreShared(t *testing.T) {
	client := server(t)
	m := frontier.Manners{}
	a, b := open(t, client, m, Options{Worker: "machine a"}), open(t, client, m, Options{Worker: "machine b"})
	tell := func(f *Frontier, lesson string) {
		t.Helper()
		f.Push(frontier.Item{URL: "http://h/" + lesson, Host: lesson})
		it, _, err := f.TryPop(0)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Done(it.ID, frontier.Outcome{Lesson: []byte(lesson), Files: map[string]int64{"harvest.jsonl": int64(len(lesson))}}); err != nil {
			t.Fatal(err)
		}
	}
	hears := func(f *Frontier, want ...string) {
		t.Helper()
		told, err := f.Hear()
		var got []string
		for _, l := range told {
			got = append(got, string(l))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("heard %q, %v, want %q", got, err, want)
		}
	}
	tell(a, "one of a")
	tell(b, "two")
	tell(a, "three")
	hears(b, "one of a", "three")
	hears(b)
	hears(a, "two")
	if err := a.Snapshot([]byte("all three")); err != nil {
		t.Fatal(err)
	}
	tell(b, "four")
	late := open(t, client, m, Options{Worker: "machine b"})
	r := late.Restored()
	if r.Items != 4 || string(r.Learned) != "all three" || len(r.Lessons) != 1 || string(r.Lessons[0]) != "four" ||
		r.Files["harvest.jsonl"] != 4 || r.At.IsZero() {
		t.Errorf("who joins finds %+v", r)
	}
	hears(late)
	for i := range keptLessons + 10 { // old lessons go
		tell(b, fmt.Sprint(i))
	}
	hears(a, append([]string{"four"}, counted(keptLessons+10)...)...)
	if err := a.Snapshot([]byte("all")); err != nil {
		t.Fatal(err)
	}
	if n, _ := client.LLen(context.Background(), a.prefix+"lessons").Result(); n != keptLessons {
		t.Errorf("%d lessons are kept", n)
	}
	if told, err := late.Hear(); err != nil || len(told) != keptLessons || string(told[0]) != "10" {
		t.Errorf("who is far behind heard %d lessons from %q, %v", len(told), told[0], err)
	}
}

func counted(n int) (s []string) {
	for i := range n {
		s = append(s, fmt.Sprint(i))
	}
	return s
}

// Whoever joins a crawl joins it as it was begun.
func TestJoinedAsBegun(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	open(t, client, frontier.Manners{}, Options{})
	for _, o := range []Options{{Lanes: 1}, {Lanes: 3}} {
		if _, err := Open(context.Background(), client, "crawl", frontier.Manners{}, o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}
