package sink

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"time"
)

// linesToRead are lines as they are written: of a harvest, of one whose fields were chosen, and of pages for a second look.
func linesToRead(t testing.TB) (harvest, looks []string) {
	t.Helper()
	at := time.Date(2026, 1, 2, 3, 4, 5, 67e6, time.FixedZone("", 3600))
	full := &Record{
		ID: math.MaxUint64, URL: "http://a.example/tea?x=1&y=\"2\"", Time: at, Status: 200, Title: "Tea \\ 茶\u202e\t\x00", Text: "one\ntwo \U0001f375 \xff /", Bytes: 1 << 40,
		Relevance: .5, Again: Again{Second: 1e-9, Visits: Visits{FirstSeen: at.Add(-time.Hour).UTC(), Gone: "2027"}}, Raw: math.NaN(),
		Terms: []Term{{"tea", .25}, {"茶", -3e21}}, Way: Way{Score: math.NaN(), Why: []Number{{"max", 0, .5}, {"anchor", 1, math.NaN()}}, Depth: 2, Trail: []Step{{"http://a.example/", "a \"link\"", 1}, {Relevance: math.NaN()}}},
		OptOuts: []string{"noai (page)"}, Data: map[string]json.RawMessage{"price": json.RawMessage(`12.50`), "tags": json.RawMessage(`["a",{"b":null}]`)},
	}
	for _, names := range [][]string{nil, {"url", "time", "relevance", "trail"}, {"id", "terms", "opt_outs", "data"}} {
		for _, r := range []*Record{full, {URL: "http://b.example/"}} {
			var line growing
			if e, err := NewEncoder(&line, "jsonl", names); err != nil || e.Encode(r) != nil {
				t.Fatal(err)
			}
			harvest = append(harvest, string(line))
		}
	}
	return harvest, linesOf(t, &Seen{
		Record: full, Kept: true, Keys: []uint64{1, math.MaxUint64}, Body: []byte("<p>茶"),
		Links: []Pointer{{17, -1, "Tea"}, {math.MaxUint64, math.MaxInt32, "\"乌龙茶\""}},
	}, &Seen{Near: true, Record: &Record{URL: "http://b.example/"}})
}

// TestAgainCured: what a disk does not read is no damage, and repaired by nothing.
func TestAgainCured(t *testing.T) {
	withheld := fmt.Errorf("visits.jsonl: %w", &os.PathError{Op: "read", Path: "visits.jsonl", Err: os.ErrDeadlineExceeded})
	if err := AgainCured("runs/x", withheld); err != withheld {
		t.Error(err)
	}
	if err := AgainCured("runs/x", io.ErrUnexpectedEOF); !strings.HasSuffix(err.Error(), ": 'thresher repair --run runs/x' goes on with what is left") {
		t.Error(err)
	}
}

// linesOf are the lines of pages for a second look.
func linesOf(t testing.TB, pages ...*Seen) []string {
	t.Helper()
	dir := t.TempDir()
	l, err := OpenLooks(dir, LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 20, Rotate: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range pages {
		if err := l.Take(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(dir + "/look.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(string(written), "\n"), "\n")
}

// sameAsJSON holds of a line that, if it is read in one go, encoding/json reads it and finds the same. It tells that it was.
func sameAsJSON(t testing.TB, line []byte) (atOnce bool) {
	t.Helper()
	in := scan{left: line}
	if r := in.record(); in.ends() {
		want := unread()
		if err := json.Unmarshal(line, want); err != nil || all(r) != all(want.record()) {
			t.Errorf("%s\nis read as %s\nwant %s (%v)", line, all(r), all(want.record()), err)
		}
		return true
	}
	in = scan{left: line}
	s := in.seen()
	if !in.ends() {
		return false
	}
	want := plainSeen{Record: unread()}
	err := json.Unmarshal(line, &want)
	if err != nil || all(s.Record) != all(want.Record.record()) {
		t.Errorf("%s\nis read as %s\nwant %s (%v)", line, all(s.Record), all(want.Record.record()), err)
	}
	s.Record, want.Record = nil, nil
	if have, want := fmt.Sprintf("%#v", s), fmt.Sprintf("%#v", Seen{want.Kept, want.Near, want.Keys, want.Links, nil, want.Body, false}); have != want {
		t.Errorf("%s\nis read as %s\nwant %s", line, have, want)
	}
	return true
}

// all is all that a record holds, each number to its last bit, and whether a list is empty or none.
func all(r *Record) string { return fmt.Sprintf("%#v", *r) }

// TestWhatIsReadAtOnceIsTheSame holds that lines that stand as they are written are read in one go, and as encoding/json reads them, and that
// any other is left to it: from each of them every byte is taken, and others are put in its place.
func TestWhatIsReadAtOnceIsTheSame(t *testing.T) {
	harvest, looks := linesToRead(t)
	for _, line := range append(harvest, looks...) {
		if !sameAsJSON(t, []byte(line)) {
			t.Errorf("it is not read at once: %s", line)
		}
		changed := len(line)
		if at := strings.Index(line, `"record":`); at > 0 {
			changed = at + 20 // what follows stands in a harvest, too
		}
		for i := range changed {
			for _, put := range []string{"", `"`, `\`, `\u00e9`, `\ud83c`, "\t", ",", "-", "0", "9", "x", " ", "}", "null", "e1", ".5", "\xff"} {
				for _, end := range []int{i, i + 1} {
					sameAsJSON(t, []byte(line[:i]+put+line[end:]))
				}
			}
		}
	}
}

func FuzzWhatIsReadAtOnceIsTheSame(f *testing.F) {
	harvest, looks := linesToRead(f)
	for _, line := range append(harvest, looks...) {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) { sameAsJSON(t, line) })
}

// BenchmarkReadBack reads a page of 5 KB of text back, and one with 80 links for a second look, as a run is read and by encoding/json.
func BenchmarkReadBack(b *testing.B) {
	page := seenPage(1, .5)
	page.Record.Text, page.Record.Markdown = strings.Repeat("some words of a page\n", 125)+strings.Repeat("茶叶是", 290), strings.Repeat("some words of a page\n", 125)
	for range 80 {
		page.Links = append(page.Links, Pointer{Key(fmt.Sprint(len(page.Links))), 7, "what a link says"})
	}
	for range 12 {
		page.Record.Why = append(page.Record.Why, Number{"neighbourhood", 1, .25})
		page.Record.Trail = append(page.Record.Trail, Step{"http://a.example/somewhere", "what a link says", .25})
	}
	line, err := page.Record.MarshalJSON()
	if err != nil {
		b.Fatal(err)
	}
	look := linesOf(b, page)[0]
	for _, c := range []struct {
		name string
		line []byte
		read func([]byte) error
	}{
		{"harvest", line, func(line []byte) error { return new(Record).UnmarshalJSON(line) }},
		{"harvest by encoding/json", line, func(line []byte) error { return json.Unmarshal(line, unread()) }},
		{"look", []byte(look), func(line []byte) error { return new(Seen).UnmarshalJSON(line) }},
		{"look by encoding/json", []byte(look), func(line []byte) error { return json.Unmarshal(line, &plainSeen{Record: unread()}) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.line)))
			b.ReportAllocs()
			for b.Loop() {
				if err := c.read(c.line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
