package text

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCopiedBinaryCutsChinese builds a program without paths of this machine in it, moves it to another folder and
// runs it with an empty home, as in an empty container.
func TestCopiedBinaryCutsChinese(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	built := filepath.Join(t.TempDir(), "cut")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", built, "./focus/text/testdata/cut")
	build.Dir, build.Env = root, environment
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	elsewhere := t.TempDir()
	moved := filepath.Join(elsewhere, "moved")
	if err := os.Rename(built, moved); err != nil {
		t.Fatal(err)
	}
	for name, env := range map[string][]string{
		"empty home":      {"HOME=", "TMPDIR=" + t.TempDir()},
		"home":            {"HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()},
		"no place at all": {"HOME=/dev/null", "XDG_CACHE_HOME=/dev/null", "TMPDIR=/dev/null"},
	} {
		run := exec.Command(moved, "我来到北京清华大学")
		run.Dir, run.Env = elsewhere, env
		var complaints bytes.Buffer
		run.Stderr = &complaints
		out, err := run.Output()
		if want := "来到|北京|清华大学|\n"; err != nil || string(out) != want || complaints.Len() > 0 {
			t.Errorf("%s: %q, %v, want %q; %s", name, out, err, want, &complaints)
		}
	}
}
