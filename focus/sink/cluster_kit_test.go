package sink

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink/clustertest"
)

// site is a cluster that can be made to fail: one in memory, or the real one that THRESHER_OPENSEARCH names.
type site struct {
	*clustertest.Faults
	memory *clustertest.Cluster // nil where it is real
	url    string
	index  string
}

// clusters runs a test against clusters of several versions, or against the real one.
func clusters(t *testing.T, test func(t *testing.T, c *site)) {
	if address := os.Getenv("THRESHER_OPENSEARCH"); address != "" {
		to, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		c := &site{index: "thresher-test-" + fmt.Sprint(time.Now().UnixNano())}
		c.serve(t, httputil.NewSingleHostReverseProxy(to))
		t.Cleanup(func() { c.call(t, http.MethodDelete, "", nil) })
		test(t, c)
		return
	}
	for _, v := range []struct{ number, distribution string }{{"2.19.1", "opensearch"}, {"6.8.23", "-"}, {"8.17.0", "-"}} {
		t.Run(v.number, func(t *testing.T) {
			c := &site{memory: &clustertest.Cluster{Number: v.number, Distribution: v.distribution}, index: "thresher-test"}
			c.serve(t, c.memory)
			test(t, c)
		})
	}
}

func (c *site) serve(t *testing.T, next http.Handler) {
	c.Faults = &clustertest.Faults{Next: next}
	server := httptest.NewServer(c.Faults)
	t.Cleanup(server.Close)
	c.url = server.URL
}

func (c *site) call(t *testing.T, method, path string, body []byte) []byte {
	t.Helper()
	req, err := http.NewRequest(method, c.url+"/"+c.index+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var all bytes.Buffer
	all.ReadFrom(resp.Body)
	return all.Bytes()
}

// holds are the documents of the index, by address.
func (c *site) holds(t *testing.T, query string) map[string]string {
	t.Helper()
	c.call(t, http.MethodPost, "/_refresh", nil)
	var said struct {
		Hits struct {
			Hits []struct {
				ID     string               `json:"_id"`
				Source struct{ URL string } `json:"_source"`
			}
		}
	}
	raw := c.call(t, http.MethodPost, "/_search?size=2000", []byte(query))
	if err := json.Unmarshal(raw, &said); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	held := map[string]string{}
	for _, h := range said.Hits.Hits {
		if held[h.Source.URL] != "" {
			t.Errorf("%s is there twice", h.Source.URL)
		}
		held[h.Source.URL] = h.ID
	}
	return held
}

// wants makes sure that the cluster holds these pages of a run folder and no others, each under its id.
func (c *site) wants(t *testing.T, when string, dir string, ids ...uint64) {
	t.Helper()
	owner, err := ownerOf(dir, "yachts")
	if err != nil {
		t.Fatal(err)
	}
	held := c.holds(t, `{}`)
	var want []string
	for _, id := range ids {
		address := kept(id).URL
		want = append(want, address)
		if held[address] != DocumentID(owner, address) {
			t.Errorf("%s: %s has the id %q, want %q", when, address, held[address], DocumentID(owner, address))
		}
	}
	slices.Sort(want)
	if have := slices.Sorted(maps.Keys(held)); !slices.Equal(have, want) {
		t.Fatalf("%s: the cluster holds %d pages, want %d:\n%v\n%v", when, len(have), len(want), have, want)
	}
}

// told are lines that a sink says.
type told struct {
	mu    sync.Mutex
	lines []string
	waits []time.Duration
}

func (t *told) say(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, line)
}

// pause notes a wait, and does not wait.
func (t *told) pause(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waits = append(t.waits, d)
}

func (t *told) all() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}

// pair is a run folder with the harvest and the cluster that it is sent to.
type pair struct {
	harvest Sink
	cluster *cluster
	told    *told
}

func (c *site) open(t *testing.T, dir string, change ...func(*Options)) *pair {
	t.Helper()
	p := &pair{harvest: opened(t, dir, Options{To: "jsonl"}), told: &told{}}
	o := Options{To: OpenSearch, URL: c.url, Index: c.index, Run: "yachts", Say: p.told.say, pause: p.told.pause}
	for _, f := range change {
		f(&o)
	}
	p.cluster = opened(t, dir, o).(*cluster)
	return p
}

// sends is a crawl in a folder that keeps pages and ends well.
func (c *site) sends(t *testing.T, dir string, from, to uint64, change ...func(*Options)) *pair {
	t.Helper()
	p := c.open(t, dir, change...)
	write(t, p.harvest, from, to)
	if err := p.close(t); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *pair) close(t *testing.T) error {
	t.Helper()
	if err := p.harvest.Close(); err != nil {
		t.Fatal(err)
	}
	return p.cluster.Close()
}

func numbers(from, to uint64) (ids []uint64) {
	for id := from; id < to; id++ {
		ids = append(ids, id)
	}
	return ids
}

// runFolder is a folder whose documents are told from others by the name yachts.
func runFolder(t *testing.T) string { return filepath.Join(t.TempDir(), "yachts") }

func mustRead(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
