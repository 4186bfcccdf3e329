package frontiertest

import (
	"fmt"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func testCrowds(t *testing.T, b Backend) {
	t.Run("hosts of one address share its visits", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{PerIP: 2})
		for i, host := range []string{"a", "b", "c", "d"} {
			c.push(link(host, "1", float32(9-i)))
			if host != "d" {
				c.Locate(host, "10.0.0.1")
			}
		}
		one := c.pop()
		if it := c.pop(); it.Host != "b" {
			t.Fatalf("popped %s", it.URL)
		}
		if it := c.pop(); it.Host != "d" {
			t.Fatalf("popped %s, though its address has two visits", it.URL)
		}
		c.wantErr(frontier.ErrIdle)
		c.push(link("e", "1", 99))
		c.Locate("e", "10.0.0.1")
		c.wantErr(frontier.ErrIdle)
		c.done(one.ID, frontier.Outcome{})
		if it := c.pop(); it.Host != "e" {
			t.Errorf("popped %s, not the best of the address", it.URL)
		}
		c.Locate("c", "10.0.0.2")
		if it := c.pop(); it.Host != "c" {
			t.Errorf("popped %s", it.URL)
		}
	})
	t.Run("a host found to be at a busy address", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{PerIP: 1})
		c.push(link("a", "1", 1))
		c.push(link("b", "1", 1))
		one := c.pop()
		c.Locate("a", "10.0.0.1") // while it is being visited
		c.Locate("b", "10.0.0.1")
		c.wantErr(frontier.ErrIdle)
		c.done(one.ID, frontier.Outcome{})
		if it := c.pop(); it.Host != "b" {
			t.Errorf("popped %s", it.URL)
		}
	})
	t.Run("no host takes it all", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{PerHost: 100, Share: .2})
		for i := range 200 {
			c.push(link("greedy", fmt.Sprint(i), 1))
		}
		for i := range 200 {
			c.push(link(fmt.Sprint("h", i), "1", .97))
		}
		served := map[string]int{}
		for range 100 {
			it := c.pop()
			served[it.Host]++
			c.done(it.ID, frontier.Outcome{})
		}
		if n := served["greedy"]; n != 21 {
			t.Errorf("one host had %d of 100 turns, though others promised as much; want 21", n)
		}
	})
	t.Run("its share does not count against better links", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{PerHost: 100, Share: .2})
		for i := range 100 {
			c.push(link("best", fmt.Sprint(i), 1))
			c.push(link("other", fmt.Sprint(i), .9))
		}
		for i := range 100 {
			if it := c.pop(); it.Host != "best" {
				t.Fatalf("turn %d: %s", i, it.URL)
			}
		}
	})
}

func testPatience(t *testing.T, b Backend) {
	manners := frontier.Manners{Delay: time.Second, Patience: 3 * time.Second, Margin: 2}
	t.Run("a far better link is waited for", func(t *testing.T) {
		c := begin(t, b, manners)
		for i := range 3 {
			c.push(link("good", fmt.Sprint(i), .9))
		}
		c.push(link("poor", "1", .1))
		one := c.pop()
		c.wantAt(3 * time.Second) // while it is being visited, as long as patience lasts
		c.done(one.ID, frontier.Outcome{})
		c.wantAt(time.Second) // while it rests
		c.clock.Advance(time.Second)
		two := c.pop()
		if two.Host != "good" {
			t.Fatalf("popped %s", two.URL)
		}
		c.clock.Advance(3 * time.Second) // a visit that takes too long is not waited for
		if it := c.pop(); it.Host != "poor" {
			t.Errorf("popped %s", it.URL)
		}
	})
	t.Run("one that is not far better is not", func(t *testing.T) {
		c := begin(t, b, manners)
		c.push(link("good", "1", .9))
		c.push(link("good", "2", .9))
		c.push(link("fair", "1", .46))
		c.pop()
		if it := c.pop(); it.Host != "fair" {
			t.Errorf("popped %s", it.URL)
		}
	})
	t.Run("nor one whose host rests for long", func(t *testing.T) {
		c := begin(t, b, manners)
		c.push(link("good", "1", .9))
		c.push(link("poor", "1", .1))
		c.push(link("poor", "2", .1))
		c.Rest("good", Start.Add(10*time.Second))
		c.done(c.pop().ID, frontier.Outcome{})
		c.clock.Advance(8 * time.Second)
		c.wantAt(10 * time.Second) // now it does not take long any more
		c.clock.Advance(2 * time.Second)
		if it := c.pop(); it.Host != "good" {
			t.Errorf("popped %s", it.URL)
		}
	})
	t.Run("an earlier tier is always far better", func(t *testing.T) {
		c := begin(t, b, manners)
		c.push(frontier.Item{URL: "first", Host: "a", Tier: 1, Score: .1})
		c.push(frontier.Item{URL: "second", Host: "b", Tier: 2, Score: .1})
		c.Rest("a", Start.Add(time.Second))
		c.wantAt(time.Second)
	})
	t.Run("never for long", func(t *testing.T) { testBound(t, b, manners) })
}

// testBound lets better links come again and again. Something is handed over at least every two patiences all the same,
// and what is worst gets its turn when nothing better is left.
func testBound(t *testing.T, b Backend, m frontier.Manners) {
	c := begin(t, b, m)
	for h := range 4 {
		for i := range 6 {
			c.push(link(fmt.Sprint("h", h), fmt.Sprint(i), float32(int(1)<<(2*h))))
		}
	}
	last, visits := c.clock.Now(), 0
	for {
		it, ready, err := c.TryPop(0)
		if err == frontier.ErrEmpty {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if it.ID == 0 {
			c.clock.Set(ready)
			continue
		}
		if idle := c.clock.Now().Sub(last); idle > 2*m.Patience {
			t.Errorf("nothing was handed over for %v", idle)
		}
		last, visits = c.clock.Now(), visits+1
		c.done(it.ID, frontier.Outcome{})
	}
	if visits != 24 {
		t.Errorf("%d visits of 24", visits)
	}
}
