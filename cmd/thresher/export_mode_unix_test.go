//go:build unix

package main

import (
	"os"
	"syscall"
	"testing"
)

// Who lets nobody else read what they write has exports that nobody else can read.
func TestExportKeepsToTheUmask(t *testing.T) {
	run := quickstartRun(t)
	t.Chdir(t.TempDir())
	defer syscall.Umask(syscall.Umask(0o077))
	must(t, "export", "--run", run, "--out", "a.jsonl")
	must(t, "export", "--run", run, "--to", "markdown", "--out", "pages")
	for name, want := range map[string]os.FileMode{"a.jsonl": 0o600, "pages": 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
