package main

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/thresher-crawler/thresher/focus/again"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/meters"
	"github.com/thresher-crawler/thresher/focus/opinion"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// What programs read is told: every field of an event and of the summary, every file of a run, and every figure.
func TestTheManualTellsWhatProgramsRead(t *testing.T) {
	whole, _ := chapter("watching")
	_, told, ok := strings.Cut(whole, "## For programs")
	if !ok {
		t.Fatal("the chapter has no such part")
	}
	var names []string
	for _, of := range []any{event{}, jsonSummary{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(of)) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	files, err := os.ReadDir(quickstartRun(t))
	noError(t, err)
	for _, f := range files {
		name := regexp.MustCompile(`pages-\d+`).ReplaceAllString(f.Name(), "pages-*")
		if f.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	names = append(names, again.FileFetched, opinion.FileCache, sink.FileRejected) // which a crawl over a recorded web has not
	names = append(names, servedFigures(t)...)
	if len(names) < 50 {
		t.Errorf("there are %d names: %v", len(names), names)
	}
	for _, name := range names {
		if !strings.Contains(told, "`"+name+"`") {
			t.Errorf("%s is not told", name)
		}
	}
}

// servedFigures are the names of the figures that are served.
func servedFigures(t *testing.T) (names []string) {
	t.Helper()
	registry := prometheus.NewRegistry()
	m, err := meters.New(registry)
	noError(t, err)
	waiting := frontier.NewMemory(frontier.Manners{})
	defer waiting.Close()
	noError(t, m.Watch(waiting))
	noError(t, m.Hosts(func() map[string]int { return nil }))
	described := make(chan *prometheus.Desc, 100)
	registry.Describe(described)
	close(described)
	for d := range described {
		names = append(names, regexp.MustCompile(`fqName: "(\w+)"`).FindStringSubmatch(d.String())[1])
	}
	return names
}
