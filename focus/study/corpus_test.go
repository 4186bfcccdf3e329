package study

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestListsOfLabels(t *testing.T) {
	dir := written(t, "good.tsv", "\uFEFF# mine\r\nhttp://a.example/\trelevant\r\n\nb.html\tother\tby me\nhttp://A.example\trelevant\n")
	labels, err := ReadLabels(filepath.Join(dir, "good.tsv"))
	if err != nil || len(labels) != 2 {
		t.Fatalf("%v: %+v", err, labels)
	}
	if have := labels[0].Line() + labels[1].Line(); have != "http://a.example/\trelevant\nb.html\tother\n" {
		t.Errorf("written again they are %q", have)
	}
	bad := filepath.Join(dir, "bad.tsv")
	noError(t, os.WriteFile(bad, []byte(strings.Repeat("http://a.example/\tmaybe\n", 14)), 0o644))
	if _, err := ReadLabels(bad); err == nil || !strings.Contains(err.Error(), bad+":10:1: is labelled \"maybe\", want relevant or other") || !strings.Contains(err.Error(), "and 4 more lines like these") {
		t.Errorf("%v", err)
	}
}

// Two people who do not agree, or one who has corrected a label by a line behind it, are not decided between.
func TestLabelsThatContradictEachOtherAreTold(t *testing.T) {
	list := filepath.Join(written(t, "two.tsv", "http://a.example/\trelevant\nb.html\tother\nhttp://a.example\tother\nb.html\tother\n"), "two.tsv")
	if labels, err := ReadLabels(list); err == nil || err.Error() != list+":3:1: is labelled other, and relevant on line 1: take one of the two lines out" {
		t.Errorf("%v: %+v", err, labels)
	}
}

// TestLibraries: the places where pages are kept answer alike.
func TestLibraries(t *testing.T) {
	dir := written(t, "files/b.html", "<title>Bee</title><p>a bee in the hive", "files/sub/a.txt", "\nHoney\nfrom the hive", "files/.hidden.html", "x", "files/x.png", "x",
		"harvest.jsonl", `{"url":"http://a.example/old","final_url":"http://a.example/","title":"Hive","text":"the hive","language":"en"}`+"\n",
		"csv/state/run.json", "{}", "csv/report.html", "<p>a report", "own.jsonl", `{"url":"http://b.example/","text":"no end of line"}`, "crawl.yaml", "")
	small := filepath.Join("..", "..", "testdata", "webs", "small")
	for _, c := range []struct {
		path  string
		first string // the address of the first page,
		by    string // how it is asked for,
		title string // and its title
		bare  bool
	}{
		{filepath.Join(dir, "files"), "b.html", "b.html", "Bee", false},
		{filepath.Join(dir, "files", "sub"), "a.txt", "a.txt", "Honey", true},
		{dir, "http://a.example/", "http://a.example/old", "Hive", true},
		{filepath.Join(dir, "harvest.jsonl"), "http://a.example/", "http://a.example/", "Hive", true},
		{filepath.Join(dir, "own.jsonl"), "http://b.example/", "http://b.example/", "", true},
		{small, "http://daily.example/", "http://daily.example", "Daily", false},
		{filepath.Join(small, "pages.warc.gz"), "http://daily.example/", "http://daily.example/", "Daily", false},
	} {
		l, err := OpenLibrary(c.path)
		if err != nil {
			t.Error(err)
			continue
		}
		p, ok, err := l.Page(c.by)
		if !slices.Contains(l.Addresses(), c.first) || !ok || err != nil || p.Address != c.first || p.Title != c.title || p.Bare != c.bare || len(p.Doc.Segments) == 0 {
			t.Errorf("%s: %v, %v, %q of %v, %v, %d segments", c.path, ok, err, p.Title, l.Addresses(), p.Bare, len(p.Doc.Segments))
		}
		for _, unknown := range []string{"http://nobody.example/", "gone.html"} {
			if _, ok, err := l.Page(unknown); ok || err != nil {
				t.Errorf("%s: %s: %v, %v", c.path, unknown, ok, err)
			}
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "gone"): "there is no such file or folder", filepath.Join(dir, "crawl.yaml"): "there are no pages in it",
		filepath.Join(dir, "csv"): "its sinks need jsonl or warc",
	} {
		if _, err := OpenLibrary(path); err == nil || !strings.Contains(err.Error(), path+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestTheCorpusOfAWeb: what its web.yaml calls relevant, and the rest of its pages.
func TestTheCorpusOfAWeb(t *testing.T) {
	small := filepath.Join("..", "..", "testdata", "webs", "small")
	c, err := WebCorpus(small, "sailing")
	if err != nil || len(c.Relevant) < 5 || len(c.Other) < 5 || c.Bare() {
		t.Errorf("%v: %d relevant, %d other", err, len(c.Relevant), len(c.Other))
	}
	if _, err := WebCorpus(small, "sailnig"); err == nil || !strings.Contains(err.Error(), `did you mean "sailing"?`) {
		t.Errorf("%v", err)
	}
}

// written is a folder with files: a name, what it holds, and so on.
func written(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i+1 < len(files); i += 2 {
		name := filepath.Join(dir, files[i])
		noError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		noError(t, os.WriteFile(name, []byte(files[i+1]), 0o644))
	}
	return dir
}
