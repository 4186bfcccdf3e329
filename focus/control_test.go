package focus

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
)

// A crawl stands still before the disk is full, says so once, and goes on as if nothing had happened when there is room.
func TestACrawlStandsStillWhileTheDiskIsFull(t *testing.T) {
	config := drawnCrawl(t, "shark")
	config.Look = time.Nanosecond
	crawled(t, context.Background(), config, nil)
	want := outcome(t, config.Store)

	config.Store = filepath.Join(t.TempDir(), "run")
	config.MinFree = 200e6
	asked, short := 0, 0
	var crawler *Crawler
	config.Free = func(folder string) (uint64, error) {
		if folder != config.Store {
			t.Errorf("asked for the disk of %s", folder)
		}
		if asked++; asked%20 < 15 {
			return 200e6, nil
		}
		short++
		if crawler == nil { // no visit has ended
			return 200e6 - 1, nil
		}
		if said := crawler.StandsStill(); asked%20 > 15 && (!strings.Contains(said, "less than min_free: 200MB") || !strings.Contains(said, config.Store)) {
			t.Errorf("it says %q", said)
		}
		return 200e6 - 1, nil
	}
	report := crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		if crawler = c; c.StandsStill() != "" {
			t.Error("a visit ended while the crawl stood still")
		}
	})
	if !report.Finished || short == 0 {
		t.Errorf("finished %v, stood still %d times: %s", report.Finished, short, report.Reason)
	}
	got := outcome(t, config.Store)
	want["crawl.yaml"] = got["crawl.yaml"] // the bound is another
	same(t, "after the disk was full", got, want)
}

// A full disk does not keep a crawl from being stopped, and its state is whole.
func TestACrawlThatStandsStillCanBeStopped(t *testing.T) {
	config := drawnCrawl(t, "shark")
	config.Look, config.MinFree = time.Nanosecond, 200e6
	var said []string
	config.Told = func(line string) { said = append(said, line) }
	ctx, cancel := context.WithCancel(context.Background())
	asked, visits := 0, 0
	config.Free = func(string) (uint64, error) {
		if visits < 20 {
			return 1e12, nil
		}
		if asked++; asked == 10 {
			cancel()
		}
		return 0, nil
	}
	report := crawled(t, ctx, config, func(_ *Crawler, visit int) { visits = visit })
	standing, err := run.ReadStanding(config.Store)
	if report.Finished || err != nil || standing.State != "interrupted" || standing.Waiting == 0 || standing.Pages == 0 {
		t.Errorf("%+v, %+v, %v", report.Reason, standing, err)
	}
	if told := strings.Join(said, "\n"); !strings.Contains(told, "standing still") || strings.Contains(told, "going on") {
		t.Errorf("a crawl that ends said\n%s", told)
	}
	config.Free, config.Told = func(string) (uint64, error) { return 1e12, nil }, nil
	crawled(t, context.Background(), config, nil)
	have := outcome(t, config.Store)
	config.Store = filepath.Join(t.TempDir(), "run")
	crawled(t, context.Background(), config, nil)
	same(t, "stopped with a full disk", have, outcome(t, config.Store))
}

// A crawl that is stopped while it is paused does not say that it goes on.
func TestAPausedCrawlThatIsStoppedIsNotGoingOn(t *testing.T) {
	config := drawnCrawl(t, "shark")
	config.Look = time.Millisecond
	var said []string
	config.Told = func(line string) {
		if said = append(said, line); strings.Contains(line, "paused") {
			if err := run.Command(config.Store, frontier.Stop); err != nil {
				t.Error(err)
			}
		}
	}
	report := crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		if visit == 10 {
			if err := run.Command(config.Store, frontier.Pause); err != nil {
				t.Error(err)
			}
			awaitHeed(c)
		}
	})
	if told := strings.Join(said, "\n"); report.Reason != run.StoppedByUser || !strings.Contains(told, "paused") || strings.Contains(told, "going on") {
		t.Errorf("%s, and it said\n%s", report.Reason, told)
	}
}

// The time that a crawl stood still does not count either where it is stopped meanwhile: whoever goes on with it has as much left of
// budget.time as before.
func TestThePauseOfACrawlThatIsStoppedDoesNotCount(t *testing.T) {
	config := drawnCrawl(t, "shark")
	config.Look = time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	late := &lateClock{}
	config.Told = func(line string) {
		if strings.Contains(line, "paused") {
			late.by.Store(int64(2 * time.Hour))
			cancel()
		}
	}
	c, err := NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	c.clock, late.clock = late, c.clock
	visits := 0
	c.OnDone(func(*Visit) {
		if visits++; visits == 10 {
			if err := run.Command(config.Store, frontier.Pause); err != nil {
				t.Error(err)
			}
			awaitHeed(c)
		}
	})
	report, err := c.Run(ctx)
	if err != nil || report.Reason != run.StoppedByUser {
		t.Fatal(report.Reason, err)
	}
	if took := report.Counts.Now.Sub(report.Counts.Started); took > time.Hour {
		t.Errorf("it took %v, of which it stood still for two hours", took)
	}
}

