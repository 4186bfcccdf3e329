package main

import (
	"os"
	"strings"
	"testing"
)

func TestLearnExport(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	run, file := "run", "sailing.learned"
	code, out, errs := thresher(t, "crawl", "small.yaml", "--strategy", "apprentice", "--store", run)
	if code != exitDone {
		t.Fatalf("crawl: %d\n%s%s", code, out, errs)
	}
	code, out, errs = thresher(t, "learn", "export", "--run", run, "--to", file)
	if code != exitDone || !strings.Contains(out, "what apprentice learned of") {
		t.Errorf("export: %d\n%s%s", code, out, errs)
	}
	if info, err := os.Stat(file); err != nil || info.Size() < 100 {
		t.Errorf("the file: %v, %v", info, err)
	}
	if code, _, errs = thresher(t, "learn", "export", "--run", run); code != exitMisuse || !strings.Contains(errs, "--to is not given") {
		t.Errorf("without --to: %d %s", code, errs)
	}
	files(t, "begun.yaml", smallCrawl()+"learn: {from: nowhere}\n")
	for _, command := range []string{"check", "crawl"} {
		if code, _, errs = thresher(t, command, "begun.yaml"); code != exitMisuse || !strings.HasPrefix(errs, "begun.yaml:") || !strings.Contains(errs, ": learn.from: experience nowhere: there is none") {
			t.Errorf("%s with what is not there: %d %s", command, code, errs)
		}
	}
	if code, _, errs = thresher(t, "learn", "fast"); code != exitMisuse || !strings.Contains(errs, `no "fast"`) {
		t.Errorf("learn fast: %d %s", code, errs)
	}
}
