package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheREADMEShowsWhatIsPrinted: the quickstart is the same on every machine, so the figures of the README are too.
func TestTheREADMEShowsWhatIsPrinted(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(home, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(home)
	run := filepath.Join(t.TempDir(), "run")
	for _, args := range [][]string{
		{"crawl", "configs/quickstart.yaml", "--store", run, "--quiet"},
		{"why", "https://harbour-club.example/2021/10/345.html", "--run", run},
		{"list", "sites", "--run", run, "--top", "3"},
	} {
		code, out, errs := thresher(t, args...)
		if code != exitDone {
			t.Fatalf("%v: exit %d: %s", args, code, errs)
		}
		for line := range strings.Lines(strings.ReplaceAll(out, run, "runs/quickstart")) {
			if line = strings.TrimRight(line, "\n"); line != "" && !strings.Contains(string(raw), "\n    "+line+"\n") {
				t.Errorf("the README does not show a line of %s:\n%s", strings.Join(args[:2], " "), line)
			}
		}
	}
}
