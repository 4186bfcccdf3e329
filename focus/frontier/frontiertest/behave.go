package frontiertest

import (
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// testBehave: manners that change while links wait count for all that begins after them, and nothing that waited is lost.
func testBehave(t *testing.T, b Backend) {
	t.Run("the delay", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Delay: time.Hour})
		for _, path := range []string{"1", "2", "3"} {
			c.push(link("a", path, 1))
		}
		first := c.pop()
		c.behave(frontier.Manners{Delay: 2 * time.Second})
		c.done(first.ID, frontier.Outcome{})
		c.wantAt(2 * time.Second)
		c.clock.Advance(2 * time.Second)
		second := c.pop()
		c.behave(frontier.Manners{Delay: 5 * time.Second})
		c.done(second.ID, frontier.Outcome{})
		c.wantAt(7 * time.Second)
	})
	t.Run("visits at the same time", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{PerIP: 1})
		for _, host := range []string{"a", "b"} {
			c.push(link(host, "1", 1))
			c.push(link(host, "2", 1))
			c.Locate(host, "192.0.2.1")
		}
		one := c.pop()
		c.wantErr(frontier.ErrIdle)
		c.behave(frontier.Manners{PerHost: 2})
		c.done(one.ID, frontier.Outcome{})
		two, three := c.pop(), c.pop()
		c.behave(frontier.Manners{PerIP: 1})
		c.done(two.ID, frontier.Outcome{})
		c.done(three.ID, frontier.Outcome{})
		c.done(c.pop().ID, frontier.Outcome{})
		c.wantErr(frontier.ErrEmpty)
	})
	t.Run("anything, in the middle of everything", func(t *testing.T) {
		all := []frontier.Manners{
			{Delay: time.Second, PerHost: 2, PerIP: 2, Share: .2, Patience: 2 * time.Second, Margin: 3},
			{},
			{Delay: 3 * time.Second, Adapt: 2, Backoff: time.Second, Park: 2, ParkFor: 4 * time.Second},
			{PerHost: 3, PerIP: 1},
			{Delay: time.Second, Patience: time.Second, Share: .05},
		}
		c := begin(t, b, all[0])
		const hosts, pages = 7, 12
		for p := range pages {
			for h := range hosts {
				c.push(link(string(rune('a'+h)), string(rune('a'+p)), float32(1+(h*5+p*3)%11)))
			}
		}
		for h := range hosts {
			c.Locate(string(rune('a'+h)), []string{"192.0.2.1", "192.0.2.2", ""}[h%3])
		}
		var out []frontier.Item
		popped := 0
		for turn := 0; turn < 100*hosts*pages; turn++ {
			if turn%9 == 8 {
				c.behave(all[turn/9%len(all)])
			}
			it, ready, err := c.TryPop(0)
			switch {
			case err == nil && it.ID != 0:
				popped++
				out = append(out, it)
			case len(out) > 0:
				c.done(out[0].ID, frontier.Outcome{Took: time.Second, Failed: turn%5 == 0})
				out = out[1:]
			case err == nil:
				c.clock.Set(ready)
			}
			if err == frontier.ErrEmpty {
				break
			}
		}
		if popped != hosts*pages {
			t.Errorf("%d of %d links were handed over", popped, hosts*pages)
		}
	})
}

// behave changes the manners on the clock of the test.
func (c *crawl) behave(m frontier.Manners) {
	c.Helper()
	m.Clock = c.clock
	c.Behave(m)
}
