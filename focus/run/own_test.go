package run

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// taken is a sink of a program's own that notes what it is given.
type taken struct {
	ids []uint64
	cut []map[string]int64
}

func (t *taken) Write(r *sink.Record) error      { t.ids = append(t.ids, r.ID); return nil }
func (t *taken) Lengths() map[string]int64       { return map[string]int64{"rows": int64(len(t.ids))} }
func (t *taken) Cut(back map[string]int64) error { t.cut = append(t.cut, back); return nil }
func (t *taken) Sync() error                     { return nil }
func (t *taken) Close() error                    { return nil }

// A harvest may hold a page twice, whose lease lapsed on Redis: a sink that is given the harvest gets the first, as export does. And
// whoever is not new to the run is given nothing.
func TestARepeatedPageIsGivenOnce(t *testing.T) {
	dir, config := t.TempDir(), crawlfile.Default()
	open := func(committed map[string]int64, own ...sink.Sink) *Written {
		t.Helper()
		w := &Written{Own: own}
		noError(t, w.Open(dir, &config, committed))
		return w
	}
	w := open(nil)
	for _, id := range []uint64{3, 5, 3, 8} {
		r := sink.Record{ID: id, URL: "http://a.example/", Digest: "sha256:0"}
		r.Time = r.Time.AddDate(2020, 0, 0)
		for _, s := range w.Sinks {
			noError(t, s.Write(&r))
		}
		noError(t, w.Log.Write(&Decision{Decision: "keep", ID: id, Time: r.Time}))
	}
	committed := w.Lengths()
	noError(t, w.Close())

	fresh := &taken{}
	w = open(committed, fresh)
	if !slices.Equal(fresh.ids, []uint64{3, 5, 8}) || len(fresh.cut) != 1 || len(fresh.cut[0]) != 0 {
		t.Errorf("it was given %v, and cut back to %v", fresh.ids, fresh.cut)
	}
	committed = w.Lengths()
	noError(t, w.Close())
	if files := Below(committed); len(files) != 4 || files[FileLog] == 0 {
		t.Errorf("files below %s: %v", filepath.Base(dir), files)
	}

	again := &taken{}
	w = open(committed, again)
	defer w.Close()
	if len(again.ids) > 0 || len(again.cut) != 1 || !maps.Equal(again.cut[0], map[string]int64{"rows": 3}) {
		t.Errorf("it was given %v, and cut back to %v", again.ids, again.cut)
	}
}
