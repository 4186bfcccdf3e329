package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// TestARunOnRedisIsWatched holds the page of a crawl on Redis against what its machine has counted.
func TestARunOnRedisIsWatched(t *testing.T) {
	t.Chdir(t.TempDir())
	web := filepath.Join(home, "testdata", "webs", "quickstart")
	text := "name: boats\ntopic: {language: en, terms: [sailing, yacht, regatta, keel]}\nseeds: [http://daily.test/, http://gazette.test/]\nweb: " + web + "\nbudget: {pages: 80}\n"
	noError(t, os.WriteFile("boats.yaml", []byte(text), 0o600))
	at := redisAddress(t)
	must(t, "crawl", "boats.yaml", "--store", at, "--quiet")
	dir := filepath.Join("runs", "boats")
	parts := run.Parts(dir)
	if len(parts) != 1 {
		t.Fatalf("the machines are %v", parts)
	}
	standing, err := run.ReadStanding(parts[0])
	noError(t, err)
	s := storyOf(t, dir)
	if s.Counts.Pages != standing.Pages || s.Counts.Kept != standing.Kept || s.Waiting.Links != standing.Waiting || s.Run.State != watch.Finished || len(s.Run.Machines) != 1 || s.Counts.Pages != 80 {
		t.Errorf("%+v, %d wait, %+v; the machine says %+v", s.Counts, s.Waiting.Links, s.Run, standing)
	}
	if page := mustRead(t, filepath.Join(parts[0], run.FileReport)); !strings.Contains(page, "<h1>boats</h1>") {
		t.Errorf("the report of the machine says %.300s", page)
	}
}

// storyOf is what the page of a run tells.
func storyOf(t *testing.T, dir string) *watch.Story {
	t.Helper()
	w, err := watch.Open(dir)
	if err == nil {
		err = w.Update()
	}
	noError(t, err)
	return w.Story()
}
