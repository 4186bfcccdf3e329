package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// home is the folder of the project.
var home, _ = filepath.Abs("../..")

// smallCrawl is a crawl file over the small drawn web.
func smallCrawl() string {
	web := filepath.Join(home, "testdata", "webs", "small")
	return "name: small\ntopic: {language: en, terms: [sailing, yacht, boat]}\nseeds: [http://daily.example/, http://www.ribao.example/]\n" +
		"web: " + web + "\nbudget: {pages: 40}\npolite: {delay: 0s, per_host: 4, parallel: 4}\nmin_free: 0\n"
}

// TestTheQuickstart is the first command of the README: it keeps at least twice the pages that breadth-first keeps.
func TestTheQuickstart(t *testing.T) {
	t.Chdir(home)
	store := filepath.Join(t.TempDir(), "run")
	out := must(t, "crawl", "configs/quickstart.yaml", "--store", store, "--compare", "breadth")
	for _, want := range []string{"quickstart:", "relevant pages", "best finds", "links refused", "results in " + store, "breadth"} {
		if !strings.Contains(out, want) {
			t.Errorf("the summary does not say %q:\n%s", want, out)
		}
	}
	breadth := filepath.Join(t.TempDir(), "breadth")
	must(t, "crawl", "configs/quickstart.yaml", "--store", breadth, "--strategy", "breadth")
	kept, base := lines(t, filepath.Join(store, "harvest.jsonl")), lines(t, filepath.Join(breadth, "harvest.jsonl"))
	if base == 0 || kept < 2*base {
		t.Errorf("the quickstart kept %d pages, and breadth-first %d", kept, base)
	}
	if !strings.Contains(out, fmt.Sprintf("kept %5d of", kept)) || !strings.Contains(out, fmt.Sprintf("kept %5d of", base)) {
		t.Errorf("the summary does not print both harvests, %d and %d:\n%s", kept, base, out)
	}
}

// TestNoRoomForTheComparisonIsToldBeforeTheCrawl: not when the crawl is over, and with what helps.
func TestNoRoomForTheComparisonIsToldBeforeTheCrawl(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	for _, line := range []string{"crawl small.yaml --compare breadth", "demo"} {
		if code, out, errs := thresher(t, strings.Fields(line)...); code != exitFailed || out != "" || !strings.Contains(errs, "let TMPDIR name a folder") {
			t.Errorf("%s: exit %d: %s%s", line, code, out, errs)
		}
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a crawl has begun")
	}
}

func lines(t *testing.T, file string) int {
	t.Helper()
	raw := mustRead(t, file)
	return strings.Count(raw, "\n")
}

// crawled runs the small crawl in a folder of its own, and leaves the test there.
func crawled(t *testing.T) {
	t.Helper()
	files(t, "small.yaml", smallCrawl())
	must(t, "crawl", "small.yaml")
}

func TestCrawlAsJSON(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	out := must(t, "crawl", "small.yaml", "--json", "--compare", "breadth")
	pages, last := 0, map[string]any{}
	for line := range strings.Lines(out) {
		last = map[string]any{}
		if err := json.Unmarshal([]byte(line), &last); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if last["event"] == "page" {
			pages++
		}
	}
	if last["event"] != "summary" || last["pages"] != 40.0 || last["name"] != "small" || last["compared"] == nil {
		t.Errorf("the summary is %v", last)
	}
	if pages < 40 {
		t.Errorf("%d pages were told, want all 40", pages)
	}
}

