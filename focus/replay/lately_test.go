package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestWebsAreRememberedWhileTheyAreWhatTheyWere: the index of a web that was opened lately is not made again, that of one which has changed
// or was opened long ago is.
func TestWebsAreRememberedWhileTheyAreWhatTheyWere(t *testing.T) {
	web := func(redirect string) string {
		t.Helper()
		dir := filepath.Join(t.TempDir(), "web")
		if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "testdata", "webs", "small"))); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "redirects.tsv"), []byte(redirect+"\thttp://daily.test/\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	var webs []string
	for i := range websRemembered + 1 {
		webs = append(webs, web(fmt.Sprintf("http://gone%d.test/", i)))
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
	if open(web("http://gone0.test/")) != first {
		t.Error("a copy of a web, in another folder, is read through again")
	}
	for _, dir := range webs[1:] {
		open(dir)
	}
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
	for _, dir := range []string{web("http://torn.test/"), web("http://torn.test/")} {
		pages := filepath.Join(dir, "pages.warc.gz")
		b, err := os.ReadFile(pages)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(pages, slices.Replace(b, len(b)/2, len(b)/2+1, ^b[len(b)/2]), 0o600); err != nil {
			t.Fatal(err)
		}
		if flaws := open(dir).flaws; len(flaws) != 1 || flaws[0].File != pages {
			t.Errorf("what cannot be read of %s is told of %+v", dir, flaws)
		}
	}
}
