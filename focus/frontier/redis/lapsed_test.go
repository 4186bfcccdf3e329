package redis

import (
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A visit whose lease lapsed while Redis was away belongs to whoever made it as long as nobody has begun it again: it is
// renewed, and it is ended, and not made once more.
func TestALapsedVisitThatNobodyHasTakenIsItsOwners(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	clock := frontier.NewManual(start)
	m := frontier.Manners{Delay: time.Second, Lease: time.Hour, Clock: clock}
	slept, other := open(t, client, m, Options{KeepAlive: true}), open(t, client, m, Options{KeepAlive: true})
	lease := func(url string) frontier.Item {
		t.Helper()
		slept.Push(frontier.Item{URL: url, Host: url})
		it, _, err := slept.TryPop(0)
		if err != nil || it.URL != url {
			t.Fatal(it, err)
		}
		return it
	}
	lapse := func() {
		t.Helper()
		clock.Advance(time.Hour)
		if it, ready, err := other.TryPop(0); it.ID != 0 || !ready.Equal(clock.Now().Add(time.Second)) || err != nil {
			t.Fatalf("it does not wait for its host's pause: %+v, %v, %v", it, ready, err)
		}
	}
	ended := lease("a")
	lapse()
	if err := slept.Done(ended.ID, frontier.Outcome{Counters: map[string]int64{"pages": 1}, Lesson: []byte("l")}); err != nil {
		t.Errorf("a visit that nobody else has begun was not ended: %v", err)
	}
	if _, state := other.Get(ended.ID); state != frontier.Finished || other.Len() != 0 {
		t.Errorf("it is %v, and %d wait", state, other.Len())
	}
	if told, err := other.Hear(); len(told) != 1 || err != nil {
		t.Errorf("heard %q, %v", told, err)
	}

	renewed := lease("b")
	lapse()
	if err := slept.Renew(renewed.ID); err != nil {
		t.Errorf("a visit that nobody else has begun was not renewed: %v", err)
	}
	if it, ready, err := other.TryPop(0); it.ID != 0 || !ready.Equal(clock.Now().Add(time.Hour)) || err != nil {
		t.Errorf("what was renewed was handed over: %+v, %v, %v", it, ready, err)
	}
	if err := slept.Done(renewed.ID, frontier.Outcome{}); err != nil {
		t.Error(err)
	}
	if _, _, err := other.TryPop(0); err != frontier.ErrEmpty {
		t.Errorf("something is left: %v", err)
	}
	if err := slept.Done(renewed.ID, frontier.Outcome{}); err != frontier.ErrNotLeased {
		t.Errorf("it was ended twice: %v", err)
	}
	slept.Push(frontier.Item{URL: "c", Host: "c"})
	if err := slept.Done(slept.Find("c"), frontier.Outcome{}); err != frontier.ErrNotLeased {
		t.Errorf("a visit was ended that nobody has made: %v", err)
	}
}

// A machine knows that a lease may have lapsed since it has it, whether it was renewed afterwards or not.
func TestAMachineKnowsThatALeaseMayHaveLapsed(t *testing.T) {
	client := mini(t)
	f := open(t, client, frontier.Manners{Lease: time.Hour}, Options{KeepAlive: true})
	visit := func(url string) uint64 {
		t.Helper()
		f.Push(frontier.Item{URL: url, Host: url})
		it, _, err := f.TryPop(0)
		if err != nil || it.URL != url {
			t.Fatal(it, err)
		}
		return it.ID
	}
	passes := func(id uint64, d time.Duration) { // on the wall, as this machine sees it
		f.mu.Lock()
		defer f.mu.Unlock()
		l := f.out[id]
		l.since = l.since.Add(-d)
		f.out[id] = l
	}
	renew := func(id uint64) {
		t.Helper()
		if err := f.Renew(id); err != nil {
			t.Fatal(err)
		}
	}
	kept, late := visit("a"), visit("b")
	passes(kept, 50*time.Minute)
	renew(kept)
	passes(kept, 50*time.Minute)
	passes(late, time.Hour)
	if f.Lapsed(kept) || !f.Lapsed(late) {
		t.Errorf("renewed in time: lapsed %v; not renewed: %v", f.Lapsed(kept), f.Lapsed(late))
	}
	if renew(late); !f.Lapsed(late) {
		t.Error("a lease that was renewed too late counts as one that never lapsed")
	}
	if err := f.Done(late, frontier.Outcome{Again: true, Idle: true}); err != nil {
		t.Fatal(err)
	}
	if it, _, err := f.TryPop(0); err != nil || it.ID != late || f.Lapsed(late) {
		t.Errorf("handed over again: %+v, %v, lapsed %v", it, err, f.Lapsed(late))
	}
}

// An item waits again as soon as Redis knows it, and may be handed over to another visitor of the same process before the one
// that told it has heard the answer: that is a new visit, which nobody else would make before the lease is over.
func TestAnItemThatWaitsAgainIsHandedOverAtOnce(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	f := open(t, client, frontier.Manners{Lease: time.Minute}, Options{KeepAlive: true})
	var hook between
	client.AddHook(&hook)
	f.Push(frontier.Item{URL: "http://a/", Host: "a"})
	it, _, err := f.TryPop(0)
	if err != nil || it.ID == 0 {
		t.Fatal(it, err)
	}
	second := make(chan frontier.Item, 1)
	asked := func() error {
		handed := make(chan struct{})
		answered := func() error { close(handed); return nil }
		hook.next.Store(&answered)
		go func() {
			it, _, _ := f.TryPop(0)
			second <- it
		}()
		<-handed
		return nil
	}
	hook.next.Store(&asked)
	if err := f.Done(it.ID, frontier.Outcome{Again: true, Idle: true}); err != nil {
		t.Fatal(err)
	}
	if again := <-second; again.ID != it.ID || !f.Holds(it.ID) {
		t.Errorf("handed over: %+v, and it is held: %v", again, f.Holds(it.ID))
	}
	if err := f.Done(it.ID, frontier.Outcome{}); err != nil || f.Len() != 0 {
		t.Errorf("the second visit ends with %v, and %d wait", err, f.Len())
	}
}
