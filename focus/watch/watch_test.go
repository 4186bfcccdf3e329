package watch_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/watch"
)

var s0, nan = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), math.NaN()

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// crawled is the folder of a finished crawl of the first crawl file.
func crawled(t *testing.T, pages int, others ...crawlfile.Override) (string, focus.Report) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "quickstart")
	config, err := focus.Load(filepath.Join("..", "..", "configs", "quickstart.yaml"), append(others, crawlfile.Override{Key: "store", Value: dir},
		crawlfile.Override{Key: "budget.pages", Value: fmt.Sprint(pages)})...)
	noError(t, err)
	c, err := focus.New(context.Background(), config)
	noError(t, err)
	report, err := c.Run(context.Background())
	noError(t, err)
	return dir, report
}

func opened(t *testing.T, dir string) *watch.Watcher {
	t.Helper()
	w, err := watch.Open(dir)
	noError(t, err)
	noError(t, w.Update())
	return w
}

// TestTheStoryIsThatOfTheCrawl holds what is read of the log against what the crawl counted, and against the site table.
func TestTheStoryIsThatOfTheCrawl(t *testing.T) {
	dir, report := crawled(t, 200)
	noError(t, run.WriteCompared(dir, &run.Compared{Strategy: "breadth", Curve: []ledger.Point{{Pages: 1}, {Pages: 200, Relevant: 20}}}))
	s := opened(t, dir).Story()
	c := &report.Counts
	if s.Counts.Pages != c.Pages || s.Counts.Kept != c.Kept || s.Counts.Relevant != c.Relevant || s.Counts.Bytes != c.Bytes {
		t.Errorf("%+v, want what was counted: %d pages, %d kept, %d relevant, %d bytes", s.Counts, c.Pages, c.Kept, c.Relevant, c.Bytes)
	}
	if s.Run.State != watch.Finished || s.Run.Reason != report.Reason || s.Pace.Limit != watch.LimitOver {
		t.Errorf("state %s, reason %q, limit %s", s.Run.State, s.Run.Reason, s.Pace.Limit)
	}
	ran, err := run.OpenAll(dir)
	noError(t, err)
	table, err := ran.Sites()
	noError(t, err)
	hosts := map[string]watch.Host{}
	for _, h := range s.Hosts {
		hosts[h.Host] = h
	}
	for _, row := range table {
		if h := hosts[row.Site]; h.Pages != row.Pages || h.Relevant != row.Relevant || h.Waiting != row.Waiting {
			t.Errorf("%s: %d pages, %d relevant, %d waiting; the site table has %d, %d, %d", row.Site, h.Pages, h.Relevant, h.Waiting, row.Pages, row.Relevant, row.Waiting)
		}
	}
	refused := 0
	for _, r := range s.Refused {
		if refused += r.Count; len(r.Examples) == 0 || r.Count < 1 {
			t.Errorf("%s: %d, examples %v", r.Reason, r.Count, r.Examples)
		}
	}
	want := 0
	for _, tally := range []map[string]int{counted(c.Refused), counted(c.Dropped)} {
		for _, n := range tally {
			want += n
		}
	}
	if refused != want {
		t.Errorf("%d refusals, want %d", refused, want)
	}
	if len(s.Finds) != 20 || len(s.Best) != 10 || s.Best[0].Relevance < s.Best[9].Relevance || s.Finds[0].Time.Before(s.Finds[19].Time) || s.Best[0].Words == nil {
		t.Errorf("finds %v\nbest %v", s.Finds, s.Best)
	}
	if len(s.Near) == 0 || s.Near[0].Relevance >= s.Run.Threshold {
		t.Errorf("near misses: %v", s.Near)
	}
	if s.Curve.With != "breadth" || len(s.Curve.Compared) != 2 || s.Curve.Points[len(s.Curve.Points)-1] != (watch.Point{Pages: c.Pages, Relevant: c.Relevant}) {
		t.Errorf("curve %+v", s.Curve)
	}
	if s.Words[0].Word == "" || s.Words[0].Kept == 0 || s.Words[0].Weight == 0 || len(s.Picks) < 2 {
		t.Errorf("words %+v, picks %+v", s.Words, s.Picks)
	}
}

// TestWhatHasNothingOfTheTopicIsNoNearMiss crawls a little, so that fewer pages have come near than are shown.
func TestWhatHasNothingOfTheTopicIsNoNearMiss(t *testing.T) {
	dir, report := crawled(t, 20)
	weak := 0
	for reason, n := range report.Counts.Dropped {
		if reason.Kind() == admit.RefusedWeak {
			weak += n
		}
	}
	near := opened(t, dir).Story().Near
	for _, f := range near {
		if f.Relevance <= 0 {
			t.Errorf("%s has none of the topic's words, and is shown as a near miss", f.URL)
		}
	}
	if weak == len(near) {
		t.Errorf("all of the %d pages that were not kept came near: the test sees nothing", weak)
	}
}

