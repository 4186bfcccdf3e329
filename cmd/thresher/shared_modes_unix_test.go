//go:build unix

package main

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// TestASharedFolderStaysShared: whoever was let read a run folder, as a server that searches it under a user of its own, reads all that
// later commands write into it; a folder that nobody else was let read stays its owner's.
func TestASharedFolderStaysShared(t *testing.T) {
	for name, add := range map[string]fs.FileMode{"alone": 0, "shared": 0o050} {
		t.Run(name, func(t *testing.T) {
			w := newChangingWeb(t)
			w.write(t, "")
			must(t, "crawl", "boats.yaml", "--quiet")
			must(t, "index", "runs/boats")
			eachOf(t, func(path string, info fs.FileInfo) {
				if add > 0 && info.IsDir() {
					noError(t, os.Chmod(path, fs.ModeSetgid|0o750)) // with the group of the folder
				} else if add > 0 {
					noError(t, os.Chmod(path, 0o640))
				}
			})
			check := func(after string) {
				t.Helper()
				files := 0
				eachOf(t, func(path string, info fs.FileInfo) {
					want := 0o600 | add&0o040
					if info.IsDir() {
						want = 0o700 | add
					} else if files++; filepath.Base(path) == "report.html" {
						want = info.Mode().Perm() // as the umask has it
					}
					if filepath.Base(path) != "lock" && info.Mode().Perm() != want {
						t.Errorf("after %s %s has mode %v, want %v", after, path, info.Mode().Perm(), want)
					}
					if filepath.Base(path) == "state" && add > 0 && after != "repair" && info.Mode()&fs.ModeSetgid == 0 {
						t.Errorf("after %s %s has mode %v", after, path, info.Mode())
					}
				})
				if files < 12 {
					t.Errorf("after %s there are %d files", after, files)
				}
			}
			must(t, "index", "--rebuild", "runs/boats")
			check("index")
			w.text["/boats/3"], w.status["/boats/5"] = "Regatta.", http.StatusGone
			for _, round := range []string{"a round", "another"} {
				must(t, "crawl", "boats.yaml", "--again", "--quiet")
				check(round)
			}
			must(t, "index", "runs/boats")
			check("another index")
			must(t, "winnow", "--run", "runs/boats")
			check("winnow")
			must(t, "crawl", "boats.yaml", "--quiet", "--budget", "600")
			check("a larger budget")
			remove(t, "runs/boats/state/safe")
			must(t, "repair", "--run", "runs/boats")
			check("repair")
		})
	}
}

// eachOf goes through a run folder.
func eachOf(t *testing.T, do func(path string, info fs.FileInfo)) {
	t.Helper()
	noError(t, filepath.WalkDir("runs/boats", func(path string, d fs.DirEntry, err error) error {
		noError(t, err)
		info, err := d.Info()
		noError(t, err)
		do(path, info)
		return nil
	}))
}
