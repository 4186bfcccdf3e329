package focus

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier/disk"
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
		journal := filepath.Join(broken, fileState, "log-000001")
		raw, err := os.ReadFile(journal)
		if err != nil {
			t.Fatal(err)
		}
		at := len(raw) * part / 8
		raw[at] ^= 0x40
		if err := os.WriteFile(journal, raw, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), journal) || !strings.Contains(err.Error(), "at byte ") ||
			!strings.Contains(err.Error(), "thresher repair --run "+broken) {
			t.Fatalf("byte %d: %v", at, err)
		}
		done, err := Repair(broken)
		if err != nil || len(done.Damage) == 0 || done.Items == 0 {
			t.Fatalf("byte %d: %+v, %v", at, done, err)
		}
		report := crawled(t, context.Background(), config, nil)
		if !report.Finished || report.Counts.Pages < 35 {
			t.Errorf("byte %d: %d pages, %s", at, report.Counts.Pages, report.Reason)
		}
		seen := map[string]bool{}
		err = ReadLog(filepath.Join(broken, fileLog), func(d *Decision) bool {
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
	journal := filepath.Join(config.Store, fileState, "log-000001")
	raw, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	for at := len(raw) / 4; at < len(raw); at += 512 {
		raw[at] ^= 0x40
	}
	config.Budget.Pages = 300
	crawler, err := New(config)
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

// A repair that was killed between the two renames of the state is no run that is not there: whoever looks is told, and
// repair ends what was begun, also after a crawl was tried in between.
func TestAnInterruptedRepairIsEnded(t *testing.T) {
	config := drawnCrawl(t, "block-shark")
	config.Budget.Pages = 20
	crawled(t, context.Background(), config, nil)
	state := filepath.Join(config.Store, fileState)
	journal := filepath.Join(state, "log-000001")
	raw, err := os.ReadFile(journal)
	if err == nil {
		raw[len(raw)/2] ^= 0x40
		err = os.WriteFile(journal, raw, 0o644)
	}
	const injected = "http://daily.example/\n"
	if err = errors.Join(err, os.WriteFile(filepath.Join(state, fileInjected), []byte(injected), 0o644)); err != nil {
		t.Fatal(err)
	}
	strategy, err := config.LoadStrategy(config.Factors)
	if err != nil {
		t.Fatal(err)
	}
	got, err := disk.Salvage(state, new(Repaired).witness(config.Store, strategy))
	if err = errors.Join(err, os.Rename(state, state+".new")); err != nil {
		t.Fatal(err)
	}
	told := func(who string, err error) {
		t.Helper()
		if err == nil || errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "thresher repair --run "+config.Store) {
			t.Errorf("%s: %v", who, err)
		}
	}
	_, err = ReadStanding(config.Store)
	told("standing", err)
	config.Budget.Pages = 40
	_, err = New(config)
	told("crawl", err)
	afresh := config
	afresh.Store, afresh.Fresh = filepath.Join(t.TempDir(), "run"), true
	if err := os.CopyFS(afresh.Store, os.DirFS(config.Store)); err != nil {
		t.Fatal(err)
	}
	if report := crawled(t, context.Background(), afresh, nil); report.Counts.Pages != 40 {
		t.Errorf("afresh: %d pages, %s", report.Counts.Pages, report.Reason)
	}
	done, err := Repair(config.Store)
	if err != nil || done.Ended != got.Kept || done.Sound {
		t.Fatalf("%+v, %v", done, err)
	}
	if have, err := os.ReadFile(filepath.Join(state, fileInjected)); err != nil || string(have) != injected {
		t.Errorf("what was injected: %q, %v", have, err)
	}
	if s, err := ReadStanding(config.Store); err != nil || s.State != "interrupted" {
		t.Errorf("standing: %+v, %v", s, err)
	}
	if done, err := Repair(config.Store); err != nil || !done.Sound {
		t.Errorf("repaired again: %+v, %v", done, err)
	}
	if report := crawled(t, context.Background(), config, nil); !report.Finished || report.Counts.Pages != 40 {
		t.Errorf("%d pages, %s", report.Counts.Pages, report.Reason)
	}
}
