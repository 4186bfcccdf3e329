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
