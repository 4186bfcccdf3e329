package watch_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// TestWhatIsRefusedIsNoVisit: links that were turned away without a request are no visits on Redis, and none of ours. So they hide no
// visits of machines whose folders are elsewhere.
func TestWhatIsRefusedIsNoVisit(t *testing.T) {
	dir, _ := crawled(t, 20)
	log, err := run.OpenLog(filepath.Join(dir, run.FileLog))
	if err != nil {
		t.Fatal(err)
	}
	for i, reason := range []admit.Refused{admit.ByRobots("Disallow: /"), admit.RefusedHostFull, admit.RefusedDown} {
		d := run.Decision{Time: s0, Decision: "drop", ID: uint64(1_000_000 + i), URL: "http://refused.test/", Reason: reason, Relevance: nan}
		if err := log.Write(&d); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, run.FileState, "safe")); err != nil { // all is taken at its word
		t.Fatal(err)
	}
	w, err := watch.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	w.Join(&run.Together{At: now.Add(-time.Minute), Ended: 27})
	w.Join(&run.Together{At: now, Ended: 27})
	if err := w.Update(); err != nil {
		t.Fatal(err)
	}
	s := w.Story()
	refused := 0
	for _, r := range s.Refused {
		for _, e := range r.Examples {
			if e.URL == "http://refused.test/" {
				refused++
			}
		}
	}
	if refused == 0 || s.Run.Elsewhere != 7 {
		t.Errorf("%d of the refusals were read; %d visits elsewhere, want the 7 of 27 that are not here", refused, s.Run.Elsewhere)
	}
}

// TestElsewhereAfterAnIdleTime: when nobody looked for a while, what Redis said before is too little for what the folders hold
// now; until it is known anew, what was told last is told again.
func TestElsewhereAfterAnIdleTime(t *testing.T) {
	dir, add := growing(t)
	w, err := watch.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	visited := 0
	for _, c := range []struct {
		what  string
		after time.Duration
		ended int // on Redis
		here  int // of them with lines here
		want  int
	}{
		{"the first time", 0, 30, 10, 0},
		{"known five seconds later", 6 * time.Second, 36, 14, 16},
		{"known anew", 6 * time.Second, 40, 20, 16},
		{"after ten idle minutes", 10 * time.Minute, 200, 100, 16},
		{"and six seconds later", 6 * time.Second, 204, 102, 98},
		{"lines that came late are no visits elsewhere", 6 * time.Second, 208, 110, 94},
	} {
		now = now.Add(c.after)
		add(c.here - visited)
		visited = c.here
		w.Join(&run.Together{At: now, Ended: c.ended})
		if err := w.Update(); err != nil {
			t.Fatal(err)
		}
		if got := w.Story().Run.Elsewhere; got != c.want {
			t.Errorf("%s: %d visits elsewhere, want %d", c.what, got, c.want)
		}
	}
}

// growing is a run without a line, and a way to add visits to it.
func growing(t *testing.T) (dir string, add func(int)) {
	t.Helper()
	dir, _ = crawled(t, 1)
	if err := os.Remove(filepath.Join(dir, run.FileState, "safe")); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, run.FileLog), 0); err != nil {
		t.Fatal(err)
	}
	log, err := run.OpenLog(filepath.Join(dir, run.FileLog))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	id := uint64(1000)
	return dir, func(n int) {
		t.Helper()
		for range n {
			id++
			d := run.Decision{Time: s0, Decision: "drop", ID: id, URL: "http://here.test/", Status: 200, Reason: admit.RefusedWeak, Relevance: .1}
			if err := log.Write(&d); err != nil {
				t.Fatal(err)
			}
		}
		if err := log.Flush(); err != nil {
			t.Fatal(err)
		}
	}
}
