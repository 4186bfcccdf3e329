package study

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A recorded web holds the robots.txt of its hosts. They are no pages, and nobody is shown them or asked about them.
func TestRobotsIsNoPage(t *testing.T) {
	l, err := OpenLibrary("../../testdata/webs/small")
	noError(t, err)
	defer l.Close()
	if _, ok := l.Address("http://daily.example/robots.txt"); !ok {
		t.Fatal("the web has no robots.txt: the test sees nothing")
	}
	for _, address := range l.Addresses() {
		if strings.HasSuffix(address, "/robots.txt") {
			t.Errorf("%s is taken for a page", address)
		}
	}
	if len(l.Addresses()) < 50 {
		t.Errorf("%d pages", len(l.Addresses()))
	}
}

// What a second look keeps of a run that writes no harvest.jsonl is a library, and so is an export that is packed.
func TestLibraryOfOtherHarvests(t *testing.T) {
	const line = `{"id":1,"url":"http://a.example/1","final_url":"http://a.example/1","title":"Tea","text":"green tea"}` + "\n"
	dir := t.TempDir()
	write := func(name string, content []byte) {
		t.Helper()
		noError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	write("crawl.log", nil)
	write("harvest.csv", []byte("id,url\n1,http://a.example/1\n"))
	write("kept.jsonl", []byte(line))
	var packed bytes.Buffer
	out := gzip.NewWriter(&packed)
	if _, err := out.Write([]byte(line)); err != nil || out.Close() != nil {
		t.Fatal(err)
	}
	write("pages.jsonl.gz", packed.Bytes())
	closely, err := zstd.NewWriter(nil)
	noError(t, err)
	write("closely.jsonl.zst", closely.EncodeAll([]byte(line), nil))
	for _, path := range []string{dir, filepath.Join(dir, "pages.jsonl.gz"), filepath.Join(dir, "closely.jsonl.zst")} {
		l, err := OpenLibrary(path)
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
			continue
		}
		if got := l.Addresses(); len(got) != 1 || got[0] != "http://a.example/1" {
			t.Errorf("%s: %v", filepath.Base(path), got)
		}
		l.Close()
	}
	write("torn.jsonl.gz", packed.Bytes()[:packed.Len()-12])
	if _, err := OpenLibrary(filepath.Join(dir, "torn.jsonl.gz")); err == nil || !strings.Contains(err.Error(), "torn.jsonl.gz") {
		t.Errorf("a packed file that is cut off: %v", err)
	}
}
