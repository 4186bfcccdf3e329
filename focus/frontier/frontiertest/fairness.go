package frontiertest

import (
	"fmt"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func testFairness(t *testing.T, b Backend) {
	t.Run("no host starves while its links are best", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Delay: time.Second})
		for i := range 5 {
			c.push(link("best", fmt.Sprint(i), 9))
		}
		for h := range 20 {
			for i := range 20 {
				c.push(link(fmt.Sprint("h", h), fmt.Sprint(i), float32(h)/20))
			}
		}
		var best []time.Duration
		for len(best) < 5 {
			it, ready, err := c.TryPop(0)
			if err != nil {
				t.Fatal(err)
			}
			if it.ID == 0 {
				c.clock.Set(ready)
				continue
			}
			if it.Host == "best" {
				best = append(best, c.clock.Now().Sub(Start))
			}
			c.clock.Advance(10 * time.Millisecond) // the visit
			c.done(it.ID, frontier.Outcome{})
		}
		for i, at := range best {
			// 1.01 s from visit to visit, and whatever visit was under way when its turn came
			if most := time.Duration(i) * 1020 * time.Millisecond; at > most {
				t.Errorf("visit %d of the best host came after %v, want %v at most", i, at, most)
			}
		}
	})
	t.Run("turns", func(t *testing.T) {
		if b.NoTurns {
			t.Skip("the backend does not offer turns")
		}
		c := begin(t, b, frontier.Manners{Turns: true})
		for _, host := range []string{"a", "b", "c"} {
			for i := range 3 {
				c.push(link(host, fmt.Sprint(i), 1))
			}
		}
		c.push(link("b", "better", 2))
		c.want("https://b/better", "https://a/0", "https://c/0", "https://b/0", "https://a/1", "https://c/1", "https://b/1",
			"https://a/2", "https://c/2", "https://b/2")
	})
}