// TestReadingCommands: what a run wrote down is listed, exported and explained, for people and as JSON.
func TestReadingCommands(t *testing.T) {
	crawled(t)
	object := func(args ...string) map[string]any {
		t.Helper()
		out := must(t, append(args, "--json")...)
		var o map[string]any
		if err := json.Unmarshal([]byte(out), &o); err != nil || strings.Count(out, "\n") != 1 {
			t.Fatalf("%v: want one JSON object on one line, have %v: %s", args, err, out)
		}
		return o
	}
	url := func(list string) string {
		t.Helper()
		o := object("list", list)
		rows, _ := o[list].([]any)
		if len(rows) == 0 || o["total"] != float64(len(rows)) {
			t.Fatalf("list %s: %v", list, o)
		}
		return rows[len(rows)-1].(map[string]any)["url"].(string)
	}
	for list, fate := range map[string]string{"harvest": "kept", "frontier": "waiting"} {
		address := url(list)
		if w := object("why", address); w["fate"] != fate || w["trail"] == nil || w["score"] == nil {
			t.Errorf("why %s, of the %s: %v", address, list, w)
		} else if out := fmt.Sprint(w["score"]); !strings.Contains(out, "name:shark over:max use:mix") {
			t.Errorf("why %s does not say what its numbers are made of: %s", address, out)
		}
		code, out, _ := thresher(t, "why", address)
		for _, heading := range []string{"how we got there\n", "\nwhy it ranked so\n", "\nwhat became of it\n"} {
			if code != exitDone || !strings.Contains(out, heading) {
				t.Errorf("why %s does not say %q:\n%s", address, heading, out)
			}
		}
	}
	if w := object("why", url("refused")); w["fate"] != "refused" && w["fate"] != "dropped" || w["reason"] == nil {
		t.Errorf("why of a refused address: %v", w)
	}
	if code, out, errs := thresher(t, "why", "http://nobody.example/", "--json"); code != exitFailed || out != `{"fate":"unknown","url":"http://nobody.example/"}`+"\n" || !strings.Contains(errs, "is not known to this run") {
		t.Errorf("why of an unknown address: exit %d: %s%s", code, out, errs)
	}
	replies(t, exitMisuse, "not an address", "why", "not an address")
}

func TestExport(t *testing.T) {
	crawled(t)
	kept := lines(t, "runs/small/harvest.jsonl")
	code, out, errs := thresher(t, "export", "--to", "csv", "--fields", "url,relevance")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if code != exitDone || err != nil || len(rows) != kept+1 || rows[0][0] != "url" || len(rows[0]) != 2 {
		t.Errorf("exit %d, %d rows for %d pages, %v: %s", code, len(rows), kept, err, errs)
	}
	code, out, _ = thresher(t, "export", "--min-relevance", "0.4", "--host", "*.EXAMPLE", "--out", "best.jsonl")
	if code != exitDone || out != "" {
		t.Errorf("exit %d, and on stdout: %s", code, out)
	}
	if best := lines(t, "best.jsonl"); best == 0 || best >= kept {
		t.Errorf("%d of %d pages passed the filters", best, kept)
	}
	for _, wrong := range [][]string{{"--to", "xml"}, {"--fields", "ulr"}, {"--min-relevance", "2"}, {"--run", "nowhere"}} {
		if code, _, errs := thresher(t, append([]string{"export"}, wrong...)...); code == exitDone || errs == "" {
			t.Errorf("export %v: exit %d: %s", wrong, code, errs)
		}
	}
}

func TestJudge(t *testing.T) {
	files(t, "small.yaml", smallCrawl(), "page.html", "<title>Sailing</title><p>A yacht is a boat for sailing, and sailing needs wind.", "empty.html", "")
	code, out, errs := thresher(t, "judge", "small.yaml", "page.html", "--url", "http://a.example/")
	if code != exitDone || !strings.Contains(out, "relevant: relevance") || !strings.Contains(out, "sailing") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	code, out, _ = thresher(t, "judge", "small.yaml", "http://daily.example/", "--json")
	var v map[string]any
	if err := json.Unmarshal([]byte(out), &v); code != exitDone || err != nil || v["title"] != "Daily" {
		t.Errorf("exit %d, %v: %s", code, err, out)
	}
	replies(t, exitDone, "not relevant", "judge", "small.yaml", "empty.html")
	for wrong, want := range map[string]int{"nowhere.html": exitMisuse, "http://nobody.example/": exitFailed} {
		if code, _, errs := thresher(t, "judge", "small.yaml", wrong); code != want || !strings.Contains(errs, wrong) {
			t.Errorf("judge %s: exit %d: %s", wrong, code, errs)
		}
	}
}

