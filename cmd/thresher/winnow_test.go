package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	folder "github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// quickstarts are the folders of the quickstart's crawls that were made in this process, by what was asked of them beside. No test
// writes into them: over a recorded web the same crawl has the same bytes, so that a copy of one is as good as another crawl.
var quickstarts = map[string]string{}

// quickstartRun is the folder of a crawl of the quickstart, which is the test's own, and makes the top folder the working one.
func quickstartRun(t *testing.T, more ...string) (run string) {
	t.Helper()
	t.Chdir(home)
	asked := strings.Join(more, "\x00")
	if quickstarts[asked] == "" {
		dir, err := os.MkdirTemp(filepath.Dir(os.Getenv("XDG_CACHE_HOME")), "run-") // which goes with the process
		noError(t, err)
		dir = filepath.Join(dir, "run")
		must(t, append([]string{"crawl", "configs/quickstart.yaml", "--store", dir, "--quiet"}, more...)...)
		quickstarts[asked] = dir
	}
	run = filepath.Join(t.TempDir(), "run")
	noError(t, os.CopyFS(run, os.DirFS(quickstarts[asked])))
	return run
}

// rightly counts the pages of a file of records, and those of the topic among them.
func rightly(t *testing.T, path string) (right, all int) {
	t.Helper()
	labels := mustRead(t, filepath.Join("testdata", "webs", "quickstart", "labels.tsv"))
	for line := range strings.Lines(mustRead(t, path)) {
		var r sink.Record
		noError(t, json.Unmarshal([]byte(line), &r))
		all++
		if strings.Contains(labels, "\n"+r.FinalURL+"\tsailing\t") {
			right++
		}
	}
	return right, all
}

// Labels that nothing can be learned from end no crawl without a word of what there is.
func TestACrawlWhoseLabelsDisagreeIsWhole(t *testing.T) {
	crawled(t)
	noError(t, os.WriteFile("runs/small/labels.tsv", []byte("http://a.example/\trelevant\nhttp://a.example/\tother\n"), 0o600))
	code, _, errs := thresher(t, "crawl", "small.yaml", "--set", "budget.pages=60")
	if want := "labels.tsv:2:1: is labelled other, and relevant on line 1: take one of the two lines out; the crawl is whole, and 'thresher winnow --run runs/small' looks again"; code != exitFailed || !strings.Contains(errs, want) {
		t.Errorf("exit %d: %s\nwant %s", code, errs, want)
	}
}

// A crawl that ends looks again at what it saw. What the second look keeps is read by whoever asks what is kept; what the
// first look wrote stays as it is.
func TestACrawlEndsWithASecondLook(t *testing.T) {
	run := quickstartRun(t)
	harvest := mustRead(t, filepath.Join(run, "harvest.jsonl"))
	first, _ := rightly(t, filepath.Join(run, "harvest.jsonl"))
	right, all := rightly(t, filepath.Join(run, sink.FileKept))
	if right <= first || 10*right < 9*all {
		t.Errorf("%d of %d kept pages are of the topic, %d after the first look", right, all, first)
	}
	before := mustRead(t, filepath.Join(run, sink.FileKept))
	if said := must(t, "winnow", "--run", run); !strings.Contains(said, fmt.Sprintf("%d pages kept", all)) || before != mustRead(t, filepath.Join(run, sink.FileKept)) {
		t.Errorf("looking again says something else: %s", said)
	}
	if n := strings.Count(must(t, "list", "harvest", "--run", run, "--top", "0"), "http://") + strings.Count(must(t, "list", "harvest", "--run", run, "--top", "0"), "https://"); n < all {
		t.Errorf("list tells of %d pages, %d are kept", n, all)
	}
	eachStandsOnce(t, run)
	must(t, "winnow", "--run", run, "--top", "5")
	eachStandsOnce(t, run)
	if n := strings.Count(must(t, "export", "--run", run), "\n"); n != 5 {
		t.Errorf("export writes %d of the best 5", n)
	}
	if said := must(t, "list", "harvest", "--run", run); !strings.Contains(said, "5 of 5") && strings.Count(said, "://") != 5 {
		t.Errorf("list: %s", said)
	}
	replies(t, exitDone, "5 pages", "index", run)
	if said := must(t, "winnow", "--run", run, "--threshold", "0.9"); !regexp.MustCompile(`no page has as much as the 0\.9 that it takes; the nearest has 0\.\d+: `).MatchString(said) {
		t.Errorf("a cut that keeps nothing: %s", said)
	}
	must(t, "winnow", "--run", run)
	replies(t, exitDone, fmt.Sprintf("%d pages", all), "index", run)
	if harvest != mustRead(t, filepath.Join(run, "harvest.jsonl")) {
		t.Error("the harvest was written over")
	}
}

