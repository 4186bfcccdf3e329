package forget

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/run"
)

var _ = debug.SetGCPercent(400) // tests allocate much and hold little

const host = "fairwind.test"

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// crawled is a finished run of a drawn web.
func crawled(t *testing.T, overrides ...crawlfile.Override) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	config, err := focus.Load(filepath.Join("..", "..", "configs", "quickstart.yaml"), append(overrides, crawlfile.Override{Key: "store", Value: dir},
		crawlfile.Override{Key: "budget.pages", Value: "60"}, crawlfile.Override{Key: "min_free", Value: "0"})...)
	noError(t, err)
	c, err := focus.New(context.Background(), config)
	noError(t, err)
	if _, err := c.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// content is every file of a folder but its lock, by its name.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == run.FileLock {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		raw, err := os.ReadFile(path)
		all[filepath.ToSlash(name)] = string(raw)
		return err
	})
	noError(t, err)
	return all
}

func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "run")
	noError(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// TestAKillLeavesTheOldOrTheNew kills at every step: before the new files are whole the run is the old one to the byte, and from then
// on the next who opens it finds the new one.
func TestAKillLeavesTheOldOrTheNew(t *testing.T) {
	dir := crawled(t)
	noError(t, os.MkdirAll(filepath.Join(dir, "index", "generation-1"), 0o755))
	for name, text := range map[string]string{"index/current": "generation-1", "labels.tsv": "http://" + host + "/\trelevant\nhttp://daily.test/\tother\n"} {
		noError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600))
	}
	old := content(t, dir)
	var steps []string
	whole := copied(t, dir)
	if _, err := hostsBy(whole, []string{host}, func(step string) { steps = append(steps, step) }); err != nil {
		t.Fatal(err)
	}
	fresh := content(t, whole)
	if len(steps) < 20 || fresh["harvest.jsonl"] == old["harvest.jsonl"] || fresh["labels.tsv"] != "http://daily.test/\tother\n" || fresh["index/current"] != "" {
		t.Fatalf("%d steps: %q", len(steps), steps)
	}
	ready := slices.Index(steps, "ready")
	for at, step := range steps {
		dir := copied(t, dir)
		killed(t, dir, at)
		if _, err := run.ReadStanding(dir); err != nil {
			t.Fatalf("killed at %q: %v", step, err)
		}
		now := content(t, dir)
		if at <= ready {
			maps.DeleteFunc(now, func(name, _ string) bool { return strings.HasPrefix(name, run.FolderStaged+"/") })
			if !maps.Equal(now, old) {
				t.Fatalf("killed at %q: the run is not the old one", step)
			}
			if at%4 == 0 { // what the killed one left is in nobody's way
				if _, err := Hosts(dir, []string{host}); err != nil {
					t.Fatalf("after a kill at %q: %v", step, err)
				}
				now = content(t, dir)
			}
		}
		if at > ready || at%4 == 0 {
			if !slices.Equal(slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(fresh))) {
				t.Fatalf("killed at %q: there are %q, want %q", step, slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(fresh)))
			}
			for name, text := range fresh {
				if !strings.HasPrefix(name, run.FileState+"/") && name != run.FileReport && now[name] != text { // a state has a key of its own
					t.Fatalf("killed at %q: %s is another", step, name)
				}
			}
			sound(t, dir)
		}
	}
}

// killed forgets the host in a process that ends at a step.
func killed(t *testing.T, dir string, at int) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Fatal("it was not killed")
		}
	}()
	n := 0
	_, err := hostsBy(dir, []string{host}, func(string) {
		if n == at {
			panic("killed")
		}
		n++
	})
	t.Fatal(err)
}

// sound holds that the state of a run can be read, and has nothing of the host.
func sound(t *testing.T, dir string) {
	t.Helper()
	f, err := disk.Examine(filepath.Join(dir, run.FileState), 0)
	noError(t, err)
	defer f.Close()
	waiting := 0
	for id := range uint64(f.Restored().Items) {
		it, state, err := f.Look(id + 1)
		if err != nil || strings.Contains(it.URL, host) || it.Host == host {
			t.Fatalf("%v %v", it.URL, err)
		}
		if state == frontier.Waiting {
			waiting++
		}
	}
	if waiting == 0 {
		t.Error("nothing waits any more")
	}
}