// TestWrongRunFolders: each says what is wrong with it and what to do.
func TestWrongRunFolders(t *testing.T) {
	crawled(t)
	other := strings.Replace(smallCrawl(), "name: small", "name: other", 1)
	noError(t, os.WriteFile("other.yaml", []byte(other), 0o644))
	for _, c := range []struct{ line, want string }{
		{"crawl small.yaml --compare breadth", "holds a finished run (the budget of 40 pages is used up); give it a larger budget or a wider scope to go on, start over with --fresh, or give another with --store DIR"},
		{"crawl small.yaml --strategy breadth", "another crawl: the strategy was apprentice and is breadth; put it back to go on, start over with --fresh"},
		{"crawl small.yaml --set topic.threshold=0.5", "another crawl: topic.threshold was 0.3 and is 0.5; put it back to go on"},
		{"crawl other.yaml --store runs/small", `holds a run of the crawl "small", not of "other"; give another with --store DIR`},
	} {
		code, _, errs := thresher(t, strings.Fields(c.line)...)
		if code != exitFailed || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d: %s", c.line, code, errs)
		}
	}
	const finished = "nothing to do: the run in runs/small is finished (the budget of 40 pages is used up); give it a larger --budget to go on, --again to visit its pages again, --fresh to start over, --store DIR for another folder\n"
	before := folderOf(t, "runs/small")
	if code, out, errs := thresher(t, "crawl", "small.yaml"); code != exitDone || out != "" || errs != finished {
		t.Errorf("a finished crawl: exit %d: %s%s", code, out, errs)
	}
	if code, out, _ := thresher(t, "crawl", "small.yaml", "--json"); code != exitDone || !strings.HasPrefix(out, `{"event":"finished",`) {
		t.Errorf("a finished crawl as JSON: exit %d: %s", code, out)
	}
	if after := folderOf(t, "runs/small"); !maps.Equal(before, after) || after["runs/small/kept.jsonl"] == "" {
		t.Error("a finished crawl that was started again is not what it was")
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	defer taken.Close()
	for _, c := range []struct {
		line, want string
		code       int
	}{
		{"crawl small.yaml --fresh --set scope.hosts=[nope.test]", "small.yaml:3:8: seeds: none of the 2 start pages is inside the scope", exitMisuse},
		{"record small.yaml --to web --fresh --set scope.not_hosts=['*']", "none of the 2 start pages is inside the scope", exitMisuse},
		{"crawl small.yaml --fresh --set metrics=" + taken.Addr().String(), "metrics: listen tcp " + taken.Addr().String(), exitFailed},
		{"crawl small.yaml --fresh --compare brdth", `unknown strategy "brdth"`, exitMisuse},
		{"crawl small.yaml --fresh --compare context-graph", "has no model for context-graph", exitMisuse},
	} {
		if code, out, errs := thresher(t, strings.Fields(c.line)...); code != c.code || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d: %s%s", c.line, code, out, errs)
		}
		if !maps.Equal(before, folderOf(t, "runs/small")) {
			t.Fatalf("%s: it was refused, and what the run had is gone", c.line)
		}
	}
	code, out, errs := thresher(t, "crawl", "small.yaml", "--budget", "50", "--set", "polite.per_host=2")
	if code != exitDone || !strings.Contains(errs, "resuming small after 40 pages, ") || !strings.Contains(out, "small: 50 pages") {
		t.Errorf("a finished crawl with a larger budget: exit %d: %s%s", code, out, errs)
	}
	if code, _, errs := thresher(t, "crawl", "small.yaml", "--fresh"); code != exitDone {
		t.Errorf("a fresh crawl: exit %d: %s", code, errs)
	}
	const blank = "runs/a b"
	noError(t, errors.Join(os.Rename("runs/small", blank), os.WriteFile(blank+"/state/run.json", []byte("{"), 0o600)))
	if _, _, errs := thresher(t, "list", "harvest", "--run", blank); !strings.Contains(errs, "'thresher repair --run 'runs/a b'' writes it again") {
		t.Errorf("what cures a folder with a blank in its name: %s", errs)
	}
}

