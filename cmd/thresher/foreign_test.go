package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/run"
)

// A run whose program had a form of the harvest and a judge of its own is read, told and ordered like any other. What would make its
// crawl again refuses it before anything is changed, and says who can.
func TestARunOfAProgramWithItsOwnFormAndJudge(t *testing.T) {
	dir := quickstartRun(t)
	file := filepath.Join(dir, run.FileCrawl)
	own := mustRead(t, file)
	for was, is := range map[string]string{"\nsinks:\n": "\nsinks:\n  - titles\n", "judge: bm25": "judge: coverage"} {
		if !strings.Contains(own, was) {
			t.Fatalf("%q is not in\n%s", was, own)
		}
		own = strings.Replace(own, was, is, 1)
	}
	noError(t, os.WriteFile(file, []byte(own), 0o600))
	for _, args := range [][]string{{"list", "sites"}, {"card"}, {"etiquette"}, {"suggest"}, {"block", "nowhere.example"}, {"inject", "http://elsewhere.example/"}, {"budget", "900"}} {
		if code, _, errs := thresher(t, append(args, "--run", dir)...); code != exitDone {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
	for _, args := range [][]string{{"repair"}, {"forget", "daily.test"}} {
		code, _, errs := thresher(t, append(args, "--run", dir)...)
		if code == exitDone || !strings.Contains(errs, "sinks[0].to and topic.judge") || !strings.Contains(errs, "the program that crawled") {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
	if mustRead(t, file) != own {
		t.Error("the crawl file of the run was changed")
	}
}
