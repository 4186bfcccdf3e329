package focus_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus"
)

// Two machines whose connections to Redis are cut again and again, in the middle of whatever they say, notice nothing but that:
// each page is asked for once, nothing waits for a lease, and what they leave behind is whole.
func TestConnectionsToRedisAreCut(t *testing.T) {
	const hosts, pages, all = 20, 6, 20*6 + 1
	db := startRedis(t)
	ctx, giveUp := context.WithTimeout(context.Background(), late)
	defer giveUp()
	client := goredis.NewClient(&goredis.Options{Addr: fmt.Sprint("127.0.0.1:", db.port)})
	defer client.Close()
	cut, web := int64(0), manyHosts(hosts, pages)
	var cutting sync.Mutex
	s := serveWeb(t, transport(func(r *http.Request) (*http.Response, error) {
		cutting.Lock()
		defer cutting.Unlock()
		n, err := client.ClientKillByFilter(ctx, "TYPE", "normal", "SKIPME", "yes").Result()
		if err != nil {
			t.Error(err)
		}
		cut += n
		return web.RoundTrip(r)
	}), 0)
	dir := t.TempDir()
	t.Chdir(dir)
	// The lease is so long that the test would not end if anything waited for it.
	told := sharing{Store: db.address("&lease=1h&max_retries=-1"), Web: s.address(), Seeds: []string{"http://start.example/"}, Parallel: 3}
	var crawlers []*focus.Crawler
	for _, told.Agent = range []string{"one", "two"} {
		crawler, err := focus.NewWith(told.config())
		if err != nil {
			t.Fatal(err)
		}
		crawlers = append(crawlers, crawler)
	}
	var machines sync.WaitGroup
	for _, crawler := range crawlers {
		machines.Go(func() {
			if _, err := crawler.Run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	machines.Wait()
	if err := ctx.Err(); err != nil {
		t.Fatalf("they stand still after %d requests: %v", len(s.requests()), err)
	}
	if n := len(s.requests()); n != all || cut < all {
		t.Errorf("%d requests for %d pages; %d connections were cut", n, all, cut)
	}
	if c := joins(t, told); c.Pages != all || c.Fresh != all-1 || c.Failed != 0 {
		t.Errorf("who joins counts %d pages, %d links that were new, %d failed", c.Pages, c.Fresh, c.Failed)
	}
}
