package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/thresher-crawler/thresher/focus/warc"
)

var moment = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// folder writes a web: files by name, and pages by address with whole HTTP answers.
func folder(t *testing.T, files map[string]string, pages ...[2]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(filepath.Join(dir, "pages.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := warc.NewWriter(f)
	for _, p := range pages {
		if _, err := w.Write(&warc.Record{Type: "response", Target: p[0], Date: moment, Body: []byte(p[1])}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const webs = "../../testdata/webs/"

const okHTML = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"

// unpackedFile is what a file holds: packers may change how they pack, and the web is the same.
func unpackedFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return data
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func open(t testing.TB, dir string) *Web {
	t.Helper()
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// get asks a web without following redirects.
func get(t testing.TB, w http.RoundTripper, address string) string {
	t.Helper()
	req, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := w.RoundTrip(req)
	if err != nil {
		return err.Error()
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if to := resp.Header.Get("Location"); to != "" {
		return fmt.Sprint(resp.StatusCode, " → ", to)
	}
	return fmt.Sprint(resp.StatusCode, " ", strings.TrimSpace(string(body)))
}

func TestAnswersAsTheRecordedWebDid(t *testing.T) {
	w := open(t, folder(t, map[string]string{"redirects.tsv": "http://a.example/old\thttp://a.example/new?x=1\n"},
		[2]string{"http://a.example/", okHTML + "home"},
		[2]string{"http://a.example/new?x=1", okHTML + "new"},
		[2]string{"http://a.example/new?x=1", okHTML + "a second recording"},
		[2]string{"http://a.example/part", "HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\n\r\npart"},
		[2]string{"http://a.example/gone", "HTTP/1.1 410 Gone\r\n\r\nno more"},
		[2]string{"http://a.example/moved", "HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n"},
		[2]string{"http://a.example/robots.txt", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *"},
	))
	for _, c := range []struct{ address, want, has string }{
		{"http://a.example/", "200 home", "http://a.example/"},
		{"http://a.example/#top", "200 home", "http://a.example/"},
		{"http://a.example/new?x=1", "200 new", "http://a.example/new?x=1"},
		{"http://a.example/old", "301 → http://a.example/new?x=1", "http://a.example/new?x=1"},
		{"http://a.example/part", "206 part", "http://a.example/part"},
		{"http://a.example/gone", "410 no more", ""},
		{"http://a.example/moved", "302 → /", "http://a.example/"},
		{"http://a.example/robots.txt", "200 User-agent: *", "http://a.example/robots.txt"},
		{"http://A.example:80", "200 home", "http://a.example/"},
		{"http://a.example/never", "404 Not Found", ""},
		{"https://a.example/", "404 Not Found", ""},
	} {
		if got := get(t, w, c.address); got != c.want {
			t.Errorf("%s: %s, want %s", c.address, got, c.want)
		}
		if got, ok := w.Has(c.address); got != c.has || ok != (c.has != "") {
			t.Errorf("Has(%s) = %s, %v, want %s", c.address, got, ok, c.has)
		}
	}
	if got := slices.Collect(w.Addresses()); len(got) != 4 {
		t.Errorf("Addresses = %v", got)
	}
}

func TestWebYAML(t *testing.T) {
	good := "name: box\nlanguage: zh\ntopics:\n  - {name: fish, seeds: [\"http://a.example/\"], relevant: \"^fish\", scope: \"\\tx\", examples_from: y, terms: [shark, 鲨鱼]}\n"
	w := open(t, folder(t, map[string]string{"web.yaml": good, "labels.tsv": "\ufeff# mine\nhttp://a.example/\tfish\tbig\nhttp://b.example/\tfish\tbig\nhttp://a.example/x\tfish\n"}, [2]string{"http://a.example/", okHTML}))
	fish, ok := w.Topic("fish")
	if w.Name() != "box" || w.Language() != "zh" || !ok || len(w.Topics()) != 1 ||
		fish.Relevant != "^fish" || fish.Scope != "\tx" || fish.ExamplesFrom != "y" || !slices.Equal(fish.Terms, []string{"shark", "鲨鱼"}) {
		t.Errorf("%s %s %+v", w.Name(), w.Language(), fish)
	}
	if line, ok := w.Labels("http://a.example/"); line != "fish\tbig" || !ok {
		t.Errorf("Labels = %q, %v", line, ok)
	}
	if got := w.Unrecorded(); !slices.Equal(got, []string{"http://a.example/x", "http://b.example/"}) || w.Labelled() != 3 {
		t.Errorf("Unrecorded = %v of %d", got, w.Labelled())
	}
	if _, ok := w.Topic("fowl"); ok {
		t.Error("there is a topic that is not there")
	}
}

func TestBadFoldersSayWhatIsWrong(t *testing.T) {
	one := [2]string{"http://a.example/", okHTML}
	cut := folder(t, nil, one, [2]string{"http://a.example/2", okHTML})
	path := filepath.Join(cut, "pages.warc.gz")
	data, _ := os.ReadFile(path)
	os.WriteFile(path, data[:len(data)-9], 0o666)
	for name, c := range map[string]struct{ dir, want string }{
		"no folder":    {filepath.Join(t.TempDir(), "none"), "no such file"},
		"empty folder": {t.TempDir(), "there is no pages.warc.gz in it"},
		"no page":      {folder(t, nil), "holds no page"},
		"cut":          {cut, "pages.warc.gz\": the file is cut off inside the record at byte"},
		"unknown key":  {folder(t, map[string]string{"web.yaml": "name: x\nlangage: zh\n"}, one), "web.yaml:2:1"},
		"bad pattern":  {folder(t, map[string]string{"web.yaml": "topics: [{name: a, relevant: \"(\"}]"}, one), "topics[0].relevant: is no regular expression"},
		"bad seed":     {folder(t, map[string]string{"web.yaml": "topics: [{name: a, seeds: [a.example]}]"}, one), "topics[0].seeds[0]: is \"a.example\", want an address"},
		"no tab":       {folder(t, map[string]string{"redirects.tsv": "http://a.example/ x\n"}, one), "redirects.tsv:1: "},
		"wide labels":  {folder(t, map[string]string{"labels.tsv": "h\x00:\x00\t\x00x\x00\n\x00"}, one), "labels.tsv:1:2: a NUL byte; is this a text file?"},
	} {
		_, err := Open(c.dir)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func TestFingerprintChangesWithThePages(t *testing.T) {
	one := func(body string, files map[string]string) string {
		return open(t, folder(t, files, [2]string{"http://a.example/", okHTML + body})).Fingerprint()
	}
	a := one("grain", nil)
	if a == "" || a != one("grain", nil) {
		t.Error("the same pages give two fingerprints")
	}
	if a == one("chaff", nil) || a == one("grain", map[string]string{"redirects.tsv": "http://a.example/x\thttp://a.example/\n"}) {
		t.Error("other pages give the same fingerprint")
	}
}

func TestRecordedWebsOpen(t *testing.T) {
	if os.Getenv("THRESHER_SHARED") != "1" {
		t.Skip("reads ../shared/webs; set THRESHER_SHARED=1 to run it")
	}
	for name, want := range map[string]struct {
		pages  int
		topics int
		alias  string
	}{"webkb": {5766, 8, "http://acsl.cs.uiuc.edu/~kaplan"}, "zh_portals": {5141, 9, "http://astro.sina.com.cn/zt_d/2019"}} {
		w := open(t, "../../../shared/webs/"+name)
		if n := len(slices.Collect(w.Addresses())); n != want.pages || w.Labelled() != want.pages || len(w.Topics()) != want.topics {
			t.Errorf("%s: %d pages, %d labelled, %d topics", name, n, w.Labelled(), len(w.Topics()))
		}
		if got := get(t, w, want.alias); got != "301 → "+want.alias+"/" {
			t.Errorf("%s: %s", want.alias, got)
		}
		if got, ok := w.Has(want.alias); !ok || got != want.alias+"/" {
			t.Errorf("Has(%s) = %s", want.alias, got)
		}
		for _, topic := range w.Topics() {
			for _, s := range topic.Seeds {
				if got := get(t, w, s); !strings.HasPrefix(got, "200 ") {
					t.Errorf("%s: seed %s: %.50s", topic.Name, s, got)
				}
			}
		}
	}
}

// A web of more files than its index can tell apart is refused: the last ones would answer for the first.
func TestMoreFilesThanTheIndexTellsApartAreRefused(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := &Web{files: make([]*os.File, mostFiles)}
	if _, err := w.file(name, io.Discard); !errors.Is(err, errFiles) {
		t.Errorf("%v, want %v", err, errFiles)
	}
	w.files[mostFiles].Close()
}

// TestAnIndexIsMadeOnce: a web that is opened again has the index it had, and answers as it did; where a single byte of its
// files is another, the index is made anew.
func TestAnIndexIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "testdata", "webs", "small"))); err != nil {
		t.Fatal(err)
	}
	open := func() (*Web, []string) {
		t.Helper()
		w, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { w.Close() })
		return w, slices.Collect(w.Addresses())
	}
	first, pages := open()
	again, same := open()
	if again.index != first.index || !slices.Equal(same, pages) || again.Fingerprint() != first.Fingerprint() {
		t.Error("the web that was opened again is another")
	}
	name := filepath.Join(dir, "pages.warc.gz")
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2] ^= 1
	if err := os.WriteFile(name, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged, _ := open()
	if n, _ := damaged.Skipped(); damaged.index == first.index || n == 0 || len(damaged.Flaws()) == 0 {
		t.Errorf("a page was damaged, and %d records cannot be read", n)
	}
}