// A crawl that was killed before its second look was whole takes it when it is started again, says so, and has the same files as one
// that nobody disturbed. What was taken, by whomever, is not taken again, and none is where none is wanted.
func TestASecondLookThatWasKilledIsTakenLater(t *testing.T) {
	dir := quickstartRun(t)
	kept, figures := filepath.Join(dir, sink.FileKept), filepath.Join(dir, folder.FileFigures)
	whole := mustRead(t, kept) + mustRead(t, figures)
	start := func(more ...string) (out, errs string) {
		t.Helper()
		code, out, errs := thresher(t, append([]string{"crawl", "configs/quickstart.yaml", "--store", dir, "--quiet"}, more...)...)
		if code != exitDone {
			t.Fatalf("%v: exit %d: %s", more, code, errs)
		}
		return out, errs
	}
	remove(t, kept) // killed before it
	remove(t, figures)
	if _, errs := start("--set", "second_look=off"); sink.HasKept(dir) || !strings.HasPrefix(errs, "nothing to do: ") {
		t.Errorf("where none is wanted: %s", errs)
	}
	if out, errs := start(); !strings.Contains(errs, "but not its second look, which is taken now\n") || strings.Contains(errs, "nothing to do") || !strings.HasPrefix(out, "second look: of ") {
		t.Errorf("before it: %s%s", out, errs)
	}
	if mustRead(t, kept)+mustRead(t, figures) != whole {
		t.Error("a look that is taken later says something else")
	}
	remove(t, kept) // which cannot be written
	noError(t, os.Mkdir(kept, 0o700))
	if code, _, errs := thresher(t, "crawl", "configs/quickstart.yaml", "--store", dir, "--quiet"); code != exitFailed || !strings.Contains(errs, "thresher: the second look: ") || !strings.Contains(errs, "'thresher winnow --run ") {
		t.Errorf("a look that could not be written: exit %d: %s", code, errs)
	}
	remove(t, kept)
	start()
	remove(t, figures) // killed in the middle of it
	out, _ := start("--json")
	var said finishedEvent
	if err := json.Unmarshal([]byte(out), &said); err != nil || said.Event != "finished" || said.Second == nil || said.Second.Kept == 0 {
		t.Errorf("%v: %s", err, out)
	}
	must(t, "winnow", "--run", dir, "--top", "5")
	by := mustRead(t, kept)
	if out, errs := start(); out != "" || !strings.HasPrefix(errs, "nothing to do: ") || mustRead(t, kept) != by {
		t.Errorf("after a cut by hand: %s%s", out, errs)
	}
}

