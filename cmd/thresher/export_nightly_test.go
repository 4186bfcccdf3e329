package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestATableHasTheSameColumnsEachNight: whatever has become of the run by then, a table goes where that of the night before went.
func TestATableHasTheSameColumnsEachNight(t *testing.T) {
	file := extractFile(t, "  heading: h1\n")
	run := filepath.Join(t.TempDir(), "run")
	must(t, "crawl", file, "--store", run, "--quiet", "--budget", "40")
	head := func() string {
		t.Helper()
		line, _, _ := strings.Cut(must(t, "export", "--run", run, "--to", "csv"), "\n")
		return line
	}
	looked := head()
	for _, column := range []string{"second", "importance", "gone", "cluster", "data.heading"} {
		if !strings.Contains(looked+",", ","+column+",") {
			t.Errorf("the table has no %s: %s", column, looked)
		}
	}
	noError(t, os.Remove(filepath.Join(run, "kept.jsonl")))
	if before := head(); before != looked {
		t.Errorf("before a second look the columns are\n%s\nafter it\n%s", before, looked)
	}
}
