//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/thresher-crawler/thresher/focus/outlet"
)

// stalled puts a pipe in the place of a file. Whoever opens it is given all of it, and the one who opens it last a half, and no end.
// stuck hears when that is read.
func stalled(t *testing.T, path string, passes int) (content []byte, stuck <-chan error) {
	t.Helper()
	content = []byte(mustRead(t, path))
	pipe := func(pass int) string { return fmt.Sprint(path, ".pipe", pass) }
	for pass := range passes {
		if err := syscall.Mkfifo(pipe(pass), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(pipe(0), path); err != nil {
		t.Fatal(err)
	}
	heard := make(chan error, 1)
	go func() {
		heard <- func() error {
			for pass := range passes {
				w, err := os.OpenFile(path, os.O_WRONLY, 0)
				if err != nil {
					return err
				}
				if pass == passes-1 {
					t.Cleanup(func() { w.Close() })
					_, err := w.Write(content[:len(content)/2]) // more than fits into a pipe
					return err
				}
				if _, err := w.Write(content); err != nil {
					return err
				}
				if err := os.Rename(pipe(pass+1), path); err != nil { // before its reader hears of an end, and opens it again
					return err
				}
				if err := w.Close(); err != nil {
					return err
				}
			}
			return nil
		}()
	}()
	return content, heard
}

// TestAKilledExportIsWholeOrAbsent: a process that dies while it writes, in whatever form, leaves in its place what stood there, and
// the next one writes all.
func TestAKilledExportIsWholeOrAbsent(t *testing.T) {
	from := quickstartRun(t, "--set", "second_look=off")
	for _, to := range outlet.Forms {
		t.Run(to, func(t *testing.T) {
			run, dir := filepath.Join(t.TempDir(), "run"), t.TempDir()
			if err := os.CopyFS(run, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			out, before := filepath.Join(dir, "out"), ""
			if !outlet.Folder(to) {
				before = "what stood there"
				if err := os.WriteFile(out, []byte(before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			read, passes := filepath.Join(run, "harvest.jsonl"), 2 // its pages are chosen, and then written
			if to == "warc" {
				read, passes = filepath.Join(run, "pages-0000.warc.gz"), 1
			}
			content, stuck := stalled(t, read, passes)
			export := []string{"export", "--run", run, "--to", to, "--out", out}
			cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
			cmd.Env = append(os.Environ(), "THRESHER_BE="+strings.Join(export, " "))
			var errs strings.Builder
			cmd.Stderr = &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case err := <-stuck:
				if err != nil {
					t.Fatal(err)
				}
			case err := <-ended:
				t.Fatalf("it ended by itself: %v: %s", err, errs.String())
			}
			cmd.Process.Kill()
			<-ended
			if under, _ := filepath.Glob(out + ".*~"); len(under) != 1 {
				t.Errorf("it was not killed while it wrote: %q", under)
			}
			if now, err := os.ReadFile(out); string(now) != before || before == "" && !os.IsNotExist(err) {
				t.Errorf("after it was killed: %v: %.100q", err, now)
			}

			if err := os.Remove(read); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(read, content, 0o600); err != nil {
				t.Fatal(err)
			}
			mustRun(t, export...)
			other := filepath.Join(dir, "other")
			mustRun(t, "export", "--run", from, "--to", to, "--out", other)
			if got, want := allOf(t, out, to), allOf(t, other, to); got != want || got == "" {
				t.Errorf("the next export has %d bytes, want %d", len(got), len(want))
			}
		})
	}
}

// allOf is what an export says: what stands in it, but for the time at which an archive was made.
func allOf(t *testing.T, path, form string) string {
	t.Helper()
	if outlet.Folder(form) {
		return strings.ReplaceAll(fmt.Sprint(folderOf(t, path)), path, "")
	}
	if form == "warc" {
		answers, others, clusters := exchanges(t, path)
		return fmt.Sprint(answers, others, clusters)
	}
	return mustRead(t, path)
}
