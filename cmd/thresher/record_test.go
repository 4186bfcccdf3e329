package main

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// writeWeb writes pages as a recorded web.
func writeWeb(t *testing.T, dir string, pages map[string]string) {
	t.Helper()
	noError(t, os.MkdirAll(dir, 0o755))
	out, err := os.Create(filepath.Join(dir, "pages.warc.gz"))
	noError(t, err)
	defer out.Close()
	w := warc.NewWriter(out)
	for _, address := range slices.Sorted(maps.Keys(pages)) {
		body := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s", len(pages[address]), pages[address])
		if _, err := w.Write(&warc.Record{Type: "response", Target: address, Date: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), Body: []byte(body)}); err != nil {
			t.Fatal(err)
		}
	}
}

// takings are the addresses in a run's harvest, sorted.
func takings(t *testing.T, run string) []string {
	t.Helper()
	out := must(t, "export", "--run", run, "--to", "csv", "--fields", "url")
	return slices.Sorted(strings.Lines(out))
}

// TestRecordThenCrawl: a crawl of the recording harvests what the crawl of the live site harvested, and the recording is
// a web that can be labelled and measured on.
func TestRecordThenCrawl(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch name := r.URL.Path; {
		case name == "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /private/\n")
		case name == "/old":
			http.Redirect(w, r, "/3", http.StatusMovedPermanently)
		case name == "/gone", strings.HasPrefix(name, "/private/"):
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, "<title>Sailing %s</title><p>A sailing boat and a yacht, %s.", name, name)
			if name == "/" {
				fmt.Fprint(w, `<p><a href=/1>sailing</a> <a href=/2>yacht</a> <a href=/old>boat</a> <a href=/gone>boat</a> <a href=/private/x>boat</a>`)
			}
		}
	}))
	files(t, "live.yaml", "name: live\ntopic: {language: en, terms: [sailing, yacht, boat]}\nseeds: ["+site.URL+"/]\n"+
		"polite: {contact: you@example.org, delay: 0s}\nfetch: {private: [127.0.0.1]}\n")
	code, out, errs := thresher(t, "record", "live.yaml", "--to", "web", "--quiet")
	site.Close()
	if code != exitDone || !strings.Contains(out, "recorded in web") {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	if !strings.Contains(out, "second look: ") || !sink.HasKept("runs/live") {
		t.Errorf("no second look was taken: %s", out)
	}
	remove(t, "runs/live/kept.jsonl")
	if code, out, errs := thresher(t, "record", "live.yaml", "--to", "web", "--quiet"); code != exitDone || !strings.Contains(out, "second look: ") || !sink.HasKept("runs/live") {
		t.Errorf("after a kill: exit code %d: %s%s", code, out, errs)
	}
	if code, out, errs := thresher(t, "record", "live.yaml", "--to", "web", "--quiet"); code != exitFailed || !strings.Contains(errs, "a finished run") || out != "" {
		t.Errorf("when all is done: exit code %d: %s%s", code, out, errs)
	}
	live := takings(t, "runs/live")
	if len(live) != 1+4 { // the head, and / /1 /2 /3
		t.Errorf("the live crawl harvests %q", live)
	}
	must(t, "crawl", "live.yaml", "--web", "web", "--store", "again", "--quiet")
	if again := takings(t, "again"); !slices.Equal(again, live) {
		t.Errorf("the crawl of the recording harvests\n%q\nnot\n%q", again, live)
	}
	labels := fmt.Sprintf("%s/1\trelevant\n%s/2\tother\n%s/3\trelevant\n", site.URL, site.URL, site.URL)
	noError(t, os.WriteFile("web/labels.tsv", []byte(labels), 0o644))
	code, out, errs = thresher(t, "compare", "--web", "web", "--strategy", "shark,breadth", "--csv", "cells.csv")
	if code != exitDone || !strings.Contains(out, "shark") || lines(t, "cells.csv") != 3 {
		t.Errorf("comparing on the recording: exit code %d: %s%s", code, out, errs)
	}
}
