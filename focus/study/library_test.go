package study

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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

// TestALibraryHoldsTheTextsThatAreAskedFor: a run may have kept more texts than there is memory. Those of the pages that are asked for
// are read, of the harvest and of what waits for a second look.
func TestALibraryHoldsTheTextsThatAreAskedFor(t *testing.T) {
	const pages, bytes = 200, 50_000
	var harvest, looks strings.Builder
	for i := range pages {
		record := fmt.Sprintf(`{"schema":1,"id":%d,"url":"http://a.test/%d","final_url":"http://a.test/%d","title":"A page","relevance":0.5,"text":%q}`, i+1, i, i, fmt.Sprint(i)+strings.Repeat(" because", bytes/8))
		fmt.Fprintln(&harvest, record)
		fmt.Fprintf(&looks, `{"relevance":0.5,"kept":false,"keys":[%d],"links":[],"record":%s}`+"\n", i+1, strings.ReplaceAll(record, "a.test", "b.test"))
	}
	dir := t.TempDir()
	noError(t, os.Mkdir(filepath.Join(dir, "state"), 0o700))
	for name, content := range map[string]string{"state/run.json": "{}", "crawl.yaml": "name: tea\n", "harvest.jsonl": harvest.String(), "look.jsonl": looks.String()} {
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	harvest, looks = strings.Builder{}, strings.Builder{}
	before := heap()
	l, err := OpenRunLibrary(dir)
	noError(t, err)
	defer l.Close()
	asked := []string{"http://a.test/7", "http://b.test/9", "http://c.test/"}
	read, err := l.Pages(asked)
	noError(t, err)
	for address, begins := range map[string]string{asked[0]: "7 because", asked[1]: "9 because"} {
		if d := read[address].Doc; d == nil || !strings.HasPrefix(d.Segments[len(d.Segments)-1].Text, begins) {
			t.Errorf("%s is read as %+v", address, read[address])
		}
	}
	if grew := heap() - before; grew > pages*bytes/20 {
		t.Errorf("for %d texts of %d bytes %d bytes are held", len(read), bytes, grew)
	}
	if p, ok, err := l.Page("http://a.test/8"); !ok || err != nil || !strings.HasPrefix(p.Doc.Segments[len(p.Doc.Segments)-1].Text, "8 because") {
		t.Errorf("one page alone: %+v, %v, %v", p, ok, err)
	}
	runtime.KeepAlive(l)
}

// heap is how many bytes are in use.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
