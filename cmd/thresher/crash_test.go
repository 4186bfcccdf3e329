package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// leftBehind is what a run leaves behind, as its readers see it.
func leftBehind(t *testing.T, dir string) map[string]string {
	t.Helper()
	left := map[string]string{}
	for _, name := range []string{"crawl.log", "meter.csv", "harvest.jsonl", "pages-0000.warc.gz", "report.html", "crawl.yaml", "state/run.json"} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		left[name] = strings.ReplaceAll(string(raw), dir, "DIR")
	}
	code, out, errs := thresher(t, "list", "frontier", "--run", dir, "--json")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, errs)
	}
	left["frontier"] = out
	return left
}

// killedAgain runs a crawl until it is through, in processes that are killed after a while, so often at most. It answers how
// often they were, and how often one went on.
func killedAgain(t *testing.T, dir string, kills int, after func() time.Duration) (killed, resumed int) {
	t.Helper()
	for {
		cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
		cmd.Env = append(os.Environ(), "THRESHER_BE=crawl killed.yaml --store "+dir)
		var errs strings.Builder
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if killed < kills {
			time.AfterFunc(after(), func() { cmd.Process.Kill() })
		}
		err := cmd.Wait()
		if strings.Contains(errs.String(), "resuming killed after ") {
			resumed++
		}
		if err == nil {
			return killed, resumed
		}
		if cmd.ProcessState.ExitCode() >= 0 {
			t.Fatalf("%v: %s", err, errs.String())
		}
		killed++
	}
}

// TestKilledAgainAndAgain kills a crawl at random moments and starts it again, until it is through: nothing is lost, nothing
// is there twice, and all it leaves behind is what a crawl leaves behind that nobody killed. THRESHER_KILLS says how often.
func TestKilledAgainAndAgain(t *testing.T) {
	kills := 8
	if n, err := strconv.Atoi(os.Getenv("THRESHER_KILLS")); err == nil {
		kills = n
	}
	web := filepath.Join(home, "testdata", "webs", "quickstart")
	files(t, "killed.yaml", "name: killed\ntopic: {language: en, terms: [sailing, yacht, regatta, keel]}\nseeds: [http://daily.test/, http://gazette.test/]\n"+
		"strategy: block-shark\nweb: "+web+"\nbudget: {pages: 1200}\npolite: {parallel: 4}\nmin_free: 0\n")
	whole, again := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "run")
	begun := time.Now()
	if code, _, errs := thresher(t, "crawl", "killed.yaml", "--store", whole); code != exitDone {
		t.Fatalf("exit %d: %s", code, errs)
	}
	took := time.Since(begun)
	random := rand.New(rand.NewPCG(8, uint64(kills)))
	for try := 0; ; try++ {
		killed, resumed := killedAgain(t, again, kills, func() time.Duration { return time.Duration(random.Int64N(int64(2*took) / int64(min(kills, 10)))) })
		t.Logf("killed %d times, resumed %d times", killed, resumed)
		if killed >= min(kills, 4) && resumed > 0 {
			break
		}
		if try == 12 {
			t.Fatal("it was killed too rarely, or never in the middle: the test sees nothing")
		}
		if took /= 3; resumed == 0 && killed > 0 { // the machine is slower by now than it was, or else faster
			took *= 9
		}
		if err := os.RemoveAll(again); err != nil {
			t.Fatal(err)
		}
	}
	want, have := leftBehind(t, whole), leftBehind(t, again)
	for name := range want {
		if have[name] != want[name] {
			at := 0
			for at < min(len(have[name]), len(want[name])) && have[name][at] == want[name][at] {
				at++
			}
			t.Errorf("%s is another from byte %d: %d bytes, want %d:\nhave %.200q\nwant %.200q", name, at, len(have[name]), len(want[name]), have[name][at:], want[name][at:])
		}
	}
	seen := map[string]bool{}
	for line := range strings.Lines(have["harvest.jsonl"]) {
		id, _, _ := strings.Cut(line, ",")
		if seen[id] {
			t.Errorf("twice in the harvest: %s", id)
		}
		seen[id] = true
	}
	if len(seen) == 0 {
		t.Error("nothing was kept")
	}
}
