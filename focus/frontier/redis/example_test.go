package redis_test

import (
	"context"
	"fmt"

	"github.com/alicebob/miniredis/v2"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
)

// Two machines join the same crawl. While one of them visits a host, the other gets the next best link of another.
func Example() {
	server, err := miniredis.Run() // yours is on another machine
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	var machines [2]*redis.Frontier
	for i := range machines {
		client, to, err := redis.Dial("redis://" + server.Addr() + "?crawl=solar")
		if err != nil {
			fmt.Println(err)
			return
		}
		defer client.Close()
		if machines[i], err = redis.Open(context.Background(), client, to.Crawl, frontier.Manners{}, redis.Options{}); err != nil {
			fmt.Println(err)
			return
		}
	}
	one, two := machines[0], machines[1]
	one.Push(frontier.Item{URL: "https://a.example/1", Host: "a.example", Score: 3})
	one.Push(frontier.Item{URL: "https://a.example/2", Host: "a.example", Score: 2})
	one.Push(frontier.Item{URL: "https://b.example/1", Host: "b.example", Score: 1})
	for _, machine := range machines {
		it, _, err := machine.TryPop(0)
		fmt.Println(it.URL, err)
	}
	_, _, err = two.TryPop(0)
	fmt.Println(err)
	// Output:
	// https://a.example/1 <nil>
	// https://b.example/1 <nil>
	// the frontier is idle
}
