package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is learned from twice counts twice: the same topic of the same recorded web is refused, however its folder is
// written, and a copy of it too. Another topic of the web is none of it.
func TestAWebIsLearnedFromOnce(t *testing.T) {
	small, err := filepath.Abs(filepath.Join("..", "..", "testdata", "webs", "small"))
	noError(t, err)
	dir := t.TempDir()
	linked, copied := filepath.Join(dir, "linked"), filepath.Join(dir, "a copy 网")
	if err := os.Symlink(small, linked); err != nil {
		t.Skip(err)
	}
	noError(t, os.CopyFS(copied, os.DirFS(small)))
	t.Chdir(small)
	for _, command := range []string{"layers", "context"} {
		for _, again := range []string{small, ".", "../small/", linked, copied} {
			code, _, errs := thresher(t, "train", command, "--web", small+":sailing", "--web", again+":sailing")
			if code != exitMisuse || !strings.Contains(errs, again+":sailing is "+small+":sailing again") || !strings.Contains(errs, "once") {
				t.Errorf("train %s, %s: exit %d, %s", command, again, code, errs)
			}
		}
	}
	code, _, errs := thresher(t, "train", "layers", "--web", small+":sailing", "--overlap", linked+":sailing")
	if code != exitMisuse || !strings.Contains(errs, "--overlap "+linked+":sailing is "+small+":sailing again") {
		t.Errorf("overlap: exit %d, %s", code, errs)
	}
	if code, _, errs := thresher(t, "train", "layers", "--web", small+":sailing", "--web", small+":tea"); code != exitDone {
		t.Errorf("two topics: exit %d, %s", code, errs)
	}
}
