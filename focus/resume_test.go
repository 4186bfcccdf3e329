package focus

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// drawnCrawl is a crawl of the small drawn web with a strategy.
func drawnCrawl(t testing.TB, strategy string) Setting {
	config := DefaultSetting()
	config.Name, config.Store = "small", filepath.Join(t.TempDir(), "run")
	config.Web = "../testdata/webs/small"
	config.Strategy.Name = strategy
	config.Models = map[string]string{"layers": "../testdata/config/small.layers", "context-graph": "../testdata/config/small.context"}
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "boat", Weight: 1}, {Term: "yacht", Weight: 1}}
	config.Seeds = []string{"http://daily.example/", "http://www.ribao.example/"}
	if strategy == "block-shark-strict" { // which lets no link of these front pages pass, and begins at articles, too
		config.Seeds = append(config.Seeds, "http://www.fairwind.example/", "http://townpost.test/s0/the-committee-has-begun-55.html",
			"http://www.ribao.example/tea/doc-40.html", "http://www.ribao.example/s1/doc-49.html")
	}
	config.Polite.Parallel, config.Window = 4, 6
	config.MinFree = 0 // or the crawl would wait where the disk of the tests is nearly full
	config.RandomSeed = 7
	return config
}

// crawled runs a crawl; during is called at every visit, in the middle of its turn.
func crawled(t testing.TB, ctx context.Context, config Setting, during func(c *Crawler, visit int)) Report {
	t.Helper()
	c, err := NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	visit := 0
	c.OnDone(func(*Visit) {
		if visit++; during != nil {
			during(c, visit)
		}
	})
	report, err := c.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// outcome is all that a crawl leaves behind: its files, its frontier, and what it has learned.
func outcome(t testing.TB, dir string) map[string]string {
	t.Helper()
	left := map[string]string{}
	for _, pattern := range run.Results {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			left[filepath.Base(name)] = strings.ReplaceAll(string(raw), dir, "DIR")
		}
	}
	f, err := disk.OpenReadOnly(filepath.Join(dir, run.FileState))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	restored := f.Restored()
	if len(restored.Leases) > 0 {
		t.Errorf("%d visits were never ended", len(restored.Leases))
	}
	left["learned"] = string(restored.Learned)
	if n := len(restored.Lessons); n > 1 {
		t.Errorf("%d lessons follow the last snapshot", n)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "at %v\n", restored.At)
	for id := uint64(1); id <= uint64(restored.Items); id++ {
		item, state := f.Get(id)
		fmt.Fprintf(&b, "%d %d %s %s %d %d %d %v %v %v %x\n", id, state, item.URL, item.Host, item.Via, item.Depth, item.Tier, item.Score, item.Alt, item.Numbers, item.Note)
	}
	f.Each(0, func(id uint64) bool { fmt.Fprintf(&b, "then %d\n", id); return true })
	left["frontier"] = b.String()
	return left
}

// same compares what two crawls left behind.
func same(t testing.TB, what string, have, want map[string]string) {
	t.Helper()
	for name := range want {
		if have[name] == want[name] {
			continue
		}
		if !strings.HasSuffix(name, ".gz") && name != "learned" {
			h, w := strings.Split(have[name], "\n"), strings.Split(want[name], "\n")
			for i := range min(len(h), len(w)) {
				if h[i] != w[i] {
					t.Errorf("%s: %s line %d:\nhave %.300s\nwant %.300s", what, name, i+1, h[i], w[i])
					break
				}
			}
		}
		at := 0
		for at < min(len(have[name]), len(want[name])) && have[name][at] == want[name][at] {
			at++
		}
		t.Errorf("%s: %s is another from byte %d: %d bytes, want %d", what, name, at, len(have[name]), len(want[name]))
	}
	for name := range have {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: there is also %s", what, name)
		}
	}
}

// image copies a run folder as a crash would leave it: what the frontier keeps first, so that the other files are never
// behind it.
func image(t testing.TB, from, to string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(to, run.FileState), os.DirFS(filepath.Join(from, run.FileState))); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == run.FileState {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, e.Name()), raw, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// imaged is the folder that a crawl would leave if it were killed now.
func imaged(t testing.TB, c *Crawler, config Setting) (dir string) {
	t.Helper()
	if err := c.keeper.Sync(); err != nil {
		t.Error(err)
	}
	dir = filepath.Join(t.TempDir(), "run")
	image(t, config.Store, dir)
	return dir
}

