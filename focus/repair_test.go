package focus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// A run whose journal is damaged is refused by the name of the file, the byte and the command; repaired, it goes on to its
// end, and no page is in its harvest twice.
func TestADamagedRunIsRepairedAndGoesOn(t *testing.T) {
	for part := 1; part < 8; part++ {
		config := drawnCrawl(t, "block-shark")
		config.Budget.Pages = 40
		broken := filepath.Join(t.TempDir(), "run")
		crawled(t, context.Background(), config, func(c *Crawler, visit int) {
			if err := c.keeper.Sync(); err != nil {
				t.Error(err)
			}
			if visit == 40 {
				image(t, config.Store, broken)
			}
		})
		config.Store = broken
		journal := filepath.Join(broken, run.FileState, "log-000001")
		raw, err := os.ReadFile(journal)
		if err != nil {
			t.Fatal(err)
		}
		at := len(raw) * part / 8
		raw[at] ^= 0x40
		if err := os.WriteFile(journal, raw, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := NewWith(config); err == nil || !strings.Contains(err.Error(), journal) || !strings.Contains(err.Error(), "at byte ") ||
			!strings.Contains(err.Error(), "thresher repair --run "+broken) {
			t.Fatalf("byte %d: %v", at, err)
		}
		done, err := Repair(broken)
		if err != nil || len(done.Damage) == 0 || done.Links == 0 {
			t.Fatalf("byte %d: %+v, %v", at, done, err)
		}
		report := crawled(t, context.Background(), config, nil)
		if !report.Finished || report.Counts.Pages < 35 {
			t.Errorf("byte %d: %d pages, %s", at, report.Counts.Pages, report.Reason)
		}
		seen := map[string]bool{}
		err = run.ReadLog(filepath.Join(broken, run.FileLog), func(d *run.Decision) bool {
			if d.Decision == "keep" && seen[d.URL] {
				t.Errorf("byte %d: %s was kept twice", at, d.URL)
			}
			seen[d.URL] = seen[d.URL] || d.Decision == "keep"
			return true
		})
		if err != nil || len(seen) == 0 {
			t.Errorf("byte %d: %v", at, err)
		}
	}
}

// Damage that came after the run was opened is met when a link is read, and fails the crawl: it is not told to be finished,
// and the same command is told to repair it.
func TestDamageThatIsMetLateFailsTheCrawl(t *testing.T) {
	config := drawnCrawl(t, "block-shark")
	config.Budget.Pages = 40
	crawled(t, context.Background(), config, nil)
	journal := filepath.Join(config.Store, run.FileState, "log-000001")
	raw, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	for at := len(raw) / 4; at < len(raw); at += 512 {
		raw[at] ^= 0x40
	}
	config.Budget.Pages = 300
	crawler, err := NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(journal, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	report, err := crawler.Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "thresher repair --run "+config.Store) || report.Finished {
		t.Errorf("%v; finished %v, because %s", err, report.Finished, report.Reason)
	}
	if done, err := Repair(config.Store); err != nil || len(done.Damage) == 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	if report := crawled(t, context.Background(), config, nil); !report.Finished {
		t.Errorf("repaired: %s", report.Reason)
	}
}

// A repair that was killed between the two renames of the state is done again.
func TestARepairThatWasKilledIsDoneAgain(t *testing.T) {
	config := drawnCrawl(t, "block-shark")
	config.Budget.Pages = 20
	crawled(t, context.Background(), config, nil)
	state := filepath.Join(config.Store, run.FileState)
	if err := errors.Join(os.Rename(state, state+".damaged"), os.Mkdir(state+".new", 0o755), os.WriteFile(filepath.Join(state+".new", "log-000001"), []byte("half"), 0o644)); err != nil {
		t.Fatal(err)
	}
	told := func(who string, err error) {
		t.Helper()
		if err == nil || errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "thresher repair --run "+config.Store) {
			t.Errorf("%s: %v", who, err)
		}
	}
	_, err := run.ReadStanding(config.Store)
	told("standing", err)
	config.Budget.Pages = 40
	_, err = NewWith(config)
	told("crawl", err)
	done, err := Repair(config.Store)
	if err != nil || !done.Rebuilt || done.Lost > 0 || done.Again > 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	if report := crawled(t, context.Background(), config, nil); !report.Finished || report.Counts.Pages != 40 {
		t.Errorf("%d pages, %s", report.Counts.Pages, report.Reason)
	}
}

