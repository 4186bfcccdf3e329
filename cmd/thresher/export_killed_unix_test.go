//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/outlet"
)

// stalled puts a pipe in the place of a file. Whoever opens it is given all of it, and the one who opens it last a half, and no end.
// stuck hears when that is read.
func stalled(t *testing.T, path string, passes int) (content []byte, stuck <-chan error) {
	t.Helper()
	content = []byte(mustRead(t, path))
	pipe := func(pass int) string { return fmt.Sprint(path, ".pipe", pass) }
	for pass := range passes {
		noError(t, syscall.Mkfifo(pipe(pass), 0o600))
	}
	noError(t, os.Rename(pipe(0), path))
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
// the next one writes all, and removes what the first has left.
func TestAKilledExportIsWholeOrAbsent(t *testing.T) {
	from := quickstartRun(t, "--set", "second_look=off")
	for _, to := range outlet.Forms {
		t.Run(to, func(t *testing.T) {
			run, dir := filepath.Join(t.TempDir(), "run"), t.TempDir()
			noError(t, os.CopyFS(run, os.DirFS(from)))
			out, before := filepath.Join(dir, "out"), ""
			if !outlet.Folder(to) {
				before = "what stood there"
				noError(t, os.WriteFile(out, []byte(before), 0o600))
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
			noError(t, cmd.Start())
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case err := <-stuck:
				noError(t, err)
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

			noError(t, os.Remove(read))
			noError(t, os.WriteFile(read, content, 0o600))
			open, err := os.Create(out + ".writing-0~") // somebody writes there
			noError(t, err)
			defer open.Close()
			if busy, err := disk.TryLock(open); busy || err != nil {
				t.Fatal(busy, err)
			}
			must(t, export...)
			if left, _ := filepath.Glob(out + ".*~"); len(left) != 1 || left[0] != open.Name() {
				t.Errorf("beside it stand %q", left)
			}
			other := filepath.Join(dir, "other")
			must(t, "export", "--run", from, "--to", to, "--out", other)
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

// What is no file is written into, and a link stays: an export into a pipe is heard, also behind a link, and one into a link is where
// the link leads to. What stdout is written to already is not opened again, and what stands in it stays.
func TestExportIntoWhatIsNoFile(t *testing.T) {
	run := quickstartRun(t)
	t.Chdir(t.TempDir())
	want := must(t, "card", "--run", run)
	noError(t, errors.Join(syscall.Mkfifo("pipe", 0o600), os.Symlink("pipe", "to-pipe"), os.Symlink("real.md", "to-real"), os.Mkdir("folder", 0o700), os.Symlink("folder", "to-folder")))
	pipe, err := os.OpenFile("pipe", os.O_RDWR, 0) // it waits for no writer
	noError(t, err)
	defer pipe.Close()
	for _, out := range []string{"pipe", "to-pipe"} {
		must(t, "card", "--run", run, "--out", out)
		if info, err := os.Stat(out); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
			t.Fatalf("%s is no pipe now: %v, %v", out, info, err)
		}
		heard := make([]byte, len(want))
		if _, err := io.ReadFull(pipe, heard); err != nil || string(heard) != want {
			t.Errorf("%s: %v: heard %.200s", out, err, heard)
		}
	}
	for range 2 { // the second finds a file there
		must(t, "card", "--run", run, "--out", "to-real")
		if to, err := os.Readlink("to-real"); to != "real.md" || mustRead(t, "real.md") != want {
			t.Errorf("the link leads to %q: %v", to, err)
		}
	}
	must(t, "export", "--run", run, "--to", "markdown", "--out", "to-folder")
	if pages, err := filepath.Glob("folder/*.md"); len(pages) == 0 {
		t.Errorf("nothing stands where the link leads to: %v", err)
	}
	open, err := os.Create("open")
	noError(t, err)
	defer open.Close()
	w, done, err := output(open, "open")
	noError(t, err)
	_, writing := io.WriteString(w, "one,")
	noError(t, errors.Join(writing, done(true)))
	if _, err := open.WriteString("two"); err != nil || mustRead(t, "open") != "one,two" {
		t.Errorf("%v: stdout has %q", err, mustRead(t, "open"))
	}
}
