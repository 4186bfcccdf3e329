//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
)

// TestWhoIsInterruptedSaysWhatIsLeft: Ctrl-C in the midst of what takes minutes ends it by that signal, so that a loop of a shell ends, too,
// leaves every file as it was, and says what to do.
func TestWhoIsInterruptedSaysWhatIsLeft(t *testing.T) {
	from, first := quickstartRun(t), quickstartRun(t, "--set", "second_look=off")
	for line, c := range map[string]struct{ read, says string }{
		"winnow --run RUN":                              {"look.jsonl", "thresher: interrupted: RUN: its kept.jsonl is whole, be it as it was before; thresher winnow --run RUN looks again"},
		"suggest RUN":                                   {"look.jsonl", "thresher: interrupted: the crawl file is as it was; thresher suggest RUN begins anew"},
		"label RUN --audit 5":                           {"look.jsonl", "thresher: interrupted: the answers that were given stand in the list; the same command goes on"},
		"export --run RUN --out RUN/out.csv":            {"harvest.jsonl", "thresher: interrupted: RUN/out.csv is as it was before; export again"},
		"export --run RUN --to text --out RUN/all.text": {"harvest.jsonl", "thresher: interrupted: RUN/all.text is as it was before; export again"},
	} {
		from := from
		t.Run(line, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			if c.read == "harvest.jsonl" {
				from = first
			}
			noError(t, os.CopyFS(dir, os.DirFS(from)))
			_, stuck := stalled(t, filepath.Join(dir, c.read), 1)
			before := namesIn(t, dir)
			cmd := itself(strings.ReplaceAll(line, "RUN", dir))
			var errs bytes.Buffer
			cmd.Stderr = &errs
			noError(t, cmd.Start())
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case err := <-stuck:
				noError(t, err)
			case err := <-ended:
				t.Fatalf("it ended by itself: %v: %s", err, errs.String())
			}
			noError(t, cmd.Process.Signal(os.Interrupt))
			err := <-ended
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
				t.Errorf("it ended so: %v: %s", err, errs.String())
			}
			if want := strings.ReplaceAll(c.says, "RUN", dir); !strings.HasSuffix(errs.String(), "\n"+want+"\n") {
				t.Errorf("it says %q, want %q", errs.String(), want)
			}
			if after := namesIn(t, dir); after != before {
				t.Errorf("it leaves %s, want %s", after, before)
			}
		})
	}
}

func namesIn(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	noError(t, err)
	var names []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "~") { // what an export is writing, which the next one clears away
			names = append(names, e.Name())
		}
	}
	return strings.Join(names, " ")
}

// TestAnInterruptedIndexSaysSo, and is begun again.
func TestAnInterruptedIndexSaysSo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	noError(t, os.CopyFS(dir, os.DirFS(quickstartRun(t))))
	all, err := new(collectionFlags).open(&cobra.Command{}, []string{dir})
	noError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	cmd := &cobra.Command{}
	cmd.SetContext(ended)
	err = all.made(cmd, io.Discard, true)
	if err == nil || !strings.HasPrefix(err.Error(), "interrupted: an index is there when it is whole") {
		t.Errorf("%v", err)
	}
	all.Close()
	if left, _ := filepath.Glob(filepath.Join(dir, "index", "*.new")); len(left) > 0 {
		t.Errorf("it leaves %q", left)
	}
	must(t, "index", dir)
}