// TestWhatIsNotRelevantForMoreThanOneReasonIsNotRelevant crawls for pages in another language: what is said beside "not relevant" makes
// no page relevant, and none of them is a near miss.
func TestWhatIsNotRelevantForMoreThanOneReasonIsNotRelevant(t *testing.T) {
	dir, report := crawled(t, 120, crawlfile.Override{Key: "scope.languages", Value: "zh"})
	c, w := &report.Counts, opened(t, dir)
	foreign := 0
	for reason, n := range c.Dropped {
		if reason.Kind() == admit.RefusedWeak && reason.Said() == string(admit.RefusedLanguage) {
			foreign += n
		}
	}
	s := w.Story()
	if foreign < 10 || c.Relevant == 0 || c.Relevant >= c.Pages || s.Counts.Relevant != c.Relevant || s.Counts.Pages != c.Pages {
		t.Errorf("%d of %d pages are relevant; the crawl counted %d of %d, and %d are neither relevant nor in that language",
			s.Counts.Relevant, s.Counts.Pages, c.Relevant, c.Pages, foreign)
	}
	if last := s.Curve.Points[len(s.Curve.Points)-1]; last.Relevant != c.Relevant {
		t.Errorf("the curve ends at %+v", last)
	}
	relevant := 0
	for _, h := range s.Hosts {
		relevant += h.Relevant
	}
	if relevant != c.Relevant {
		t.Errorf("the hosts have %d relevant pages, want %d", relevant, c.Relevant)
	}
	if len(s.Near) > 0 && foreign == c.Pages-c.Relevant {
		t.Errorf("near misses that no lower threshold would keep: %v", s.Near)
	}
}

func counted[K ~string](t map[K]int) map[string]int {
	all := map[string]int{}
	for reason, n := range t {
		all[string(reason)] = n
	}
	return all
}

// TestOnlyWhatIsCommittedIsRead cuts what is committed short, and lets it grow, and be cut back.
func TestOnlyWhatIsCommittedIsRead(t *testing.T) {
	dir, _ := crawled(t, 60)
	safe := filepath.Join(dir, run.FileState, "safe")
	log, ok := run.Committed(dir)
	info, err := os.Stat(filepath.Join(dir, run.FileLog))
	if err != nil || !ok || log != info.Size() {
		t.Fatalf("%d bytes are committed (%v), and the log has %d: %v", log, ok, info.Size(), err)
	}
	commit := func(n int64) {
		noError(t, os.WriteFile(safe, fmt.Appendf(nil, "0 %d", n), 0o600))
	}
	commit(log / 2)
	w := opened(t, dir)
	half := w.Story().Counts.Pages
	commit(log)
	noError(t, w.Update())
	whole := w.Story()
	if half == 0 || half >= 60 || whole.Counts.Pages != 60 {
		t.Errorf("%d pages, then %d; want some and 60", half, whole.Counts.Pages)
	}
	commit(log / 2) // the crawl was killed, and its files cut back
	noError(t, w.Update())
	if again := w.Story().Counts.Pages; again != half {
		t.Errorf("%d pages after the log was cut back, want %d", again, half)
	}
}

// TestPrecisionIsThatOfTheLabels labels some pages of a run.
func TestPrecisionIsThatOfTheLabels(t *testing.T) {
	dir, _ := crawled(t, 60)
	w := opened(t, dir)
	s := w.Story()
	var list strings.Builder
	for i, f := range s.Finds[:8] {
		fmt.Fprintf(&list, "%s\t%s\n", f.URL, map[bool]string{true: "relevant", false: "other"}[i > 1])
	}
	for _, f := range s.Near[:4] {
		fmt.Fprintf(&list, "%s\tother\n", f.URL)
	}
	noError(t, os.WriteFile(filepath.Join(dir, "labels.tsv"), []byte(list.String()), 0o600))
	noError(t, w.Update())
	if c := w.Story().Curve; !c.Measured || c.Labelled != 12 || c.Precision != .75 || c.Recall != 1 {
		t.Errorf("%+v, want 6 of 8 right", c)
	}
}

