package run

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// TestWhoComesLateHearsHowItStandsNow: nobody looks for an hour, in which a crawl that was paused is told to go on. Whoever looks then
// hears that, and that Redis answers; while it does not, the last that it said stays, with its time.
func TestWhoComesLateHearsHowItStandsNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type redis struct { // what it says, when it is there
			command frontier.Command
			there   chan struct{}
		}
		var store atomic.Pointer[redis]
		back := make(chan struct{})
		close(back)
		store.Store(&redis{frontier.Pause, back})
		ask := func() (*Together, error) {
			at, r := time.Now(), store.Load()
			<-r.there // it is waited for
			return &Together{At: at, Command: r.command}, nil
		}
		ctx, end := context.WithCancel(t.Context())
		var c Companion
		if c.Now() != nil {
			t.Error("it knows before it has asked")
		}
		go c.Listen(ctx, ask)
		synctest.Wait()
		if at := c.Now(); at == nil || at.Command != frontier.Pause {
			t.Fatalf("%+v, want a pause", at)
		}
		time.Sleep(30 * time.Minute)
		store.Store(&redis{frontier.GoOn, back})
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		if at := c.Now(); at.Command != frontier.GoOn || time.Since(at.At) > askEvery {
			t.Errorf("%v, as it was %v ago; want that it goes on", at.Command, time.Since(at.At))
		}
		back = make(chan struct{})
		store.Store(&redis{frontier.GoOn, back})
		time.Sleep(time.Minute)
		if at := c.Now(); at.Command != frontier.GoOn || time.Since(at.At) < 50*time.Second {
			t.Errorf("%v, as it was %v ago; want what Redis said before it went away", at.Command, time.Since(at.At))
		}
		close(back)
		time.Sleep(2 * askEvery)
		synctest.Wait()
		if at := c.Now(); time.Since(at.At) > askEvery {
			t.Errorf("Redis is back, and what is known is %v old", time.Since(at.At))
		}
		end()
	})
}
