package focus

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// followed runs a crawl that follows its file, which is written anew in the middle of the 10th visit, and of the 20th, where there is
// a second change, and answers what it said.
func followed(t *testing.T, setting Setting, file string, changes ...func(*crawlfile.Config)) (Report, string) {
	t.Helper()
	var said bytes.Buffer // written by one goroutine, and read when it has ended
	c, err := New(context.Background(), setting.Config, append(setting.Options(), Logger(slog.New(slog.NewTextHandler(&said, nil))))...)
	if err != nil {
		t.Fatal(err)
	}
	c.Follow(crawlfile.NewWatch(setting.Config))
	visit := 0
	c.OnDone(func(*Visit) {
		visit++
		n := visit/10 - 1
		if within := n >= 0 && n < len(changes); within && visit%10 == 0 {
			now := setting.Config
			changes[n](&now)
			written(t, file, now)
		} else if !within {
			return
		}
		if visit%10 < 6 { // two looks come to the door before the change does
			awaitHeed(c)
		}
	})
	report, err := c.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return report, said.String()
}

// written writes a crawl file, as somebody who saves it in an editor.
func written(t *testing.T, file string, config crawlfile.Config) {
	t.Helper()
	if err := os.WriteFile(file, config.YAML(), 0o600); err != nil {
		t.Error(err)
	}
}

// followable is a small crawl that was read from a file.
func followable(t *testing.T) (Setting, string) {
	t.Helper()
	setting := drawnCrawl(t, "breadth")
	setting.Look = time.Millisecond
	setting.Budget.Pages = 30
	setting.Scope.NotHosts = []string{"bargains.test", "www.fairwind.example"}
	setting.Models = nil
	file := filepath.Join(t.TempDir(), "small.yaml")
	written(t, file, setting.Config)
	var err error
	if setting.Config, err = crawlfile.Load(file); err != nil {
		t.Fatal(err)
	}
	return setting, file
}

// Budget, manners, start pages and a wider scope count while the crawl runs, and when it is gone on with.
func TestACrawlFollowsItsFile(t *testing.T) {
	setting, file := followable(t)
	const added = "http://www.fairwind.example/"
	report, said := followed(t, setting, file, func(c *crawlfile.Config) {
		c.Budget.Pages = 40
		c.Polite.Delay, c.Polite.PerHost = strict.Pace(3*time.Second), 2
		c.Scope.NotHosts = []string{"bargains.test"}
		c.Seeds = append(c.Seeds[:len(c.Seeds):len(c.Seeds)], added)
		c.Sinks = append(slices.Clone(c.Sinks), crawlfile.SinkConfig{To: "csv", Rotate: 1 << 20})
	})
	if report.Counts.Pages != 40 || !report.Finished {
		t.Errorf("%d pages: %s", report.Counts.Pages, report.Reason)
	}
	if want := file + " has changed: seeds has 1 more, scope.not_hosts is [bargains.test], budget.pages is 40, polite.delay is 3s, polite.per_host is 2"; !strings.Contains(said, want) {
		t.Errorf("it said %s\nwant %s", said, want)
	}
	table, err := os.ReadFile(filepath.Join(setting.Store, "harvest.csv"))
	if err != nil || bytes.Count(table, []byte("\n")) < 2 || int64(bytes.Count(table, []byte("\n"))) > int64(report.Counts.Kept) {
		t.Errorf("the table that was added holds %q of %d pages, %v", table, report.Counts.Kept, err)
	}
	visited := 0
	err = run.ReadLog(filepath.Join(setting.Store, run.FileLog), func(d *run.Decision) bool {
		if d.URL == added && (d.Decision == "keep" || d.Decision == "drop") {
			visited++
		}
		return true
	})
	if err != nil || visited != 1 {
		t.Errorf("the start page that was added was visited %d times, %v", visited, err)
	}
	ran, err := crawlfile.Load(filepath.Join(setting.Store, run.FileCrawl))
	if err != nil || ran.Budget.Pages != 40 || len(ran.Scope.NotHosts) != 1 || ran.Polite.PerHost != 2 || len(ran.Seeds) != len(setting.Seeds)+1 {
		t.Errorf("crawl.yaml says %v, %v, %v, %v", ran.Budget, ran.Scope.NotHosts, ran.Seeds, err)
	}
	narrow := setting
	narrow.Budget.Pages = 50
	if _, err := NewWith(narrow); err == nil || !strings.Contains(err.Error(), "scope.not_hosts was") {
		t.Errorf("a narrower scope: %v", err)
	}
	if setting.Config, err = crawlfile.Load(file); err != nil {
		t.Fatal(err)
	}
	setting.Budget.Pages, setting.Scope.NotHosts = 50, nil
	if again := crawled(t, context.Background(), setting, nil); again.Counts.Pages != 50 {
		t.Errorf("gone on with in a wider scope: %d pages, %s", again.Counts.Pages, again.Reason)
	}
}

