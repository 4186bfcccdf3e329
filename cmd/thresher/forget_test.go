package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/klauspost/compress/zstd"

	"github.com/thresher-crawler/thresher/focus/audit"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/warc"
)

const forgotten = "fairwind.test"

// unpackedFile is what a file says, whatever packed it.
func unpackedFile(t *testing.T, name string, raw string) string {
	t.Helper()
	switch filepath.Ext(name) {
	case ".gz":
		return string(unpacked(t, []byte(raw)))
	case ".zst":
		z, err := zstd.NewReader(strings.NewReader(raw))
		if err != nil {
			t.Fatal(name, err)
		}
		defer z.Close()
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(name, err)
		}
		return string(text)
	}
	return raw
}

// wordsOnly is a text without what a search does not see: case, punctuation, and where a paragraph ends.
func wordsOnly(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// sentences are what pages of the host say, and no page of another does, however it parts its paragraphs.
func sentences(t *testing.T, look, archive string) (theirs []string) {
	t.Helper()
	var others strings.Builder
	said := map[string]bool{}
	for line := range strings.Lines(look) {
		var s struct {
			Record struct{ Host, Title, Text string }
		}
		noError(t, json.Unmarshal([]byte(line), &s))
		if s.Record.Host != forgotten {
			others.WriteString(s.Record.Title + "\n" + s.Record.Text + "\n")
			continue
		}
		for paragraph := range strings.Lines(s.Record.Text) {
			if p := strings.TrimSpace(paragraph); len(p) > 60 && !strings.ContainsAny(p, `"\<>&`) {
				said[p] = true
			}
		}
	}
	archived(t, archive, func(rec *warc.Record, body []byte) {
		if page.Host(rec.Target) != forgotten {
			others.Write(body) // one may tell of another's page beside its own text
		}
	})
	elsewhere := wordsOnly(others.String())
	for _, p := range slices.Sorted(maps.Keys(said)) {
		if !strings.Contains(elsewhere, wordsOnly(p)) {
			theirs = append(theirs, p)
		}
	}
	return theirs
}

// ownWords are the parts of a line that are no other host's stored page.
func ownWords(t *testing.T, line string) string {
	t.Helper()
	var all map[string]any
	noError(t, json.Unmarshal([]byte(line), &all))
	record := all
	if inner, ok := all["record"].(map[string]any); ok {
		delete(all, "links")
		record = inner
	}
	for _, stored := range []string{"markdown", "text", "title", "description"} {
		delete(record, stored)
	}
	left, err := json.Marshal(all)
	noError(t, err)
	return string(left)
}

// TestForgetLeavesNothing unpacks every file of a run after forget: what names the host is the block that keeps it out and what other
// hosts' pages say, and of the texts of its pages nothing is left.
func TestForgetLeavesNothing(t *testing.T) {
	web := filepath.Join(home, "testdata", "webs", "quickstart")
	crawl, err := os.ReadFile(filepath.Join(home, "configs", "quickstart.yaml"))
	noError(t, err)
	text := strings.NewReplacer("../testdata/webs/quickstart", web, "sinks: [jsonl, warc]", "sinks: [jsonl, csv, warc]\nsecond_look: all\nmin_free: 0",
		"store: runs/quickstart", "store: run").Replace(string(crawl))
	files(t, "q.yaml", text)
	do := func(args ...string) string {
		t.Helper()
		out := must(t, args...)
		return out
	}
	do("crawl", "q.yaml", "--quiet")
	do("winnow", "--run", "run")
	do("index", "run")
	do("inject", "http://"+forgotten+"/new.html", "http://daily.test/new.html", "--run", "run")
	labels := "http://" + forgotten + "/\trelevant\nhttp://daily.test/\tother\n"
	for name, text := range map[string]string{"labels.tsv": labels, "audit.tsv": labels, "opinions.jsonl": `{"digest":"x","url":"http://` + forgotten + `/","reason":"r"}` + "\n"} {
		noError(t, os.WriteFile(filepath.Join("run", name), []byte(text), 0o600))
	}
	figures, err := run.ReadFigures("run")
	if err != nil || figures.Course == nil || figures.Remains == nil || figures.Look == nil {
		t.Fatalf("%v: the figures are %+v", err, figures)
	}
	figures.Audit, figures.Audited = &audit.Figures{Pages: 300, Kept: 100}, "100-of"
	noError(t, figures.Write("run"))
	before := folderOf(t, "run")
	archive := filepath.Join("run", "pages-0000.warc.gz")
	theirs := sentences(t, before[filepath.Join("run", "look.jsonl")], before[archive])
	for _, name := range []string{"crawl.log", "harvest.jsonl", "harvest.csv", "kept.jsonl", "look.jsonl", "meter.csv", "figures.json", "report.html", "pages-0000.warc.gz",
		filepath.Join("state", "log-000001"), filepath.Join("state", "snapshot-000001"), "experience"} {
		path := filepath.Join("run", name)
		if name != "experience" && !strings.Contains(unpackedFile(t, path, before[path]), forgotten) { // which names none: it is learned of all
			t.Errorf("%s does not name the host before: nothing is shown by its not naming it afterwards", name)
		}
	}
	if len(theirs) < 20 {
		t.Fatalf("%d sentences are the host's alone", len(theirs))
	}

	out := do("forget", "http://"+forgotten+"/any", "--run", "run")
	told := regexp.MustCompile(`(\d+) links taken out, (\d+) of them fetched; (\d+) pages of the harvest, 2 labels\n.*\n.* there (\d+) times`).FindStringSubmatch(out)
	if told == nil {
		t.Fatalf("the answer: %s", out)
	}
	after := folderOf(t, "run")
	mentions := 0
	for path, raw := range after {
		name, all := filepath.Base(path), unpackedFile(t, path, raw)
		for _, s := range theirs {
			if strings.Contains(all, s) {
				t.Errorf("%s holds %q", path, s)
			}
		}
		switch {
		case path == filepath.Join("run", "state", "orders"):
			if !strings.HasSuffix(all, " block "+forgotten+"\n") {
				t.Errorf("orders: %q", all)
			}
			continue
		case name == "harvest.jsonl" || name == "kept.jsonl" || name == "look.jsonl":
			var left strings.Builder
			for line := range strings.Lines(all) {
				left.WriteString(ownWords(t, line))
			}
			all = left.String()
		case strings.HasSuffix(name, ".warc.gz"):
			all, mentions = envelopes(t, raw)
		}
		if at := strings.Index(all, forgotten); at >= 0 {
			t.Errorf("%s names the host: …%q…", path, all[max(0, at-80):min(len(all), at+80)])
		}
	}
	if fmt.Sprint(mentions) != told[4] {
		t.Errorf("other hosts' pages name it %d times, and the answer says %s", mentions, told[4])
	}
	queries := []string{"site:" + forgotten}
	for _, s := range theirs[:20] {
		queries = append(queries, `"`+strings.TrimRight(s, ".")+`"`)
	}
	for _, query := range queries {
		if found := do("search", "run", query, "--json"); !strings.Contains(found, `"total":0`) && !strings.Contains(found, `"total": 0`) {
			t.Errorf("search %s: %s", query, found)
		}
	}
	if f, err := run.ReadFigures("run"); err != nil || f.Audit != nil || f.Audited != "" || f.Course != nil || f.Remains != nil || f.Look == nil {
		t.Errorf("%v: of the harvest that was stays %+v", err, f)
	}
	do("why", "http://daily.test/", "--run", "run")
	do("list", "sites", "--run", "run")

	do("crawl", "q.yaml", "--store", "run", "--budget", "400", "--quiet") // what waits goes on, and the host is not asked
	log := folderOf(t, "run")[filepath.Join("run", "crawl.log")]
	blocked := 0
	for line := range strings.Lines(log) {
		if f := strings.Split(line, "\t"); len(f) > 10 && strings.Contains(f[10], forgotten) {
			if blocked++; f[2] != "refuse: blocked" && f[2] != "drop: blocked" {
				t.Errorf("after a later crawl: %s", line)
			}
		}
	}
	if blocked == 0 || strings.Count(log, "\n") < 200 {
		t.Error("the later crawl met no link to the host")
	}
	forgetAll(t, log)
}

// forgetAll takes every host out of a run: the run is sound all the same, says what it may go on with, and goes on with that.
func forgetAll(t *testing.T, log string) {
	t.Helper()
	hosts := map[string]bool{}
	for line := range strings.Lines(log) {
		if f := strings.Split(line, "\t"); len(f) > 10 && strings.Contains(f[10], "://") {
			hosts[page.Host(f[10])] = true
		}
	}
	delete(hosts, forgotten) // of its links the log says that they are blocked
	must(t, append([]string{"forget", "--run", "run"}, slices.Sorted(maps.Keys(hosts))...)...)
	replies(t, exitDone, "nothing is damaged", "repair", "--run", "run")
	code, _, errs := thresher(t, "crawl", "q.yaml", "--store", "run", "--budget", "400", "--quiet")
	if code != exitFailed || !strings.Contains(errs, "its start pages were taken out of it") || !strings.Contains(errs, "try: thresher inject https://www.example.org/ --run run") {
		t.Errorf("crawl: exit %d: %s", code, errs)
	}
	thresher(t, "block", "--again", "daily.test", "--run", "run")
	thresher(t, "inject", "http://daily.test/", "--run", "run")
	replies(t, exitDone, "3 pages in", "crawl", "q.yaml", "--store", "run", "--budget", "3", "--quiet")
}

// envelopes is what an archive says but for what hosts answered, and how often their answers name the host's addresses.
func envelopes(t *testing.T, raw string) (text string, mentions int) {
	t.Helper()
	var all strings.Builder
	archived(t, raw, func(rec *warc.Record, body []byte) {
		fmt.Fprintln(&all, rec.Target, rec.Header)
		all.Write(rec.Body[:len(rec.Body)-len(body)])
		mentions += bytes.Count(body, []byte("//"+forgotten))
	})
	return all.String(), mentions
}

// archived calls do for every record of an archive, and with what the host answered below its head, if it is an answer.
func archived(t *testing.T, raw string, do func(rec *warc.Record, body []byte)) {
	t.Helper()
	r, err := warc.NewReader(strings.NewReader(raw))
	for err == nil {
		var rec *warc.Record
		if rec, err = r.Next(); err != nil {
			break
		}
		var body []byte
		if rec.Type == "response" {
			_, body, _ = bytes.Cut(rec.Body, []byte("\r\n\r\n"))
		}
		do(rec, body)
	}
	if err != io.EOF {
		t.Fatal(err)
	}
}

// TestForgetRefusesWhatIsShared: links in Redis cannot be taken out, and what can be done is said.
func TestForgetRefusesWhatIsShared(t *testing.T) {
	t.Chdir(t.TempDir())
	code, _, errs := thresher(t, "forget", forgotten, "--run", "redis://127.0.0.1:1/0?crawl=tea")
	if code != exitFailed || !strings.Contains(errs, "thresher block HOST --run redis://127.0.0.1:1/0?crawl=tea") {
		t.Errorf("exit %d: %s", code, errs)
	}
	replies(t, exitMisuse, "is not a host", "forget", "no host", "--run", "x")
}

// TestForgetShowsAKeyThatIsOne: what its help says to write into the crawl file is understood.
func TestForgetShowsAKeyThatIsOne(t *testing.T) {
	shown := regexp.MustCompile(`\(scope: (\{.*….*\})\)`).FindStringSubmatch(forgetCommand().Long)
	if shown == nil {
		t.Fatal("its help shows no key")
	}
	files(t, "tea.yaml", "topic: {language: en, terms: [tea]}\nseeds: ['http://daily.test/']\npolite: {contact: you@example.org}\nscope: "+
		strings.Replace(shown[1], "…", "www.example.org", 1)+"\n")
	if code, _, errs := thresher(t, "check", "tea.yaml"); code != exitDone {
		t.Errorf("%s: exit %d: %s", shown[1], code, errs)
	}
}
