package focus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// Those who wait for a host's turn when a pause is heard begin nothing either, however many they are, and what they waited for is
// visited when the crawl goes on. The time that all were paused does not count towards the budget of time.
func TestNobodyGoesOnWhileAllArePaused(t *testing.T) {
	t.Chdir(t.TempDir())
	store := "redis://" + miniredis.RunT(t).Addr() + "?crawl=paused"
	client, to, err := redis.Dial(store)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	command := func(what frontier.Command) {
		t.Helper()
		f, err := redis.Join(context.Background(), client, to.Crawl, frontier.Manners{}, redis.Options{})
		if err == nil {
			err = errors.Join(f.Command(what), f.Close())
		}
		if err != nil {
			t.Error(err)
		}
	}
	const pages = 60
	var asked atomic.Int32
	heard := make(chan struct{})
	web := site(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == pages/2 {
			<-heard // it must not be over before that
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>Sailing</title><p>sailing boat yacht")
		for p := range pages {
			fmt.Fprintf(w, `<a href="/%d">boat</a> `, p)
		}
	})
	config := sharedCrawl(to.Crawl, store, web)
	config.Polite.Parallel, config.Budget.Time = 16, strict.Duration(time.Hour)
	c, err := NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	late := &lateClock{clock: c.clock}
	c.clock = late
	over := make(chan Report)
	go func() {
		report, err := c.Run(context.Background())
		if err != nil {
			t.Error(err)
		}
		over <- report
	}()
	waitFor("it asks for pages", func() bool { return asked.Load() > 5 })
	command(frontier.Pause)
	waitFor("it stands still", func() bool { return c.StandsStill() == "paused" })
	stood := asked.Load()
	close(heard)
	waitFor("nobody waits for a turn any more", func() bool { return c.budget.Leased() == 0 })
	if now := asked.Load(); now > stood+1 { // one may have been under way
		t.Errorf("%d pages were asked for after it stood still", now-stood)
	}
	late.by.Store(int64(2 * time.Hour))
	command(frontier.GoOn)
	if report, want := <-over, pages+1; report.Counts.Pages != want || int(asked.Load()) != want {
		t.Errorf("%d pages in the end, asked for %d times, want %d", report.Counts.Pages, asked.Load(), want)
	}
}

// TestAStopOfAllMachinesIsNoEnd: a crawl that all machines were told to stop is interrupted, as one that was stopped here.
func TestAStopOfAllMachinesIsNoEnd(t *testing.T) {
	t.Chdir(t.TempDir())
	store := "redis://" + miniredis.RunT(t).Addr() + "?crawl=stopped"
	told := make(chan struct{})
	var asked atomic.Int32
	config := sharedCrawl("stopped", store, site(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) > 3 {
			<-told
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>Sailing</title><p>sailing boat yacht <a href="/%[1]d-a">boat</a> <a href="/%[1]d-b">boat</a>`, asked.Load())
	}))
	c, err := NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		waitFor("it asks for pages", func() bool { return asked.Load() > 3 })
		if err := c.frontier.(*remote).Command(frontier.Stop); err != nil {
			t.Error(err)
		}
		waitFor("it hears that it is to stop", c.stopped)
		close(told)
	}()
	report, err := c.Run(context.Background())
	if err != nil || report.Finished || report.Waiting == 0 {
		t.Errorf("%s, finished: %t, %d wait: %v", report.Reason, report.Finished, report.Waiting, err)
	}
	if standing, err := run.ReadStanding(report.Folder); err != nil || standing.State != "interrupted" {
		t.Errorf("it stands as %q: %v", standing.State, err)
	}
}

// lateClock is a clock that somebody else lets go on.
type lateClock struct {
	clock
	by atomic.Int64
}

func (l *lateClock) Now() time.Time { return l.clock.Now().Add(time.Duration(l.by.Load())) }

// sharedCrawl is a crawl on Redis that begins at one.example and keeps all pages.
func sharedCrawl(name, store string, web http.RoundTripper) Setting {
	config := DefaultSetting()
	config.Name, config.Store, config.Seeds, config.MinFree = name, store, []string{"http://one.example/"}, 0
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "boat", Weight: 1}}
	config.Polite.Contact, config.Polite.Robots, config.Polite.Delay = "tests@example.org", "ignore", strict.Pace(20*time.Millisecond)
	config.Duplicates, config.Strategy.Name, config.Scope.Soft404, config.Scope.Sitemaps, config.Transport = "keep", "breadth", "ignore", false, web
	return config
}

// A machine that is held up, by its disk or by a pause of its own, lets what it has under way end and begins nothing: the others visit
// all that waits meanwhile, and it goes on when nothing holds it up any more.
func TestOneMachineThatStandsStillLeavesTheWorkToTheOthers(t *testing.T) {
	const hosts, pages = 3, 5
	for _, why := range []string{"paused", "less than min_free"} {
		t.Chdir(t.TempDir())
		var first *Crawler
		var full atomic.Bool
		var asked [2]atomic.Int32
		said := func() string { return first.StandsStill() }
		hold := func(held bool) {
			full.Store(held && why != "paused")
			what := frontier.GoOn
			if held && why == "paused" {
				what = frontier.Pause
			}
			if err := run.Command(first.folder.Dir, what); err != nil {
				t.Error(err)
			}
		}
		web := func(machine int) http.RoundTripper {
			return site(func(w http.ResponseWriter, _ *http.Request) {
				if n := asked[machine].Add(1); machine == 0 && n == 3 { // of a page that is under way while its machine stands still
					hold(true)
					waitFor("the machine stands still", func() bool { return strings.Contains(said(), why) })
				}
				w.Header().Set("Content-Type", "text/html")
				io.WriteString(w, "<title>Sailing</title><p>sailing boat yacht")
				for p := range hosts * pages {
					fmt.Fprintf(w, `<a href="http://h%d.example/%d">boat</a> `, p%hosts, p)
				}
			})
		}
		store := "redis://" + miniredis.RunT(t).Addr() + "?crawl=aside"
		machine := func(n int) *Crawler {
			config := sharedCrawl("aside", store, web(n))
			config.Polite.Parallel, config.Look = 4, time.Millisecond
			if n == 0 {
				config.MinFree = 200e6
				config.Free = func(string) (uint64, error) {
					if full.Load() {
						return 0, nil
					}
					return 1e12, nil
				}
			}
			c, err := NewWith(config)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		runs := func(c *Crawler, over chan Report) {
			ctx, giveUp := context.WithTimeout(t.Context(), 2*time.Minute)
			defer giveUp()
			report, err := c.Run(ctx)
			if err != nil {
				t.Error(err)
			}
			over <- report
		}
		over := make(chan Report, 2)
		first = machine(0)
		go runs(first, over)
		waitFor("the machine stands still", func() bool { return strings.Contains(said(), why) })
		waitFor("nobody there waits for a link any more", func() bool { return first.budget.Leased() == 0 }) // who did to the end would end its crawl
		stood := asked[0].Load()
		runs(machine(1), over)
		if report := <-over; report.Counts.Pages != hosts*pages+1 || !strings.Contains(said(), why) || asked[0].Load() != stood {
			t.Errorf("%s: the other visited all %d, and this one asked for %d, and says %q", why, report.Counts.Pages, asked[0].Load(), said())
		}
		hold(false)
		if report := <-over; report.Counts.Pages != hosts*pages+1 || asked[0].Load()+asked[1].Load() != hosts*pages+1 {
			t.Errorf("%s: %d pages in the end, asked for %d and %d times", why, report.Counts.Pages, asked[0].Load(), asked[1].Load())
		}
	}
}
