package focus_test

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// A machine whose Redis dies and reads a snapshot back ends with a sentence that says so. Started again it visits what was lost once
// more, and each page is kept once, under an id that no other has. A folder of which Redis knows nothing any more is left alone.
func TestARedisThatReadsASnapshotBackLosesNoPage(t *testing.T) {
	const hosts, pages, all = 5, 6, 5*6 + 1
	t.Chdir(t.TempDir())
	db := newRedis(t, "--appendonly", "no")
	db.start()
	web := manyHosts(hosts, pages)
	var asking sync.Mutex
	asked := 0
	s := serveWeb(t, transport(func(r *http.Request) (*http.Response, error) {
		asking.Lock()
		defer asking.Unlock()
		switch asked++; asked {
		case 8:
			db.does(db.client().Save(t.Context()).Err())
		case 20:
			db.kill()
			db.start()
		}
		return web.RoundTrip(r)
	}), 0)
	told := sharing{Store: db.address("&lease=10ms"), Web: s.address(), Seeds: []string{"http://start.example/"}, Parallel: 2, Agent: "machine"}
	crawl := func() (focus.Report, error) {
		crawler, err := focus.NewWith(told.config())
		if err != nil {
			return focus.Report{}, err
		}
		return crawler.Run(context.Background())
	}
	if _, err := crawl(); !errors.Is(err, redis.ErrOlder) || !strings.Contains(err.Error(), "Start this machine again") {
		t.Fatalf("it ended with %v", err)
	}
	report, err := crawl()
	if err != nil || report.Counts.Pages != all || asked <= all {
		t.Errorf("started again it visited %d pages, asked %d times: %v", report.Counts.Pages, asked, err)
	}
	urls, ids := map[string]bool{}, map[uint64]bool{}
	for r, err := range sink.Harvest(report.Folder) {
		if err != nil {
			t.Fatal(err)
		}
		if urls[r.URL] || ids[r.ID] {
			t.Errorf("%s is kept again, or has the id of another: %d", r.URL, r.ID)
		}
		urls[r.URL], ids[r.ID] = true, true
	}
	if len(urls) != report.Counts.Kept || len(urls) != hosts*pages { // and the start page, which lists them
		t.Errorf("%d pages are kept, %d were counted, want %d", len(urls), report.Counts.Kept, hosts*pages)
	}
	forgets := db.client()
	keys, err := forgets.Keys(t.Context(), "*files:*").Result()
	if err != nil || len(keys) != 1 || forgets.Del(t.Context(), keys...).Err() != nil {
		t.Fatal(keys, err)
	}
	for _, empty := range []bool{false, true} {
		if empty {
			db.does(forgets.FlushAll(t.Context()).Err())
		}
		if _, err := crawl(); err == nil || !strings.Contains(err.Error(), "Redis knows of nothing that was harvested here") ||
			!strings.Contains(err.Error(), "(mv '"+report.Folder+"' '"+filepath.Clean(filepath.Dir(report.Folder))+"-"+filepath.Base(report.Folder)+"')") {
			t.Errorf("in a folder of which Redis, empty: %t, knows nothing: %v", empty, err)
		}
	}
}
