package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/thresher-crawler/thresher/focus/outlet"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// keptOfRun are the pages that a run keeps, by number.
func keptOfRun(t *testing.T, run string) map[uint64]*sink.Record {
	t.Helper()
	all := map[uint64]*sink.Record{}
	for r, err := range sink.Kept(run) {
		noError(t, err)
		all[r.ID] = r
	}
	return all
}

// Every form has every page once, with the number of its cluster, and says what the record says.
func TestExportInEveryForm(t *testing.T) {
	run := quickstartRun(t)
	t.Chdir(t.TempDir())
	kept := keptOfRun(t, run)
	export := func(args ...string) string {
		t.Helper()
		return must(t, append([]string{"export", "--run", run}, args...)...)
	}
	clusters, clusterOf, pages := map[uint64]int{}, map[uint64]uint64{}, 0
	for line := range strings.Lines(export()) {
		var r sink.Record
		var of struct{ Cluster uint64 }
		if err := errors.Join(json.Unmarshal([]byte(line), &r), json.Unmarshal([]byte(line), &of)); err != nil || kept[r.ID] == nil || r.Text != kept[r.ID].Text || of.Cluster == 0 || of.Cluster > r.ID {
			t.Fatalf("%v: %.200s", err, line)
		}
		clusters[of.Cluster]++
		clusterOf[r.ID] = of.Cluster
		pages++
	}
	if pages != len(kept) {
		t.Errorf("%d of %d pages", pages, len(kept))
	}
	rows, err := csv.NewReader(strings.NewReader(export("--to", "csv"))).ReadAll()
	if err != nil || len(rows) != pages+1 || !slices.Contains(rows[0], "cluster") {
		t.Errorf("csv: %v, %d rows: %v", err, len(rows), rows[0])
	}
	text := export("--to", "text")
	for id, r := range kept {
		if head := fmt.Sprintf("%s\n%s\ncluster %d\n\n", sink.Plain(r.Title), r.FinalURL, clusterOf[id]); !strings.Contains(text, head) {
			t.Errorf("text does not say %q", head)
		}
	}
	of := map[uint64]int{}
	for line := range strings.Lines(export("--to", "chunks", "--chunk", "400", "--chunk-least", "50", "--chunk-overlap", "40")) {
		var p outlet.Piece
		if err := json.Unmarshal([]byte(line), &p); err != nil || kept[p.ID] == nil || p.Cluster != clusterOf[p.ID] || !strings.HasPrefix(kept[p.ID].Markdown[p.At:], p.Text) {
			t.Fatalf("%v: %.300s", err, line)
		}
		of[p.ID]++
	}
	if len(of) != pages {
		t.Errorf("chunks of %d of %d pages", len(of), pages)
	}
	export("--to", "parquet", "--out", "pages.parquet")
	table, err := parquet.ReadFile[struct {
		ID      uint64    `parquet:"id"`
		Text    string    `parquet:"text"`
		Time    time.Time `parquet:"time,timestamp(millisecond)"`
		Second  *float64  `parquet:"second"`
		Trail   string    `parquet:"trail"`
		OptOuts []string  `parquet:"opt_outs,list"`
		Cluster int64     `parquet:"cluster"`
	}]("pages.parquet")
	if err != nil || len(table) != pages {
		t.Fatalf("parquet: %v, %d of %d pages", err, len(table), pages)
	}
	for _, r := range table {
		var trail []sink.Step
		k := kept[r.ID]
		if err := json.Unmarshal([]byte(r.Trail), &trail); err != nil || k == nil || r.Text != k.Text || !r.Time.Equal(k.Time.Truncate(time.Millisecond)) || len(trail) != len(k.Trail) ||
			r.Second == nil || *r.Second != k.Second || len(r.OptOuts) != len(k.OptOuts) || uint64(r.Cluster) != clusterOf[r.ID] {
			t.Fatalf("%v: %+v", err, r)
		}
	}
	export("--to", "markdown", "--out", "pages/")
	if files, err := filepath.Glob("pages/*.md"); err != nil || len(files) != pages {
		t.Errorf("markdown: %v, %d files", err, len(files))
	} else {
		for _, file := range files {
			id, err := strconv.ParseUint(filepath.Base(file)[:6], 10, 64)
			if err != nil || !strings.Contains(mustRead(t, file), fmt.Sprintf("\ncluster: %d\n", clusterOf[id])) {
				t.Errorf("%s: %v: it does not say cluster %d", file, err, clusterOf[id])
			}
		}
	}
	if n := strings.Count(export("--dedup"), "\n"); n != len(clusters) {
		t.Errorf("%d pages of %d clusters", n, len(clusters))
	}
}

