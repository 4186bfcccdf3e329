//go:build unix

package run

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWhatIsNewIsSharedLikeTheRest: whoever was let read a run folder reads what later visits have written, too, and nothing that was never
// the run's; a folder that is its owner's alone stays so.
func TestWhatIsNewIsSharedLikeTheRest(t *testing.T) {
	for _, c := range []struct{ folder, file os.FileMode }{{0o700, 0o600}, {0o750, 0o640}, {0o755, 0o644}, {0o770, 0o640}} {
		dir := filepath.Join(t.TempDir(), "run")
		f, err := OpenFolder(dir, Standing{Name: "boats"})
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range []string{"again", "mine"} {
			if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]os.FileMode{"state": c.folder, "again": 0o700 | c.folder&0o055, "mine": 0o700, "mine/notes": 0o600, "labels.tsv": 0o600,
			"kept.jsonl": c.file, "pages-0000.warc.gz": c.file, "state/log-000002": c.file, "again/asked-000001.log": c.file}
		for name := range want {
			if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.IsDir() {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(filepath.Join(dir, "state"), c.folder); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		for name, want := range want {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want {
				t.Errorf("shared as %v, %s is %v (%v), want %v", c.folder, name, info.Mode().Perm(), err, want)
			}
		}
	}
}
