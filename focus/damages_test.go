package focus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/run"
)

// harm is one thing that can happen to a file of a state. It changes raw, or answers nil where the file is gone.
type harm struct {
	name string
	do   func(r *rand.Rand, raw []byte) []byte
}

var harms = []harm{
	{"cut", func(r *rand.Rand, raw []byte) []byte { return raw[:r.IntN(len(raw))] }},
	{"empty", func(*rand.Rand, []byte) []byte { return []byte{} }},
	{"flip", func(r *rand.Rand, raw []byte) []byte { raw[r.IntN(len(raw))] ^= 1 << r.IntN(8); return raw }},
	{"zeros", func(r *rand.Rand, raw []byte) []byte {
		at := r.IntN(len(raw))
		clear(raw[at:min(len(raw), at+1+r.IntN(4096))])
		return raw
	}},
	{"swap", func(r *rand.Rand, raw []byte) []byte {
		n := 1 + r.IntN(max(1, min(512, len(raw)/4)))
		a, b := r.IntN(len(raw)-n), r.IntN(len(raw)-n)
		if a > b {
			a, b = b, a
		}
		if b < a+n {
			return raw[:a] // they overlap: a cut instead
		}
		first := slices.Clone(raw[a : a+n])
		copy(raw[a:a+n], raw[b:b+n])
		copy(raw[b:b+n], first)
		return raw
	}},
	{"gone", func(*rand.Rand, []byte) []byte { return nil }},
}

// Whatever the disk makes of a state, it is read as it was, at its end or at an outcome before, or refused with file and
// place; nothing of it is deleted; and a repair brings the crawl back, with every page that was kept.
func TestTwoHundredDamagesOfAState(t *testing.T) {
	tries := 200
	if testing.Short() {
		tries = 30
	}
	config := drawnCrawl(t, "block-shark")
	config.Budget.Pages = 14
	killed := filepath.Join(t.TempDir(), "run")
	crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		if visit == 5 {
			if err := errors.Join(c.saveAll(), c.keeper.(*disk.Frontier).Settle()); err != nil {
				t.Error(err)
			}
		}
		if visit == 10 {
			if err := c.keeper.Sync(); err != nil {
				t.Error(err)
			}
			image(t, config.Store, killed)
		}
	})
	runs := []string{config.Store, killed} // one that ended, and one that was killed
	for _, dir := range runs {
		if _, err := run.Inject(dir, config.Seeds); err != nil {
			t.Fatal(err)
		}
	}
	config.Budget.Pages = 16
	r := rand.New(rand.NewPCG(14, 5))
	outcomes := map[string]int{}
	for try := range tries {
		from := runs[try%2]
		config.Store = filepath.Join(t.TempDir(), "run")
		if err := os.CopyFS(config.Store, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		what := damageOne(t, r, config.Store)
		told := tryDamaged(t, config, from, what)
		outcomes[told]++
		if t.Failed() {
			t.Fatalf("damage %d: %s, which was %s", try, what, told)
		}
	}
	t.Log(outcomes)
	if outcomes["refused"] < tries/2 || outcomes["read"] == 0 {
		t.Errorf("%v: the test sees nothing", outcomes)
	}
}

// damageOne does one thing to one file of a state.
func damageOne(t *testing.T, r *rand.Rand, dir string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, run.FileState, "*"))
	paths = slices.DeleteFunc(paths, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || info.Size() < 8 || filepath.Base(path) == run.FileLock // it is no part of what was kept
	})
	if err != nil || len(paths) < 3 {
		t.Fatalf("%v, %v", paths, err)
	}
	path, h := paths[r.IntN(len(paths))], harms[r.IntN(len(harms))]
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if raw = h.do(r, raw); raw == nil {
		err = os.Remove(path)
	} else {
		err = os.WriteFile(path, raw, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s of %s (%d bytes)", h.name, path, len(raw))
}

// tryDamaged opens a damaged run and goes on with it, repaired where it must be.
func tryDamaged(t *testing.T, config Setting, from, what string) (told string) {
	t.Helper()
	harvested := keptOnce(t, from)
	before := everyFile(t, filepath.Join(config.Store, run.FileState))
	c, err := NewWith(config)
	if err == nil {
		told = "read"
		asItWas(t, config.Store, from)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	} else {
		told = "refused"
		if !strings.Contains(err.Error(), filepath.Join(config.Store, run.FileState)) || !strings.Contains(err.Error(), "thresher repair --run "+config.Store) {
			t.Errorf("%s: refused with %v", what, err)
		}
		if after := everyFile(t, filepath.Join(config.Store, run.FileState)); !maps.Equal(before, after) {
			t.Errorf("%s: files were changed when it was refused", what)
		}
		done, err := Repair(config.Store)
		if err != nil || done.Sound || done.Lost > 0 {
			t.Errorf("%s: repaired %+v, %v", what, done, err)
			return told
		}
	}
	if report := crawled(t, context.Background(), config, nil); !report.Finished || report.Counts.Pages != 16 {
		t.Errorf("%s: it went on to %d pages: %s", what, report.Counts.Pages, report.Reason)
	}
	have := keptOnce(t, config.Store)
	for page := range harvested {
		if !have[page] {
			t.Errorf("%s: %s was kept, and is lost", what, page)
		}
	}
	return told
}

// asItWas tells whether every link that a run has is one that another has, and what is known of it the same.
func asItWas(t *testing.T, dir, from string) {
	t.Helper()
	f, err := disk.OpenReadOnly(filepath.Join(dir, run.FileState))
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	was, err := disk.OpenReadOnly(filepath.Join(from, run.FileState))
	if err != nil {
		t.Fatal(err)
	}
	defer was.Close()
	for id := uint64(1); id <= uint64(f.Restored().Items); id++ {
		item, _, err := f.Look(id)
		want, _ := was.Get(id)
		if err != nil || item.URL != want.URL || item.Host != want.Host || item.Identity != want.Identity {
			t.Errorf("link %d is %s, and was %s: %v", id, item.URL, want.URL, err)
		}
	}
}
