package frontiertest

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func testHosts(t *testing.T, b Backend) {
	t.Run("one visit at a time, a delay after its end", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Delay: 2 * time.Second})
		c.push(link("a", "1", 9))
		c.push(link("a", "2", 8))
		c.push(link("b", "1", 1))
		one := c.pop()
		if it := c.pop(); it.Host != "b" {
			t.Fatalf("second visit is %s, while its host is visited", it.URL)
		}
		c.wantErr(frontier.ErrIdle)
		c.clock.Advance(5 * time.Second)
		c.wantErr(frontier.ErrIdle)
		c.done(one.ID, frontier.Outcome{})
		c.wantAt(7 * time.Second)
		c.clock.Advance(2*time.Second - 1)
		c.wantAt(7 * time.Second)
		c.clock.Advance(1)
		if it := c.pop(); it.URL != "https://a/2" {
			t.Errorf("popped %s", it.URL)
		}
	})
	t.Run("that all rest is told", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Delay: 100 * time.Second})
		says := func(want string) {
			t.Helper()
			if answer, rests := frontier.Awaits(c.Full, "an answer"); answer != "an answer" || !strings.HasSuffix(rests, want) || want == "" && rests != "" {
				t.Errorf("it waits for %q and says %q, want %q", answer, rests, want)
			}
		}
		if _, ok := c.Full.(interface{ Rests() string }); !ok {
			t.Skip("this one does not tell")
		}
		c.push(link("a", "1", 2))
		c.push(link("a", "2", 1))
		says("") // it may be visited
		one := c.pop()
		c.wantErr(frontier.ErrIdle)
		says("") // it is visited
		c.done(one.ID, frontier.Outcome{})
		c.wantAt(100 * time.Second)
		says(" for another 1m40s")
		c.clock.Advance(70 * time.Second)
		c.wantAt(100 * time.Second)
		says(" for another 30s")
		c.clock.Advance(30 * time.Second)
		c.done(c.pop().ID, frontier.Outcome{})
		c.wantErr(frontier.ErrEmpty)
		says("") // nothing waits
	})
	t.Run("several visits at a time", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Delay: time.Second, PerHost: 2})
		for _, path := range []string{"1", "2", "3", "4"} {
			c.push(link("a", path, 1))
		}
		one := c.pop()
		c.wantAt(time.Second) // their starts are a delay apart, too
		c.clock.Advance(time.Second)
		two := c.pop()
		c.wantErr(frontier.ErrIdle)
		c.done(one.ID, frontier.Outcome{Wait: 10 * time.Second})
		c.wantAt(11 * time.Second)
		c.done(two.ID, frontier.Outcome{})
		c.wantAt(11 * time.Second)
		c.clock.Advance(10 * time.Second)
		c.pop()
		c.wantAt(12 * time.Second)
	})
	t.Run("a host with a delay of its own has one visit at a time", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{PerHost: 8})
		for _, path := range []string{"1", "2", "3", "4"} {
			c.push(link("a", path, 1))
		}
		one, two := c.pop(), c.pop()
		c.Pace("a", 5*time.Second)
		c.wantErr(frontier.ErrIdle)
		c.done(one.ID, frontier.Outcome{})
		c.clock.Advance(time.Hour)
		c.wantErr(frontier.ErrIdle) // the other one goes on
		c.done(two.ID, frontier.Outcome{})
		c.wantAt(time.Hour + 5*time.Second)
		c.clock.Advance(5 * time.Second)
		c.pop()
		c.wantErr(frontier.ErrIdle)
	})
	t.Run("the longest wait counts", func(t *testing.T) {
		for _, w := range []struct{ delay, pace, wait, want time.Duration }{
			{1, 0, 0, 1}, {1, 5, 0, 5}, {6, 5, 0, 6}, {1, 5, 7, 7}, {1, 5, 3, 5}, {0, 0, 4, 4},
		} {
			c := begin(t, b, frontier.Manners{Delay: w.delay * time.Second})
			c.Pace("a", w.pace*time.Second)
			c.push(link("a", "1", 1))
			c.push(link("a", "2", 1))
			c.done(c.pop().ID, frontier.Outcome{Wait: w.wait * time.Second})
			c.wantAt(w.want * time.Second)
		}
	})
	t.Run("rest", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{})
		c.push(link("a", "1", 1))
		c.Rest("a", Start.Add(3*time.Second))
		c.wantAt(3 * time.Second)
		c.Rest("a", Start.Add(time.Second))
		c.wantAt(3 * time.Second)
		c.Rest("b", Start.Add(time.Second))
		c.push(link("b", "1", 1))
		c.wantAt(time.Second)
		c.clock.Advance(time.Second)
		if it := c.pop(); it.Host != "b" {
			t.Errorf("popped %s", it.URL)
		}
	})
	t.Run("not visited after all", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Delay: time.Second})
		for _, path := range []string{"1", "2", "3"} {
			c.push(link("a", path, 1))
		}
		c.done(c.pop().ID, frontier.Outcome{Idle: true})
		two := c.pop() // at once: nobody was bothered
		c.done(two.ID, frontier.Outcome{})
		c.wantAt(time.Second)
		c.clock.Advance(time.Second)
		c.done(c.pop().ID, frontier.Outcome{Idle: true, Again: true, Score: 5})
		if it := c.pop(); it.Score != 5 {
			t.Errorf("popped %+v", it)
		}
	})
	t.Run("given back", func(t *testing.T) { testGivenBack(t, b) })
	t.Run("adaptive delay", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Delay: time.Second, Adapt: 4, Ceiling: 20 * time.Second})
		for _, path := range []string{"1", "2", "3", "4"} {
			c.push(link("a", path, 1))
		}
		at := time.Duration(0)
		for _, w := range []struct{ took, want time.Duration }{{100, 1000}, {500, 2000}, {30000, 20000}} {
			c.done(c.pop().ID, frontier.Outcome{Took: w.took * time.Millisecond})
			at += w.want * time.Millisecond
			c.wantAt(at)
			c.clock.Set(Start.Add(at))
		}
	})
	t.Run("back-off", func(t *testing.T) { testBackoff(t, b) })
}