// TestOrdersOfARunWithoutItsPages: what keeps no page that can be searched says so, an address that can be none is named as that, and a
// budget has no bound but that of numbers.
func TestOrdersOfARunWithoutItsPages(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	must(t, "crawl", "small.yaml", "--quiet", "--budget", "5", "--store", "run", "--set", "sinks=[csv]", "--set", "second_look=off")
	for _, c := range []struct {
		line, want string
		code       int
	}{
		{"search run sailing", "run has no page that could be searched: its crawl has no jsonl sink", exitDone},
		{"inject http://daily.example:99999/ --run run", "it is not an address", exitMisuse},
		{"inject ftp://daily.example/ --run run", "neither http nor https", exitMisuse},
		{fmt.Sprintf("budget +%d --run run", math.MaxInt), "the budget is raised", exitDone},
		{"block daily.example --run run", "", exitDone},
		{"inject http://daily.example/new --run run", "refused: http://daily.example/new: its host was blocked by hand", exitMisuse},
		{"budget +1 --run run", fmt.Sprintf("the budget is %d pages already", math.MaxInt), exitFailed},
	} {
		if code, _, errs := thresher(t, strings.Fields(c.line)...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d: %s", c.line, code, errs)
		}
	}
}

func TestADamagedWebIsNamed(t *testing.T) {
	files(t, "small.yaml", strings.Replace(smallCrawl(), filepath.Join(home, "testdata", "webs", "small"), "web", 1))
	noError(t, os.CopyFS("web", os.DirFS(filepath.Join(home, "testdata", "webs", "small"))))
	pages := filepath.Join("web", "pages.warc.gz")
	raw, err := os.ReadFile(pages)
	noError(t, err)
	noError(t, os.WriteFile(pages, raw[:len(raw)/2], 0o644))
	code, _, errs := thresher(t, "crawl", "small.yaml")
	if code == exitDone || !strings.Contains(errs, "pages.warc.gz") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// TestAFullDiskStopsTheCrawl: the crawl ends with the name of the file that could not be written.
func TestAFullDiskStopsTheCrawl(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full to stand for a full disk")
	}
	files(t, "small.yaml", smallCrawl())
	noError(t, os.MkdirAll("runs/small", 0o755))
	noError(t, os.Symlink("/dev/full", "runs/small/crawl.log"))
	code, _, errs := thresher(t, "crawl", "small.yaml")
	if code != exitFailed || !strings.Contains(errs, "crawl.log") || !strings.Contains(errs, "no space left") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestAProfileOfACrawl(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	must(t, "crawl", "small.yaml", "--quiet", "--profile", "cpu.prof")
	if head, err := os.ReadFile("cpu.prof"); err != nil || !bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		t.Errorf("the profile begins with % x, %v; want that of a gzip file", head[:min(2, len(head))], err)
	}
	replies(t, exitMisuse, "--profile none/cpu.prof: there is no folder none", "crawl", "small.yaml", "--fresh", "--profile", "none/cpu.prof")
}

// ofHost tells of a path that it says something of the whole host: a crawl asks for it on its own account.
func ofHost(path string) bool { return path == "/robots.txt" || path == "/.well-known/tdmrep.json" }

