package sink

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var _ = debug.SetGCPercent(400) // tests allocate much and hold little

var moment = time.Date(2026, 3, 1, 12, 0, 0, 5e8, time.UTC)

func kept(id uint64) *Record {
	address := fmt.Sprintf("http://a.example/%d", id)
	return &Record{
		ID: id, URL: address, FinalURL: address + "?x", Host: "a.example", Time: moment, Status: 200, Type: "text/html",
		Charset: "gbk", Language: "zh", Title: "景点 \"A\"\n<b>\x00\u2028\xff", Imprint: Imprint{Author: "o"}, Text: strings.Repeat("旅游 & text ", 20),
		Digest: "sha256:00", Bytes: 7, Relevance: 0.75, Again: Again{Visits: Visits{moment, moment, moment, ""}}, Raw: 1e-9, Terms: []Term{{"旅游", 0.5}, {"a;b", 1}},
		Way: Way{Score: math.NaN(), Why: []Number{{"mix", 0, 0.25}, {"anchor", 1, math.NaN()}}, Depth: 2,
			Trail: []Step{{URL: "http://a.example/", Anchor: "下一页", Relevance: 0.5}, {URL: "http://a.example/x", Relevance: math.NaN()}}},
		Links:   3,
		OptOuts: []string{"noai", "license=http://a.example/\"terms\""},
		Exchange: Exchange{
			Header:  http.Header{"Content-Type": {"text/html"}, "Transfer-Encoding": {"chunked"}},
			Body:    []byte("<p>body"),
			Request: &http.Request{Header: http.Header{"User-Agent": {"thresher"}, "Cookie": {"session=s3cr3t"}}}, ConnAddr: "192.0.2.1:80", Took: 120 * time.Millisecond,
		},
	}
}

func opened(t *testing.T, dir string, o Options) Sink {
	t.Helper()
	s, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t *testing.T, s Sink, from, to uint64) map[string]int64 {
	t.Helper()
	for id := from; id < to; id++ {
		if err := s.Write(kept(id)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Sync(); err != nil {
		t.Fatal(err)
	}
	return s.Lengths()
}

func ids(t *testing.T, dir string) (got []uint64, err error) {
	t.Helper()
	for r, err := range Harvest(dir) {
		if err != nil {
			return got, err
		}
		got = append(got, r.ID)
	}
	return got, nil
}

func TestFieldsAreThoseOfTheRecord(t *testing.T) {
	want := []string{"schema"}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Record]()) {
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || name == "" { // the parts themselves, and the exchange
			continue
		}
		if want = append(want, name); option != "" {
			t.Errorf("%s may be missing: its tag says %q", name, option)
		}
	}
	if !slices.Equal(want, Fields()) {
		t.Errorf("fields %v\nwant   %v", Fields(), want)
	}
}

