package focus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// Those who wait for a host's turn when a pause is heard begin nothing either, however many they are, and what they waited for is
// visited when the crawl goes on.
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
	config := DefaultSetting()
	config.Name, config.Store, config.Seeds, config.MinFree = to.Crawl, store, []string{"http://one.example/"}, 0
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "boat", Weight: 1}}
	config.Polite.Contact, config.Polite.Robots, config.Polite.Parallel = "tests@example.org", "ignore", 16
	config.Polite.Delay = strict.Pace(20 * time.Millisecond)
	config.Duplicates, config.Strategy.Name, config.Scope.Soft404, config.Scope.Sitemaps, config.Transport = "keep", "breadth", "ignore", false, web
	c, err := NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
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
	command(frontier.GoOn)
	if report, want := <-over, pages+1; report.Counts.Pages != want || int(asked.Load()) != want {
		t.Errorf("%d pages in the end, asked for %d times, want %d", report.Counts.Pages, asked.Load(), want)
	}
}
