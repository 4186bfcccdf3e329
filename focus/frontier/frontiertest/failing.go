package frontiertest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func testFailing(t *testing.T, b Backend) {
	t.Run("parked, tried again ever later, given up", func(t *testing.T) {
		m := frontier.Manners{Delay: time.Second, Park: 2, ParkFor: time.Minute, GiveUp: 4, Ceiling: 90 * time.Second}
		c := begin(t, b, m)
		for i := range 6 {
			c.push(link("a", fmt.Sprint(i), 1))
		}
		c.push(link("b", "1", 0))
		for i, want := range []time.Duration{time.Second, time.Minute, 90 * time.Second} {
			c.done(c.pop().ID, frontier.Outcome{Failed: true, Why: fmt.Sprint("failure ", i+1)})
			h := c.Health("a")
			if h.Fails != i+1 || h.Parked != (i >= 1) || h.GivenUp || h.Why != fmt.Sprint("failure ", i+1) {
				t.Errorf("after %d failures: %+v", i+1, h)
			}
			if rest := h.Next.Sub(c.clock.Now()); rest < want*3/4 || rest > min(want*5/4, 90*time.Second) {
				t.Errorf("after %d failures the host rests %v, want about %v", i+1, rest, want)
			} else if h.Pause != rest {
				t.Errorf("after %d failures the host rests %v, and says %v", i+1, rest, h.Pause)
			}
			if i == 1 { // others need not wait for a parked host
				if it := c.pop(); it.Host != "b" {
					t.Errorf("popped %s", it.URL)
				} else {
					c.done(it.ID, frontier.Outcome{})
				}
			}
			c.clock.Set(h.Next)
		}
		c.done(c.pop().ID, frontier.Outcome{Failed: true, Why: "the last"})
		if h := c.Health("a"); !h.GivenUp || h.Parked || h.Fails != 4 || h.Pause < time.Minute || !strings.Contains(h.Why, "last") {
			t.Errorf("given up: %+v", h)
		}
		for range 2 { // nothing else is left: what still waits is handed over at once, to be refused
			c.done(c.pop().ID, frontier.Outcome{Idle: true})
		}
		c.wantErr(frontier.ErrEmpty)
		c.push(frontier.Item{URL: "https://a/found", Host: "a", Via: 1, Score: 1})
		if h := c.Health("a"); !h.GivenUp {
			t.Errorf("a link of it was found: %+v", h)
		}
		c.done(c.pop().ID, frontier.Outcome{Idle: true})
		c.push(link("a", "start", 1))
		for range 2 {
			if h := c.Health("a"); h.GivenUp || h.Fails != 0 {
				t.Errorf("a start page of it has come in: %+v", h)
			}
			if b.Reopen != nil {
				m.Clock = c.clock
				c.Full = b.Reopen(t, c.Full, m)
			}
		}
	})
	t.Run("given up, and back again", func(t *testing.T) { testLost(t, b) })
	t.Run("given up, and waited for while it is tried", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Delay: time.Second, PerHost: 2, GiveUp: 1, Patience: 3 * time.Second, Margin: 2})
		for i := range 3 {
			c.push(link("good", fmt.Sprint(i), .9))
		}
		c.push(link("poor", "1", .1))
		c.done(c.pop().ID, frontier.Outcome{Failed: true})
		c.clock.Set(c.Health("good").Next)
		if it := c.pop(); it.Host != "good" {
			t.Fatalf("popped %s", it.URL)
		}
		began := c.clock.Now()
		if it, ready, err := c.TryPop(0); it.ID != 0 || err != nil || !ready.Equal(began.Add(3*time.Second)) {
			t.Errorf("popped %q; the next is ready after %v, %v; want nothing before patience is over", it.URL, ready.Sub(began), err)
		}
		c.clock.Advance(3 * time.Second)
		if it := c.pop(); it.Host != "poor" {
			t.Errorf("popped %s", it.URL)
		}
	})
	t.Run("a success begins anew", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Park: 2, ParkFor: time.Minute, GiveUp: 3})
		for i := range 5 {
			c.push(link("a", fmt.Sprint(i), 1))
		}
		c.done(c.pop().ID, frontier.Outcome{Failed: true, Why: "x"})
		c.done(c.pop().ID, frontier.Outcome{})
		if h := c.Health("a"); h.Fails != 0 || h.Why != "" || h.Parked {
			t.Errorf("after a success: %+v", h)
		}
		c.done(c.pop().ID, frontier.Outcome{Failed: true})
		c.pop() // at once: one failure parks nobody
	})
	t.Run("who is not known is well", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Park: 1, ParkFor: time.Minute, GiveUp: 1})
		if h := c.Health("nobody"); h != (frontier.Health{}) {
			t.Errorf("%+v", h)
		}
	})
}

// testLost: while others are visited, the links of a host that is given up wait, and it is tried now and then.
func testLost(t *testing.T, b Backend) {
	m := frontier.Manners{Delay: time.Second, PerHost: 2, GiveUp: 2}
	c := begin(t, b, m)
	for i := range 8 {
		c.push(link("a", fmt.Sprint(i), 9))
		c.push(link("b", fmt.Sprint(i), 1))
	}
	wait := func(o frontier.Outcome) frontier.Item { // of the next item that is ready, which is visited in no time
		t.Helper()
		it, ready, err := c.TryPop(0)
		for ; it.ID == 0 && err == nil; it, ready, err = c.TryPop(0) {
			c.clock.Set(ready)
		}
		if err != nil {
			t.Fatal(err)
		}
		if h := c.Health(it.Host); h.GivenUp && !h.Due {
			t.Errorf("%s was handed over to be refused", it.URL)
		}
		c.done(it.ID, o)
		return it
	}
	for _, host := range []string{"a", "b", "a", "b", "b"} { // the best comes first, as long as it answers
		if it := wait(frontier.Outcome{Failed: host == "a"}); it.Host != host {
			t.Fatalf("popped %s, want one of %s", it.URL, host)
		}
	}
	if h := c.Health("a"); !h.GivenUp || h.Next.Sub(c.clock.Now()) < 4*time.Minute || c.Len() != 11 {
		t.Errorf("%+v, and %d wait", h, c.Len())
	}
	if b.Reopen != nil {
		m.Clock = c.clock
		c.Full = b.Reopen(t, c.Full, m)
	}
	again := c.Health("a").Next
	c.clock.Set(again.Add(-time.Second))
	if it := wait(frontier.Outcome{Wait: time.Hour}); it.Host != "b" {
		t.Errorf("popped %s before its time", it.URL)
	}
	if it := wait(frontier.Outcome{Failed: true}); it.Host != "a" || c.clock.Now().Before(again) {
		t.Errorf("popped %s at %v, want one of a at %v", it.URL, c.clock.Now(), again)
	}
	if again = c.Health("a").Next; again.Sub(c.clock.Now()) < 4*time.Minute {
		t.Errorf("it failed once more, and rests until %v", again)
	}
	c.clock.Set(again)
	one := c.pop()
	if it, ready, err := c.TryPop(0); it.ID != 0 || err != nil || !ready.Equal(c.Health("b").Next) {
		t.Errorf("beside a visit of it %q comes, or something at %v, %v", it.URL, ready, err)
	}
	c.done(one.ID, frontier.Outcome{})
	for range 3 {
		if it := wait(frontier.Outcome{}); it.Host != "a" {
			t.Errorf("it answers, and %s came", it.URL)
		}
	}
}
