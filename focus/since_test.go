package focus_test

import (
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// named gives the pages of a web names of their state, and answers 304 to whoever knows them.
type named struct {
	http.RoundTripper
	edition map[string]string // by path, where it is not the first

	mu   sync.Mutex
	sent []string // paths whose bodies went out
}

func (n *named) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := n.RoundTripper.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	tag := `"` + r.URL.Path + n.edition[r.URL.Path] + `"`
	if r.Header.Get("If-None-Match") == tag {
		resp.StatusCode, resp.Body = http.StatusNotModified, http.NoBody
		return resp, nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sent = append(n.sent, r.URL.Path)
	resp.Header.Set("ETag", tag)
	if n.edition[r.URL.Path] != "" {
		resp.Body = io.NopCloser(strings.NewReader("<title>Solar energy</title><p>Solar panel energy, as of today."))
	}
	return resp, nil
}

// TestARepeatedCrawlTakesWhatHasNotChanged: pages of an earlier run are not sent again unless they have changed, and the
// harvest has them all, links followed as before.
func TestARepeatedCrawlTakesWhatHasNotChanged(t *testing.T) {
	w := &named{RoundTripper: solarWeb(), edition: map[string]string{}}
	first := solarConfig(t, w)
	first.Sinks = []crawlfile.SinkConfig{{To: "jsonl", Rotate: 1 << 30}, {To: "warc", Rotate: 1 << 30}}
	crawlWith(t, first)
	kept := map[string]string{}
	for _, r := range harvest(t, first) {
		kept[r.URL] = r.Text
	}
	if len(kept) < 2 {
		t.Fatalf("the first crawl kept %v", kept)
	}

	w.edition["/panel"], w.sent = "today", nil
	again := solarConfig(t, w)
	again.Sinks, again.Fetch.Since = first.Sinks, first.Store
	if c := crawlWith(t, again).Counts; c.Spared != len(kept)-1 || c.SparedBytes <= 0 || c.SparedBytes >= c.Bytes {
		t.Errorf("%d pages of the %d kept were spared, %d of %d bytes", c.Spared, len(kept), c.SparedBytes, c.Bytes)
	}
	for _, r := range harvest(t, again) {
		changed := strings.HasSuffix(r.URL, "/panel")
		if (r.Text != kept[r.URL]) != changed || r.Status != http.StatusOK {
			t.Errorf("%s: status %d, text %q, before %q", r.URL, r.Status, r.Text, kept[r.URL])
		}
		if path := strings.TrimPrefix(r.URL, "http://a.example"); slices.Contains(w.sent, path) != changed {
			t.Errorf("%s: sent again: %v", path, !changed)
		}
		delete(kept, r.URL)
	}
	if len(kept) > 0 {
		t.Errorf("not kept again: %v", kept)
	}
	if names, _ := filepath.Glob(filepath.Join(again.Store, "pages-*.warc.gz")); len(names) == 0 {
		t.Error("the second crawl wrote no WARC")
	}
}