// A smaller budget ends the crawl that is under way.
func TestACrawlEndsWhereItsFileSaysSo(t *testing.T) {
	setting, file := followable(t)
	report, _ := followed(t, setting, file, func(c *crawlfile.Config) { c.Budget.Pages = 5 })
	if report.Reason != "the budget of 5 pages is used up" || report.Counts.Pages >= 30 {
		t.Errorf("%d pages: %s", report.Counts.Pages, report.Reason)
	}
}

// A change of which one key may not change counts in no part, and is told by file, line and key.
func TestACrawlRefusesAChangeWhole(t *testing.T) {
	setting, file := followable(t)
	report, said := followed(t, setting, file, func(c *crawlfile.Config) {
		c.Budget.Pages = 40
		c.RandomSeed = 8
	})
	if report.Counts.Pages != 30 {
		t.Errorf("%d pages: %s", report.Counts.Pages, report.Reason)
	}
	if !strings.Contains(said, "level=WARN") || !strings.Contains(said, "random_seed: cannot change in a crawl that has begun") || !strings.Contains(said, file+":") {
		t.Errorf("it said %s", said)
	}
}

// A change that cannot be carried out counts in no part, ends nothing and leaves nothing open; the next one is compared with what runs.
func TestAChangeThatCannotBeCarriedOutCountsInNoPart(t *testing.T) {
	setting, file := followable(t)
	setting.Sinks = []crawlfile.SinkConfig{{To: "warc", Rotate: 1 << 20}}
	written(t, file, setting.Config)
	if err := os.MkdirAll(filepath.Join(setting.Store, "harvest.csv"), 0o700); err != nil {
		t.Fatal(err)
	}
	report, said := followed(t, setting, file, func(c *crawlfile.Config) {
		c.Sinks = append(slices.Clone(c.Sinks), crawlfile.SinkConfig{To: "jsonl", Rotate: 1 << 20}, crawlfile.SinkConfig{To: "csv", Rotate: 1 << 20})
		c.Seeds = append(c.Seeds[:len(c.Seeds):len(c.Seeds)], "http://www.fairwind.example/")
		c.Budget.Pages = 40
	}, func(c *crawlfile.Config) { c.Budget.Pages = 35 })
	if !strings.Contains(said, "level=WARN") || !strings.Contains(said, "harvest.csv") || !strings.Contains(said, "nothing of the change counts, and the crawl goes on as before") {
		t.Errorf("it said %s", said)
	}
	if report.Counts.Pages != 35 || !strings.Contains(said, "has changed: budget.pages is 35\"") {
		t.Errorf("mended: %d pages: %s; it said %s", report.Counts.Pages, report.Reason, said)
	}
	ran, err := crawlfile.Load(filepath.Join(setting.Store, run.FileCrawl))
	if err != nil || len(ran.Sinks) != 1 || len(ran.Seeds) != len(setting.Seeds) || ran.Budget.Pages != 35 {
		t.Errorf("crawl.yaml says %v, %v, %v, %v", ran.Sinks, ran.Seeds, ran.Budget, err)
	}
	open, _ := filepath.Glob("/proc/self/fd/*") // none where the system does not tell
	for _, fd := range open {
		if at, err := os.Readlink(fd); err == nil && strings.HasPrefix(at, setting.Store) {
			t.Errorf("%s is open after the crawl", at)
		}
	}
}

// An order that gives a crawl more pages stands while its file changes in something else: not for a moment has it fewer, in which a
// worker would go home.
func TestAnOrderStandsWhileTheFileChanges(t *testing.T) {
	setting, _ := followable(t)
	crawled(t, context.Background(), setting, nil)
	if _, err := run.Raise(setting.Store, 45, false); err != nil {
		t.Fatal(err)
	}
	report := crawled(t, context.Background(), setting, func(c *Crawler, visit int) {
		if visit != 5 {
			return
		}
		slower := setting.Config
		slower.Polite.Delay = strict.Pace(3 * time.Second)
		if err := c.takeChange(&crawlfile.Change{Config: slower, Keys: []string{"polite.delay"}}); err != nil || c.Given() != 45 {
			t.Errorf("in between it has %d pages, want 45; %v", c.Given(), err)
		}
		if err := c.takeOrders(); err != nil || c.Given() != 45 {
			t.Errorf("then it has %d pages, want 45; %v", c.Given(), err)
		}
	})
	if report.Counts.Pages != 45 {
		t.Errorf("%d pages: %s", report.Counts.Pages, report.Reason)
	}
}