func TestJSONLIsWhatTheStandardLibraryWrites(t *testing.T) {
	r := kept(1)
	r.Score, r.Why[1].Value, r.Trail[1].Relevance = 1.5, 1e22, 0 // the library cannot write NaN
	type plain Record
	r.Second, r.Importance, r.Data = .5, 2, map[string]json.RawMessage{"price": json.RawMessage("12.5")}
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	if err := e.Encode(struct {
		Schema int `json:"schema"`
		*plain
	}{Schema, (*plain)(r)}); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	enc, err := NewEncoder(&got, "jsonl", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := enc.Encode(r); err != nil || got.String() != want.String() {
		t.Errorf("%v\n%s\n%s", err, got.String(), want.String())
	}
}

func TestHarvestReadsBackWhatWasKept(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir, Options{To: "jsonl"})
	write(t, s, 1, 2)
	for got, err := range Harvest(dir) {
		if err != nil {
			t.Fatal(err)
		}
		want := kept(1)
		if !math.IsNaN(got.Score) || !math.IsNaN(got.Why[1].Value) || !math.IsNaN(got.Trail[1].Relevance) {
			t.Errorf("NaN came back as %v, %v, %v", got.Score, got.Why[1].Value, got.Trail[1].Relevance)
		}
		got.Score, got.Why[1].Value, got.Trail[1].Relevance = 0, 0, 0
		want.Score, want.Why[1].Value, want.Trail[1].Relevance = 0, 0, 0
		want.Title = "景点 \"A\"\n<b>\x00\u2028\ufffd"
		want.Header, want.Body, want.Request, want.ConnAddr, want.Took = nil, nil, nil, "", 0
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		for brief, err := range KeptBriefly(dir) {
			if err != nil || want.Text == "" {
				t.Fatalf("%v; text %q", err, want.Text)
			}
			brief.Score, brief.Why[1].Value, brief.Trail[1].Relevance = 0, 0, 0
			want.Text = ""
			if !reflect.DeepEqual(brief, want) {
				t.Errorf("got  %+v\nwant %+v without its text", brief, want)
			}
		}
	}
	text, _ := os.ReadFile(filepath.Join(dir, "harvest.jsonl"))
	if !bytes.Contains(text, []byte(`"score":null`)) || bytes.Count(text, []byte("\n")) != 1 {
		t.Errorf("%s", text)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestChosenFields(t *testing.T) {
	dir := t.TempDir()
	write(t, opened(t, dir, Options{To: "jsonl", Fields: []string{"title", "id", "description"}}), 1, 2)
	if text, _ := os.ReadFile(filepath.Join(dir, "harvest.jsonl")); string(text) != `{"title":"景点 \"A\"\n<b>\u0000\u2028\ufffd","id":1,"description":""}`+"\n" {
		t.Errorf("%s", text)
	}
	write(t, opened(t, dir, Options{To: "csv", Fields: []string{"id", "score", "relevance", "terms", "trail", "why", "title"}}), 1, 3)
	f, _ := os.Open(filepath.Join(dir, "harvest.csv"))
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	want := []string{"1", "", "0.75", "旅游=0.5; a;b=1", "http://a.example/ → http://a.example/x", "mix=0.25; anchor=", "景点 \"A\"\n<b> \u2028\ufffd"} // NUL is no character of a column
	if err != nil || len(rows) != 3 || rows[0][0] != "id" || !slices.Equal(rows[1], want) {
		t.Errorf("%v %q", err, rows)
	}
}

func TestFilesRotateAndAreReadInOrder(t *testing.T) {
	for _, to := range []string{"csv", "jsonl", "warc"} {
		t.Run(to, func(t *testing.T) {
			dir := t.TempDir()
			o := Options{To: to, Rotate: rotateAt(to)}
			s := opened(t, dir, o)
			write(t, s, 0, 5)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = opened(t, dir, o) // and goes on where it was
			lengths := write(t, s, 5, 12)
			s.Close()
			if len(lengths) < 2 {
				t.Fatalf("one file: %v", lengths)
			}
			for name, n := range lengths {
				info, err := os.Stat(filepath.Join(dir, name))
				if err != nil || info.Size() != n || n > o.Rotate+1500 {
					t.Errorf("%s: %d bytes, told %d", name, info.Size(), n)
				}
			}
			unbroken := t.TempDir()
			s = opened(t, unbroken, o)
			write(t, s, 0, 12)
			s.Close()
			sameFolder(t, dir, unbroken)
		})
	}
	dir := t.TempDir()
	write(t, opened(t, dir, Options{To: "jsonl", Rotate: 2500}), 0, 12)
	if got, err := ids(t, dir); err != nil || len(got) != 12 || !slices.IsSorted(got) {
		t.Errorf("%v %v", got, err)
	}
	if err := os.Remove(filepath.Join(dir, "harvest-0001.jsonl")); err != nil {
		t.Fatal(err)
	}
	if _, err := ids(t, dir); err == nil || !strings.Contains(err.Error(), "harvest-0001.jsonl is missing") {
		t.Errorf("a file is gone: %v", err)
	}
}

// rotateAt is a size that twelve records need several files for.
func rotateAt(to string) int64 {
	if to == "csv" {
		return 600
	}
	return 2500
}

func sameFolder(t *testing.T, a, b string) {
	t.Helper()
	read := func(dir string) map[string]string {
		m := map[string]string{}
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			text, _ := os.ReadFile(filepath.Join(dir, f.Name()))
			m[f.Name()] = string(text)
		}
		return m
	}
	if !reflect.DeepEqual(read(a), read(b)) {
		t.Errorf("%s and %s differ", a, b)
	}
}

func TestACrashIsCutBack(t *testing.T) {
	for _, to := range []string{"csv", "jsonl", "warc"} {
		t.Run(to, func(t *testing.T) {
			dir, unbroken := t.TempDir(), t.TempDir()
			o := Options{To: to, Rotate: rotateAt(to)}
			s := opened(t, unbroken, o)
			write(t, s, 0, 12)
			s.Close()
			s = opened(t, dir, o)
			committed := write(t, s, 0, 5)
			write(t, s, 5, 12) // never committed; some of it went into new files
			s.Close()
			last := lastFile(t, dir)
			if err := os.Truncate(last, 10); err != nil { // half a record
				t.Fatal(err)
			}
			if err := Cut(dir, committed); err != nil {
				t.Fatal(err)
			}
			s = opened(t, dir, o)
			write(t, s, 5, 12)
			s.Close()
			sameFolder(t, dir, unbroken)
		})
	}
}

func lastFile(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil || len(list) < 2 {
		t.Fatal(list, err)
	}
	for i := len(list) - 1; ; i-- {
		if strings.Contains(list[i].Name(), "-") {
			return filepath.Join(dir, list[i].Name())
		}
	}
}

func TestCutRefusesWhatWouldHideALoss(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir, Options{To: "jsonl"})
	n := write(t, s, 0, 3)["harvest.jsonl"]
	s.Close()
	before, _ := os.ReadFile(filepath.Join(dir, "harvest.jsonl"))
	for name, c := range map[string]struct {
		lengths map[string]int64
		want    string
	}{
		"shorter":  {map[string]int64{"harvest.jsonl": n + 1}, "finished pages are missing"},
		"gone":     {map[string]int64{"harvest.jsonl": 1, "pages-0000.warc.gz": 9}, "pages-0000.warc.gz"},
		"outside":  {map[string]int64{"../x": 1}, "below the run folder"},
		"negative": {map[string]int64{"harvest.jsonl": -1}, "and a length"},
	} {
		if err := Cut(dir, c.lengths); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if after, _ := os.ReadFile(filepath.Join(dir, "harvest.jsonl")); !bytes.Equal(before, after) {
			t.Fatalf("%s: the file was touched", name)
		}
	}
	other := filepath.Join(dir, "harvest-of-grain.jsonl")
	if err := os.WriteFile(other, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Cut(dir, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "harvest.jsonl")); !os.IsNotExist(err) {
		t.Error("a file that was never committed is still there")
	}
	if _, err := os.Stat(other); err != nil {
		t.Error("a file that no sink wrote is gone")
	}
}

