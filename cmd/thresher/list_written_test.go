package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestListHarvestSaysWhatIsSearched: a process that was killed may have written pages of which its log does not tell yet, and half of one
// more. They are listed as they are searched, and the half is neither.
func TestListHarvestSaysWhatIsSearched(t *testing.T) {
	ran := quickstartRun(t, "--budget", "60")
	noError(t, os.Remove(filepath.Join(ran, "kept.jsonl")))
	listed := func() []string {
		t.Helper()
		code, out, errs := thresher(t, "list", "harvest", "--run", ran)
		if code != exitDone {
			t.Fatal(code, errs)
		}
		return strings.Split(strings.TrimSpace(out), "\n")
	}
	whole := listed()
	harvest := mustRead(t, filepath.Join(ran, "harvest.jsonl"))
	if len(whole) != strings.Count(harvest, "\n")+1 { // and the head
		t.Fatalf("%d lines for %d pages", len(whole), strings.Count(harvest, "\n"))
	}
	path := filepath.Join(ran, "crawl.log")
	log := mustRead(t, path)
	noError(t, os.WriteFile(path, []byte(log[:strings.LastIndex(log[:len(log)/3], "\n")+1]), 0o600))
	noError(t, os.WriteFile(filepath.Join(ran, "harvest.jsonl"), []byte(harvest+harvest[:100]), 0o600))
	if after := listed(); strings.Join(after, "\n") != strings.Join(whole, "\n") {
		t.Errorf("%d lines where the log tells of all pages, %d where it does not", len(whole), len(after))
	}
	code, out, errs := thresher(t, "index", ran)
	if code != exitDone || !strings.Contains(out+errs, plural(len(whole)-1)) {
		t.Errorf("the index of %d pages: %d %s%s", len(whole)-1, code, out, errs)
	}
}
