package focus_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// digests are the files of a run folder, by what is in them.
func digests(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "lock" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if name == "state/safe" || strings.HasPrefix(name, "state/log-") || strings.HasPrefix(name, "state/snapshot-") {
			return nil // the frontier's own files hold a secret of their own, and are written in batches
		}
		sum := sha256.Sum256([]byte(strings.ReplaceAll(string(raw), dir, "DIR")))
		sums[name] = hex.EncodeToString(sum[:8])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// replayConfig is a crawl of the small drawn web.
func replayConfig(t testing.TB) focus.Setting {
	config := focus.DefaultSetting()
	config.Name, config.Store = "small", filepath.Join(t.TempDir(), "run")
	config.Web = "../testdata/webs/small"
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "boat", Weight: 1}, {Term: "yacht", Weight: 1}}
	config.Seeds = []string{"http://daily.example/", "http://www.ribao.example/"}
	config.Polite.Parallel = 8
	config.RandomSeed = 7
	config.MinFree = 0
	return config
}

// nearby makes a web of the small one that was recorded beside its servers: most answers took no time that could be measured.
func nearby(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../testdata/webs/small")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "pages.warc.gz")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	from, err := warc.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	to := warc.NewWriter(&b)
	for n := 0; ; n++ {
		r, err := from.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			r.Header.Set(replay.TookField, []string{"2", "0", "0", "0"}[n%4])
			_, err = to.Write(r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The same crawl over a recorded web writes the same bytes, however many workers there are and however they are
// scheduled. Another window is another crawl.
func TestReplayWritesTheSameBytes(t *testing.T) {
	web := nearby(t)
	var first map[string]string
	for _, parallel := range []int{8, 1, 3, 8} {
		config := replayConfig(t)
		config.Web = web
		config.Window, config.Polite.Parallel = 8, parallel
		crawlWith(t, config)
		sums := digests(t, config.Store)
		delete(sums, "crawl.yaml") // says how many workers there were
		if first == nil {
			first = sums
			if len(sums) < 4 {
				t.Fatalf("the run folder has only %v", sums)
			}
			continue
		}
		for name, sum := range first {
			if sums[name] != sum {
				t.Errorf("with %d workers %s is another file", parallel, name)
			}
		}
	}
	config := replayConfig(t)
	config.Web, config.Window = web, 1
	crawlWith(t, config)
	if digests(t, config.Store)["crawl.log"] == first["crawl.log"] {
		t.Error("another window made the same crawl: the test sees nothing")
	}
}

// No page too many is fetched, whatever is in flight.
func TestTheBudgetIsKeptToThePage(t *testing.T) {
	for _, pages := range []int{1, 7, 20} {
		config := replayConfig(t)
		config.Budget.Pages = pages
		if got := crawlWith(t, config).Counts.Pages; got != pages {
			t.Errorf("over a recorded web %d pages were fetched, want %d", got, pages)
		}
		live := solarConfig(t, solarWeb())
		live.Budget.Pages = min(pages, 9)
		if got := crawlWith(t, live).Counts.Pages; got != min(pages, 9) {
			t.Errorf("live %d pages were fetched, want %d", got, min(pages, 9))
		}
	}
}

// What a run wrote down answers why, for every kind of address.
func TestWhy(t *testing.T) {
	config := replayConfig(t)
	config.Budget.Pages = 30
	crawlWith(t, config)
	ran, err := run.Open(config.Store)
	if err != nil {
		t.Fatal(err)
	}
	var kept, waiting, refused string
	pushed := map[uint64]string{}
	err = ran.Log(func(d *run.Decision) bool {
		switch d.Decision {
		case "keep":
			if d.Via != 0 {
				kept = d.URL
			}
			delete(pushed, d.ID)
		case "drop":
			delete(pushed, d.ID)
		case "push":
			pushed[d.ID] = d.URL
		case "refuse":
			refused = d.URL
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, waiting = range pushed {
		break
	}
	for address, want := range map[string]run.Fate{kept: run.FateKept, waiting: run.FateWaiting, refused: run.FateRefused,
		"http://nobody.example/": run.FateUnknown} {
		w, err := ran.Why(address)
		if err != nil || w.Fate != want {
			t.Errorf("%s is %q (%v), want %q", address, w.Fate, err, want)
		}
		if want != run.FateUnknown && (len(w.Trail) == 0 || w.Trail[len(w.Trail)-1].URL != address) {
			t.Errorf("%s: the trail is %v", address, w.Trail)
		}
	}
	w, _ := ran.Why(kept)
	if len(w.Visit.Numbers) != len(ran.Strategy.Nodes()) {
		t.Errorf("a kept page has %d numbers, and the strategy %d nodes", len(w.Visit.Numbers), len(ran.Strategy.Nodes()))
	}
	if w.Trail[0].URL != "http://daily.example/" && w.Trail[0].URL != "http://www.ribao.example/" {
		t.Errorf("the trail begins at %s", w.Trail[0].URL)
	}
	if _, err := ran.Why("::"); err == nil {
		t.Error("nonsense was taken for an address")
	}
}

// A run folder is for one run at a time, and says so.
func TestRunFolderRefusals(t *testing.T) {
	config := replayConfig(t)
	config.Budget.Pages = 5
	crawler, err := focus.NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := focus.NewWith(config); err == nil || !strings.Contains(err.Error(), "in use by process") {
		t.Errorf("a folder in use: %v", err)
	}
	if _, err := crawler.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	other := config
	other.Name = "another"
	if _, err := focus.NewWith(other); err == nil || !strings.Contains(err.Error(), `holds a run of the crawl "small", not of "another"`) {
		t.Errorf("the folder of another crawl: %v", err)
	}
	if _, err := focus.NewWith(config); err == nil || !strings.Contains(err.Error(), "--fresh") {
		t.Errorf("a finished run: %v", err)
	}
	config.Fresh = true
	if report := crawlWith(t, config); report.Counts.Pages != 5 {
		t.Errorf("a fresh run fetched %d pages", report.Counts.Pages)
	}
	if _, err := crawler.Run(context.Background()); err == nil {
		t.Error("a crawler ran twice")
	}
}
