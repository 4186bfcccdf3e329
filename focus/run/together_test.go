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
		ask := func(hosts []string) (*Together, error) {
			at, r := time.Now(), store.Load()
			<-r.there // it is waited for
			t := &Together{At: at, Command: r.command}
			for _, host := range hosts {
				t.Rests = append(t.Rests, Rest{Host: host})
			}
			return t, nil
		}
		ctx, end := context.WithCancel(t.Context())
		var c Companion
		if c.Now(nil) != nil {
			t.Error("it knows before it has asked")
		}
		go c.Listen(ctx, ask)
		synctest.Wait()
		if at := c.Now(nil); at == nil || at.Command != frontier.Pause {
			t.Fatalf("%+v, want a pause", at)
		}
		c.Now([]string{"a.test"})
		time.Sleep(30 * time.Minute)
		store.Store(&redis{frontier.GoOn, back})
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		if at := c.Now(nil); at.Command != frontier.GoOn || time.Since(at.At) > askEvery {
			t.Errorf("%v, as it was %v ago; want that it goes on", at.Command, time.Since(at.At))
		} else if len(at.Rests) != 1 || at.Rests[0].Host != "a.test" {
			t.Errorf("%v rest; want the host that is looked at", at.Rests)
		}
		back = make(chan struct{})
		store.Store(&redis{frontier.GoOn, back})
		time.Sleep(time.Minute)
		if at := c.Now(nil); at.Command != frontier.GoOn || time.Since(at.At) < 50*time.Second {
			t.Errorf("%v, as it was %v ago; want what Redis said before it went away", at.Command, time.Since(at.At))
		}
		close(back)
		time.Sleep(2 * askEvery)
		synctest.Wait()
		if at := c.Now(nil); time.Since(at.At) > askEvery {
			t.Errorf("Redis is back, and what is known is %v old", time.Since(at.At))
		}
		end()
	})
}
