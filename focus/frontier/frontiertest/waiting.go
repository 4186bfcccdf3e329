package frontiertest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func testWaiting(t *testing.T, b Backend) {
	t.Run("for the clock", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{Delay: time.Second})
		c.push(link("a", "1", 2))
		c.push(link("a", "2", 1))
		c.done(c.pop().ID, frontier.Outcome{})
		got := c.popLater(context.Background())
		c.clock.AwaitTimers(1)
		c.clock.Advance(time.Second)
		if r := <-got; r.err != nil || r.it.URL != "https://a/2" {
			t.Errorf("popped %q, %v", r.it.URL, r.err)
		}
		if n := c.clock.Timers(); n != 0 {
			t.Errorf("%d timers are left", n)
		}
	})
	t.Run("for an earlier host", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{})
		c.push(link("a", "1", 1))
		c.Rest("a", Start.Add(time.Hour))
		got := c.popLater(context.Background())
		c.clock.AwaitTimers(1)
		c.push(link("b", "1", 1))
		if r := <-got; r.err != nil || r.it.Host != "b" {
			t.Errorf("popped %q, %v", r.it.URL, r.err)
		}
	})
	t.Run("for an outcome", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{})
		c.push(link("a", "1", 2))
		c.push(link("a", "2", 1))
		one := c.pop()
		got := c.popLater(context.Background())
		c.done(one.ID, frontier.Outcome{})
		if r := <-got; r.err != nil || r.it.URL != "https://a/2" {
			t.Errorf("popped %q, %v", r.it.URL, r.err)
		}
	})
	t.Run("until the end", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{})
		id := c.push(link("a", "1", 1))
		c.pop()
		var waits []<-chan popped
		for range 5 {
			waits = append(waits, c.popLater(context.Background()))
		}
		c.done(id, frontier.Outcome{})
		for _, w := range waits {
			if r := <-w; r.err != frontier.ErrEmpty {
				t.Errorf("popped %q, %v", r.it.URL, r.err)
			}
		}
	})
	t.Run("until closed", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{})
		c.push(link("a", "1", 1))
		c.Rest("a", Start.Add(time.Hour))
		var waits []<-chan popped
		for range 5 {
			waits = append(waits, c.popLater(context.Background()))
		}
		c.clock.AwaitTimers(1)
		c.Close()
		for _, w := range waits {
			if r := <-w; r.err != frontier.ErrClosed {
				t.Errorf("popped %q, %v", r.it.URL, r.err)
			}
		}
	})
	t.Run("until the context ends", func(t *testing.T) { testCancel(t, b) })
	t.Run("without spinning", func(t *testing.T) { testNoSpin(t, b) })
	t.Run("all at once", func(t *testing.T) { testRace(t, b) })
}

type popped struct {
	it  frontier.Item
	err error
}

// popLater pops in another goroutine.
func (c *crawl) popLater(ctx context.Context) <-chan popped {
	ch := make(chan popped, 1)
	f := c.Full
	go func() {
		it, err := f.Pop(ctx, 0)
		ch <- popped{it, err}
	}()
	return ch
}

func testCancel(t *testing.T, b Backend) {
	c := begin(t, b, frontier.Manners{})
	c.push(link("a", "1", 1))
	c.Rest("a", Start.Add(time.Hour))
	ctx, cancel := context.WithCancel(context.Background())
	leaves := c.popLater(ctx)
	c.clock.AwaitTimers(1)
	stays := c.popLater(context.Background())
	cancel()
	if r := <-leaves; !errors.Is(r.err, context.Canceled) {
		t.Errorf("popped %q, %v", r.it.URL, r.err)
	}
	c.clock.AwaitTimers(1) // whoever stays watches the clock now
	c.clock.Advance(time.Hour)
	if r := <-stays; r.err != nil || r.it.URL != "https://a/1" {
		t.Errorf("popped %q, %v", r.it.URL, r.err)
	}
	if _, err := c.Pop(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("Pop in a context that has ended: %v", err)
	}
}

// counting counts how often the clock is looked at: once at least whenever somebody wakes up.
type counting struct {
	*frontier.Manual
	looks atomic.Int64
}

func (c *counting) Now() time.Time {
	c.looks.Add(1)
	return c.Manual.Now()
}

// testNoSpin lets eight workers share one host, whose clock makes them wait nearly always.
func testNoSpin(t *testing.T, b Backend) {
	const workers, visits = 8, 50
	clock := &counting{Manual: frontier.NewManual(Start)}
	f := b.Open(t, frontier.Manners{Delay: time.Second, Clock: clock})
	t.Cleanup(func() { f.Close() })
	for i := range visits {
		f.Push(link("a", fmt.Sprint(i), 1))
	}
	var wg sync.WaitGroup
	var done atomic.Int64
	for range workers {
		wg.Go(func() {
			for {
				it, err := f.Pop(context.Background(), 0)
				if err != nil {
					return
				}
				done.Add(1)
				f.Done(it.ID, frontier.Outcome{})
			}
		})
	}
	advances := 0
	for done.Load() < visits {
		for range 200 {
			runtime.Gosched() // time enough for whoever would spin
		}
		switch n := clock.Timers(); {
		case n == 0:
			continue
		case n > 1:
			t.Errorf("%d timers for one frontier", n)
		}
		clock.Advance(time.Second)
		advances++
	}
	wg.Wait()
	if done.Load() != visits {
		t.Errorf("%d visits of %d", done.Load(), visits)
	}
	// A visit looks at the clock when it is popped, when it is done, and when either lets the next one know, who asks
	// in vain and sets a timer: a few times each, however many workers wait. Those look once more when they come and go.
	if n, most := clock.looks.Load(), int64(16*advances+16*workers); n > most {
		t.Errorf("the clock was looked at %d times while it moved %d times and %d workers waited, want at most %d", n, advances, workers, most)
	}
}

// testRace lets many do everything at once. The race detector and the count of visits are the judges.
func testRace(t *testing.T, b Backend) {
	pushes, workers := 400, 8
	if b.Slow {
		pushes = 60
	}
	c := begin(t, b, frontier.Manners{PerHost: 2})
	c.push(link("start", "", 1))
	var mu sync.Mutex
	visits := map[string]int{}
	var wg sync.WaitGroup
	for w := range workers {
		r := rand.New(rand.NewPCG(uint64(w), 2))
		wg.Go(func() {
			for {
				it, err := c.Pop(context.Background(), r.IntN(2))
				if err != nil {
					if err != frontier.ErrEmpty {
						t.Error(err)
					}
					return
				}
				for range 3 {
					n := r.IntN(pushes)
					id, _, err := c.Push(link(fmt.Sprint("h", n%10), fmt.Sprint(n), r.Float32()))
					if err != nil {
						t.Error(err)
					}
					c.Rescore(id, r.Float32(), r.Float32(), nil, nil)
				}
				c.Get(it.ID)
				c.Find(it.URL)
				c.Len()
				mu.Lock()
				visits[it.URL]++
				mu.Unlock()
				if err := c.Done(it.ID, frontier.Outcome{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for url, n := range visits {
		if n != 1 {
			t.Errorf("%s was visited %d times", url, n)
		}
	}
	if len(visits) < pushes/2 || c.Len() != 0 {
		t.Errorf("%d visits, %d still wait", len(visits), c.Len())
	}
}
