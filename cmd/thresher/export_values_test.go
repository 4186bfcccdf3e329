package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestValuesThatAreNumbersLeaveAsNumbers: what a crawl file asks for as a number is one in a table whose columns have types, or
// missing; and a value that no page has is told, for it may be written wrongly.
func TestValuesThatAreNumbersLeaveAsNumbers(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	must(t, "crawl", extractFile(t, "  part: [{css: h1, as: integer}, {css: title, as: number}]\n  heading: {css: \"h1, h2\"}\n"), "--store", run, "--quiet", "--budget", "60")
	t.Chdir(t.TempDir())
	want := map[uint64]float64{}
	for line := range strings.Lines(must(t, "export", "--run", run, "--fields", "id,data.part")) {
		var r struct {
			ID   uint64
			Part *float64 `json:"data.part"`
		}
		noError(t, json.Unmarshal([]byte(line), &r))
		if r.Part != nil {
			want[r.ID] = *r.Part
		}
	}
	_, _, said := thresher(t, "export", "--run", run, "--to", "parquet", "--fields", "id,data.part,data.heading,data.prat", "--out", "values.parquet")
	if !strings.Contains(said, "no page has the value prat\n") || strings.Count(said, "no page") != 1 {
		t.Errorf("of a value that no page has it says %s", said)
	}
	rows, err := parquet.ReadFile[struct {
		ID      uint64   `parquet:"id"`
		Part    *float64 `parquet:"data.part"`
		Heading string   `parquet:"data.heading"`
	}]("values.parquet")
	if err != nil || len(want) == 0 || len(want) == len(rows) {
		t.Fatalf("%v, %d of %d pages have a number", err, len(want), len(rows))
	}
	for _, r := range rows {
		if is, there := want[r.ID]; there != (r.Part != nil) || there && *r.Part != is || r.Heading == "" {
			t.Errorf("%d: %v %q, want %v", r.ID, r.Part, r.Heading, is)
		}
	}
}
