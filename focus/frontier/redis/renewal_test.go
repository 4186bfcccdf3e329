package redis

import (
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// lending are two machines of which one has a visit whose lease lapses whenever the clock is moved by an hour.
type lending struct {
	*testing.T
	slept, other *Frontier
	clock        *frontier.Manual
	hook         between
	visit        frontier.Item
}

func newLending(t *testing.T) *lending {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	l := &lending{T: t, clock: frontier.NewManual(start)}
	m := frontier.Manners{Lease: time.Hour, Clock: l.clock}
	l.slept = open(t, client, m, Options{KeepAlive: true})
	l.other = open(t, goredis.NewClient(client.Options()), m, Options{KeepAlive: true})
	client.AddHook(&l.hook)
	l.slept.Push(frontier.Item{URL: "http://a/", Host: "a"})
	l.visit = l.pop(l.slept)
	return l
}

func (l *lending) pop(f *Frontier) frontier.Item {
	l.Helper()
	it, _, err := f.TryPop(0)
	if err != nil || it.ID == 0 {
		l.Fatal(it, err)
	}
	return it
}

// giveBack lets the visit wait again.
func (l *lending) giveBack(f *Frontier) {
	l.Helper()
	if err := f.Done(l.visit.ID, frontier.Outcome{Again: true, Idle: true}); err != nil {
		l.Error(err)
	}
}

// holds checks that one machine has the visit in its charge, and that no other gets it while its lease is renewed.
func (l *lending) holds(f, not *Frontier) {
	l.Helper()
	if !f.Holds(l.visit.ID) {
		l.Error("it forgot a visit that it was handed")
	}
	for range 3 {
		l.clock.Advance(40 * time.Minute)
		r := f.leased()
		if err := r.ask(f, f.run); err != nil {
			l.Error(err)
		}
		if it, _, _ := not.TryPop(0); it.ID != 0 {
			l.Error("nobody renewed its lease")
		}
	}
	if err := f.Done(l.visit.ID, frontier.Outcome{}); err != nil {
		l.Error(err)
	}
}

// A renewal that hears that a lease is another machine's says so of the visit that was under way when it asked. The other may
// have given the link back by then, and this one been handed it again.
func TestARenewalForgetsNoVisitThatBeganSince(t *testing.T) {
	for _, ended := range []bool{true, false} { // whether the visit before has ended, or goes on under the new lease
		l := newLending(t)
		l.clock.Advance(time.Hour)
		if it := l.pop(l.other); it.ID != l.visit.ID {
			t.Fatal(it)
		}
		handed := func() error {
			if err := error(nil); ended {
				if err = l.slept.Done(l.visit.ID, frontier.Outcome{}); err != frontier.ErrNotLeased {
					t.Error(err)
				}
			}
			l.giveBack(l.other)
			if it, _, err := l.slept.TryPop(0); ended && (err != nil || it.ID != l.visit.ID) || !ended && (it.ID != 0 || err != nil) {
				t.Errorf("handed over: %+v, %v", it, err)
			}
			return nil
		}
		l.hook.next.Store(&handed)
		err := l.slept.Renew(l.visit.ID)
		if l.hook.next.Load() != nil || err != nil {
			t.Errorf("renewed: %v", err)
		}
		l.holds(l.slept, l.other)
	}
}

// A renewal that comes to Redis after the visit has ended takes nothing back: what waits again would be visited by nobody for
// as long as a lease.
func TestALateRenewalTakesNothingBack(t *testing.T) {
	l := newLending(t)
	late := l.slept.leased()
	l.giveBack(l.slept)
	late.ask(l.slept, l.slept.run)
	if it := l.pop(l.other); it.ID != l.visit.ID {
		t.Fatalf("handed over: %+v", it)
	}
	l.holds(l.other, l.slept)
}

// A visit that was taken and given back by another machine is not its first owner's any more, although nobody has it.
func TestAVisitThatWasTakenAndGivenBackIsNobodys(t *testing.T) {
	l := newLending(t)
	l.clock.Advance(time.Hour)
	l.pop(l.other)
	l.giveBack(l.other)
	if err := l.slept.Done(l.visit.ID, frontier.Outcome{}); err != frontier.ErrNotLeased {
		t.Errorf("its first owner ended it: %v", err)
	}
	l.pop(l.other)
	l.holds(l.other, l.slept)
}