// why begins with what became of a page, and which look decided: of pages that the second one took in, of those it took out, and of
// those on which both agree.
func TestWhySaysWhichLookDecided(t *testing.T) {
	run := quickstartRun(t)
	records := func(name string) map[string]sink.Record {
		all := map[string]sink.Record{}
		for line := range strings.Lines(mustRead(t, filepath.Join(run, name))) {
			var r sink.Record
			noError(t, json.Unmarshal([]byte(line), &r))
			all[r.FinalURL] = r
		}
		return all
	}
	first := records("harvest.jsonl")
	says := func(moved string, from, without map[string]sink.Record, want func(sink.Record) string) {
		t.Helper()
		told := 0
		for _, address := range slices.Sorted(maps.Keys(from)) {
			r := from[address]
			if _, there := without[address]; there || told == 3 {
				continue
			}
			told++
			said, _, _ := strings.Cut(must(t, "why", r.URL, "--run", run), "\n")
			if !strings.HasPrefix(said, want(r)) || !strings.Contains(said, ": it speaks of ") && !strings.Contains(said, ": it has none of the topic's words") || !strings.HasSuffix(said, ".") {
				t.Errorf("%s: it says\n%s\nwant\n%s…", moved, said, want(r))
			}
		}
		if told == 0 {
			t.Errorf("no page was %s", moved)
		}
	}
	says("taken in", records(sink.FileKept), first, func(r sink.Record) string {
		return fmt.Sprintf("Kept, though the first look had found %.2f, because the second one, which knows the whole crawl, gave it %.2f, where it takes 0.20: it ", r.Relevance, r.Second)
	})
	must(t, "winnow", "--run", run, "--top", "5")
	f, err := folder.ReadFigures(run)
	if err != nil || f.Look.From < .21 {
		t.Fatalf("%v: the best 5 are cut at %v", err, f.Look.From)
	}
	says("taken out", first, records(sink.FileKept), func(r sink.Record) string {
		return fmt.Sprintf("Not kept in the end, because the second look, which knows the whole crawl, took it out now that it takes %.2f, though the first one had found %.2f, where it takes 0.20: it ", f.Look.From, r.Relevance)
	})
	cut := fmt.Sprintf(", where it takes %.2f", f.Look.From)
	for _, r := range records(sink.FileKept) {
		replies(t, exitDone, cut, "why", r.URL, "--run", run)
		break
	}
	if card, cut := must(t, "card", "--run", run), fmt.Sprintf("its number is `second`, and from %.3g on a page is here.", f.Look.From); !strings.Contains(card, cut) {
		t.Errorf("the card does not say %q", cut)
	}
	kept := records(sink.FileKept)
	for _, address := range slices.Sorted(maps.Keys(first)) {
		if _, stays := kept[address]; !stays { // by a label alone
			noError(t, os.WriteFile(filepath.Join(run, "labels.tsv"), []byte(address+"\trelevant\n"), 0o644))
			must(t, "winnow", "--run", run, "--top", "5")
			if said := must(t, "why", address, "--run", run); !strings.HasPrefix(said, "Kept, because ") || !strings.Contains(said, "labels.tsv says that it is relevant") {
				t.Errorf("kept for its label: %s", said)
			}
			break
		}
	}
}

// A crawl that has no room left for what is likely says so, and which key gives it more.
func TestASecondLookWithoutRoomIsTold(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(mustRead(t, filepath.Join(home, "configs", "quickstart.yaml")), "web: ../", "web: "+absolute(t, home)+"/", 1)
	file := filepath.Join(dir, "little.yaml")
	noError(t, os.WriteFile(file, []byte(text+"\nsecond_look: all\nsecond_look_bytes: 1MB\n"), 0o644))
	replies(t, exitDone, "second_look_bytes (1MB) was used up, and the least likely pages were removed", "crawl", file, "--store", filepath.Join(dir, "run"), "--budget", "600", "--quiet")
	if n := sizeOf(filepath.Join(dir, "run"), "look*.jsonl"); n == 0 || n > 1_000_000 {
		t.Errorf("they take %d bytes", n)
	}
}

