package redis

import (
	"context"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// machines visit one page of a crawl that they share.
type machines struct {
	*testing.T
	client goredis.UniversalClient
	clock  *frontier.Manual
	at     [2]*Frontier
}

const someLease = 10 * time.Second

func startMachines(t *testing.T) *machines {
	m := &machines{T: t, client: server(t), clock: frontier.NewManual(start)}
	for i := range m.at {
		m.at[i] = open(t, m.client, frontier.Manners{Lease: someLease, Clock: m.clock}, Options{})
	}
	return m
}

// visit has a machine begin to visit the page.
func (m *machines) visit(machine int) frontier.Item {
	m.Helper()
	it, _, err := m.at[machine].TryPop(0)
	if err != nil || it.URL != "http://page/" {
		m.Fatal(it, err)
	}
	return it
}

// push has a machine push links of a page, and looks at what it is told of each.
func (m *machines) push(machine int, via uint64, want string, urls ...string) {
	m.Helper()
	var links []frontier.Item
	for _, url := range urls {
		links = append(links, frontier.Item{URL: url, Host: url, Via: via, Score: float32(via)})
	}
	pushed, err := m.at[machine].PushAll(links)
	if err != nil {
		m.Fatal(err)
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
		m.Errorf("told %q, want %q", got, want)
	}
}

// ends has a machine end its visit, after which nothing is left of what was told.
func (m *machines) ends(machine int, page uint64) {
	m.Helper()
	if err := m.at[machine].Done(page, frontier.Outcome{}); err != nil {
		m.Fatal(err)
	}
	m.push(machine, page, "known known ", "a", "d")
	if keys, err := m.client.Keys(context.Background(), "*news:*").Result(); err != nil || len(keys) > 0 {
		m.Errorf("left: %v, %v", keys, err)
	}
}

// A machine that dies in the middle of a page has pushed its links and written nothing down of them: who visits the page
// again is told that they are new, once, and nothing of it is left when the visit has ended.
func TestWhoRepeatsAVisitIsToldWhatIsNew(t *testing.T) {
	m := startMachines(t)
	m.push(0, 0, "new ", "low")
	m.at[0].Push(frontier.Item{URL: "http://page/", Host: "page", Score: 100})
	page := m.visit(0)
	m.push(0, page.ID, "new raised new known ", "a", "low", "b", "a")
	m.push(0, page.ID, "known new ", "a", "c")

	m.clock.Advance(2 * someLease) // it died
	m.visit(1)
	m.push(1, page.ID, "new raised new known new new ", "a", "low", "b", "a", "c", "d")
	m.push(1, page.ID, "known ", "d")
	m.push(1, 0, "known ", "a")
	m.ends(1, page.ID)
}

// A machine that has lost a visit may be in the middle of its steps, whether it has heard of that or not: who visits the page now is
// told that its links are new, once, whichever of the two pushes them first.
func TestWhoHasLostAVisitTakesNothingOfWhatIsNew(t *testing.T) {
	for _, heard := range []bool{false, true} {
		m := startMachines(t)
		m.at[0].Push(frontier.Item{URL: "http://page/", Host: "page", Score: 100})
		page := m.visit(0)
		m.push(0, page.ID, "new ", "a")
		m.clock.Advance(2 * someLease) // it slept
		m.visit(1)
		if heard {
			if err := m.at[0].Renew(page.ID); err != frontier.ErrNotLeased {
				t.Fatal(err)
			}
		}
		m.push(0, page.ID, "new known ", "b", "b")
		m.push(1, page.ID, "new new new ", "a", "b", "c")
		m.at[0].Push(frontier.Item{URL: "c", Host: "c", Via: page.ID})
		m.push(1, page.ID, "known known known new ", "a", "b", "c", "d")
		m.ends(1, page.ID)
	}
}