// Of near duplicates the best is taken; no site is both in training and in testing, and nothing is left out.
func TestExportDedupsAndSplits(t *testing.T) {
	run := quickstartRun(t)
	t.Chdir(t.TempDir())
	kept := filepath.Join(run, sink.FileKept)
	lines := strings.SplitAfter(mustRead(t, kept), "\n")
	var best map[string]any
	noError(t, json.Unmarshal([]byte(lines[0]), &best))
	best["id"], best["final_url"], best["second"] = 9_000_001, "http://copy.test/1.html", 1
	twin, err := json.Marshal(best)
	noError(t, err)
	noError(t, os.WriteFile(kept, []byte(strings.Join(lines, "")+string(twin)+"\n"), 0o600))
	out := must(t, "export", "--run", run, "--dedup", "--fields", "id,cluster")
	var first struct{ ID uint64 }
	noError(t, json.Unmarshal([]byte(lines[0]), &first))
	if id := strconv.FormatUint(first.ID, 10); !strings.Contains(out, `{"id":9000001,"cluster":`+id+"}") || strings.Contains(out, `{"id":`+id+",") {
		t.Errorf("the better copy of page %s is not taken alone:\n%s", id, out)
	}
	code, _, errs := thresher(t, "export", "--run", run, "--split", "0.5", "--out", "set.jsonl", "--fields", "host")
	train, test := mustRead(t, "set-train.jsonl"), mustRead(t, "set-test.jsonl")
	if code != exitDone || strings.Count(train, "\n")+strings.Count(test, "\n") != len(lines) || !strings.Contains(errs, "in set-train.jsonl, ") {
		t.Errorf("exit %d: %s", code, errs)
	}
	for line := range strings.Lines(train) {
		if strings.Contains(test, line) {
			t.Errorf("both have pages of %s", line)
		}
	}
	if train == "" || test == "" {
		t.Error("one side has nothing")
	}
	for split, says := range map[string]string{"0.999999": "warning: bare-test.jsonl has no page: ", "0.000001": "bare-train.jsonl has no page: ", "0.5": ""} {
		code, _, errs := thresher(t, "export", "--run", run, "--split", split, "--out", "bare.jsonl", "--fields", "host")
		if code != exitDone || !strings.Contains(errs, says) || strings.Contains(errs, "warning") != (says != "") {
			t.Errorf("--split %s: exit %d: %s", split, code, errs)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--to", "markdown"}, "--out names it"},
		{[]string{"--to", "markdown", "--out", run}, "is a folder that is not empty"},
		{[]string{"--out", kept}, "is the run's own"},
		{[]string{"--out", filepath.Join(run, "labels.tsv")}, "is the run's own"},
		{[]string{"--split", "0.5"}, "--out names them"},
		{[]string{"--split", "1.5", "--out", "x"}, "a share between 0 and 1"},
		{[]string{"--to", "text", "--fields", "url"}, "--fields belongs to jsonl, csv and parquet"},
		{[]string{"--to", "parquet"}, "try: thresher export --to parquet --out pages.parquet"},
		{[]string{"--to", "warc"}, "try: thresher export --to warc --out pages.warc.gz"},
		{[]string{"--out", run}, "is a folder, want a file"},
		{[]string{"--to", "markdown", "--out", "nodir/deep/x"}, "--out nodir/deep/x: there is no folder nodir/deep; make it first"},
		{[]string{"--fields", "nope"}, ", cluster"},
		{[]string{"--chunk", "500"}, "belong to --to chunks"},
		{[]string{"--to", "chunks", "--chunk", "5"}, "cannot be made"},
		{[]string{"--to", "chunks", "--chunk", "5"}, "try: " + chunksExample + "\n"},
		{[]string{"--host", "a b"}, `--host: "a b" is not a host`},
		{[]string{"--language", "zh-CN"}, `--language is "zh-CN", want the short name of a language, such as zh or en`},
		{[]string{"--to", "xml"}, `--to is "xml", want jsonl, csv`},
	} {
		replies(t, exitMisuse, c.want, append([]string{"export", "--run", run}, c.args...)...)
	}
	if two := (&exportFlags{to: "warc", out: "x.warc.gz", split: .5}).places(); !slices.Equal(two, []string{"x-train.warc.gz", "x-test.warc.gz"}) {
		t.Errorf("an archive is split into %v", two)
	}
	if err := os.Symlink(run, "way"); err != nil {
		t.Skip(err)
	}
	before := mustRead(t, kept)
	for _, line := range []string{"card --run way --out way/kept.jsonl", "etiquette --run way -o way/crawl.log", "learn export --run way --to way/state/run.json",
		"measure --run way --labels labels.tsv --html way/report.html", "judge page.html --blocks " + kept, "label way --labels way/harvest.jsonl",
		"export --run way --to warc --split .5 --out way/pages.warc.gz", "replay web --ca way/index", "crawl small.yaml --profile way/meter.csv",
		"compare --web web --csv a.csv --html b.html --fetched way/labels.tsv", "train judge --relevant a.tsv --out way/experience"} {
		replies(t, exitMisuse, "is the run's own", strings.Fields(line)...)
	}
	replies(t, exitMisuse, "--to way is the folder of a run", "record", filepath.Join(home, "configs", "quickstart.yaml"), "--to", "way")
	if mustRead(t, kept) != before {
		t.Error("what the run keeps has changed")
	}
	must(t, "card", "--run", "way", "--out", "way/README.md")
	if left, _ := filepath.Glob("*~"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A harvest that changes while it is exported is told, and half of it is not written.
func TestExportOfWhatChanges(t *testing.T) {
	run := quickstartRun(t)
	t.Chdir(t.TempDir())
	for _, by := range []order{"", byRelevance} {
		f := &exportFlags{to: "jsonl", out: "out.jsonl", by: by}
		leaves, _, err := f.leaves([]string{run})
		noError(t, err)
		places, err := f.open(nil, f.places())
		noError(t, err)
		must(t, "winnow", "--run", run, "--top", "20")
		if err := f.write(places, []string{run}, leaves); !errors.Is(err, errMoved) {
			t.Errorf("sorted by %q: %v", by, err)
		}
		if err := places[0].done(false); err != nil {
			t.Error(err)
		}
		must(t, "winnow", "--run", run)
	}
}

// What cannot be written whole is not there.
func TestExportIsWholeOrAbsent(t *testing.T) {
	run := quickstartRun(t)
	t.Chdir(t.TempDir())
	kept := filepath.Join(run, sink.FileKept)
	raw := []byte(mustRead(t, kept))
	at := bytes.IndexByte(raw[len(raw)/2:], '\n') + len(raw)/2
	noError(t, os.WriteFile(kept, append(append(bytes.Clone(raw[:at+1]), "{broken\n"...), raw[at+1:]...), 0o600))
	for _, to := range outlet.Forms {
		replies(t, exitFailed, sink.FileKept, "export", "--run", run, "--to", to, "--out", "out")
	}
	if left, _ := os.ReadDir("."); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Two exports into one folder at once: the first that is whole has it, and the other is told what is in its way.
func TestTwoExportsIntoOneFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	page := func(dir string) { noError(t, os.WriteFile(filepath.Join(dir, "page.md"), nil, 0o666)) }
	first, firstDone, err := folderOutput("pages")
	noError(t, err)
	second, secondDone, err := folderOutput("pages")
	noError(t, err)
	page(first.(*outlet.Pages).Dir)
	page(second.(*outlet.Pages).Dir)
	noError(t, secondDone(true))
	if err := firstDone(true); err == nil || err.Error() != "--out pages is a folder that is not empty" {
		t.Errorf("the second to be whole: %v", err)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
		t.Errorf("%v, %v; want the folder alone", left, err)
	}
}
