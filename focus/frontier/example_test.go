package frontier_test

import (
	"fmt"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A frontier hands over the most promising link whose host may be visited now. Here nobody waits for the clock: it is
// set to the moment at which the next host is ready, as it is over a recorded web.
func Example() {
	clock := frontier.NewManual(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
	f := frontier.NewMemory(frontier.Manners{Delay: time.Second, Clock: clock})
	defer f.Close()
	f.Push(frontier.Item{URL: "https://a.example/good", Host: "a.example", Score: .9})
	f.Push(frontier.Item{URL: "https://a.example/fair", Host: "a.example", Score: .5})
	f.Push(frontier.Item{URL: "https://b.example/poor", Host: "b.example", Score: .1})
	f.Push(frontier.Item{URL: "https://b.example/poor", Host: "b.example", Score: .2}) // found again, more promising

	for {
		it, ready, err := f.TryPop(0)
		switch {
		case err != nil:
			fmt.Println(err)
			return
		case it.ID == 0:
			clock.Set(ready)
		default:
			fmt.Println(clock.Now().Format("15:04:05"), it.Score, it.URL)
			f.Done(it.ID, frontier.Outcome{})
		}
	}
	// Output:
	// 00:00:00 0.9 https://a.example/good
	// 00:00:00 0.2 https://b.example/poor
	// 00:00:01 0.5 https://a.example/fair
	// the frontier is empty
}
