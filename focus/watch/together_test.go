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
