package main

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheREADMEShowsWhatIsPrinted: the quickstart is the same on every machine, so the figures of the README are too.
func TestTheREADMEShowsWhatIsPrinted(t *testing.T) {
	shown := mustRead(t, filepath.Join(home, "README.md"))
	for _, name := range chapters() {
		text, _ := chapter(name)
		shown += text
	}
	t.Chdir(home)
	run := filepath.Join(t.TempDir(), "run")
	for _, args := range [][]string{
		{"crawl", "configs/quickstart.yaml", "--store", run, "--quiet"},
		{"why", "http://oldmill.test/show.php?cat=s0&id=357", "--run", run},
		{"list", "sites", "--run", run, "--top", "3"},
	} {
		out := must(t, args...)
		took := regexp.MustCompile(`\(\d[\d.ms]* here\)`)
		out = took.ReplaceAllString(out, took.FindString(shown)) // how long it took on a quiet machine
		for line := range strings.Lines(strings.ReplaceAll(out, run, "runs/quickstart")) {
			if line = strings.TrimRight(line, "\n"); line != "" && !strings.Contains(shown, "\n    "+line+"\n") {
				t.Errorf("README and manual do not show a line of %s:\n%s", strings.Join(args[:2], " "), line)
			}
		}
	}
}

// TestTheManualShowsWhatMeasurePrints, in the chapter on measuring.
func TestTheManualShowsWhatMeasurePrints(t *testing.T) {
	manual, _ := chapter("measuring")
	_, shown, ok := strings.Cut(manual, "\n    $ thresher measure --run runs/quickstart ")
	shown, _, end := strings.Cut(shown, "\n    …\n")
	if !ok || !end {
		t.Fatal("the manual shows no measure of a run")
	}
	run := quickstartRun(t)
	t.Chdir(home)
	out := must(t, "measure", "--run", run, "--labels", "testdata/webs/quickstart/labels.tsv", "--relevant", `^sailing\t(home|hub|article)`)
	out = strings.ReplaceAll(out, run, "runs/quickstart")
	_, shown, _ = strings.Cut(shown, "\n") // behind the command
	for line := range strings.Lines(shown) {
		if line = strings.TrimPrefix(strings.TrimRight(line, "\n"), "    "); !strings.Contains(out, line+"\n") {
			t.Errorf("measure does not print\n%s\nbut\n%s", line, out)
		}
	}
}

// knowing answers the questions of thresher label by the labels of the quickstart's web, forty of them.
type knowing struct {
	shown  *bytes.Buffer
	labels string
	given  int
}

func (k *knowing) Read(p []byte) (int, error) {
	if k.given++; k.given > 40 {
		return copy(p, "q\n"), nil
	}
	var address string
	for line := range strings.Lines(k.shown.String()) {
		if strings.HasPrefix(line, "http") {
			address = strings.TrimSpace(line)
		}
	}
	if strings.Contains(k.labels, "\n"+address+"\tsailing\t") {
		return copy(p, "y\n"), nil
	}
	return copy(p, "n\n"), nil
}

// TestTheManualShowsHowPagesAreLabelled: what it shows of a session stands in the session, in that order.
func TestTheManualShowsHowPagesAreLabelled(t *testing.T) {
	manual, _ := chapter("judges")
	labels := mustRead(t, filepath.Join(home, "testdata", "webs", "quickstart", "labels.tsv"))
	run := quickstartRun(t)
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs([]string{"label", run})
	root.SetIn(&knowing{shown: &out, labels: labels})
	root.SetOut(&out)
	root.SetErr(&out)
	noError(t, root.ExecuteContext(t.Context()))
	_, shown, ok := strings.Cut(manual, "    $ thresher label runs/quickstart\n")
	shown, _, end := strings.Cut(shown, "\nThe pages shown are")
	if !ok || !end {
		t.Fatal("the manual shows no session of thresher label")
	}
	said := strings.ReplaceAll(out.String(), run, "runs/quickstart")
	for line := range strings.Lines(shown) {
		line = strings.TrimPrefix(strings.TrimRight(line, "\n"), "    ")
		if line == "" || line == "…" {
			continue
		}
		whole := line + "\n"
		if begins, cut := strings.CutSuffix(line, " …"); cut {
			whole = begins
		}
		_, rest, ok := strings.Cut(said, whole)
		if !ok {
			t.Fatalf("what thresher label says has no line %q there, but:\n%s", line, said)
		}
		said = rest
	}
}
