package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
)

// leftBehind is what a run leaves behind, as its readers see it.
func leftBehind(t *testing.T, dir string) map[string]string {
	t.Helper()
	left := map[string]string{}
	names := []string{"crawl.log", "meter.csv", "report.html", "crawl.yaml", "kept.jsonl", "state/run.json"}
	for _, many := range []string{"harvest*.jsonl", "pages-*.warc.gz", "look*.jsonl"} {
		paths, err := filepath.Glob(filepath.Join(dir, many))
		if err != nil || len(paths) < 2 && many != "look*.jsonl" {
			t.Fatalf("%s: %d files, %v: results go into one file, and the test sees nothing of the others", many, len(paths), err)
		}
		for _, path := range paths {
			names = append(names, filepath.Base(path))
		}
	}
	for _, name := range names {
		raw := mustRead(t, filepath.Join(dir, name))
		left[name] = strings.ReplaceAll(raw, dir, "DIR")
	}
	out := must(t, "list", "frontier", "--run", dir, "--json")
	left["frontier"] = out
	return left
}

// killedAgain runs a crawl until it is through, in processes that are killed when they have begun so many visits, so often at
// most. It answers how often they were, and how often one went on.
func killedAgain(t *testing.T, dir string, kills int, after func() int) (killed, resumed int) {
	t.Helper()
	for {
		cmd := itself("crawl killed.yaml --store " + dir)
		var errs strings.Builder
		cmd.Stderr = &errs
		progress := begunIn(dir)
		noError(t, cmd.Start())
		ended, dead := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(dead)
			if killed < kills && progress.reach(after(), ended) {
				cmd.Process.Kill()
			}
		}()
		err := cmd.Wait()
		close(ended)
		<-dead
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

// begun is how far a process is, as it writes down itself: each visit that begins is a line of state/underway. The file that
// an earlier process left is replaced when the first visit begins.
type begun struct {
	path   string
	before os.FileInfo // nil if there was none
}

func begunIn(dir string) begun {
	p := begun{path: filepath.Join(dir, "state", "underway")}
	p.before, _ = os.Stat(p.path)
	return p
}

// reach waits until so many visits have begun, and answers false if the process ends before. What two processes died over must have
// been survived: a third death over it, however chance had it, sets it aside, and then the crawl is another.
func (p begun) reach(visits int, ended <-chan struct{}) bool {
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-ended:
			return false
		case <-look.C:
		}
		text, err := os.ReadFile(p.path)
		now, gone := os.Stat(p.path)
		if err != nil || gone != nil || p.before != nil && os.SameFile(p.before, now) {
			continue
		}
		if bytes.Count(text, []byte(" + ")) >= visits && !twiceDeadly(string(text)) {
			return true
		}
	}
}

// twiceDeadly tells whether a list of what is under way has a visit that two processes died over, and that has not ended since.
func twiceDeadly(underway string) bool {
	deadly := map[string]bool{}
	for line := range strings.Lines(underway) {
		if said := strings.Fields(line); len(said) > 2 && said[1] == "!!" {
			deadly[said[2]] = true
		} else if len(said) > 2 && said[1] == "-" {
			delete(deadly, said[2])
		}
	}
	return len(deadly) > 0
}

// killsOf is how often a test kills: THRESHER_KILLS, or so often.
func killsOf(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("THRESHER_KILLS")); err == nil {
		return n
	}
	return usual
}

