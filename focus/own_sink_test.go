package focus_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
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
	own, err := openAddresses(filepath.Join(dir, "table.txt"))
	if err != nil {
		return err
	}
	defer own.Close()
	crawler, err := focus.New(context.Background(), config, focus.Into(&mortal{addresses: own, left: deadly}))
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
	text, err := os.ReadFile(filepath.Join(dir, "table.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for r, err := range sink.Harvest(filepath.Join(dir, "run")) {
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, r.URL)
	}
	if table := strings.Fields(string(text)); len(kept) < 10 || !slices.Equal(table, kept) {
		t.Errorf("%d pages were kept, and the table has the rows\n%s\nwant\n%s", len(kept), strings.Join(table, "\n"), strings.Join(kept, "\n"))
	}
	return kept
}

// A process that is killed again and again, each time between a write into the program's own sink and its commit, leaves in the
// sink every kept page, once, in the order of the harvest; and the same as a run that nobody killed.
func TestASinkOfOnesOwnIsKilled(t *testing.T) {
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

	table := filepath.Join(dir, "table.txt")
	if err := os.WriteFile(table, []byte(kept[0]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := more(150); err == nil || !strings.Contains(err.Error(), "sink 1 of the program") || !strings.Contains(err.Error(), "1 rows") {
		t.Errorf("with rows that were lost: %v", err)
	}
	if text, _ := os.ReadFile(table); strings.Count(string(text), "\n") != 1 {
		t.Errorf("the table was changed all the same: %s", text)
	}
}
