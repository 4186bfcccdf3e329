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
		if h := c.Health("a"); !h.GivenUp || h.Parked || h.Fails != 4 || h.Pause != 0 || !strings.Contains(h.Why, "last") {
			t.Errorf("given up: %+v", h)
		}
		for range 2 { // what still waits is handed over at once, to be refused
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