// Whatever the sinks are: what is looked at again is kept by itself, and not at all where nobody wants it.
func TestASecondLookNeedsNoSink(t *testing.T) {
	dir := t.TempDir()
	for name, lines := range map[string]string{"csv": "sinks: [{to: csv}]\n", "off": "second_look: \"off\"\n"} {
		file := filepath.Join(dir, name+".yaml")
		text, _, _ := strings.Cut(mustRead(t, filepath.Join(home, "configs", "quickstart.yaml")), "\nsinks:")
		text = strings.Replace(text, "web: ../", "web: "+absolute(t, home)+"/", 1)
		noError(t, os.WriteFile(file, []byte(text+"\n"+lines), 0o644))
		run := filepath.Join(dir, name)
		said := must(t, "crawl", file, "--store", run, "--budget", "120", "--quiet")
		if looked := strings.Contains(said, "second look: "); looked != (name == "csv") || sink.HasKept(run) != looked || sink.HasLooks(run) != looked {
			t.Errorf("%s: %s", name, said)
		}
		if code, _, errs := thresher(t, "winnow", "--run", run); name == "off" && (code != exitFailed || !strings.Contains(errs, "second_look")) {
			t.Errorf("winnow without pages: exit %d: %s", code, errs)
		}
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	noError(t, err)
	return path
}

// Labels are learned from, stand, and say which threshold makes so many of the kept pages right.
func TestWinnowWithLabels(t *testing.T) {
	run := quickstartRun(t, "--set", "polite.parallel=3")
	labels := mustRead(t, filepath.Join("testdata", "webs", "quickstart", "labels.tsv"))
	replies(t, exitFailed, "thresher label", "winnow", "--run", run, "--precision", "0.9")
	var list strings.Builder
	n, foreign := 0, ""
	for seen, err := range sink.ReadLooks(run) {
		noError(t, err)
		if n++; n%2 == 0 {
			said := "other"
			if strings.Contains(labels, "\n"+seen.Record.FinalURL+"\tsailing\t") {
				said = "relevant"
			}
			written := seen.Record.FinalURL
			if n == 2 { // as a person may write it
				scheme, rest, _ := strings.Cut(written, "://")
				host, path, _ := strings.Cut(rest, "/")
				written = strings.ToUpper(scheme+"://"+host) + ":80/" + path + "#there"
			}
			fmt.Fprintf(&list, "%s\t%s\n", written, said)
		} else if !strings.Contains(labels, "\n"+seen.Record.FinalURL+"\tsailing\t") && !seen.Kept {
			foreign = seen.Record.FinalURL
		}
	}
	fmt.Fprintf(&list, "%s\trelevant\n", foreign)                                      // nothing but this label says so
	list.WriteString("http://daily.test/\tother\nhttp://nowhere.example/\trelevant\n") // one that was fetched, and is not looked at again
	noError(t, os.WriteFile(filepath.Join(run, "labels.tsv"), []byte(list.String()), 0o644))
	before, _ := rightly(t, filepath.Join(run, sink.FileKept))
	replies(t, exitDone, fmt.Sprintf("  of %d labels in labels.tsv %d count: ", n/2+3, n/2+1), "winnow", "--run", run)
	if right, all := rightly(t, filepath.Join(run, sink.FileKept)); right < before || 20*right < 19*all {
		t.Errorf("with labels %d of %d are right, %d without", right, all, before)
	}
	whyNamesLabels(t, run)
	var said winnowed
	if err := json.Unmarshal([]byte(must(t, "winnow", "--run", run, "--precision", "0.95", "--json")), &said); err != nil || said.Labels != n/2+1 || said.Unknown != 2 || said.Kept == 0 || !(0 < said.From && said.From < 1) {
		t.Errorf("%v: %+v", err, said)
	}
	replies(t, exitDone, fmt.Sprintf("by the labels a page is kept from %.3g on\n", said.From), "winnow", "--run", run, "--precision", "0.95")
}

// whyNamesLabels holds that why tells of pages that a label alone has brought in, or put out, and of no others.
func whyNamesLabels(t *testing.T, run string) {
	t.Helper()
	labels := mustRead(t, filepath.Join(run, "labels.tsv"))
	first, kept := recordsByAddress(t, filepath.Join(run, "harvest.jsonl")), recordsByAddress(t, filepath.Join(run, sink.FileKept))
	asked := map[string]int{}
	for address, r := range kept {
		if first[address] == nil {
			label := strings.Contains(labels, address+"\trelevant\n") && r.Second <= .2
			if asked[fmt.Sprint(label)]++; asked[fmt.Sprint(label)] > 2 {
				continue
			}
			said := must(t, "why", address, "--run", run)
			if label != strings.HasPrefix(said, "Kept, because "+filepath.Join(run, "labels.tsv")+" says that it is relevant, though the first look had found ") {
				t.Errorf("labelled alone %v: it says %s", label, said)
			}
		}
	}
	for address := range first {
		if kept[address] == nil && strings.Contains(labels, address+"\tother\n") {
			asked["out"]++
			if said := must(t, "why", address, "--run", run); !strings.HasPrefix(said, "Not kept in the end, because "+filepath.Join(run, "labels.tsv")+" says that it is not relevant") {
				t.Errorf("put out: %s", said)
			}
			break
		}
	}
	if asked["true"] == 0 || asked["false"] == 0 || asked["out"] == 0 {
		t.Errorf("it was asked of %v", asked)
	}
}

func TestWinnowRefusesCutsThatAreNone(t *testing.T) {
	for _, args := range [][]string{{"--top", "0"}, {"--threshold", "2"}, {"--precision", "NaN"}, {"--top", "3", "--threshold", "0.2"}, {"runs/x"}} {
		if code, _, errs := thresher(t, append([]string{"winnow"}, args...)...); code != exitMisuse {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
}

// measure tells what each look kept, by the labels.
func TestMeasureTellsWhatWasKept(t *testing.T) {
	run := quickstartRun(t)
	args := []string{"measure", "--run", run, "--labels", "testdata/webs/quickstart/labels.tsv", "--relevant", "^sailing\t"}
	var m remeasured
	noError(t, json.Unmarshal([]byte(must(t, append(args, "--json")...)), &m))
	if m.Second == nil || m.Second.Recall <= m.Kept.Recall || m.Kept.Precision < .9 || m.Second.Precision < .9 || m.Second.Recall < .85 {
		t.Errorf("first look %+v, second %+v", m.Kept, m.Second)
	}
	if m.Ceiling == nil || *m.Ceiling < m.Second.F1-.05 || *m.Ceiling > 1 {
		t.Errorf("second look %+v, ceiling %v", m.Second, m.Ceiling)
	}
	if said := must(t, args...); !strings.Contains(said, "kept: ") || !strings.Contains(said, "after the second look: ") || !strings.Contains(said, "at the most: F1 ") {
		t.Errorf("%s", said)
	}
}

// A second look that is killed while it writes leaves what was kept before, or what is kept now, and never a part; and the next one
// is not disturbed by what was left, and removes it.
func TestAKilledSecondLookLeavesOneOfBoth(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("how a process ended that was killed cannot be told there from how one did that failed")
	}
	dir := quickstartRun(t)
	kept := filepath.Join(dir, sink.FileKept)
	before := mustRead(t, kept)
	must(t, "winnow", "--run", dir, "--top", "60")
	both := map[string]bool{before: true, mustRead(t, kept): true}
	written := func() []string {
		names, err := filepath.Glob(filepath.Join(dir, whole.Beside+"*"))
		noError(t, err)
		return names
	}
	killed := 0
	for try := 0; try < 12 && killed < 2; try++ { // both kinds take turns
		cmd := itself("winnow --run " + dir)
		if try%2 == 1 {
			cmd.Env = append(cmd.Env, "THRESHER_BE=winnow --run "+dir+" --top 60")
		}
		left := written()
		noError(t, cmd.Start())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			cmd.Wait()
		}()
		look := time.NewTicker(time.Millisecond)
		for writes := false; !writes; {
			select {
			case <-ended:
				writes = true
			case <-look.C:
				writes = slices.ContainsFunc(written(), func(name string) bool { return !slices.Contains(left, name) })
			}
		}
		look.Stop()
		cmd.Process.Kill()
		<-ended
		if cmd.ProcessState.ExitCode() < 0 {
			killed++
		}
		if !both[mustRead(t, kept)] {
			t.Fatalf("kill %d leaves neither", killed)
		}
	}
	if killed == 0 {
		t.Error("it was never killed: the test sees nothing")
	}
	if must(t, "winnow", "--run", dir); mustRead(t, kept) != before {
		t.Error("the next one says something else")
	}
	if left := written(); len(left) > 0 {
		t.Errorf("what was killed has left %v", left)
	}
}

// A log that cannot be read fails no second look: what is kept and the figures are of that look, and no estimate is made.
func TestWinnowWithoutALog(t *testing.T) {
	run := quickstartRun(t)
	noError(t, os.Remove(filepath.Join(run, "crawl.log")))
	code, out, errs := thresher(t, "winnow", "--run", run, "--top", "20")
	if code != exitDone || !strings.Contains(errs, "crawl.log") || strings.Contains(out, "by an estimate") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	figures, err := folder.ReadFigures(run)
	if err != nil || figures.Look == nil || figures.Look.Kept != 20 || figures.Remains != nil && figures.Remains.Missed != nil {
		t.Errorf("%v: the figures are of another look: %+v %+v", err, figures.Look, figures.Remains)
	}
}
