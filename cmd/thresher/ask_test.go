package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/ask"
)

func answers(t *testing.T, out string) (known, found []answer) {
	t.Helper()
	for line := range strings.Lines(out) {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if a.Event == "known" {
			known = append(known, a)
		} else {
			found = append(found, a)
		}
	}
	return known, found
}

// TestAsk: a question is answered from what a run knows and from what lies a few links behind that. The answers can be searched, the
// same question goes on, and the run is as it was.
func TestAsk(t *testing.T) {
	run := quickstartRun(t, "--budget", "60")
	before := folderOf(t, run)
	store := filepath.Join(t.TempDir(), "asked")
	question := "who won the yacht regatta in the harbour"
	known, found := answers(t, must(t, "ask", run, question, "--pages", "40", "--store", store, "--json"))
	if len(known) < 3 || len(found) < 5 {
		t.Fatalf("%d answers were known and %d found", len(known), len(found))
	}
	for i := 1; i < len(known); i++ {
		if known[i].Relevance > known[i-1].Relevance {
			t.Errorf("%v is shown behind %v", known[i], known[i-1])
		}
	}
	had := map[string]bool{}
	for _, a := range known {
		had[a.URL] = true
	}
	for _, a := range found {
		if had[a.URL] || a.Title == "" || a.Relevance < .3 {
			t.Errorf("found: %+v", a)
		}
		had[a.URL] = true
	}
	for path, text := range folderOf(t, run) {
		if before[path] != text {
			t.Errorf("%s of the run that was asked has changed", path)
		}
	}
	replies(t, exitDone, known[1].URL, "search", store, "regatta", "--json")
	_, more := answers(t, must(t, "ask", run, "Who"+question[3:], "--pages", "20", "--store", store, "--json"))
	for _, a := range more {
		if had[a.URL] {
			t.Errorf("%s is found again", a.URL)
		}
	}
	if n := lines(t, filepath.Join(store, "harvest.jsonl")); n < len(found)+len(more) || len(more) == 0 {
		t.Errorf("%d pages are kept, %d were found and %d more", n, len(found), len(more))
	}
	barred := known[0].URL[:strings.Index(known[0].URL, ".test/")] + ".test"
	must(t, "block", barred, "--run", run)
	asked := must(t, "ask", run, question, "--pages", "5", "--store", store, "--fresh", "--json")
	if still, anew := answers(t, asked); still[0].URL != known[0].URL || len(anew) == 0 {
		t.Errorf("with a host blocked in the run, %v are known and %v found", still, anew)
	}
	for line := range strings.Lines(mustRead(t, filepath.Join(store, "crawl.log"))) {
		if strings.Contains(line, "\t"+barred+"/") && !strings.Contains(line, "refuse: blocked") {
			t.Errorf("a host that is blocked in the run is asked for an answer: %s", line)
		}
	}
	if other := must(t, "ask", run, "steam locomotive timetable", "--pages", "10", "--store", filepath.Join(t.TempDir(), "other")); strings.Contains(other, found[0].URL) {
		t.Errorf("another question has the same answers:\n%s", other)
	}
	if code, _, errs := thresher(t, "ask", run, "another question about boats", "--store", store); code == exitDone || !strings.Contains(errs, "holds another run") {
		t.Errorf("another question into the same folder: exit %d: %s", code, errs)
	}
}

// TestAskOfACrawlFile: where there is no run, it begins at the seeds of the file.
func TestAskOfACrawlFile(t *testing.T) {
	t.Chdir(t.TempDir())
	text := mustRead(t, filepath.Join(home, "configs", "quickstart.yaml"))
	text = strings.Replace(text, "web: ", "web: "+filepath.ToSlash(filepath.Join(home, "configs"))+"/", 1)
	noError(t, os.WriteFile("file.yaml", []byte(text), 0o600))
	known, found := answers(t, must(t, "ask", "file.yaml", "帆船 比赛 sailing regatta", "--pages", "60", "--json"))
	if len(known) != 0 || len(found) == 0 {
		t.Errorf("%d known, %d found", len(known), len(found))
	}
	if made, err := filepath.Glob("runs/ask-帆船-比赛-*"); err != nil || len(made) != 1 || made[0] != ask.Folder("quickstart", "帆船 比赛 sailing regatta") {
		t.Errorf("it is kept in %v: %v", made, err)
	}
}

func TestAskMisused(t *testing.T) {
	run := quickstartRun(t, "--budget", "10")
	for question, want := range map[string]string{"the of": `the question "the of" has no word that says`, " ": "the question has 0 characters",
		"-the of?": `the question "-the of?" has no word that says`} {
		replies(t, exitMisuse, want, "ask", run, question)
	}
	for want, args := range map[string][]string{
		"two arguments, and not 1":           {run},
		"neither a crawl file nor the":       {"nowhere", "a question"},
		"--pages is 0, want 1 to 1000":       {run, "a question", "--pages", "0"},
		"--seconds is 5000, want 1 to 900":   {run, "a question", "--seconds", "5000"},
		"the question has 10000 characters,": {run, strings.Repeat("boats ", 1666) + "boat"},
	} {
		if code, _, errs := thresher(t, append([]string{"ask"}, args...)...); code == exitDone || !strings.Contains(errs, want) {
			t.Errorf("%.60v: exit %d: %s, want %s", args, code, errs, want)
		}
	}
}
