package replay

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWebsAreRememberedWhileTheyAreWhatTheyWere: the index of a web that was opened lately is not made again, that of one which has changed
// or was opened long ago is.
func TestWebsAreRememberedWhileTheyAreWhatTheyWere(t *testing.T) {
	var webs []string
	for range websRemembered + 1 {
		dir := filepath.Join(t.TempDir(), "web")
		if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "testdata", "webs", "small"))); err != nil {
			t.Fatal(err)
		}
		webs = append(webs, dir)
	}
	open := func(dir string) *index {
		t.Helper()
		w, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		return w.index
	}
	first, second := open(webs[0]), open(webs[1])
	if open(webs[0]) != first || open(webs[1]) != second {
		t.Error("two webs in turn are read through each time")
	}
	open(webs[2])
	if open(webs[0]) == first {
		t.Error("the index of a web that was opened long ago is kept")
	}
	first = open(webs[0])
	if err := os.WriteFile(filepath.Join(webs[0], "redirects.tsv"), []byte("http://gone.test/\thttp://daily.test/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if open(webs[0]) == first {
		t.Error("the index of a web that has changed is taken for that of before")
	}
}
