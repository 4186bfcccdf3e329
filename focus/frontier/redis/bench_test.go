package redis

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// BenchmarkPage pushes 60 links of which half are known, pops one and ends its visit, and tells what a link costs Redis.
func BenchmarkPage(b *testing.B) {
	for lanes := 1; lanes <= 2; lanes++ {
		b.Run(fmt.Sprint("lanes ", lanes), func(b *testing.B) { benchmarkPage(b, lanes) })
	}
}

func benchmarkPage(b *testing.B, lanes int) {
	client := server(b)
	clock := frontier.NewManual(start)
	f := open(b, client, frontier.Manners{Delay: time.Second, Clock: clock}, Options{Lanes: lanes})
	used := func() int { return usedMemory(b, client) }
	before, made := used(), 0
	for b.Loop() {
		clock.Advance(10 * time.Millisecond)
		var links []frontier.Item
		for i := range 60 {
			n := made
			if i%2 == 0 {
				made++
			} else {
				n /= 2
			}
			host := fmt.Sprintf("www.host-%03d.example", n%1000)
			links = append(links, frontier.Item{URL: fmt.Sprintf("https://%s/a/path/of/the/usual/length/%012d", host, n), Host: host,
				Score: float32(n%97) / 97})
		}
		if _, err := f.PushAll(links); err != nil {
			b.Fatal(err)
		}
		if it, _, err := f.TryPop(0); err == nil && it.ID != 0 {
			f.Done(it.ID, frontier.Outcome{})
		}
	}
	b.ReportMetric(float64(used()-before)/float64(made), "redis-B/link")
}

func usedMemory(tb testing.TB, client *goredis.Client) (n int) {
	tb.Helper()
	info, err := client.Info(context.Background(), "memory").Result()
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(info) {
		fmt.Sscanf(line, "used_memory:%d", &n)
	}
	return n
}

// BenchmarkSeen tells what it costs Redis to know a link of 70 bytes again.
func BenchmarkSeen(b *testing.B) {
	client := server(b)
	ctx, n := context.Background(), 0
	before := usedMemory(b, client)
	for b.Loop() {
		p := client.Pipeline()
		for range 1000 {
			n++
			key, field := seen(fmt.Sprintf("https://www.host-%03d.example/a/path/of/the/usual/length/%013d", n%1000, n))
			p.HSet(ctx, key, field, n)
		}
		if _, err := p.Exec(ctx); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(usedMemory(b, client)-before)/float64(n), "redis-B/link")
	b.ReportMetric(float64(n), "links")
}