// A crawl over a recorded web that was killed in the middle of a visit and is started again ends like one that was not
// killed, to the byte: results, log, meter, frontier, and all that was learned. It is killed in every 24th
// visit, and with THRESHER_KILLS (.ci/long kills) in every ninth.
func TestAKilledCrawlEndsAsIfNothingHadHappened(t *testing.T) {
	known := DefaultSetting()
	strategies := known.Strategies()
	if testing.Short() { // one of each kind of learned state
		strategies = []string{"adaptive", "apprentice", "block-shark", "genetic", "layers", "opic"}
	}
	apart := 24 // each strategy begins with another visit
	if os.Getenv("THRESHER_KILLS") != "" {
		apart = 9
	}
	for i, strategy := range strategies {
		t.Run(strategy, func(t *testing.T) {
			config := drawnCrawl(t, strategy)
			images := map[int]string{}
			crawled(t, context.Background(), config, func(c *Crawler, visit int) {
				if visit%apart != 1+i%(apart-1) {
					return
				}
				images[visit] = imaged(t, c, config)
			})
			want := outcome(t, config.Store)
			if len(images) < 2 {
				t.Fatalf("only %d images: the test sees nothing", len(images))
			}
			for visit, dir := range images {
				again := config
				again.Store = dir
				crawled(t, context.Background(), again, nil)
				same(t, fmt.Sprintf("killed in visit %d", visit), outcome(t, dir), want)
			}
		})
	}
}

// A centre that has moved goes on from where it was. That it has moved is seen by a crawl whose centre stays.
func TestACentreThatMovedIsResumed(t *testing.T) {
	ended := func(near float64, during func(config Setting, c *Crawler, visit int)) (Setting, map[string]string) {
		config := drawnCrawl(t, "adaptive")
		config.Topic.Calibrate, config.Topic.Centre.Near, config.Topic.Threshold = "off", near, 0.1
		crawled(t, context.Background(), config, func(c *Crawler, visit int) { during(config, c, visit) })
		return config, outcome(t, config.Store)
	}
	images := map[int]string{}
	config, want := ended(0.35, func(config Setting, c *Crawler, visit int) {
		if visit%18 != 1 {
			return
		}
		images[visit] = imaged(t, c, config)
	})
	if _, still := ended(1, func(Setting, *Crawler, int) {}); still[run.FileLog] == want[run.FileLog] || len(images) < 3 {
		t.Fatalf("the centre has not moved, or there are only %d images: the test sees nothing", len(images))
	}
	for visit, dir := range images {
		again := config
		again.Store = dir
		crawled(t, context.Background(), again, nil)
		same(t, fmt.Sprintf("killed in visit %d", visit), outcome(t, dir), want)
	}
}

// So does a crawl that somebody stopped, again and again.
func TestAStoppedCrawlEndsAsIfNothingHadHappened(t *testing.T) {
	for _, strategy := range []string{"shark", "block-shark", "breadth"} {
		t.Run(strategy, func(t *testing.T) {
			config := drawnCrawl(t, strategy)
			crawled(t, context.Background(), config, nil)
			want := outcome(t, config.Store)
			config.Store = filepath.Join(t.TempDir(), "run")
			stops := 0
			for finished := false; !finished; stops++ {
				ctx, cancel := context.WithCancel(context.Background())
				report := crawled(t, ctx, config, func(c *Crawler, visit int) {
					if visit == 3+7*stops%11 {
						c.stop(run.StoppedByUser)
						cancel()
					}
				})
				cancel()
				finished = report.Finished
			}
			same(t, fmt.Sprintf("stopped %d times", stops-1), outcome(t, config.Store), want)
			if stops < 5 {
				t.Errorf("it was stopped only %d times", stops-1)
			}
		})
	}
}

