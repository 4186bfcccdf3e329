package focus_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// ownCrawl is a crawl of the small drawn web with a run folder below dir.
func ownCrawl(dir string) focus.Config {
	config := focus.Default()
	config.Name, config.Store, config.Web, config.MinFree = "own", filepath.Join(dir, "run"), "../testdata/webs/small", 0
	config.Seeds = []string{"http://daily.example/", "http://www.ribao.example/"}
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "boat", Weight: 1}, {Term: "yacht", Weight: 1}}
	config.Polite.Parallel, config.Budget.Pages = 4, 150
	return config
}

// ownTable runs a crawl whose sink is a table beside the run folder. Where deadly is not 0, it is killed after so many rows.
func ownTable(dir string, config focus.Config, deadly int) (err error) {
	return ownTables(dir, config, deadly, "table.txt")
}

// ownTables does it with a table of each name, or with none.
func ownTables(dir string, config focus.Config, deadly int, names ...string) (err error) {
	var tables []sink.Sink
	for _, name := range names {
		own, err := openAddresses(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer own.Close()
		tables = append(tables, &mortal{addresses: own, left: deadly})
	}
	crawler, err := focus.New(context.Background(), config, focus.Into(tables...))
	if err != nil {
		return err
	}
	_, err = crawler.Run(context.Background())
	return err
}

// mortal is a table whose process is killed after some rows, between write and commit.
type mortal struct {
	*addresses
	left int
}

func (m *mortal) Write(r *sink.Record) error {
	if err := m.addresses.Write(r); err != nil {
		return err
	}
	if m.left--; m.left == 0 {
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		self.Kill()
		select {}
	}
	return nil
}

// ownSinkWorker is the process that TestASinkOfOnesOwnIsKilled kills.
func ownSinkWorker(told string) int {
	rows, dir, _ := strings.Cut(told, " ")
	n, err := strconv.Atoi(rows)
	if err == nil {
		err = ownTable(dir, ownCrawl(dir), n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// tableIsHarvest compares a table with the harvest beside it.
func tableIsHarvest(t *testing.T, dir string) []string {
	t.Helper()
	return holdsHarvest(t, filepath.Join(dir, "table.txt"), filepath.Join(dir, "run"))
}

func holdsHarvest(t *testing.T, path, folder string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for r, err := range sink.Harvest(folder) {
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, r.URL)
	}
	if table := strings.Fields(string(text)); len(kept) < 5 || !slices.Equal(table, kept) {
		t.Errorf("%d pages were kept, and the table has the rows\n%s\nwant\n%s", len(kept), strings.Join(table, "\n"), strings.Join(kept, "\n"))
	}
	return kept
}

// A process that is killed again and again, each time between a write into the program's own sink and its commit, leaves in the
// sink every kept page, once, in the order of the harvest; and the same as a run that nobody killed.
func TestASinkOfOnesOwnIsKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("how a process ended that was killed cannot be told there from how one did that failed")
	}
	dir, kills := t.TempDir(), 0
	for ; kills < 100; kills++ { // each time over another page: one over which a process dies three times is set aside
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprint("THRESHER_OWN_SINK=", 2+kills, " ", dir))
		out, err := cmd.CombinedOutput()
		if err == nil {
			break
		}
		if cmd.ProcessState.ExitCode() > 0 {
			t.Fatalf("after %d kills: %v\n%s", kills, err, out)
		}
	}
	if kills < 2 {
		t.Errorf("it was killed %d times", kills)
	}
	t.Logf("killed %d times", kills)
	killed := tableIsHarvest(t, dir)
	quiet := t.TempDir()
	if err := ownTable(quiet, ownCrawl(quiet), 0); err != nil {
		t.Fatal(err)
	}
	if alive := tableIsHarvest(t, quiet); !slices.Equal(killed, alive) {
		t.Errorf("the run that was killed kept %d pages, and the one that was not %d, or others", len(killed), len(alive))
	}
}

