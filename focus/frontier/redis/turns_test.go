package redis

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// turns is a connection that counts round trips: how often somebody writes on it who has read an answer since, or nothing yet.
type turns struct {
	net.Conn
	asked atomic.Bool
	count *atomic.Int64
}

func (c *turns) Write(b []byte) (int, error) {
	if !c.asked.Swap(true) {
		c.count.Add(1)
	}
	return c.Conn.Write(b)
}

func (c *turns) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.asked.Store(false)
	}
	return n, err
}

// A machine that is far from Redis waits for it three times a visit, however many links the page has (up to mostItems), and
// though lesson, counters and the lengths of files are told, the budget is kept, and the lease is held.
func TestAVisitIsThreeRoundTrips(t *testing.T) {
	var count atomic.Int64
	to := server(t).Options()
	client := goredis.NewClient(&goredis.Options{Network: to.Network, Addr: to.Addr, Dialer: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		return &turns{Conn: c, count: &count}, err
	}})
	t.Cleanup(func() { client.Close() })
	f := open(t, client, frontier.Manners{}, Options{Worker: "far", Budget: 1000})
	made := 0
	linksOf := func(page uint64, links int) (items []frontier.Item, identities []string) {
		for i := range links {
			n := made - i%2*min(made, links) // every other link has been seen before
			address := fmt.Sprintf("http://h%d.example/%d", n%50, n)
			items = append(items, frontier.Item{URL: address, Host: fmt.Sprintf("h%d.example", n%50), Via: page, Score: float32(n%7) / 7})
			identities = append(identities, address)
			made++
		}
		return items, identities
	}
	trips := func(do func() error) int64 {
		t.Helper()
		before := count.Load()
		if err := do(); err != nil {
			t.Fatal(err)
		}
		return count.Load() - before
	}
	seeds, _ := linksOf(0, 3)
	if _, err := f.PushAll(seeds); err != nil {
		t.Fatal(err)
	}
	for visit, links := range []int{1, 1, 60, mostItems} { // in the first the scripts are made known to Redis
		var it frontier.Item
		popped := trips(func() (err error) { it, err = f.Pop(context.Background(), 0); return err })
		items, identities := linksOf(it.ID, links)
		looked := trips(func() error { f.FindAll(identities); return nil })
		pushed := trips(func() error { _, err := f.PushAll(items); return err })
		ended := trips(func() error {
			return f.Done(it.ID, frontier.Outcome{Lesson: []byte("lesson"), Counters: map[string]int64{Spent: 1, "kept": 1}, Files: map[string]int64{"harvest.jsonl": 100}})
		})
		if visit == 0 {
			continue
		}
		if popped+pushed+ended != 3 || looked != 1 {
			t.Errorf("a page with %d links: %d round trips to pop it, %d to push its links, %d to end the visit, and %d to look them up; want 1 each",
				links, popped, pushed, ended, looked)
		}
	}
}
