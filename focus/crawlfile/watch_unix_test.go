//go:build unix

package crawlfile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe can be read once, and waits for whoever writes: a crawl file that is one is not followed, and one that becomes one is refused.
func TestAPipeIsNotFollowed(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "solar.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	go os.WriteFile(pipe, []byte(solar), 0o600) // as the shell does for <(...)
	runs, err := Load(pipe)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWatch(runs)
	for range 3 {
		if change, err := w.Look(); change != nil || err != nil {
			t.Errorf("%+v, %v", change, err)
		}
	}

	file := filepath.Join(t.TempDir(), "other.yaml")
	if err := os.WriteFile(file, []byte(solar), 0o600); err != nil {
		t.Fatal(err)
	}
	if runs, err = Load(file); err != nil {
		t.Fatal(err)
	}
	look := NewWatch(runs).Look
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := look(); err != nil {
		t.Errorf("first look: %v", err)
	}
	if _, err := look(); err == nil || !strings.Contains(err.Error(), file+": is no regular file") {
		t.Errorf("second look: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(solar, "2s", "3s", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := look(); err != nil {
		t.Errorf("a file again, first look: %v", err)
	}
	if change, err := look(); err != nil || change == nil || change.Says() != "polite.delay is 3s" {
		t.Errorf("a file again: %+v, %v", change, err)
	}
}