// A crawl goes on from any prefix of its journal, wherever the disk was when the process was killed.
func TestEveryPrefixOfTheJournalGoesOn(t *testing.T) {
	config := drawnCrawl(t, "block-shark")
	config.Budget.Pages = 25
	last, first := filepath.Join(t.TempDir(), "run"), 0
	journal := filepath.Join(run.FileState, "log-000001")
	crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		if visit == 1 {
			info, err := os.Stat(filepath.Join(config.Store, journal))
			if err != nil {
				t.Fatal(err)
			}
			first = int(info.Size())
		}
		if visit == 25 {
			if err := c.keeper.Sync(); err != nil {
				t.Error(err)
			}
			image(t, config.Store, last)
		}
	})
	want := outcome(t, config.Store)
	whole, err := os.ReadFile(filepath.Join(last, journal))
	if err != nil {
		t.Fatal(err)
	}
	for n := first; n <= len(whole); n += max(1, (len(whole)-first)/60) {
		again := config
		again.Store = filepath.Join(t.TempDir(), "run")
		image(t, last, again.Store)
		if err := os.WriteFile(filepath.Join(again.Store, journal), whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		crawled(t, context.Background(), again, nil)
		same(t, fmt.Sprintf("%d of %d bytes", n, len(whole)), outcome(t, again.Store), want)
	}
	for _, name := range []string{"log-000001", "snapshot-000001"} {
		if err := os.Remove(filepath.Join(config.Store, run.FileState, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := NewWith(config); err == nil || !strings.Contains(err.Error(), "nothing of what was kept can be read") {
		t.Errorf("a run without its journal: %v", err)
	}
	harvest := filepath.Join(config.Store, "harvest.jsonl")
	before, err := os.ReadFile(harvest)
	if err != nil || len(before) == 0 {
		t.Fatalf("%d bytes harvested, %v", len(before), err)
	}
	young := filepath.Join(config.Store, run.FileState, run.FileRun) // killed before it had written down how many pages there were
	text, err := os.ReadFile(young)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(young, regexp.MustCompile(`(?s)"pages": \d+|,\s*"sum": "\w*"`).ReplaceAllFunc(text, func(found []byte) []byte {
		if found[0] == ',' {
			return nil // it would tell that somebody has changed it
		}
		return []byte(`"pages": 0`)
	}), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, log := range []string{"", "log-000001"} {
		if log != "" {
			if err := os.WriteFile(filepath.Join(config.Store, run.FileState, log), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := NewWith(config); err == nil || !strings.Contains(err.Error(), "nothing of what was kept can be read") {
			t.Errorf("a young run without its journal: %v", err)
		}
		if after, _ := os.ReadFile(harvest); !bytes.Equal(after, before) {
			t.Fatalf("the harvest was cut from %d bytes to %d", len(before), len(after))
		}
	}
}

// A run that was killed before its start pages were safe has lost nothing, and begins.
func TestARunThatHasFetchedNothingBegins(t *testing.T) {
	config := drawnCrawl(t, "block-shark")
	before := filepath.Join(t.TempDir(), "before")
	crawled(t, context.Background(), config, nil)
	want := outcome(t, config.Store)
	again := config
	again.Store = before
	c, err := NewWith(again)
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range again.Seeds {
		if _, _, err := c.steps.Seed(seed); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.syncWritten(); err != nil {
		t.Fatal(err)
	}
	killed := config
	killed.Store = filepath.Join(t.TempDir(), "run")
	image(t, before, killed.Store)
	c.Close()
	for _, log := range []string{"", "log-000001"} { // without a journal, and with one that has nothing in it
		if log != "" {
			if err := os.WriteFile(filepath.Join(killed.Store, run.FileState, log), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		one := killed
		one.Store = filepath.Join(t.TempDir(), "run")
		image(t, killed.Store, one.Store)
		crawled(t, context.Background(), one, nil)
		same(t, "killed with journal "+log, outcome(t, one.Store), want)
	}
}

// Of a link that a selection has given up it is not said that it waits, and of one that is held back it is said why.
func TestWhyKnowsWhatASelectionDoes(t *testing.T) {
	config := drawnCrawl(t, "genetic")
	n, err := strict.Parse("own.yaml", []byte("{from: genetic, select: {use: genetic, with: {rest: given_up}}}"))
	if err != nil {
		t.Fatal(err)
	}
	config.Strategy = crawlfile.StrategyConfig{Here: n}
	config.Budget.Pages = 20
	crawled(t, context.Background(), config, nil)
	ran, err := run.Open(config.Store)
	if err != nil {
		t.Fatal(err)
	}
	f, err := disk.OpenReadOnly(filepath.Join(config.Store, run.FileState))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	checked := map[run.Fate]int{}
	for id := uint64(1); id <= uint64(f.Restored().Items); id++ {
		item, state := f.Get(id)
		want := run.Why{Fate: run.FateWaiting}
		switch {
		case state == frontier.Dropped:
			want.Fate = run.FateGivenUp
		case state == frontier.Waiting && item.Tier >= frontier.Held:
			want.Reason = "until its selection lets it go"
		case state != frontier.Waiting:
			continue
		}
		checked[want.Fate]++
		if w, err := ran.Why(item.URL); err != nil || w.Fate != want.Fate || w.Reason != want.Reason {
			t.Fatalf("%s: %q (%s), %v; want %q (%s)", item.URL, w.Fate, w.Reason, err, want.Fate, want.Reason)
		}
	}
	if checked[run.FateGivenUp] == 0 || checked[run.FateWaiting] == 0 {
		t.Errorf("checked %v", checked)
	}
}
