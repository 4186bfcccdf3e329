package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// A harvest of few fields leaves with every page in every form: a page without a number is no page less, and its address tells its site.
func TestExportOfAHarvestOfFewFields(t *testing.T) {
	run := quickstartRun(t, "--set", "second_look=off", "--set", "sinks=[{to: jsonl, fields: [url, title, text]}, {to: warc}]")
	t.Chdir(t.TempDir())
	var addresses []string
	for line := range strings.Lines(mustRead(t, filepath.Join(run, "harvest.jsonl"))) {
		var r struct{ URL string }
		noError(t, json.Unmarshal([]byte(line), &r))
		addresses = append(addresses, r.URL)
	}
	exported := func(args ...string) (urls, hosts []string) {
		t.Helper()
		for line := range strings.Lines(must(t, append([]string{"export", "--run", run}, args...)...)) {
			var r struct {
				URL   string `json:"final_url"`
				Host  string
				Time  *string
				Other json.RawMessage `json:"relevance"`
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil || r.Time != nil || string(r.Other) != "null" {
				t.Fatalf("%v: %.200s", err, line)
			}
			urls, hosts = append(urls, r.URL), append(hosts, r.Host)
		}
		return urls, hosts
	}
	urls, hosts := exported()
	if !slices.Equal(urls, addresses) || len(urls) < 50 {
		t.Fatalf("%d of %d pages", len(urls), len(addresses))
	}
	if sorted, _ := exported("--sort", "relevance"); !slices.Equal(sorted, addresses) {
		t.Errorf("sorted: %d of %d pages", len(sorted), len(addresses))
	}
	of := 0
	for _, h := range hosts {
		if h == hosts[0] {
			of++
		}
	}
	if these, _ := exported("--host", hosts[0]); len(these) != of || of == len(hosts) || of == 0 {
		t.Errorf("%d pages of %s, want %d", len(these), hosts[0], of)
	}
	code, out, errs := thresher(t, "export", "--run", run, "--host", "nowhere.test", "--language", "fr", "--min-relevance", "0.1")
	for _, want := range []string{"no page is in the language fr", "no page is of the host nowhere.test", "left out by --min-relevance"} {
		if code != exitDone || out != "" || !strings.Contains(errs, want) {
			t.Errorf("exit %d, and it does not say %q: %s", code, want, errs)
		}
	}
	if best, _ := exported("--dedup"); len(best) < len(urls)-5 {
		t.Errorf("%d pages are no near duplicates, of %d", len(best), len(urls))
	}
	rows, err := csv.NewReader(strings.NewReader(must(t, "export", "--run", run, "--to", "csv", "--fields", "id,time,host,relevance"))).ReadAll()
	if err != nil || len(rows) != len(urls)+1 || rows[1][0] != "1" || rows[1][1] != "" || rows[1][2] != hosts[0] || rows[1][3] != "" {
		t.Errorf("csv: %v, %v", err, rows[:2])
	}
	must(t, "export", "--run", run, "--out", "pages.parquet")
	type row struct {
		Time *int64 `parquet:"time,optional"`
		Host string `parquet:"host"`
	}
	if got, err := parquet.ReadFile[row]("pages.parquet"); err != nil || len(got) != len(urls) || got[0].Time != nil || got[0].Host != hosts[0] {
		t.Errorf("parquet: %v, %d rows", err, len(got))
	}
	if chunks := must(t, "export", "--run", run, "--to", "chunks"); !strings.Contains(chunks, `"relevance":null`) {
		t.Errorf("chunks: %.200s", chunks)
	}
	must(t, "export", "--run", run, "--to", "markdown", "--out", "pages")
	if files, err := os.ReadDir("pages"); err != nil || len(files) != len(urls) {
		t.Errorf("%d files, %v", len(files), err)
	}
	must(t, "export", "--run", run, "--out", "pages.warc.gz")
	if answers, _, _ := exchanges(t, "pages.warc.gz"); len(answers) != len(urls) {
		t.Errorf("%d answers in the archive", len(answers))
	}
	if said := must(t, "card", "--run", run); strings.Contains(said, "0001") || !strings.Contains(said, "- "+hosts[0]+": ") {
		t.Errorf("the card says\n%s", said)
	}
}