// TestInterrupt: Ctrl-C finishes what is in flight, saves, and prints the summary.
func TestInterrupt(t *testing.T) {
	if os.Getenv("THRESHER_BE") != "" {
		code := execute(t.Context(), strings.Fields(os.Getenv("THRESHER_BE")), os.Stdout, os.Stderr)
		tellPeak()
		os.Exit(code)
	}
	interrupted(t, syscall.SIGINT)
}

func interrupted(t *testing.T, by os.Signal) {
	asked := make(chan struct{}, 100)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ofHost(r.URL.Path) {
			http.NotFound(w, r)
			return
		}
		asked <- struct{}{}
		if r.URL.Path != "/" {
			<-r.Context().Done() // a page that never comes
			return
		}
		fmt.Fprint(w, "<title>Sailing</title><p>sailing boat yacht <a href=/never>sailing</a>")
	}))
	defer slow.Close()
	files(t, "live.yaml", "name: live\ntopic: {language: en, terms: [sailing, US]}\nseeds: ["+slow.URL+"/]\n"+
		"polite: {contact: you@example.org, delay: 0s}\nfetch: {private: [127.0.0.1]}\nmin_free: 0\n")
	cmd := itself("crawl live.yaml")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	noError(t, err)
	noError(t, cmd.Start())
	defer cmd.Process.Kill()
	for range 2 {
		select {
		case <-asked:
		case <-time.After(tooLate):
			t.Fatalf("the crawl asked for nothing: %s", errs.String())
		}
	}
	noError(t, cmd.Process.Signal(by))
	var summary strings.Builder
	for s := bufio.NewScanner(out); s.Scan(); {
		summary.WriteString(s.Text() + "\n")
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, errs.String())
	}
	if !strings.Contains(summary.String(), "stopped because you stopped it") || !strings.Contains(summary.String(), "1 link waiting") {
		t.Errorf("the summary is:\n%s\n%s", summary.String(), errs.String())
	}
	if on := "\nthe same command goes on where it is; the second look is taken when it ends, or now by 'thresher winnow --run runs/live'\n"; !strings.Contains(summary.String(), on) {
		t.Errorf("it does not say how it goes on:\n%s", summary.String())
	}
	const few = "WARNING: few words make a poor judge: give a handful that only pages of the topic have; thresher suggest runs/live names some by the pages of this crawl\n"
	if !strings.Contains(summary.String(), few) || !strings.Contains(errs.String(), "warning: live.yaml:2:40: topic.terms[1]: US is a stop word, and is not looked for") {
		t.Errorf("of its terms it says:\n%s\n%s", summary.String(), errs.String())
	}
	if n := lines(t, "runs/live/harvest.jsonl"); n != 1 {
		t.Errorf("%d pages were saved, want 1", n)
	}
	slow.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<title>Sailing</title><p>sailing boat yacht <a href=/never>sailing</a> and something else")
	})
	code, whole, said := thresher(t, "crawl", "live.yaml")
	if strings.Contains(whole, "the same command") {
		t.Errorf("what has ended goes on:\n%s", whole)
	}
	if code != exitDone || !strings.Contains(said, "resuming live after 1 page, 1 link waiting") || lines(t, "runs/live/harvest.jsonl") != 2 {
		t.Errorf("an interrupted run: exit %d: %s", code, said)
	}
}

// TestAQuietCrawlSaysWhyItStandsStill: nobody waits in silence for a crawl that waits for him.
func TestAQuietCrawlSaysWhyItStandsStill(t *testing.T) {
	r := startRunning(t, "--quiet", "--store", "run")
	does(t, "pause", "--run", "run")
	r.errs.await(t, "standing still: paused")
	does(t, "resume", "--run", "run")
	r.errs.await(t, "going on")
	does(t, "stop", "--run", "run")
	if code := <-r.over; code != exitDone || strings.Contains(r.errs.String(), "harvest") {
		t.Errorf("exit %d: %s", code, &r.errs)
	}
}
