package frontiertest

import (
	"context"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func testEnds(t *testing.T, b Backend) {
	t.Run("empty", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Delay: time.Hour})
		c.wantErr(frontier.ErrEmpty)
		if _, err := c.Pop(context.Background(), 0); err != frontier.ErrEmpty {
			t.Errorf("Pop of nothing: %v", err)
		}
		id := c.push(link("a", "1", 1))
		if c.Len() != 1 || c.pop().ID != id || c.Len() != 0 {
			t.Error("Len does not count what waits")
		}
		c.wantErr(frontier.ErrIdle)
		c.done(id, frontier.Outcome{})
		c.wantErr(frontier.ErrEmpty)
	})
	t.Run("an outcome needs a lease", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{})
		id := c.push(link("a", "1", 1))
		for _, bad := range []uint64{0, id, 99} {
			if err := c.Done(bad, frontier.Outcome{}); err != frontier.ErrNotLeased {
				t.Errorf("done %d: %v", bad, err)
			}
		}
		c.pop()
		c.done(id, frontier.Outcome{})
		if err := c.Done(id, frontier.Outcome{}); err != frontier.ErrNotLeased {
			t.Errorf("done twice: %v", err)
		}
	})
	t.Run("closed", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{})
		id := c.push(link("a", "1", 1))
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		c.wantErr(frontier.ErrClosed)
		if _, err := c.Pop(context.Background(), 0); err != frontier.ErrClosed {
			t.Errorf("Pop: %v", err)
		}
		if _, _, err := c.Push(link("a", "2", 1)); err != frontier.ErrClosed {
			t.Errorf("Push: %v", err)
		}
		if err := c.Done(id, frontier.Outcome{}); err != frontier.ErrClosed {
			t.Errorf("Done: %v", err)
		}
	})
}
