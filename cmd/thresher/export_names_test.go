package main

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// What a file is called says what it is: its form where none is named, and that it is packed.
func TestExportByTheNameOfItsFile(t *testing.T) {
	run := quickstartRun(t)
	t.Chdir(t.TempDir())
	for name, form := range map[string]string{"a.jsonl.gz": "jsonl", "a.csv": "csv", "a.csv.gz": "csv", "a.txt": "text", "a.json": "jsonl", "b.jsonl.zst": "jsonl", "b.csv.zst": "csv"} {
		must(t, "export", "--run", run, "--out", name)
		var in io.Reader
		f, err := os.Open(name)
		noError(t, err)
		switch in = f; filepath.Ext(name) {
		case ".gz":
			in, err = gzip.NewReader(f)
		case ".zst":
			in, err = zstd.NewReader(f)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := io.ReadAll(in)
		if want := must(t, "export", "--run", run, "--to", form); err != nil || string(got) != want {
			t.Errorf("%s is no %s: %v", name, form, err)
		}
		f.Close()
	}
	must(t, "export", "--run", run, "--out", "a.parquet")
	if raw := mustRead(t, "a.parquet"); !strings.HasPrefix(raw, "PAR1") {
		t.Errorf("a.parquet begins with %.8q", raw)
	}
	must(t, "export", "--run", run, "--out", "a.parquet.gz")
	if raw := mustRead(t, "a.parquet.gz"); !strings.HasPrefix(raw, "\x1f\x8b") {
		t.Errorf("a.parquet.gz begins with %.8q", raw)
	}
	must(t, "export", "--run", run, "--to", "chunks", "--out", "c.jsonl.gz")
	if raw := mustRead(t, "c.jsonl.gz"); !strings.HasPrefix(raw, "\x1f\x8b") {
		t.Errorf("c.jsonl.gz begins with %.8q", raw)
	}
	for _, name := range []string{"a.jsonl.bz2", "a.csv.xz", "a.zip", "a.warc.zst"} { // which no reader would take
		code, _, said := thresher(t, "export", "--run", run, "--out", name)
		if _, err := os.Stat(name); code != exitMisuse || !strings.Contains(said, "want a name that ends in .gz or .zst") || err == nil {
			t.Errorf("%s: %d, %s", name, code, said)
		}
	}
	must(t, "export", "--run", run, "--out", "two.jsonl.zst")
	if mustRead(t, "b.jsonl.zst") != mustRead(t, "two.jsonl.zst") {
		t.Error("the same pages are packed into other bytes")
	}
	must(t, "export", "--run", run, "--to", "chunks", "--split", "0.5", "--out", "s.jsonl.zst")
	for _, side := range []string{"s-train.jsonl.zst", "s-test.jsonl.zst"} {
		if raw := mustRead(t, side); !strings.HasPrefix(raw, "\x28\xb5\x2f\xfd") {
			t.Errorf("%s begins with %.8q", side, raw)
		}
	}
	must(t, "export", "--run", run, "--out", "one.warc.gz")
	must(t, "export", "--run", run, "--out", "two.warc.gz")
	if mustRead(t, "one.warc.gz") != mustRead(t, "two.warc.gz") {
		t.Error("an archive of the same pages is another each time")
	}
}

// A text that two sites have stands on both sides of a split, which is told.
func TestSplitTellsOfSharedTexts(t *testing.T) {
	run := quickstartRun(t)
	t.Chdir(t.TempDir())
	kept := filepath.Join(run, sink.FileKept)
	whole := mustRead(t, kept)
	var copied map[string]any
	noError(t, json.Unmarshal([]byte(whole[:strings.Index(whole, "\n")]), &copied))
	for i, host := range []string{"a.test", "b.test", "c.test", "d.test", "e.test", "f.test"} {
		copied["id"], copied["final_url"], copied["host"] = 9_000_000+i, "http://"+host+"/1.html", host
		line, err := json.Marshal(copied)
		noError(t, err)
		whole += string(line) + "\n"
	}
	noError(t, os.WriteFile(kept, []byte(whole), 0o600))
	const says = "warning: set-test.jsonl has near duplicates of pages in set-train.jsonl ("
	if code, _, errs := thresher(t, "export", "--run", run, "--split", "0.5", "--out", "set.jsonl"); code != exitDone || !strings.Contains(errs, says) {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, _, errs := thresher(t, "export", "--run", run, "--split", "0.5", "--out", "set.jsonl", "--dedup"); code != exitDone || strings.Contains(errs, "near duplicates") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
