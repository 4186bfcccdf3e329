package main

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/run"
)

// What is told of all hosts together is what crawl.log has, and a page tells of one host what the table does.
func TestEtiquetteTellsWhatWasAsked(t *testing.T) {
	dir := quickstartRun(t)
	var said struct {
		Hosts []struct {
			Host    string
			Pages   int
			Kept    int
			Bytes   int64
			Answers map[string]int
		}
	}
	noError(t, json.Unmarshal([]byte(must(t, "etiquette", "--run", dir, "--json")), &said))
	pages, kept, answers := 0, 0, 0
	for _, h := range said.Hosts {
		pages, kept = pages+h.Pages, kept+h.Kept
		for _, n := range h.Answers {
			answers += n
		}
	}
	wantPages, wantKept := 0, 0
	err := run.ReadLog(filepath.Join(dir, run.FileLog), func(d *run.Decision) bool {
		if d.Status > 0 && (d.Decision == "keep" || d.Decision == "drop" || d.Decision == "again") {
			wantPages++
		}
		if d.Decision == "keep" {
			wantKept++
		}
		return true
	})
	noError(t, err)
	if pages != wantPages || kept != wantKept || answers != pages || pages == 0 {
		t.Errorf("%d pages, %d kept, %d answers; want %d and %d", pages, kept, answers, wantPages, wantKept)
	}
	first := said.Hosts[0].Host
	if page := must(t, "etiquette", strings.ToUpper(first), "--run", dir); !strings.Contains(page, "`"+first+"`") || !strings.Contains(page, "Disallow: /private/") || !strings.Contains(page, "recorded web") {
		t.Errorf("the page of %s:\n%s", first, page)
	}
	if page := must(t, "etiquette", "https://"+first+"/some/page", "--run", dir); !strings.Contains(page, "`"+first+"`") {
		t.Errorf("of an address:\n%s", page)
	}
	if table := must(t, "etiquette", "--run", dir); strings.Count(table, "\n") != 1+len(said.Hosts) {
		t.Errorf("of %d hosts:\n%s", len(said.Hosts), table)
	}
	replies(t, exitFailed, "asked nothing of nobody.example", "etiquette", "nobody.example", "--run", dir)
}

// Whoever cannot read what an older version has learned is told what makes it readable, and it does.
func TestEtiquetteOfAnOlderRun(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	must(t, "crawl", "small.yaml", "--quiet", "--store", "run")
	store, err := disk.Open(filepath.Join("run", run.FileState), frontier.Manners{}, disk.Options{Whole: true})
	if err == nil {
		err = errors.Join(store.Snapshot([]byte{1}), store.Close())
	}
	noError(t, err)
	if code, _, said := thresher(t, "etiquette", "--run", "run"); code != exitFailed || !strings.Contains(said, "an older thresher wrote it") || !strings.Contains(said, "'thresher repair --run run' rebuilds the state") {
		t.Errorf("exit %d: %s", code, said)
	}
	must(t, "repair", "--run", "run")
	if said := must(t, "etiquette", "--run", "run"); strings.Count(said, "\n") < 2 {
		t.Errorf("after a repair it tells nothing: %s", said)
	}
}
