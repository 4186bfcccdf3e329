package frontiertest

import (
	"context"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func testLeases(t *testing.T, b Backend) {
	if !b.Leases {
		t.Skip("leases of this backend do not lapse")
	}
	t.Run("lapsed", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Delay: time.Second, Lease: time.Minute})
		id := c.push(link("a", "1", 1))
		c.pop()
		c.wantAt(time.Minute)
		c.clock.Advance(time.Minute)
		c.wantAt(time.Minute + time.Second)
		if err := c.Done(id, frontier.Outcome{}); err != frontier.ErrNotLeased {
			t.Errorf("the outcome of a lapsed lease: %v", err)
		}
		c.clock.Advance(time.Second)
		if it := c.pop(); it.ID != id {
			t.Errorf("popped %d, want %d", it.ID, id)
		}
		c.done(id, frontier.Outcome{})
		c.wantErr(frontier.ErrEmpty)
	})
	t.Run("renewed", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Lease: time.Minute})
		id := c.push(link("a", "1", 1))
		c.push(link("b", "1", 1))
		c.pop()
		c.clock.Advance(time.Second)
		c.pop()
		renewer := c.Full.(frontier.Renewer)
		c.clock.Advance(58 * time.Second)
		if err := renewer.Renew(id); err != nil {
			t.Fatal(err)
		}
		c.wantAt(61 * time.Second)
		c.clock.Advance(3 * time.Second)
		if it := c.pop(); it.Host != "b" {
			t.Errorf("popped %s", it.URL)
		}
		c.done(id, frontier.Outcome{})
		if err := renewer.Renew(id); err != frontier.ErrNotLeased {
			t.Errorf("a finished item was renewed: %v", err)
		}
	})
	t.Run("waited for", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Lease: time.Minute})
		id := c.push(link("a", "1", 1))
		c.pop()
		got := c.popLater(context.Background())
		c.clock.AwaitTimers(1)
		c.clock.Advance(time.Minute)
		if r := <-got; r.err != nil || r.it.ID != id {
			t.Errorf("popped %d, %v", r.it.ID, r.err)
		}
	})
}
