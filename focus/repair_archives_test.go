package focus

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// exchanges are the addresses that can be read in a WARC file.
func exchangesOf(t *testing.T, path string) []string {
	t.Helper()
	var all []string
	if err := sink.Exchanges(path, func(address string) { all = append(all, address) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// Damage in the middle of a WARC file is found by a repair, also where the state of the run is sound: what cannot be read is
// taken out and kept, nothing else is lost, the pages that it held are named, and the run goes on behind it.
func TestADamagedArchiveIsMended(t *testing.T) {
	config := drawnCrawl(t, "block-shark")
	config.Budget.Pages = 30
	crawled(t, context.Background(), config, nil)
	archive := filepath.Join(config.Store, "pages-0000.warc.gz")
	good, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	before := exchangesOf(t, archive)
	var starts []int64
	var lost string
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := warc.NewReader(f)
	for err == nil {
		var rec *warc.Record
		if rec, err = r.Next(); err == nil && rec.Type == "response" {
			starts = append(starts, rec.Offset)
			if len(starts) == 3 {
				lost = rec.Target
			}
		}
	}
	if len(starts) < 5 {
		t.Fatalf("%d exchanges", len(starts))
	}
	bad := slices.Clone(good)
	bad[starts[2]+40] ^= 0x20
	if err := os.WriteFile(archive, bad, 0o644); err != nil {
		t.Fatal(err)
	}
	done, err := Repair(config.Store)
	if err != nil || done.Sound || len(done.Gone) != 1 || done.Gone[0].File != archive || done.Gone[0].From != starts[2] || done.Gone[0].Why == "" || done.Kept != "" {
		t.Fatalf("%+v, %v", done, err)
	}
	if want := []string{lost}; !slices.Equal(done.Unarchived, want) {
		t.Errorf("pages that are gone: %v, want %v", done.Unarchived, want)
	}
	mended, err := os.ReadFile(archive)
	if err != nil || len(mended) != len(good) {
		t.Fatalf("the file has %d bytes and had %d: %v", len(mended), len(good), err)
	}
	if aside, err := os.ReadFile(archive + ".damaged"); err != nil || string(aside) != string(bad[done.Gone[0].From:done.Gone[0].To]) {
		t.Errorf("kept beside it: %d bytes, %v", len(aside), err)
	}
	after := exchangesOf(t, archive)
	if want := slices.DeleteFunc(slices.Clone(before), func(a string) bool { return a == lost }); !slices.Equal(after, want) {
		t.Errorf("%d exchanges can be read, want %d", len(after), len(want))
	}
	if done, err := Repair(config.Store); err != nil || !done.Sound {
		t.Errorf("repaired again: %+v, %v", done, err)
	}
	config.Budget.Pages = 120
	if report := crawled(t, context.Background(), config, nil); report.Counts.Pages <= 60 {
		t.Errorf("%d pages, %s", report.Counts.Pages, report.Reason)
	}
	if further := exchangesOf(t, archive); len(further) <= len(after) || !slices.Equal(further[:len(after)], after) {
		t.Errorf("%d exchanges, and there were %d", len(further), len(after))
	}
}

// What an earlier run kept and cannot be read is told before a crawl that repeats it begins.
func TestADamagedEarlierRunIsWarnedOf(t *testing.T) {
	config := drawnCrawl(t, "block-shark")
	config.Budget.Pages = 20
	crawled(t, context.Background(), config, nil)
	archive := filepath.Join(config.Store, "pages-0000.warc.gz")
	raw, err := os.ReadFile(archive)
	if err == nil {
		raw[len(raw)/2] ^= 0x20
		err = os.WriteFile(archive, raw, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	again := config
	again.Store, again.Fetch.Since = filepath.Join(t.TempDir(), "again"), config.Store
	c, err := New(again)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if said := strings.Join(c.Warnings(), "\n"); !strings.Contains(said, archive) || !strings.Contains(said, "cannot be read") || !strings.Contains(said, "thresher repair --run "+config.Store) {
		t.Errorf("warnings: %q", said)
	}
}