// A crawl that runs is paused, goes on and is stopped by word left in its folder, and ends as if nothing had happened.
func TestACrawlIsToldToPauseAndToStop(t *testing.T) {
	config := drawnCrawl(t, "shark")
	config.Look = time.Millisecond
	crawled(t, context.Background(), config, nil)
	want := outcome(t, config.Store)

	config.Store = filepath.Join(t.TempDir(), "run")
	ctx, giveUp := context.WithCancel(context.Background())
	defer giveUp()
	tell := func(what frontier.Command) {
		if err := run.Command(config.Store, what); err != nil {
			t.Error(err)
			giveUp() // or nobody would ever tell it to go on
		}
	}
	var visits atomic.Int32
	paused := make(chan *Crawler, 1)
	told := make(chan struct{})
	go func() {
		defer close(told)
		var c *Crawler
		select {
		case c = <-paused:
		case <-ctx.Done():
			return
		}
		waitFor("the crawl is paused", func() bool { return c.StandsStill() == "paused" || c.stopped() })
		before := visits.Load()
		for range 5 {
			if time.Sleep(2 * time.Millisecond); c.StandsStill() != "paused" || visits.Load() != before {
				t.Error("it went on while it was paused")
			}
		}
		tell(frontier.GoOn)
	}()
	report := crawled(t, ctx, config, func(c *Crawler, visit int) {
		visits.Add(1)
		switch visit {
		case 10:
			tell(frontier.Pause)
			paused <- c
			awaitHeed(c)
		case 11:
			<-told // it stood still before this visit
		case 30:
			tell(frontier.Stop)
			awaitHeed(c)
		case 31:
			waitFor("the crawl is stopped", c.stopped)
		}
	})
	if report.Finished || report.Reason != run.StoppedByUser {
		t.Errorf("told to stop, it ended because %s", report.Reason)
	}
	if err := run.Command(config.Store, frontier.Pause); err == nil || !strings.Contains(err.Error(), "no crawl is running") {
		t.Errorf("a crawl that does not run was paused: %v", err)
	}
	if report = crawled(t, context.Background(), config, nil); !report.Finished {
		t.Errorf("it went on to %s", report.Reason)
	}
	same(t, "paused and stopped", outcome(t, config.Store), want)
}

// awaitHeed waits, in the middle of a turn, until the crawl's look at what it is told stands at the door: it has the next
// turn. A look that had just left the turn may have been told to stop: no other follows it.
func awaitHeed(c *Crawler) {
	waitFor("the crawl looks at what it is told", func() bool { return c.steps.turn.Expected() || c.stopped() })
}

// waitFor waits until something is so, which may be in the middle of a crawl. What does not become so is a failure, and no end of time.
func waitFor(what string, is func() bool) {
	for over := time.Now().Add(2 * time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(over) {
			panic("in vain: " + what)
		}
	}
}

// Addresses that are given to a run are taken once, by the crawl that runs or by the next, and only inside the scope.
func TestAddressesAreInjectedOnce(t *testing.T) {
	config := drawnCrawl(t, "shark")
	config.Look = time.Millisecond
	config.Budget.Pages = 12
	config.Scope.NotHosts = []string{"bargains.test"}
	crawled(t, context.Background(), config, nil)
	const wanted = "http://nobody-links-to.this/page?x=1"
	inject := func(running bool) {
		t.Helper()
		// A crawl that runs may have pushed what was given before, or not yet; then it knows the address twice.
		done, err := run.Inject(config.Store, []string{wanted, wanted + "#again", "http://bargains.test/", "not an address"})
		if err != nil || done.Taken != 2 || done.Known != 1 && !(running && done.Known == 2) || len(done.Refused) != 2 || done.Running != running {
			t.Errorf("%+v, %v", done, err)
		}
	}
	inject(false)
	config.Budget.Pages = 20
	crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		if visit == 3 {
			inject(true)
			awaitHeed(c)
		}
	})
	config.Budget.Pages = 25
	crawled(t, context.Background(), config, nil)
	pushed, visited := 0, 0
	err := run.ReadLog(filepath.Join(config.Store, run.FileLog), func(d *run.Decision) bool {
		if d.URL == wanted && d.Decision == "push" {
			pushed++
		} else if d.URL == wanted {
			visited++
		}
		return true
	})
	if err != nil || pushed != 1 || visited != 1 {
		t.Errorf("pushed %d times, visited %d times, %v", pushed, visited, err)
	}
	if _, err := os.Stat(filepath.Join(config.Store, run.FileState, run.FileInjected)); err != nil {
		t.Error(err)
	}
}
