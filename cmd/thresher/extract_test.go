package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// extractFile is the quickstart with rules.
func extractFile(t *testing.T, rules string) string {
	t.Helper()
	t.Chdir(home)
	text := mustRead(t, "configs/quickstart.yaml")
	web, err := filepath.Abs("testdata/webs/quickstart")
	noError(t, err)
	text = strings.Replace(text, "../testdata/webs/quickstart", web, 1)
	text = strings.Replace(text, "sinks: [jsonl, warc]", "sinks: [jsonl, warc, csv]", 1)
	file := filepath.Join(t.TempDir(), "quickstart.yaml")
	noError(t, os.WriteFile(file, []byte(text+"\nextract:\n"+rules), 0o644))
	return file
}

func recordsByAddress(t *testing.T, path string) map[string]*sink.Record {
	t.Helper()
	all := map[string]*sink.Record{}
	for line := range strings.Lines(mustRead(t, path)) {
		var r sink.Record
		noError(t, json.Unmarshal([]byte(line), &r))
		all[r.FinalURL] = &r
	}
	return all
}

// What a crawl file asks of its pages stands in every record, also of those that the second look takes in, and from there in the
// table, in what is exported, and in the index. The same rules find the same values in the archive.
func TestExtractedValuesTravelWithTheHarvest(t *testing.T) {
	file := extractFile(t, "  heading: {css: \"h1, h2\", required: drop}\n  about: {meta: description, required: null}\n  copies: {css: a, list: true}\n  never: .no-such-class\n")
	run := filepath.Join(t.TempDir(), "run")
	must(t, "crawl", file, "--store", run, "--quiet", "--budget", "240")
	first, kept := recordsByAddress(t, filepath.Join(run, "harvest.jsonl")), recordsByAddress(t, filepath.Join(run, sink.FileKept))
	taken := 0
	for address, r := range kept {
		if first[address] == nil {
			taken++
		}
		var heading string
		if err := json.Unmarshal(r.Data["heading"], &heading); err != nil || heading == "" || !strings.Contains(r.Text, heading) && !strings.Contains(r.Title, heading) {
			t.Errorf("%s has the values %s (%v)", address, r.Data, err)
		}
		if about, ok := r.Data["about"]; !ok || r.Description == "" && string(about) != "null" || r.Data["never"] != nil {
			t.Errorf("%s has the values %s", address, r.Data)
		}
	}
	if taken == 0 || len(first) == 0 {
		t.Fatalf("%d pages kept, %d of them taken in by the second look: nothing is shown", len(kept), taken)
	}
	rows, err := csv.NewReader(strings.NewReader(mustRead(t, filepath.Join(run, "harvest.csv")))).ReadAll()
	if err != nil || len(rows) != len(first)+1 {
		t.Fatalf("%d rows (%v), want %d", len(rows), err, len(first)+1)
	}
	column, at := slices.Index(rows[0], "data.heading"), slices.Index(rows[0], "url")
	for _, row := range rows[1:] {
		var heading string
		if json.Unmarshal(first[row[at]].Data["heading"], &heading); strings.TrimPrefix(row[column], "'") != heading {
			t.Errorf("%s has the heading %q in the table, and %q in its record", row[at], row[column], heading)
		}
	}
	if head, _, _ := strings.Cut(must(t, "export", "--run", run, "--to", "csv"), "\n"); !strings.HasSuffix(strings.TrimSpace(head), "data.about,data.copies,data.heading,data.never") {
		t.Errorf("export has the columns %s", head)
	}
	found := map[string]map[string]json.RawMessage{}
	_, out, errs := thresher(t, "extract", file, run, "--json")
	for line := range strings.Lines(out) {
		var e extracted
		noError(t, json.Unmarshal([]byte(line), &e))
		found[e.URL] = e.Values
	}
	for address, r := range kept {
		if !maps.EqualFunc(found[address], r.Data, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			t.Errorf("%s: extract finds %s, and the record has %s", address, found[address], r.Data)
		}
	}
	about := 0
	for _, r := range kept {
		if string(r.Data["about"]) != "null" {
			about++
		}
	}
	if want := fmt.Sprintf("%d pages: about on %d, copies on ", len(kept), about); about == len(kept) || !strings.HasPrefix(errs, want) {
		t.Errorf("extract says %q, want %q", errs, want)
	}
	must(t, "index", run)
	for address, r := range kept {
		var heading string
		json.Unmarshal(r.Data["heading"], &heading)
		replies(t, exitDone, address, "search", run, `heading:"`+heading+`"`)
		break
	}
}