// A sink that is new to a run that goes on, or whose run was repaired, is given what the run has kept, once; and one that has
// lost rows is refused.
func TestASinkThatIsNewToARun(t *testing.T) {
	dir := t.TempDir()
	config := ownCrawl(dir)
	config.Budget.Pages = 60
	crawler, err := focus.New(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := crawler.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	more := func(pages int) error {
		config.Budget.Pages = pages
		return ownTable(dir, config, 0)
	}
	if err := more(90); err != nil {
		t.Fatal(err)
	}
	tableIsHarvest(t, dir)

	logs, err := filepath.Glob(filepath.Join(dir, "run", run.FileState, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range logs { // what the frontier knew is gone, and is made anew
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := focus.Repair(filepath.Join(dir, "run")); err != nil {
		t.Fatal(err)
	}
	if err := more(120); err != nil {
		t.Fatal(err)
	}
	kept := tableIsHarvest(t, dir)

	harvest := filepath.Join(dir, "run", "harvest.jsonl") // its last page is gone: it is visited again
	text, err := os.ReadFile(harvest)
	if err != nil {
		t.Fatal(err)
	}
	text = text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1]
	if err := os.WriteFile(harvest, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if done, err := focus.Repair(filepath.Join(dir, "run")); err != nil || done.Again != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if err := more(121); err != nil {
		t.Fatal(err)
	}
	if again := tableIsHarvest(t, dir); len(again) != len(kept) {
		t.Errorf("%d pages are kept, and %d were", len(again), len(kept))
	}

	table := filepath.Join(dir, "table.txt")
	if err := os.WriteFile(table, []byte(kept[0]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := more(150); err == nil || !strings.Contains(err.Error(), "sink 1 of the program") || !strings.Contains(err.Error(), "1 rows") || !strings.Contains(err.Error(), "focus.Fresh") {
		t.Errorf("with rows that were lost: %v", err)
	}
	if text, _ := os.ReadFile(table); strings.Count(string(text), "\n") != 1 {
		t.Errorf("the table was changed all the same: %s", text)
	}
}

// A run that went on without its sink leaves no hole in it: on disk and on Redis, and where only the second of two sinks was away.
func TestARunGoesOnWithoutItsSink(t *testing.T) {
	web, err := filepath.Abs("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	for _, store := range []string{"disk", "redis"} {
		t.Run(store, func(t *testing.T) {
			dir := t.TempDir()
			config := ownCrawl(dir)
			config.Web = web
			folder := func() string { return config.Store }
			if store == "redis" {
				t.Chdir(dir)
				config.Store = "redis://" + miniredis.RunT(t).Addr()
				folder = func() string {
					found, err := filepath.Glob(filepath.Join("runs", "own", "*"))
					if err != nil || len(found) != 1 {
						t.Fatalf("the machine's folder: %v, %v", found, err)
					}
					return found[0]
				}
			}
			for i, stretch := range [][]string{{"one"}, {}, {"one"}, {"one", "two"}, {"one"}, {"one", "two"}} {
				config.Budget.Pages = 12 + 8*i
				if err := ownTables(dir, config, 0, stretch...); err != nil {
					t.Fatal(err)
				}
				for _, name := range stretch {
					holdsHarvest(t, filepath.Join(dir, name), folder())
				}
			}
		})
	}
}

// A sink of one's own needs no jsonl sink beside it, unless it is to be given what was kept without it: then the crawl does not go
// on with a hole in the sink, or with records of which half is missing, but says what helps.
func TestASinkWithoutAWholeHarvest(t *testing.T) {
	for name, sinks := range map[string][]crawlfile.SinkConfig{
		"csv":    {{To: "csv", Rotate: 1 << 30}},
		"chosen": {{To: "jsonl", Rotate: 1 << 30, Fields: []string{"id", "url", "title"}}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			config := ownCrawl(dir)
			config.Sinks = sinks
			rows := func() int {
				text, err := os.ReadFile(filepath.Join(dir, "table.txt"))
				if err != nil {
					t.Fatal(err)
				}
				return strings.Count(string(text), "\n")
			}
			more := func(pages int, names ...string) error {
				config.Budget.Pages = pages
				return ownTables(dir, config, 0, names...)
			}
			if err := more(12, "table.txt"); err != nil {
				t.Fatal(err)
			}
			first := rows()
			if err := more(20, "table.txt"); err != nil {
				t.Fatal(err)
			}
			second := rows()
			if first == 0 || second <= first {
				t.Errorf("%d rows, and then %d", first, second)
			}
			if err := more(28); err != nil {
				t.Fatal(err)
			}
			refused := func() {
				t.Helper()
				err := more(60, "table.txt")
				if err == nil || !strings.Contains(err.Error(), "focus.Fresh") || !strings.Contains(err.Error(), "a jsonl sink without fields") || !strings.Contains(err.Error(), "sink 1") {
					t.Errorf("a sink that cannot be made whole: %v", err)
				}
				if rows() != second {
					t.Errorf("it was touched: %d rows, and %d before", rows(), second)
				}
			}
			refused()
			config.Sinks = ownCrawl(dir).Sinks // from now on: of what was kept before it says nothing
			refused()
			if err := more(36); err != nil {
				t.Fatal(err)
			}
			refused()
		})
	}
}

// Where no run is kept, nothing was committed: the sink begins with nothing, in a crawl and on a collector.
func TestASinkWithoutARun(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "table.txt")
	left := func() int {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), "\n")
	}
	leave := func() {
		if err := os.WriteFile(path, []byte(strings.Repeat("http://nobody.example/knows\n", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	leave()
	config := ownCrawl(dir)
	config.Store = ""
	if err := ownTable(dir, config, 0); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := left(); n == 0 || n > 150 || strings.Contains(string(text), "nobody") {
		t.Errorf("the table has %d rows:\n%.300s", n, text)
	}

	leave()
	own, err := openAddresses(path)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if _, err := focus.Attach(colly.NewCollector(), frontier.NewMemory(frontier.Manners{}), solarTopic(t), loadTree(t, sharkTree), focus.Into(own)); err != nil {
		t.Fatal(err)
	}
	if n := left(); n != 0 {
		t.Errorf("Attach left %d rows", n)
	}
}

// panicking is a sink of a program that is not as it should be, from the third page on.
type panicking struct {
	pages int
	syncs bool // it panics there
}

func (p *panicking) Write(*sink.Record) error {
	if p.pages++; p.pages > 2 && !p.syncs {
		panic("no room")
	}
	return nil
}
func (p *panicking) Lengths() map[string]int64 { return nil }
func (p *panicking) Sync() error {
	if p.syncs {
		panic("no disk")
	}
	return nil
}
func (p *panicking) Close() error { return nil }

// A sink that panics ends the crawl as one that fails does, with the page that it was given: no page is passed over that others have.
// One that is nil is refused before anything is fetched.
func TestASinkThatPanics(t *testing.T) {
	config := ownCrawl(t.TempDir())
	config.Polite.Parallel = 1
	if _, err := focus.New(t.Context(), config, focus.Into(&panicking{}, nil)); err == nil || !strings.Contains(err.Error(), "sink 2 of the program is nil") {
		t.Errorf("a sink that is nil: %v", err)
	}
	own := &panicking{}
	crawler, err := focus.New(t.Context(), config, focus.Into(own))
	if err != nil {
		t.Fatal(err)
	}
	report, err := crawler.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "sink 1 of the program: it panicked at ") || !strings.Contains(err.Error(), "own_sink_test.go:") || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "no room") || report.Finished || len(report.Panics) > 0 {
		t.Errorf("it ended with %v; finished %v, %q", err, report.Finished, report.Panics)
	}
	if own.pages != 3 || report.Counts.Kept != 2 {
		t.Errorf("%d pages were given, %d kept", own.pages, report.Counts.Kept)
	}
	config = ownCrawl(t.TempDir())
	if crawler, err = focus.New(t.Context(), config, focus.Into(&panicking{syncs: true})); err != nil {
		t.Fatal(err)
	}
	if _, err := crawler.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "sink 1 of the program: it panicked at ") || !strings.Contains(err.Error(), ": no disk") {
		t.Errorf("one that panics when it is made safe: %v", err)
	}
	config = ownCrawl(t.TempDir())
	for form, want := range map[string]string{"panics": "sink panics: it panicked at ", "none": "open none sink: its form, which the program has registered, opens none"} {
		config.Sinks = []crawlfile.SinkConfig{{To: "jsonl", Rotate: 1 << 30}, {To: sink.Form(form), Rotate: 1 << 30}}
		crawler, err := focus.New(t.Context(), config, focus.Fresh())
		if err == nil {
			_, err = crawler.Run(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("form %s: %v", form, err)
		}
	}
}

// unclosed is a sink that cannot be closed.
type unclosed struct{ panicking }

func (u *unclosed) Write(*sink.Record) error { return nil }
func (u *unclosed) Close() error             { return errors.New("no room at the end") }

// A run whose pages are not all safe at its end is not said to be finished: the rounds that follow would take it for whole.
func TestARunThatCannotBeClosedIsNotFinished(t *testing.T) {
	config := ownCrawl(t.TempDir())
	config.Sinks = []crawlfile.SinkConfig{{To: "jsonl", Rotate: 1 << 30}, {To: "unclosed", Rotate: 1 << 30}}
	crawler, err := focus.New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	report, err := crawler.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "no room at the end") || report.Finished || report.Counts.Kept == 0 {
		t.Errorf("it ended with %v; finished %v, %d kept", err, report.Finished, report.Counts.Kept)
	}
	if standing, err := run.ReadStanding(config.Store); err != nil || standing.State != "interrupted" {
		t.Errorf("the run is said to be %s (%v)", standing.State, err)
	}
	config.Sinks = config.Sinks[:1]
	if crawler, err = focus.New(t.Context(), config); err != nil {
		t.Fatalf("it does not go on: %v", err)
	}
	if report, err = crawler.Run(t.Context()); err != nil || !report.Finished {
		t.Errorf("gone on with it ended with %v; finished %v", err, report.Finished)
	}
}

func init() {
	sink.Register("panics", func(string, sink.Options) (sink.Sink, error) { return &panicking{}, nil })
	sink.Register("unclosed", func(string, sink.Options) (sink.Sink, error) { return &unclosed{}, nil })
	sink.Register("none", func(string, sink.Options) (sink.Sink, error) { return nil, nil })
}
