package redis

import (
	"context"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A machine that dies in the middle of a page has pushed its links and written nothing down of them: who visits the page
// again is told that they are new, once, and nothing of it is left when the visit has ended.
func TestWhoRepeatsAVisitIsToldWhatIsNew(t *testing.T) {
	client := server(t)
	clock := frontier.NewManual(start)
	m := frontier.Manners{Lease: 10 * time.Second, Clock: clock}
	var machines [2]*Frontier
	for i := range machines {
		machines[i] = open(t, client, m, Options{})
	}
	visit := func(f *Frontier) frontier.Item {
		t.Helper()
		it, _, err := f.TryPop(0)
		if err != nil || it.URL != "http://page/" {
			t.Fatal(it, err)
		}
		return it
	}
	push := func(f *Frontier, via uint64, want string, urls ...string) {
		t.Helper()
		var links []frontier.Item
		for _, url := range urls {
			links = append(links, frontier.Item{URL: url, Host: url, Via: via, Score: float32(via)})
		}
		pushed, err := f.PushAll(links)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range pushed {
			switch {
			case p.Fresh:
				got += "new "
			case p.Raised:
				got += "raised "
			default:
				got += "known "
			}
		}
		if got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
	push(machines[0], 0, "new ", "low")
	machines[0].Push(frontier.Item{URL: "http://page/", Host: "page", Score: 100})
	page := visit(machines[0])
	push(machines[0], page.ID, "new raised new known ", "a", "low", "b", "a")
	push(machines[0], page.ID, "known new ", "a", "c")

	clock.Advance(20 * time.Second) // it died
	visit(machines[1])
	push(machines[1], page.ID, "new raised new known new new ", "a", "low", "b", "a", "c", "d")
	push(machines[1], page.ID, "known ", "d")
	push(machines[1], 0, "known ", "a")
	if err := machines[1].Done(page.ID, frontier.Outcome{}); err != nil {
		t.Fatal(err)
	}
	push(machines[1], page.ID, "known known ", "a", "d")
	if keys, err := client.Keys(context.Background(), "*news:*").Result(); err != nil || len(keys) > 0 {
		t.Errorf("left: %v, %v", keys, err)
	}
}