func testGivenBack(t *testing.T, b Backend) {
	c := begin(t, b, frontier.Manners{Delay: time.Second})
	c.push(link("a", "1", 5))
	c.push(link("a", "2", 3))
	one := c.pop()
	c.done(one.ID, frontier.Outcome{Again: true, Score: float32(math.NaN())})
	if it, st := c.Get(one.ID); st != frontier.Waiting || it.Score != 5 || c.Len() != 2 {
		t.Errorf("given back: %v, score %v, %d wait", st, it.Score, c.Len())
	}
	c.wantAt(time.Second)
	c.clock.Advance(time.Second)
	if it := c.pop(); it.ID != one.ID {
		t.Fatalf("popped %s", it.URL)
	}
	if err := c.Done(one.ID, frontier.Outcome{Again: true, Score: float32(math.Inf(1))}); err == nil {
		t.Error("given back with an infinite score")
	}
	c.done(one.ID, frontier.Outcome{Again: true, Score: 1})
	c.clock.Advance(time.Second)
	if it := c.pop(); it.URL != "https://a/2" {
		t.Fatalf("popped %s", it.URL)
	}
}

func testBackoff(t *testing.T, b Backend) {
	c := begin(t, b, frontier.Manners{Delay: time.Second, Backoff: 8 * time.Second, Ceiling: 30 * time.Second})
	for i := range 8 {
		c.push(link("a", string(rune('a'+i)), 1))
	}
	wait := func(o frontier.Outcome) time.Duration {
		c.done(c.pop().ID, o)
		_, ready, _ := c.TryPop(0)
		d := ready.Sub(c.clock.Now())
		c.clock.Set(ready)
		return d
	}
	for i, want := range []time.Duration{8, 16, 30, 30} {
		got := wait(frontier.Outcome{Failed: true})
		lo, hi := want*time.Second*3/4, min(want*time.Second*5/4, 30*time.Second)
		if got < lo || got > hi {
			t.Errorf("after failure %d the host waits %v, want %v to %v", i+1, got, lo, hi)
		}
	}
	if got := wait(frontier.Outcome{}); got != time.Second {
		t.Errorf("after a success it waits %v", got)
	}
	if got := wait(frontier.Outcome{Failed: true}); got > 10*time.Second {
		t.Errorf("a success does not end the back-off: %v", got)
	}
}
