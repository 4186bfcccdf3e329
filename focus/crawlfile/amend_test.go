package crawlfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const byAPerson = `# my topic   (do not touch)
topic:
    terms: [ solar,   wind ]     # two words

seeds:      # by hand
  - https://www.example.org/     # the best
  # - https://old.example.org/

sites: [{site: www.example.org, weight: 0.9}]
polite: {contact: you@example.org}
`

func TestAmendLeavesTheFileAsItsWriterWroteIt(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "solar.yaml")
	if err := os.WriteFile(file, []byte(byAPerson), 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.yaml")
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	before := mustLoad(t, file)
	seeds, sites, err := Amend(link, []string{"https://WWW.example.org", "https://sun.example/a b", "https://sun.example/a b", "https://旅游.example/"},
		[]SiteConfig{{"www.example.org", 0.1, 1}, {"sun.example", 0.71, 4}})
	if err != nil || seeds != 2 || sites != 1 {
		t.Fatalf("%d seeds, %d sites: %v", seeds, sites, err)
	}
	want := strings.Replace(byAPerson, "old.example.org/\n", "old.example.org/\n  - https://sun.example/a b\n  - https://旅游.example/\n", 1)
	want = strings.Replace(want, "weight: 0.9}]", "weight: 0.9}, {site: sun.example, weight: 0.71, confidence: 4}]", 1)
	if have, _ := os.ReadFile(file); string(have) != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is a link no more")
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("its mode is %v", info.Mode())
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
	after := mustLoad(t, file)
	if !slices.Equal(after.Seeds[:1], before.Seeds) || len(after.Seeds) != 3 || after.Sites[1].Site != "sun.example" {
		t.Errorf("%v %v", after.Seeds, after.Sites)
	}
	if seeds, sites, err := Amend(file, after.Seeds, after.Sites); seeds+sites != 0 || err != nil {
		t.Errorf("a second time: %d %d %v", seeds, sites, err)
	}
}

// TestAmendWritesNothingRatherThanSomethingElse: the file stays, and what to put in is told.
func TestAmendWritesNothingRatherThanSomethingElse(t *testing.T) {
	for what, text := range map[string]string{
		"a list by another name": "topic: {terms: [a]}\nseeds: &s [https://a.example/]\ndirectories: *s\n",
		"in braces":              "{topic: {terms: [a]}, seeds: []}\n",
	} {
		file := crawlFile(t, text)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = Amend(file, []string{"https://b.example/"}, nil)
		if err == nil || !strings.Contains(err.Error(), "seeds:\n  - https://b.example/\n") {
			t.Errorf("%s: %v", what, err)
		}
		if after, _ := os.ReadFile(file); string(after) != string(before) {
			t.Errorf("%s: the file is now %s", what, after)
		}
	}
	t.Setenv("THRESHER_SEEDS", "https://env.example/")
	if _, _, err := Amend(crawlFile(t, byAPerson), []string{"https://b.example/"}, nil); err == nil || !strings.Contains(err.Error(), "THRESHER_SEEDS") {
		t.Errorf("with seeds from the environment: %v", err)
	}
}
