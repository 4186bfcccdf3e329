package sink

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink/clustertest"
)

// put asks the cluster behind all faults for something, as another machine does.
func (c *site) put(t *testing.T, method, path, kind string, body []byte) {
	t.Helper()
	r, w := httptest.NewRequest(method, "/"+c.index+path, strings.NewReader(string(body))), httptest.NewRecorder()
	r.Header.Set("Content-Type", kind)
	c.memory.ServeHTTP(w, r)
	if w.Code >= 300 || strings.Contains(w.Body.String(), `"errors":true`) {
		t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
}

// TestClusterAnotherMachineWasFaster: an index that was made by chance is deleted once, though the answer is lost: by the next try
// another machine has made it with a mapping, and its pages are there.
func TestClusterAnotherMachineWasFaster(t *testing.T) {
	c, dir := &site{memory: &clustertest.Cluster{}, index: "thresher-test"}, runFolder(t)
	var deleted atomic.Int32
	c.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodDelete {
			c.memory.ServeHTTP(w, r)
			return
		}
		deleted.Add(1)
		c.put(t, http.MethodDelete, "", "", nil)
		mapping, _ := json.Marshal(map[string]any{"mappings": map[string]any{"properties": (&cluster{}).documentFields()}})
		c.put(t, http.MethodPut, "", "application/json", mapping)
		c.put(t, http.MethodPost, "/_bulk", "application/x-ndjson", []byte(`{"index":{"_id":"1"}}`+"\n"+`{"url":"http://theirs.example/","thresher":{"owner":"they"}}`+"\n"))
		panic(http.ErrAbortHandler)
	}))
	c.put(t, http.MethodPost, "/_bulk", "application/x-ndjson", []byte(`{"index":{"_id":"1"}}`+"\n"+`{"url":"http://theirs.example/","thresher":{"owner":"they"}}`+"\n"))
	c.sends(t, dir, 1, 4)
	held := c.holds(t, `{}`)
	if deleted.Load() != 1 || len(held) != 4 || held["http://theirs.example/"] == "" {
		t.Errorf("deleted %d times, it holds %v; want once, and their page beside three of ours", deleted.Load(), held)
	}
}

// TestClusterIndexGoesAfterTheLastPage: somebody deletes the index when all was sent. Nothing is sent any more that would tell, so it
// is looked at again.
func TestClusterIndexGoesAfterTheLastPage(t *testing.T) {
	c, dir := &site{memory: &clustertest.Cluster{}, index: "thresher-test"}, runFolder(t)
	var sent, second, gone atomic.Bool
	c.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.memory.ServeHTTP(w, r)
		if second.Load() && strings.HasSuffix(r.URL.Path, "_bulk") {
			sent.Store(true)
		}
		if sent.Load() && r.Method == http.MethodGet && gone.CompareAndSwap(false, true) {
			c.put(t, http.MethodDelete, "", "", nil)
		}
	}))
	c.sends(t, dir, 1, 4)
	second.Store(true)
	p := c.open(t, dir)
	write(t, p.harvest, 4, 6)
	if err := p.close(t); err != nil || !gone.Load() {
		t.Fatalf("%v, gone %v", err, gone.Load())
	}
	c.wants(t, "at the end", dir, numbers(1, 6)...)
}
