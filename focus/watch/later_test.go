package watch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/watch"
)

// TestAHarvestIsNotReadWhileItGrows: as long as no second look was taken what was kept stands in the log, and to follow a crawl costs
// what is new, however much it has kept.
func TestAHarvestIsNotReadWhileItGrows(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"crawl.yaml": "name: x\n", "strategy.yaml": "name: x\nrank: {use: anchor}\n", "state/run.json": `{"state":"running","name":"x"}`,
		"harvest.jsonl": strings.Repeat(`{"schema":1,"id":1,"url":"http://a.test/","title":"A page","relevance":0.5}`+"\n", 5_000)} {
		noError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	grow(t, dir, 10)
	w, err := watch.Open(dir)
	noError(t, err)
	pages := 1
	allocations := testing.AllocsPerRun(5, func() {
		pages++
		grow(t, dir, 10*pages)
		noError(t, w.Update())
	})
	if is := w.Story().Counts.Pages; is != pages || allocations > 5_000 {
		t.Errorf("%d pages of %d, and each took %.0f pieces of memory", is, pages, allocations)
	}
}
