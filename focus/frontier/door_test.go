package frontier

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"
)

// The watch over the clock goes on when the one who had it gives up.
func TestDoorPassesTheWatchOn(t *testing.T) {
	clock := NewManual(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
	d := Door{Clock: clock}
	var lock sync.Mutex
	ready := clock.Now().Add(time.Hour)
	come := func(ctx context.Context) <-chan error {
		left := make(chan error, 1)
		go func() {
			lock.Lock()
			defer lock.Unlock()
			left <- d.Wait(ctx, &lock, ready)
		}()
		return left
	}
	await := func(n int) {
		for waiting := -1; waiting != n; runtime.Gosched() {
			lock.Lock()
			waiting = d.Waiting()
			lock.Unlock()
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	leads := come(ctx)
	await(1)
	follows := come(context.Background())
	await(2)
	if n := clock.Timers(); n != 1 {
		t.Errorf("%d timers for two who wait", n)
	}
	cancel()
	if err := <-leads; err != context.Canceled {
		t.Errorf("who gave up was told %v", err)
	}
	if err := <-follows; err != nil { // called, to look again and watch the clock itself
		t.Errorf("who stays was told %v", err)
	}
}

// Who comes later and knows of an earlier time is not kept waiting for the later one.
func TestDoorOpensAtTheEarliestTime(t *testing.T) {
	clock := NewManual(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
	d := Door{Clock: clock}
	var lock sync.Mutex
	left := make(chan string, 2)
	come := func(name string, in time.Duration) {
		lock.Lock()
		defer lock.Unlock()
		d.Wait(context.Background(), &lock, clock.Now().Add(in))
		left <- name
	}
	go come("first", time.Hour)
	clock.AwaitTimers(1)
	go come("second", time.Second)
	for waiting := 0; waiting != 2; runtime.Gosched() {
		lock.Lock()
		waiting = d.Waiting()
		lock.Unlock()
	}
	if n := clock.Timers(); n != 1 {
		t.Errorf("%d timers for two who wait", n)
	}
	clock.Advance(time.Second)
	select {
	case who := <-left:
		if who != "second" {
			t.Errorf("it opened for the %s one", who)
		}
	case <-time.After(time.Minute):
		t.Fatal("it stays shut")
	}
	lock.Lock()
	d.Tell(time.Time{}, nil) // as who leaves with an item does
	lock.Unlock()
	<-left
}
