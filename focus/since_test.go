package focus_test

import (
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/study"
)

// byProxy is a page that comes by way of a proxy, which says so with its status.
const byProxy = "/roof"

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
	if r.URL.Path == byProxy {
		resp.StatusCode = http.StatusNonAuthoritativeInfo
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

	readBack(t, first, kept)

	w.edition["/panel"], w.sent = "today", nil
	again := solarConfig(t, w)
	again.Sinks, again.Fetch.Since = first.Sinks, first.Store
	if c := crawlWith(t, again).Counts; c.Spared != len(kept)-1 || c.SparedBytes <= 0 || c.SparedBytes >= c.Bytes {
		t.Errorf("%d pages of the %d kept were spared, %d of %d bytes", c.Spared, len(kept), c.SparedBytes, c.Bytes)
	}
	for _, r := range harvest(t, again) {
		changed := strings.HasSuffix(r.URL, "/panel")
		want := http.StatusOK
		if strings.HasSuffix(r.URL, byProxy) {
			want = http.StatusNonAuthoritativeInfo
		}
		if (r.Text != kept[r.URL]) != changed || r.Status != want {
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

// readBack reads the kept pages of a crawl from its archive, by themselves and as those of a recorded web.
func readBack(t *testing.T, crawl focus.Setting, kept map[string]string) {
	t.Helper()
	config := crawl.Config
	config.Web = crawl.Store
	web, err := replay.Open(crawl.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	pages := study.NewPages(web, nil)
	for address := range kept {
		if v, err := probe.Read(config, address, ""); err != nil || v.Page.Title == "" {
			t.Errorf("%s cannot be read back: %v", address, err)
		}
		if p, err := pages.Page(address); err != nil || p.Title == "" {
			t.Errorf("%s is no page of the recorded web: %v", address, err)
		}
		if _, ok := web.Has(address); !ok {
			t.Errorf("the recorded web does not have %s", address)
		}
	}
}
