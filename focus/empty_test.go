package focus_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// A host that is short of memory or has too many visitors may say so, or nothing at all, with a status of success. What says that it is busy is
// asked for again, as with 503; what says nothing is no page that was read and found to be of something else.
func TestASuccessThatSaysNothing(t *testing.T) {
	w := &web{pages: map[string]answer{}}
	config := solarConfig(t, w)
	config.Seeds, config.Fetch.Retries, config.RetryWait = nil, 2, time.Millisecond
	busy, one := map[string]int{}, sync.Mutex{}
	w.wall = func(r *http.Request) (answer, bool) {
		one.Lock()
		defer one.Unlock()
		busy[r.URL.Path]++
		switch {
		case r.URL.Path == "/about": // has the words as its subject, and is no such answer
			return answer{status: 200, body: "<title>429 Too Many Requests</title><p>What to do with it. " + strings.Repeat("Solar energy panel. ", 30)}, true
		case r.URL.Path == "/busy" && busy[r.URL.Path] < 3, r.URL.Path == "/always":
			return answer{status: 200, body: "<html><head><title>429 Too Many Requests</title></head><body>Solar energy panel: too many requests."}, true
		}
		return answer{}, false
	}
	for i, path := range []string{"/busy", "/always", "/empty", "/blank", "/none", "/about"} {
		w.pages["http://a.example"+path] = answer{status: 200, body: fmt.Sprintf("<title>Solar %d</title><p>%s %s", i, strings.Repeat("Solar energy panel. ", 30), strings.Repeat(fmt.Sprintf("word%d ", i), 200))}
		config.Seeds = append(config.Seeds, "http://a.example"+path)
	}
	w.pages["http://a.example/empty"] = answer{status: 200}
	w.pages["http://a.example/blank"] = answer{status: 200, body: " \r\n\t"}
	w.pages["http://a.example/none"] = answer{status: 204}
	report := crawlWith(t, config)
	kept := map[string]int{}
	for _, r := range harvest(t, config) {
		kept[r.URL]++
	}
	if len(kept) != 2 || kept["http://a.example/busy"] != 1 || kept["http://a.example/about"] != 1 {
		t.Errorf("kept %v, want what was busy twice, and what is about that", kept)
	}
	for path, want := range map[string]int{"/busy": 3, "/about": 1, "/always": 3, "/empty": 1, "/blank": 1, "/none": 1} {
		if n := w.count("http://a.example" + path); n != want {
			t.Errorf("%s was asked for %d times, want %d", path, n, want)
		}
	}
	dropped := report.Counts.Dropped
	if dropped["failed: empty answer"] != 3 || dropped["failed: the host is busy"] != 1 || report.Counts.Failed != 4 {
		t.Errorf("dropped %v, of which %d failed", dropped, report.Counts.Failed)
	}
}