// What is made anew of log and harvest is what the run had counted and what waited, whatever the strategy.
func TestWhatIsMadeAnewIsWhatWas(t *testing.T) {
	for _, strategy := range []string{"block-shark", "shark", "breadth", "apprentice", "genetic", "bandit"} {
		t.Run(strategy, func(t *testing.T) {
			config := drawnCrawl(t, strategy)
			config.Budget.Pages = 30
			was := crawled(t, context.Background(), config, nil)
			before := stands(t, config.Store)
			if err := os.Truncate(filepath.Join(config.Store, run.FileState, "log-000001"), 100); err != nil {
				t.Fatal(err)
			}
			done, err := Repair(config.Store)
			if err != nil || !done.Rebuilt || done.Lost > 0 || done.Again > 0 || done.Links == 0 {
				t.Fatalf("%+v, %v", done, err)
			}
			after := stands(t, config.Store)
			for address, state := range before {
				if after[address] != state && state != frontier.Dropped {
					t.Errorf("%s was %v, and is %v", address, state, after[address])
				}
			}
			if len(after) != len(before) {
				t.Errorf("%d links, and there were %d", len(after), len(before))
			}
			c, err := NewWith(func() Setting { config.Budget.Pages = 60; return config }())
			if err != nil {
				t.Fatal(err)
			}
			has := c.Counts()
			for what, pair := range map[string][2]any{
				"pages": {has.Pages, was.Counts.Pages}, "relevant": {has.Relevant, was.Counts.Relevant}, "kept": {has.Kept, was.Counts.Kept},
				"redirects": {has.Redirects, was.Counts.Redirects}, "failed": {has.Failed, was.Counts.Failed}, "bytes": {has.Bytes, was.Counts.Bytes},
				"refused": {fmt.Sprint(has.Refused), fmt.Sprint(was.Counts.Refused)}, "dropped": {fmt.Sprint(has.Dropped), fmt.Sprint(was.Counts.Dropped)},
				"fresh": {has.Fresh, was.Counts.Fresh}, "best": {fmt.Sprint(has.Best), fmt.Sprint(was.Counts.Best)},
			} {
				if pair[0] != pair[1] {
					t.Errorf("%s: %v, and was %v", what, pair[0], pair[1])
				}
			}
			c.Close()
			report := crawled(t, context.Background(), config, nil)
			if !report.Finished || report.Counts.Pages < 40 {
				t.Errorf("%d pages, %s", report.Counts.Pages, report.Reason)
			}
			keptOnce(t, config.Store)
		})
	}
}

// stands is how each address of a run stands.
func stands(t *testing.T, dir string) map[string]frontier.State {
	t.Helper()
	f, err := disk.OpenReadOnly(filepath.Join(dir, run.FileState))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string]frontier.State{}
	for id := uint64(1); id <= uint64(f.Restored().Items); id++ {
		item, state := f.Get(id)
		all[item.URL] = state
	}
	return all
}

// keptOnce answers the pages of a harvest, of which none is there twice.
func keptOnce(t *testing.T, dir string) map[string]bool {
	t.Helper()
	pages := map[string]bool{}
	for r, err := range sink.Harvest(dir) {
		if err != nil {
			t.Fatal(err)
		}
		if pages[r.URL] {
			t.Errorf("%s was kept twice", r.URL)
		}
		pages[r.URL] = true
	}
	return pages
}