// TestKilledAgainAndAgain kills a crawl after a random number of visits and starts it again, until it is through: nothing is lost, nothing
// is there twice, and all it leaves behind is what a crawl leaves behind that nobody killed. THRESHER_KILLS says how often it
// is killed in all: a crawl that is through before is begun anew, and every one of them is compared.
func TestKilledAgainAndAgain(t *testing.T) {
	kills := killsOf(8)
	pages, size := 500, "64KB"
	if kills > 8 {
		pages, size = 800, "100KB"
	}
	web := filepath.Join(home, "testdata", "webs", "quickstart")
	files(t, "killed.yaml", "name: killed\ntopic: {language: en, terms: [sailing, yacht, regatta, keel]}\nseeds: [http://daily.test/, http://gazette.test/]\n"+
		"strategy: block-shark\nweb: "+web+"\nbudget: {pages: "+strconv.Itoa(pages)+"}\npolite: {parallel: 4}\nmin_free: 0\n"+
		"second_look: all\nsecond_look_bytes: 1MB\n"+ // which is used up again and again
		"sinks: [{to: jsonl, rotate: "+size+"}, {to: warc, rotate: "+size+"}]\n")
	whole := filepath.Join(t.TempDir(), "run")
	must(t, "crawl", "killed.yaml", "--store", whole)
	want := leftBehind(t, whole)
	if _, first := want["look.jsonl"]; first {
		t.Error("there was room for all pages: the test does not see how the least likely ones are removed")
	}
	random := rand.New(rand.NewPCG(8, uint64(kills)))
	for try, left := 0, kills; left > 0; try++ {
		again := filepath.Join(t.TempDir(), "run")
		killed, resumed := killedAgain(t, again, left, func() int { return 8 + random.IntN(2*pages/min(left, 10)) })
		t.Logf("crawl %d was killed %d times, and resumed %d times", try+1, killed, resumed)
		if try == kills+12 {
			t.Fatal("it was killed too rarely, or never in the middle: the test sees nothing")
		}
		if resumed > 0 {
			left -= killed
		}
		sameLeft(t, want, leftBehind(t, again))
		if t.Failed() {
			t.FailNow()
		}
	}
}

// sameLeft tells whether two runs have left the same behind, and no page twice.
func sameLeft(t *testing.T, want, have map[string]string) {
	t.Helper()
	for name := range have {
		if _, there := want[name]; !there {
			t.Errorf("%s is there, and should not be", name)
		}
	}
	seen := map[string]bool{}
	for name := range want {
		if have[name] != want[name] {
			at := 0
			for at < min(len(have[name]), len(want[name])) && have[name][at] == want[name][at] {
				at++
			}
			t.Errorf("%s is another from byte %d: %d bytes, want %d:\nhave %.200q\nwant %.200q", name, at, len(have[name]), len(want[name]), have[name][at:], want[name][at:])
		}
		if !strings.HasPrefix(name, "harvest") {
			continue
		}
		for line := range strings.Lines(have[name]) {
			_, line, _ = strings.Cut(line, `"id":`)
			id, _, _ := strings.Cut(line, ",")
			if seen[id] {
				t.Errorf("twice in the harvest: %s", id)
			}
			seen[id] = true
		}
	}
	if len(seen) == 0 {
		t.Error("nothing was kept")
	}
}

// A page has one verdict: in the order of another strategy, with another number of workers, and in a crawl that is killed again and
// again (TestTwoMachinesJudgeAsOne is the same of machines that share a crawl).
func TestOneVerdictWhoeverAsks(t *testing.T) {
	web := filepath.Join(home, "testdata", "webs", "quickstart")
	crawl := func(strategy string, workers int) string {
		return "name: killed\ntopic: {language: en, terms: [sailing, yacht, regatta, keel]}\nseeds: [http://daily.test/, http://gazette.test/]\n" +
			"strategy: " + strategy + "\nweb: " + web + "\nbudget: {pages: 420}\nsecond_look: off\npolite: {parallel: " + strconv.Itoa(workers) + "}\nmin_free: 0\n"
	}
	files(t, "killed.yaml", crawl("apprentice", 5), "broad.yaml", crawl("breadth", 1))
	must(t, "crawl", "broad.yaml", "--store", "broad", "--quiet")
	again := filepath.Join(t.TempDir(), "run")
	random := rand.New(rand.NewPCG(4, 8))
	if killed, resumed := killedAgain(t, again, 5, func() int { return 20 + random.IntN(100) }); killed < 3 || resumed < 2 {
		t.Fatalf("it was killed %d times, and went on %d times: the test sees nothing", killed, resumed)
	}
	verdicts := func(dir string) map[string]float64 {
		of := map[string]float64{}
		noError(t, run.ReadLog(filepath.Join(dir, "crawl.log"), func(d *run.Decision) bool {
			if (d.Decision == "keep" || d.Decision == "drop") && d.Relevance == d.Relevance {
				of[d.URL] = d.Relevance
			}
			return true
		}))
		return of
	}
	broad, both, relevant := verdicts("broad"), 0, 0
	for address, relevance := range verdicts(again) {
		was, ok := broad[address]
		if !ok {
			continue
		}
		if both++; was >= .3 {
			relevant++
		}
		if was != relevance {
			t.Errorf("%s: %v in one crawl, and %v in the other", address, was, relevance)
		}
	}
	if both < 100 || relevant < 10 {
		t.Errorf("both crawls have judged %d pages, %d of them relevant: the test sees nothing", both, relevant)
	}
}