func TestAHalfLineIsNeverWrittenOn(t *testing.T) {
	for _, to := range []string{"jsonl", "csv"} {
		dir := t.TempDir()
		s := opened(t, dir, Options{To: to})
		n := write(t, s, 0, 3)["harvest."+to]
		s.Close()
		if err := os.Truncate(filepath.Join(dir, "harvest."+to), n-5); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, Options{To: to}); err == nil || !strings.Contains(err.Error(), "ends inside a line") {
			t.Errorf("%s: %v", to, err)
		}
		if to == "jsonl" {
			got, err := ids(t, dir)
			if len(got) != 2 || err == nil || !strings.Contains(err.Error(), fmt.Sprintf("harvest.jsonl at byte %d", n/3*2)) {
				t.Errorf("read %v, %v", got, err)
			}
		}
	}
}

func TestMistakesNamePlaceAndCure(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir  string
		o    Options
		want string
	}{
		{t.TempDir(), Options{To: "xml"}, `to is "xml", want csv, jsonl, opensearch, titles, warc`},
		{t.TempDir(), Options{To: "jsonl", Rotate: -1}, "rotate is -1"},
		{t.TempDir(), Options{To: "csv", Fields: []string{"titel"}}, `no field is called "titel", want some of schema, id, url`},
		{t.TempDir(), Options{To: "csv", Fields: []string{"url", "data.a", "url"}}, `the field "url" is named twice`},
		{t.TempDir(), Options{To: "warc", Fields: []string{"title"}}, "no fields to choose from"},
		{filepath.Join(file, "run"), Options{To: "jsonl"}, file},
	} {
		if _, err := Open(c.dir, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.o, err, c.want)
		}
	}
	if _, err := NewEncoder(nil, "warc", nil); err == nil {
		t.Error("a WARC file was taken for lines")
	}
	if _, err := ids(t, t.TempDir()); err == nil || !strings.Contains(err.Error(), "there is no harvest.jsonl") {
		t.Errorf("no harvest: %v", err)
	}
}

func TestAReadOnlyFolderIsNamed(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("nothing is read-only for this user")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{To: "jsonl"}); err == nil || !strings.Contains(err.Error(), "harvest.jsonl") {
		t.Error(err)
	}
}

func TestAFullDiskIsNamed(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	for to, name := range map[string]string{"jsonl": "harvest.jsonl", "csv": "harvest.csv", "warc": "pages-0000.warc.gz"} {
		dir := t.TempDir()
		if err := os.Symlink("/dev/full", filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		s := opened(t, dir, Options{To: to})
		if err := s.Write(kept(1)); err != nil {
			t.Fatal(err)
		}
		err := s.Sync()
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "make room") {
			t.Errorf("%s: %v", to, err)
		}
		if again := s.Write(kept(2)); again == nil {
			t.Errorf("%s: went on after a failure", to)
		}
		if err := s.Close(); err == nil {
			t.Errorf("%s: closed as if nothing were lost", to)
		}
	}
}

// The disk may be asked to keep what is there while records are written, full files included.
func TestSyncGoesOnBesideWriting(t *testing.T) {
	for _, to := range []string{"csv", "jsonl", "warc"} {
		dir := t.TempDir()
		s := opened(t, dir, Options{To: to, Rotate: 4 << 10})
		done := make(chan error)
		go func() {
			for range 50 {
				if err := s.Sync(); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
		lengths := write(t, s, 1, 100)
		if err := <-done; err != nil {
			t.Error(to, err)
		}
		if err := s.Sync(); err != nil || len(lengths) < 2 {
			t.Errorf("%s: %v, and only the files %v", to, err, lengths)
		}
		for name, n := range s.Lengths() {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() != n {
				t.Errorf("%s: %s is said to be %d long: %v", to, name, n, err)
			}
		}
		s.Close()
	}
}
