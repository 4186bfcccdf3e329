package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWhatADiskDoesNotReadIsNoDamage: an error in reading, as of a file server that is away, may pass. Nobody proposes to repair what may
// be sound, and a repair leaves it where it is.
func TestWhatADiskDoesNotReadIsNoDamage(t *testing.T) {
	const unreadable = "/proc/self/mem" // at its beginning
	for name, reading := range map[string][]string{
		"strategy.yaml":         {"why", "http://fairwind.test/"},
		"crawl.yaml":            {"list", "sites"},
		"look.jsonl":            {"winnow"},
		"state/log-000001":      {"list", "frontier"},
		"state/snapshot-000001": {"list", "frontier"},
		"state/run.json":        {"list", "harvest"},
	} {
		dir := quickstartRun(t)
		path := filepath.Join(dir, filepath.FromSlash(name))
		noError(t, os.Rename(path, filepath.Join(t.TempDir(), "aside")))
		noError(t, os.Symlink(unreadable, path))
		before := namesBelow(t, dir)
		for _, command := range [][]string{reading, {"repair"}} {
			code, out, errs := thresher(t, append(command, "--run", dir)...)
			if code != exitFailed || !strings.Contains(errs, "input/output error") || strings.Contains(errs, "thresher repair") || strings.Contains(errs, "--fresh") {
				t.Errorf("%s, %s: exit %d: %s%s", name, command[0], code, out, errs)
			}
		}
		if after := namesBelow(t, dir); !slices.Equal(after, before) {
			t.Errorf("%s: there were %q, and are %q", name, before, after)
		}
	}
}

// namesBelow are the names of all that is in a folder.
func namesBelow(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	noError(t, err)
	return names
}
