//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
)

// TestAFileMayNotGrow crawls in a process whose files may not grow beyond a limit of the system, as on a disk that is full:
// it says so in one line, and goes on when it may, to the same end.
func TestAFileMayNotGrow(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell to set the limit with")
	}
	files(t, "small.yaml", smallCrawl())
	must(t, "crawl", "small.yaml", "--store", "whole")
	for _, blocks := range []string{"2", "60"} { // of 512 bytes: at the first page, and later
		run := filepath.Join(t.TempDir(), "run")
		cmd := exec.Command(shell, "-c", "ulimit -f "+blocks+" && exec \"$0\" '-test.run=^TestInterrupt$'", os.Args[0])
		cmd.Env = append(os.Environ(), "THRESHER_BE=crawl small.yaml --quiet --store "+run)
		var errs strings.Builder
		cmd.Stderr = &errs
		cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != exitFailed {
			t.Fatalf("%s blocks: exit %d, want %d: %s", blocks, code, exitFailed, errs.String())
		}
		if said := strings.Count(errs.String(), "\n"); said != 1 || !strings.Contains(errs.String(), "file too large") ||
			!strings.Contains(errs.String(), "what was visited before is safe: have the limit on the size of files raised, and the same command goes on") {
			t.Errorf("%s blocks: %s", blocks, errs.String())
		}
		if code, out, errs := thresher(t, "crawl", "small.yaml", "--store", run); code != exitDone {
			t.Fatalf("%s blocks, and then none: exit %d: %s%s", blocks, code, out, errs)
		}
		if have, want := keptPages(t, run), keptPages(t, "whole"); !slices.Equal(have, want) || len(want) == 0 {
			t.Errorf("%s blocks: %d pages, want %d", blocks, len(have), len(want))
		}
	}
}

// Whose files may not grow is told of the folder, not of the Redis with its password.
func TestTroubleOfAMachineNamesItsFolder(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell to set the limit with")
	}
	db := miniredis.RunT(t)
	db.RequireAuth("topsecret")
	files(t, "small.yaml", smallCrawl())
	cmd := exec.Command(shell, "-c", "ulimit -f 1 && exec \"$0\" '-test.run=^TestInterrupt$'", os.Args[0])
	cmd.Env = append(os.Environ(), "THRESHER_BE=crawl small.yaml --quiet --store redis://:topsecret@"+db.Addr()+"/0")
	var errs strings.Builder
	cmd.Stderr = &errs
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != exitFailed || strings.Contains(errs.String(), "topsecret") || !strings.Contains(errs.String(), "run folder runs") {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}