// TestALongRunTakesLittleMemory follows a log of very many links and pages.
func TestALongRunTakesLittleMemory(t *testing.T) {
	dir, _ := crawled(t, 20)
	events := 200_000
	if os.Getenv("THRESHER_LARGE") != "" {
		events = 1_000_000
	}
	os.Remove(filepath.Join(dir, run.FileState, "safe"))
	grow(t, dir, events)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	w := opened(t, dir)
	s := w.Story()
	runtime.GC()
	runtime.ReadMemStats(&after)
	took := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	t.Logf("%d events: %.1f MB, %d pages, %d hosts", events, float64(took)/1e6, s.Counts.Pages, len(s.Hosts))
	if s.Counts.Pages < events/20 || s.Waiting.Links < events/2 {
		t.Errorf("%d pages, %d links wait: the log was not read", s.Counts.Pages, s.Waiting.Links)
	}
	if took > 40<<20 {
		t.Errorf("a watcher of %d events takes %d bytes", events, took)
	}
	runtime.KeepAlive(w)
}

// TestALinkThatCameBackIsTold: what was refused as a trap, and waited again when that turned out to be untrue, waits and is visited.
func TestALinkThatCameBackIsTold(t *testing.T) {
	dir, _ := crawled(t, 20)
	noError(t, os.Remove(filepath.Join(dir, run.FileState, "safe"))) // all is taken at its word
	w := opened(t, dir)
	before := w.Story()
	tell := func(decision string, reason admit.Refused, relevance float64) *watch.Story {
		t.Helper()
		log, err := run.OpenLog(filepath.Join(dir, run.FileLog))
		noError(t, err)
		d := run.Decision{Time: s0.Add(1 << 50), Decision: decision, ID: 1_000_000, URL: "http://back.test/", Reason: reason, Score: .5, Relevance: relevance}
		if decision == "keep" {
			d.Status = 200
		}
		noError(t, log.Write(&d))
		noError(t, log.Close())
		noError(t, w.Update())
		return w.Story()
	}
	tell("push", "", nan)
	if s := tell("drop", admit.Refuse(admit.RefusedTrap, "a calendar"), nan); s.Waiting.Links != before.Waiting.Links || s.Counts.Pages != before.Counts.Pages {
		t.Errorf("refused: %d wait, %d pages", s.Waiting.Links, s.Counts.Pages)
	}
	traps := func(s *watch.Story) (n int) {
		for _, r := range s.Refused {
			if r.Reason == admit.RefusedTrap {
				n = r.Count
			}
		}
		return n
	}
	if s := tell("push", "", nan); s.Waiting.Links != before.Waiting.Links+1 || traps(s) != traps(before) {
		t.Errorf("it waits again: %d wait, want one more than %d; %d traps, want %d", s.Waiting.Links, before.Waiting.Links, traps(s), traps(before))
	}
	if s := tell("keep", "", .6); s.Waiting.Links != before.Waiting.Links || s.Counts.Pages != before.Counts.Pages+1 || s.Counts.Kept != before.Counts.Kept+1 {
		t.Errorf("visited: %d wait, %d pages, %d kept; before %d, %d, %d", s.Waiting.Links, s.Counts.Pages, s.Counts.Kept,
			before.Waiting.Links, before.Counts.Pages, before.Counts.Kept)
	}
}

// grow writes a log of so many events behind that of a run: a page after every nine links.
func grow(t testing.TB, dir string, events int) {
	t.Helper()
	log, err := run.OpenLog(filepath.Join(dir, run.FileLog))
	noError(t, err)
	at := s0
	for i := range events {
		d := run.Decision{Time: at, Decision: "push", ID: uint64(10_000 + i), Via: uint64(10_000 + i/9), Hops: "LLL", Score: float64(i%100) / 100, Relevance: nan,
			URL: fmt.Sprintf("http://host%d.test/some/way/page%d.html", i%30_000, i), Numbers: []float32{.1, .2, .3, .4}, Words: []string{"boat"}, Anchor: "some words of a link"}
		if i%10 == 9 {
			d.ID -= 9
			d.Decision, d.Status, d.Bytes, d.Relevance, d.Title = "keep", 200, 10_000, .4, fmt.Sprintf("The title of page %d, as long as they are", i)
			d.URL = fmt.Sprintf("http://host%d.test/some/way/page%d.html", (i-9)%30_000, i-9)
			at = at.Add(86_400_000_000_000 / 100_000)
		}
		noError(t, log.Write(&d))
	}
	noError(t, log.Close())
}

// BenchmarkWatching is what a page, with the nine links on it that are new, costs who watches.
func BenchmarkWatching(b *testing.B) {
	dir := b.TempDir()
	for name, text := range map[string]string{"crawl.yaml": "name: x\n", "strategy.yaml": "name: x\nrank: {use: anchor}\n", "state/run.json": `{"state":"finished","name":"x"}`} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	grow(b, dir, 10*b.N)
	w, err := watch.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	if err := w.Update(); err != nil {
		b.Fatal(err)
	}
}
