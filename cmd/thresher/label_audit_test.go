package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/audit"
	folder "github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// quickstartLabels answer for a run of the quickstart.
var quickstartLabels = []string{"--answers", "testdata/webs/quickstart/labels.tsv", "--relevant", "^sailing(\t|$)"}

// An audit tells precision and recall with intervals that hold the truth, in text, in JSON, in the run folder and in its report, and is
// no more than told when it is asked for again.
func TestAnAuditOfARun(t *testing.T) {
	run := quickstartRun(t)
	said := must(t, append([]string{"label", run, "--audit", "60"}, quickstartLabels...)...)
	for _, want := range []string{"0 of 60 answers given", "audit: 60 answers by lot", "precision", "recall", "near miss", "foreign"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	if n := lines(t, filepath.Join(run, winnow.FileAudit)); n != 60 {
		t.Errorf("%d answers were written", n)
	}
	var told struct {
		audit.Figures
		Remains *audit.Remains
		Labels  string
	}
	out := must(t, "label", run, "--audit", "60", "--json")
	if err := json.Unmarshal([]byte(out), &told); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	right, all := rightly(t, filepath.Join(run, "kept.jsonl"))
	if !told.Precision.Holds(float64(right)/float64(all)) || told.Precision.Width() > .25 || told.Asked != 60 || told.Kept != all || !strings.HasSuffix(told.Labels, winnow.FileAudit) {
		t.Errorf("%d of %d are right, and it says %+v, %+v", right, all, told.Precision, told)
	}
	if missed := strings.Count(mustRead(t, filepath.Join("testdata", "webs", "quickstart", "labels.tsv")), "\tsailing\t") - right; told.Missed.Low > float64(missed) {
		t.Errorf("at least %v were missed, of %d that there are", told.Missed.Low, missed)
	}
	stands, err := folder.ReadFigures(run)
	if err != nil || stands.Audit == nil || stands.Remains == nil || stands.Remains.Missed == nil || *stands.Audit.Precision != *told.Precision || *stands.Remains.Missed != told.Missed || *told.Remains.Missed != told.Missed {
		t.Errorf("%v: the run folder says %+v", err, stands)
	}
	must(t, "label", run, "--audit", "10")
	if fewer, err := folder.ReadFigures(run); err != nil || fewer.Audit.Asked != 60 {
		t.Errorf("%v: figures of fewer answers stand in the place of better ones: %+v", err, fewer.Audit)
	}
	report := filepath.Join(run, "report.html")
	if page := mustRead(t, report); !strings.Contains(page, "<h2>Audit</h2>") || !strings.Contains(page, "The best of what is kept") {
		t.Error("the report says nothing of it")
	}
	// No judge learns from the answers, and what they say is of one harvest: it goes with it, and comes back with it.
	before := mustRead(t, filepath.Join(run, "kept.jsonl"))
	must(t, "winnow", "--run", run)
	if stands, _ = folder.ReadFigures(run); stands.Audit == nil || before != mustRead(t, filepath.Join(run, "kept.jsonl")) {
		t.Errorf("looking again at the same pages: %+v", stands)
	}
	must(t, "winnow", "--run", run, "--top", "20")
	if stands, _ = folder.ReadFigures(run); stands.Audit != nil || stands.Remains == nil || stands.Remains.Missed == nil || *stands.Remains.Missed == told.Missed || strings.Contains(mustRead(t, report), "<h2>Audit</h2>") {
		t.Errorf("the audit of another harvest stands: %+v", stands)
	}
	again := must(t, append([]string{"label", run, "--audit", "60"}, quickstartLabels...)...)
	if !strings.Contains(again, "20 are kept") || strings.Contains(again, "0 of 60 answers given") {
		t.Errorf("of another harvest:\n%s", again)
	}
}

// A person answers by keys, quits and goes on; the judge's opinion is not shown, and a dropped page can be read where it was recorded.
func TestAnAuditIsAnsweredByKeys(t *testing.T) {
	run := quickstartRun(t)
	before := mustRead(t, filepath.Join(run, "figures.json"))
	code, out := labelling(t, "s\nq\n", run, "--audit", "10")
	if code != exitDone || strings.Contains(out, "precision") || !strings.HasSuffix(out, "nothing more is known than before\n") || mustRead(t, filepath.Join(run, "figures.json")) != before {
		t.Errorf("an audit without an answer: exit %d: %s", code, out)
	}
	code, out = labelling(t, "y\nwhat\nn\ns\ny\nq\n", run, "--audit", "10")
	if code != exitDone || strings.Contains(out, "[judged") || strings.Contains(out, "text was not kept") {
		t.Fatalf("exit %d: %s", code, out)
	}
	for _, want := range []string{"1 of 10: relevant? y/n/s/q relevant", "? y: relevant, n: other", "skipped", "quit", "audit: 3 answers by lot"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	first, err := study.ReadLabels(filepath.Join(run, winnow.FileAudit))
	if err != nil || len(first) != 3 || !first[0].Relevant || first[1].Relevant {
		t.Fatalf("%v: %+v", err, first)
	}
	before = mustRead(t, filepath.Join(run, winnow.FileAudit))
	code, out = labelling(t, "u\nn\nu\ns\nu\ny\nq\n", run, "--audit", "10")
	if again, err := study.ReadLabels(filepath.Join(run, winnow.FileAudit)); code != exitDone || strings.Count(out, "taken back") != 2 || strings.Count(out, "s/u/q") != 2+1 ||
		err != nil || len(again) != 4 || !again[3].Relevant || !strings.HasPrefix(mustRead(t, filepath.Join(run, winnow.FileAudit)), before) || !strings.Contains(out, "audit: 4 answers by lot") {
		t.Errorf("answers that are taken back: exit %d, %v, %+v: %s", code, err, again, out)
	}
	code, out = labelling(t, strings.Repeat("y\n", 20), run, "--audit", "10")
	if code != exitDone || !strings.Contains(out, "of 10 answers given") || !strings.Contains(out, "audit: 10 answers by lot") {
		t.Errorf("exit %d: %s", code, out)
	}
	code, out = labelling(t, "n\nu\ny\n", run, "--audit", "11")
	if again, err := study.ReadLabels(filepath.Join(run, winnow.FileAudit)); code != exitDone || strings.Count(out, "taken back") != 1 || strings.Count(out, "11 of 11: relevant?") != 2 ||
		err != nil || len(again) != 11 || !again[10].Relevant || !strings.Contains(out, "audit: 11 answers by lot") {
		t.Errorf("the last answer of all is taken back: exit %d, %v, %+v: %s", code, err, again, out)
	}
	seen := map[string]bool{}
	all, err := study.ReadLabels(filepath.Join(run, winnow.FileAudit))
	for _, l := range all {
		seen[l.Address] = true
	}
	if err != nil || len(seen) != 11 || lines(t, filepath.Join(run, winnow.FileAudit)) != 11 {
		t.Errorf("%v: %d pages, %d lines", err, len(seen), len(all))
	}
}

// Labels that were given before count for their own pages, and are not asked for.
func TestAnAuditKnowsTheLabelsOfTheRun(t *testing.T) {
	run := quickstartRun(t)
	harvest := strings.SplitN(mustRead(t, filepath.Join(run, "kept.jsonl")), "\n", 2)[0]
	var r struct {
		FinalURL string `json:"final_url"`
	}
	noError(t, json.Unmarshal([]byte(harvest), &r))
	noError(t, os.WriteFile(filepath.Join(run, "labels.tsv"), fmt.Appendf(nil, "%s\tother\n", r.FinalURL), 0o644))
	out := must(t, append([]string{"label", run, "--audit", "300"}, quickstartLabels...)...)
	if !strings.Contains(out, "1 page had a label before") || !strings.Contains(out, "no pages are left to ask about") || strings.Contains(mustRead(t, filepath.Join(run, winnow.FileAudit)), r.FinalURL+"\t") {
		t.Errorf("it says\n%s", out)
	}
}

// A run without a second look is audited, too; what is no run is not, and flags that do not go together are told.
func TestAuditsOfAllKinds(t *testing.T) {
	run := quickstartRun(t, "--set", "second_look=off")
	replies(t, exitDone, "audit: 30 answers by lot", append([]string{"label", run, "--audit", "30"}, quickstartLabels...)...)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"label", "testdata/webs/quickstart", "--audit", "60"}, "--audit is of the folder of a run"},
		{[]string{"label", run, "--audit", "0"}, "want at least 1"},
		{[]string{"label", run, "--answers", "x.tsv"}, "--answers belongs to --audit"},
		{[]string{"label", run, "--audit", "5", "--relevant", "x"}, "--relevant belongs to --answers"},
		{[]string{"label", run, "--audit", "5", "--pool", "9"}, "--pool does not go with --audit"},
		{[]string{"label", run, "--audit", "5", "--answers", "nowhere.tsv"}, "nowhere.tsv"},
		{[]string{"label", run, "--audit", "5", "--answers", "testdata/webs/quickstart/labels.tsv", "--relevant", "("}, "is no regular expression"},
	} {
		if code, _, errs := thresher(t, c.args...); code == exitDone || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit %d: %s", c.args, code, errs)
		}
	}
}
