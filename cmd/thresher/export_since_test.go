package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// TestExportOfWhatIsNew: after an earlier export come the pages that it has not, those that have changed and those that are gone, in
// every form; what it has and is kept no more is told.
func TestExportOfWhatIsNew(t *testing.T) {
	run := quickstartRun(t)
	t.Chdir(t.TempDir())
	const fields = "id,final_url,last_changed,gone"
	must(t, "export", "--run", run, "--fields", fields, "--out", "last.jsonl")
	since := func(args ...string) (ids []uint64, said string) {
		t.Helper()
		code, out, said := thresher(t, append([]string{"export", "--run", run, "--since", "last.jsonl"}, args...)...)
		if code != exitDone {
			t.Fatal(said)
		}
		for line := range strings.Lines(out) {
			var r struct{ ID uint64 }
			noError(t, json.Unmarshal([]byte(line), &r))
			ids = append(ids, r.ID)
		}
		return slices.Compact(ids), said
	}
	if ids, said := since(); len(ids) > 0 || !strings.HasPrefix(said, "0 of ") || strings.Count(said, "\n") != 1 {
		t.Errorf("nothing is new, and it has %v and says %s", ids, said)
	}

	kept := filepath.Join(run, sink.FileKept)
	lines := slices.Collect(strings.Lines(mustRead(t, kept)))
	idOf := func(line string) (id uint64) {
		fmt.Sscanf(line, `{"schema":1,"id":%d`, &id)
		return id
	}
	changed, gone, fresh := idOf(lines[3]), idOf(lines[5]), idOf(lines[9])
	lines[3] = strings.Replace(lines[3], `"last_changed":"2020-`, `"last_changed":"2021-`, 1)
	lines[5] = strings.Replace(lines[5], `"gone":""`, `"gone":"2026-01-02T03:04:05Z"`, 1)
	lines[7] = ""
	last := strings.ReplaceAll(mustRead(t, "last.jsonl"), fmt.Sprintf("{\"id\":%d,", fresh), `{"id":999999,`)
	for name, text := range map[string]string{kept: strings.Join(lines, ""), "last.jsonl": last, "empty.jsonl": ""} {
		noError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	for _, form := range []string{"jsonl", "chunks"} {
		if ids, said := since("--to", form); !slices.Equal(ids, []uint64{changed, gone, fresh}) || !strings.Contains(said, "2 pages of last.jsonl would not be") {
			t.Errorf("as %s it has %v, want %d, %d, %d, and says %s", form, ids, changed, gone, fresh, said)
		}
	}
	if ids, _ := since("--there"); !slices.Equal(ids, []uint64{changed, fresh}) {
		t.Errorf("of what is there it has %v", ids)
	}
	for _, whole := range []string{"whole.jsonl.gz", "whole.jsonl.zst"} {
		must(t, "export", "--run", run, "--out", whole)
		if ids, said := since("--since", whole); len(ids) > 0 {
			t.Errorf("after %s it has %v: %s", whole, ids, said)
		}
	}
	if ids, _ := since("--since", "empty.jsonl"); len(ids) != len(lines)-1 {
		t.Errorf("after none it has %d of %d pages", len(ids), len(lines)-1)
	}

	must(t, "export", "--run", run, "--to", "csv", "--out", "table.csv")
	must(t, "export", "--run", run, "--fields", "id,url", "--out", "few.jsonl")
	for file, want := range map[string]string{"none.jsonl": "none.jsonl: there is no such file; want that of an earlier export", "2026-11-01": "want that of an earlier export as jsonl", "table.csv": "no earlier export as jsonl", "few.jsonl": "has not the fields id, final_url, last_changed and gone"} {
		if code, _, said := thresher(t, "export", "--run", run, "--since", file); code != exitMisuse || !strings.Contains(said, want) {
			t.Errorf("after %s: %d, %s", file, code, said)
		}
	}
	here, err := filepath.Abs("last.jsonl")
	noError(t, err)
	for _, args := range [][]string{{"last.jsonl", "--out", "./last.jsonl"}, {"last.jsonl", "--out", here}, {"few-train.jsonl", "--out", "few.jsonl", "--split", "0.5"}} {
		must(t, "export", "--run", run, "--split", "0.5", "--out", "few.jsonl")
		if code, _, said := thresher(t, append([]string{"export", "--run", run, "--since"}, args...)...); code != exitMisuse || !strings.Contains(said, "one file") {
			t.Errorf("into what it reads, %v: %d, %s", args, code, said)
		}
	}
}

// TestExportOfWhatIsNewInAHarvestOfFewFields: one that does not say when its pages were fetched knows them by their addresses.
func TestExportOfWhatIsNewInAHarvestOfFewFields(t *testing.T) {
	run := quickstartRun(t, "--set", "second_look=off", "--set", "sinks=[{to: jsonl, fields: [url, title, text]}]")
	last := filepath.Join(t.TempDir(), "last.jsonl")
	must(t, "export", "--run", run, "--fields", "id,final_url,last_changed,gone", "--out", last)
	code, out, said := thresher(t, "export", "--run", run, "--since", last)
	if code != exitDone || out != "" || !strings.HasPrefix(said, "0 of ") {
		t.Errorf("nothing is new: %d, %q, and it says %s", code, out, said)
	}
}

// TestWhatIsNewOfFewSites: that all of it stands on one side of a split is as it should be; another share would move sites to the other.
func TestWhatIsNewOfFewSites(t *testing.T) {
	run := quickstartRun(t)
	t.Chdir(t.TempDir())
	all := slices.Collect(strings.Lines(must(t, "export", "--run", run)))
	noError(t, os.WriteFile("last.jsonl", []byte(strings.Join(all[1:], "")), 0o600))
	if _, _, said := thresher(t, "export", "--run", run, "--since", "last.jsonl", "--split", "0.5", "--out", "new.jsonl"); !strings.HasPrefix(said, "1 of ") || strings.Contains(said, "warning") {
		t.Errorf("of one new page it says %s", said)
	}
}