// A page without a value that it must have is not kept, whichever look it is that takes it, and the log says what it lacks.
func TestAPageThatLacksAValueIsNotKept(t *testing.T) {
	file := extractFile(t, "  about: {meta: description, required: drop}\n")
	run := filepath.Join(t.TempDir(), "run")
	must(t, "crawl", file, "--store", run, "--quiet", "--budget", "150")
	kept := recordsByAddress(t, filepath.Join(run, sink.FileKept))
	for address, r := range kept {
		if r.Description == "" || len(r.Data["about"]) < 3 {
			t.Errorf("%s is kept without what it must have: %s", address, r.Data)
		}
	}
	if n := strings.Count(mustRead(t, filepath.Join(run, "crawl.log")), "lacking: about"); n == 0 || len(kept) == 0 {
		t.Errorf("%d pages kept, and %d that lack something in the log", len(kept), n)
	}
}

// Of a run whose crawl file had no rules, the bytes of pages that the second look took in are nowhere, and extract says so.
func TestExtractSaysWhosePagesAreNotThere(t *testing.T) {
	file, run := extractFile(t, "  heading: h1\n"), quickstartRun(t)
	first, kept := recordsByAddress(t, filepath.Join(run, "harvest.jsonl")), recordsByAddress(t, filepath.Join(run, sink.FileKept))
	_, out, errs := thresher(t, "extract", file, run, "--json")
	lost := 0
	for line := range strings.Lines(out) {
		var e extracted
		noError(t, json.Unmarshal([]byte(line), &e))
		if e.Error != "" {
			lost++
		}
		if taken := first[e.URL] == nil; kept[e.URL] == nil || taken != strings.HasPrefix(e.Error, "its bytes are not there: the second look took it in") {
			t.Errorf("of %s it says %q", e.URL, e.Error)
		}
	}
	if want := fmt.Sprintf("%d pages, %d of them could not be read: heading on ", len(kept), lost); lost == 0 || !strings.HasPrefix(errs, want) {
		t.Errorf("it says %q, want %q", errs, want)
	}
}

func TestExtractSaysWhatIsAskedOfIt(t *testing.T) {
	file := extractFile(t, "  price: {css: .price, as: number}\n  seller: {css: .by, required: drop}\n")
	page := filepath.Join(t.TempDir(), "page.html")
	noError(t, os.WriteFile(page, []byte("<title>Kettle</title><p class=price>EUR 29,90</p>"), 0o644))
	out := must(t, "extract", file, page, "--url", "https://shop.example/kettle")
	if want := "https://shop.example/kettle\n  price   29.9\n  seller  is lacking: a crawl does not keep the page\n"; out != want {
		t.Errorf("have %q\nwant %q", out, want)
	}
	for _, wrong := range [][]string{{"extract", file}, {"extract", "configs/quickstart.yaml", page}, {"extract", file, page, page, "--url", "x"}, {"extract", file, page, "--url", "ftp://a.example/"},
		{"judge", "configs/quickstart.yaml", page, "--url", "nope"}} {
		replies(t, exitMisuse, "try: ", wrong...)
	}
	replies(t, exitMisuse, "there is no such file", "extract", file, filepath.Join(t.TempDir(), "none.html"))
	if _, _, errs := thresher(t, "extract", file, page, page); !strings.Contains(errs, "2 pages: price on 2, seller on 0") {
		t.Errorf("several pages: %s", errs)
	}
}
