// Package frontiertest answers one question: is this a frontier?
//
// Run holds a backend against everything that package frontier promises. A new backend's test is ten lines.
package frontiertest

import (
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Full is a frontier with every power that the engine uses.
type Full interface {
	frontier.Frontier
	frontier.Trier
	frontier.Finder
	frontier.Rescorer
	frontier.Holder
	frontier.Pacer
	frontier.Locator
	frontier.Examiner
	frontier.Batcher
	frontier.Behaver
	frontier.Shelver
}

// Backend is what is tested.
type Backend struct {
	// Open makes an empty frontier. The suite closes it.
	Open func(testing.TB, frontier.Manners) Full
	// Reopen closes a frontier and opens what it persisted. Nil where nothing persists.
	Reopen func(testing.TB, Full, frontier.Manners) Full
	// Leases says that leases lapse after Manners.Lease.
	Leases bool
	// NoTurns says that Manners.Turns is not offered.
	NoTurns bool
	// Slow makes the tests smaller.
	Slow bool
}

// Run tests a backend.
func Run(t *testing.T, b Backend) {
	for _, part := range []struct {
		name string
		test func(*testing.T, Backend)
	}{
		{"order", testOrder},
		{"addresses", testAddresses},
		{"hosts", testHosts},
		{"failing hosts", testFailing},
		{"addresses of hosts", testCrowds},
		{"patience", testPatience},
		{"other manners", testBehave},
		{"ends", testEnds},
		{"waiting", testWaiting},
		{"fairness", testFairness},
		{"leases", testLeases},
		{"resume", testResume},
		{"resume after a clock ran ahead", testClockAhead},
		{"property", testProperty},
	} {
		t.Run(part.name, func(t *testing.T) { part.test(t, b) })
	}
}

// Start is when the clocks of the suite start.
var Start = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// crawl is a frontier under test, with a clock that only the test moves.
type crawl struct {
	*testing.T
	Full
	clock *frontier.Manual
}

func begin(t *testing.T, b Backend, m frontier.Manners) *crawl {
	t.Helper()
	clock := frontier.NewManual(Start)
	m.Clock = clock
	f := b.Open(t, m)
	t.Cleanup(func() { f.Close() })
	return &crawl{t, f, clock}
}

// push pushes an item that must be new.
func (c *crawl) push(it frontier.Item) uint64 {
	c.Helper()
	id, fresh, err := c.Push(it)
	if err != nil || !fresh || id == 0 {
		c.Fatalf("push %q: id %d, fresh %v, %v", it.URL, id, fresh, err)
	}
	return id
}

// link is an item of a host, named by its path.
func link(host, path string, score float32) frontier.Item {
	return frontier.Item{URL: "https://" + host + "/" + path, Host: host, Score: score}
}

// pop is the next item of the lane 0, which must be ready.
func (c *crawl) pop() frontier.Item {
	c.Helper()
	it, ready, err := c.TryPop(0)
	if err != nil || it.ID == 0 {
		c.Fatalf("TryPop: nothing ready: next at %v, %v", ready, err)
	}
	return it
}

func (c *crawl) done(id uint64, o frontier.Outcome) {
	c.Helper()
	if err := c.Done(id, o); err != nil {
		c.Fatalf("done %d: %v", id, err)
	}
}

// want pops and finishes items until nothing is left, and compares their addresses.
func (c *crawl) want(urls ...string) {
	c.Helper()
	for i, url := range urls {
		it := c.pop()
		if it.URL != url {
			c.Fatalf("item %d is %s, want %s", i, it.URL, url)
		}
		c.done(it.ID, frontier.Outcome{})
	}
	c.wantErr(frontier.ErrEmpty)
}

// wantErr says what TryPop must answer.
func (c *crawl) wantErr(want error) {
	c.Helper()
	if it, ready, err := c.TryPop(0); err != want {
		c.Fatalf("TryPop: item %d, ready %v, error %v, want %v", it.ID, ready, err, want)
	}
}

// wantAt says when the next host must be ready.
func (c *crawl) wantAt(after time.Duration) {
	c.Helper()
	it, ready, err := c.TryPop(0)
	if err != nil || it.ID != 0 || !ready.Equal(Start.Add(after)) {
		c.Fatalf("TryPop: item %q, ready after %v, %v; want nothing before %v", it.URL, ready.Sub(Start), err, after)
	}
}
