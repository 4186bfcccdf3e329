package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/ledger"
)

// TestTheDemoNeedsNothing: in an empty folder it crawls what is built in, twice if need be, and what it offers next works.
func TestTheDemoNeedsNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	for range 2 {
		code, out, errs := thresher(t, "demo", "--quiet")
		if code != exitDone || errs != "" {
			t.Fatalf("exit %d: %s", code, errs)
		}
		for _, want := range []string{"quickstart: 300 pages", "best finds", "results in runs/demo"} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is not in what it says:\n%s", want, out)
			}
		}
		_, next, ok := strings.Cut(out, "what next\n")
		if !ok {
			t.Fatalf("it offers nothing:\n%s", out)
		}
		for line := range strings.Lines(next) {
			command, _, _ := strings.Cut(strings.TrimSpace(line), "   ")
			if args := strings.Fields(command)[1:]; args[0] != "init" { // asks on a terminal
				if code, _, errs := thresher(t, args...); code != exitDone {
					t.Errorf("%s: exit %d: %s", command, code, errs)
				}
			}
		}
	}
}

// TestThresherAlone says in three lines how to begin.
func TestThresherAlone(t *testing.T) {
	code, out, errs := thresher(t)
	if code != exitDone || errs != "" || strings.Count(out, "\n") != 3 || !strings.Contains(out, "thresher demo") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, out, _ := thresher(t, "--version"); code != exitDone || !strings.HasPrefix(out, "thresher version ") {
		t.Errorf("--version: exit %d: %s", code, out)
	}
}

// TestTheLiveLineFits: on a narrow terminal what matters least is left out, and nothing is cut in the middle.
func TestTheLiveLineFits(t *testing.T) {
	began := time.Unix(0, 0)
	counts := ledger.Counts{Pages: 123456, Relevant: 23456, Started: began, Now: began.Add(time.Hour)}
	config := focus.Default()
	config.Budget.Pages = 1000000
	whole := progressLine(counts, 1234567, config, 0)
	for _, columns := range []int{30, 60, 79, 120, 199} {
		line := progressLine(counts, 1234567, config, columns)
		if len(line) > columns {
			t.Errorf("%d columns for %d: %s", len(line), columns, line)
		}
		for part := range strings.SplitSeq(line, ", ") {
			if !strings.Contains(whole, part) {
				t.Errorf("%d columns: %q is not whole", columns, part)
			}
		}
	}
	if line := progressLine(counts, 1234567, config, 0, topicIsSeeds); line != whole+", the start pages are the topic" {
		t.Errorf("%q", line)
	}
	if line := progressLine(counts, 1234567, config, 199); line != whole {
		t.Errorf("there is room for %q, and it says %q", whole, line)
	}
	for _, part := range []string{fmt.Sprint(counts.Pages), "harvest", "waiting", "left", "pages/s"} {
		if !strings.Contains(whole, part) {
			t.Errorf("%q is not in %q", part, whole)
		}
	}
}
