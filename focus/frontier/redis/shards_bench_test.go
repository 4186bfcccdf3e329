package redis

import (
	"context"
	"fmt"
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// BenchmarkShards pops links and ends their visits, of one shard and of four on one Redis, alone and with all that shards have in
// common: a budget, a bound for each address, and a share for each host. It tells the round trips that a pop and the end of its
// visit take, as Redis has counted them.
func BenchmarkShards(b *testing.B) {
	for _, shards := range []int{1, 4} {
		b.Run(fmt.Sprint(shards), func(b *testing.B) { benchmarkShards(b, frontier.Manners{}, Options{Shards: shards, Lanes: 1}) })
		b.Run(fmt.Sprint(shards, " in common"), func(b *testing.B) {
			benchmarkShards(b, frontier.Manners{PerIP: 8, Share: .5}, Options{Shards: shards, Lanes: 1, Budget: 1 << 30})
		})
	}
}

func benchmarkShards(b *testing.B, m frontier.Manners, o Options) {
	client := server(b)
	f := open(b, client, m, o)
	const hosts, ahead = 200, 1000
	pushed := 0
	push := func() {
		links := make([]frontier.Item, ahead)
		for i := range links {
			pushed++
			links[i] = frontier.Item{URL: fmt.Sprintf("https://h%d.example/%d", pushed%hosts, pushed), Host: fmt.Sprintf("h%d.example", pushed%hosts),
				Score: float32(pushed % 97)}
		}
		if _, err := f.PushAll(links); err != nil {
			b.Fatal(err)
		}
	}
	push()
	for h := range hosts {
		f.Locate(fmt.Sprintf("h%d.example", h), fmt.Sprint("10.0.0.", h%20))
	}
	asked, popped := 0, 0
	for b.Loop() {
		if popped++; popped%ahead == 0 {
			b.StopTimer()
			push()
			b.StartTimer()
		}
		before := scripts(b, client)
		it, _, err := f.TryPop(0)
		if err != nil || it.ID == 0 {
			b.Fatal(it, err)
		}
		if err := f.Done(it.ID, frontier.Outcome{Counters: map[string]int64{Spent: 1}}); err != nil {
			b.Fatal(err)
		}
		asked += scripts(b, client) - before
	}
	b.ReportMetric(float64(asked)/float64(popped), "round-trips/visit")
}

// scripts is how many Redis has run.
func scripts(b *testing.B, client *goredis.Client) (n int) {
	b.StopTimer()
	defer b.StartTimer()
	info, err := client.Info(context.Background(), "commandstats").Result()
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(info) {
		var calls int
		for _, name := range []string{"evalsha", "eval"} {
			if _, err := fmt.Sscanf(line, "cmdstat_"+name+":calls=%d", &calls); err == nil {
				n += calls
			}
		}
	}
	return n
}
