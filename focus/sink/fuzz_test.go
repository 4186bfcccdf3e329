package sink

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// FuzzEncoder holds both formats to this: whatever a page says, a record is one line of valid JSON, and one row of a
// table, that say the same again.
func FuzzEncoder(f *testing.F) {
	f.Add("plain", 0.5)
	f.Add("line\nbreak \"quoted\" \\ \x00\x1f\x7f \u2028 \xff 旅游", math.NaN())
	f.Add("=1+1,\"", math.Inf(1))
	f.Fuzz(func(t *testing.T, s string, v float64) {
		r := &Record{URL: s, Title: s, Text: s, Relevance: v, Terms: []Term{{s, v}}, Way: Way{Why: []Number{{s, 1, v}}, Trail: []Step{{s, s, v}}}}
		var line growing
		e, err := NewEncoder(&line, "jsonl", nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(line), "\n"); n != 1 || line[len(line)-1] != '\n' {
			t.Fatalf("%d lines: %s", n, line)
		}
		var back Record
		if err := json.Unmarshal(line, &back); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		want := validUTF8(s)
		if back.Title != want || back.Terms[0].Term != want || back.Trail[0].Anchor != want {
			t.Fatalf("%q came back as %q", want, back.Title)
		}
		if finite := !math.IsNaN(v) && !math.IsInf(v, 0); finite && (back.Relevance != v || back.Why[0].Value != v) || !finite && !math.IsNaN(back.Relevance) {
			t.Fatalf("%v came back as %v", v, back.Relevance)
		}
		var table growing
		if e, err = NewEncoder(&table, "csv", []string{"title", "relevance"}); err != nil {
			t.Fatal(err)
		}
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(string(table))).ReadAll()
		// Readers of csv take a carriage return before a line feed for the end of the line.
		if err != nil || len(rows) != 2 || rows[1][0] != strings.ReplaceAll(harmless(s), "\r\n", "\n") {
			t.Fatalf("%v: %q of %q", err, rows, table)
		}
	})
}

// validUTF8 puts U+FFFD for every byte that is no UTF-8, as JSON must.
func validUTF8(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}