// TestWhatIsRefused: what cannot be done is told with the way round it, and changes nothing.
func TestWhatIsRefused(t *testing.T) {
	dir := crawled(t)
	refused := func(dir, host, want string) {
		t.Helper()
		before := content(t, dir)
		if _, err := Hosts(dir, []string{host}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if !maps.Equal(content(t, dir), before) {
			t.Errorf("%q, and the run was changed", want)
		}
	}
	refused(dir, "nobody.example", "the run knows no address on nobody.example")
	aside := copied(t, dir)
	os.WriteFile(filepath.Join(aside, "crawl.log.damaged"), []byte("x"), 0o600)
	refused(aside, host, "crawl.log.damaged was set aside by a repair")
	asideAgain := copied(t, dir)
	os.MkdirAll(filepath.Join(asideAgain, "again"), 0o700)
	os.WriteFile(filepath.Join(asideAgain, "again", "look.jsonl.damaged"), []byte("x"), 0o600)
	refused(asideAgain, host, "again/look.jsonl.damaged was set aside by a repair")
	machine := copied(t, dir)
	os.WriteFile(filepath.Join(machine, run.FileState, "machine"), []byte("x"), 0o600)
	refused(machine, host, "thresher block HOST --run")
	nameless := copied(t, dir)
	os.WriteFile(filepath.Join(nameless, "harvest.jsonl"), []byte("{\"title\":\"A page\"}\n"), 0o600)
	refused(nameless, host, "nobody can tell whose pages")
	for _, name := range []string{"harvest.jsonl", "crawl.log"} {
		linked, to := copied(t, dir), filepath.Join(t.TempDir(), "elsewhere")
		path := filepath.Join(linked, name)
		noError(t, os.Rename(path, to))
		if err := os.Symlink(to, path); err != nil {
			break // who may make them differs among Windows'
		}
		refused(linked, host, path+" is a link")
	}
	lock, err := run.Hold(dir)
	noError(t, err)
	defer lock.Release()
	var inUse *run.InUseError
	if _, err := Hosts(dir, []string{host}); !errors.As(err, &inUse) {
		t.Errorf("a run that goes on: %v", err)
	}
}

// TestAMeterIsCountedAnew: a row that goes takes with it what the crawl found by it, and nothing else.
func TestAMeterIsCountedAnew(t *testing.T) {
	rows := [][]string{
		{"1", "0", "0", "9", "0.0000", "", "", "a.test"},
		{"2", "1", "1", "9", "0.5000", "", "", host},
		{"3", "1", "1", "9", "0.3333", "", "", "a.test"},
		{"4", "2", "2", "9", "0.5000", "", "", "a.test"},
	}
	left := recount(rows, func(row []string) bool { return row[7] == host })
	want := [][]string{
		{"1", "0", "0", "9", "0.0000", "", "", "a.test"},
		{"2", "0", "0", "9", "0.0000", "", "", "a.test"},
		{"3", "1", "1", "9", "0.3333", "", "", "a.test"},
	}
	if !slices.EqualFunc(left, want, slices.Equal) {
		t.Errorf("%q", left)
	}
}

// TestWhatWasVisitedAgainIsForgotten: what later visits found of a host goes as what the first did; and while a round is not
// finished nothing is changed.
func TestWhatWasVisitedAgainIsForgotten(t *testing.T) {
	dir := crawled(t)
	first := content(t, dir)
	if !strings.Contains(first["harvest.jsonl"], host) || !strings.Contains(first["look.jsonl"], host) {
		t.Fatal("the run has nothing of the host")
	}
	seen := `{"id":1,"url":"http://` + host + `/"}` + "\n" + `{"id":2,"url":"http://daily.test/"}` + "\n"
	for name, text := range map[string]string{
		"fetched.jsonl": seen, "again/visits.jsonl": seen, "again/harvest.jsonl": first["harvest.jsonl"] + `{"id":4294967297,"url":"http://` + host + `/late"}` + "\n", "again/look.jsonl": first["look.jsonl"],
		"again/pages-0000.warc.gz": first["pages-0000.warc.gz"],
		"again/asked-000001.log":   first["crawl.log"],
		"again/links.json":         `{"round":3,"known":["http://` + host + `/a","http://daily.test/a"],"waiting":null,"absent":{"http://` + host + `/a":"2026-05-01T00:00:00Z","http://daily.test/a":"2026-05-01T00:00:00Z"}}`, "again/plan.json": "{}",
	} {
		noError(t, os.MkdirAll(filepath.Join(dir, "again"), 0o700))
		noError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600))
	}
	before := content(t, dir)
	if _, err := Hosts(dir, []string{host}); err == nil || !strings.Contains(err.Error(), "not finished, and asks a host nothing more that is blocked (thresher block HOST)") || !maps.Equal(content(t, dir), before) {
		t.Fatalf("while a round goes on: %v", err)
	}
	noError(t, os.Remove(filepath.Join(dir, "again", "plan.json")))
	done, err := Hosts(dir, []string{host})
	noError(t, err)
	if want := strings.Count(first["harvest.jsonl"], `"host":"`+host) + 1; done.Kept != want {
		t.Errorf("%d pages of the harvest went, want %d: each once, and what a round found", done.Kept, want)
	}
	after := content(t, dir)
	for _, name := range []string{"fetched.jsonl", "again/visits.jsonl", "again/harvest.jsonl", "again/look.jsonl", "again/links.json", "again/asked-000001.log"} {
		own := after[name]
		if name == "again/harvest.jsonl" && own != after["harvest.jsonl"] || name == "again/look.jsonl" && own != after["look.jsonl"] {
			t.Errorf("%s is not what the file of the first crawl is", name)
		}
		if !strings.HasPrefix(name, "again/harvest") && !strings.HasPrefix(name, "again/look") && strings.Contains(own, host) || own == "" {
			t.Errorf("%s is %.300s", name, own)
		}
	}
	if strings.Count(after["again/links.json"], "daily.test/a") != 2 || !strings.Contains(after["again/links.json"], `"round":3`) {
		t.Errorf("links are %s", after["again/links.json"])
	}
	if after["again/pages-0000.warc.gz"] != after["pages-0000.warc.gz"] {
		t.Error("the archive is not what that of the first crawl is")
	}
}
