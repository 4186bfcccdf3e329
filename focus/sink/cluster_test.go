package sink

import (
	"bytes"
	"encoding/json"
	"errors"
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

// wants makes sure that the cluster holds these pages and no others, each under its id.
func (c *site) wants(t *testing.T, when string, run string, ids ...uint64) {
	t.Helper()
	held := c.holds(t, `{}`)
	var want []string
	for _, id := range ids {
		address := kept(id).URL
		want = append(want, address)
		if held[address] != DocumentID(run, address) {
			t.Errorf("%s: %s has the id %q, want %q", when, address, held[address], DocumentID(run, address))
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

func TestClusterHoldsWhatIsKept(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		p := c.open(t, dir)
		write(t, p.harvest, 1, 1201)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "at the end", "yachts", numbers(1, 1201)...)
		if p.told.all() != "" {
			t.Errorf("it says %s", p.told.all())
		}
		sent := c.Bulks()
		if err := c.open(t, dir).close(t); err != nil || c.Bulks() != sent {
			t.Errorf("%d more requests when nothing is left to do: %v", c.Bulks()-sent, err)
		}
		p = c.open(t, dir)
		write(t, p.harvest, 1201, 1204)
		if err := p.close(t); err != nil || c.Bulks() != sent+1 {
			t.Errorf("%d more requests for three pages: %v", c.Bulks()-sent, err)
		}
		c.wants(t, "gone on with", "yachts", numbers(1, 1204)...)
	})
}

// TestClusterFailures: whatever goes wrong on the way, all arrive, and the waits are those that the cluster asks for.
func TestClusterFailures(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		p := c.open(t, dir)
		c.Then(clustertest.Busy(7), clustertest.CutRequest, clustertest.CutAnswer, clustertest.BusyItems, clustertest.BusyItems, clustertest.Busy(0))
		write(t, p.harvest, 1, 301)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "after the faults", "yachts", numbers(1, 301)...)
		if !slices.Contains(p.told.waits, 7*time.Second) {
			t.Errorf("it asked to be left alone for 7 s, and was for %v", p.told.waits)
		}
		said := p.told.all()
		for _, part := range []string{"429 es_rejected_execution_exception: rejected execution of coordinating operation; pages wait in " + dir, "answers again"} {
			if !strings.Contains(said, part) {
				t.Errorf("it does not say %q:\n%s", part, said)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, FileRejected)); err == nil {
			t.Error("pages are kept aside that the cluster has")
		}
	})
}

func TestClusterTooLarge(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		c.Largest(20_000)
		dir := runFolder(t)
		p := c.open(t, dir)
		write(t, p.harvest, 1, 101)
		huge := kept(101)
		huge.Text = strings.Repeat("too much ", 5000)
		if err := p.harvest.Write(huge); err != nil {
			t.Fatal(err)
		}
		write(t, p.harvest, 102, 120)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "at the end", "yachts", append(numbers(1, 101), numbers(102, 120)...)...)
		if aside := rejections(t, dir); len(aside) != 1 || aside[0].URL != huge.URL || aside[0].Status != http.StatusRequestEntityTooLarge || !bytes.Contains(aside[0].Document, []byte("too much")) {
			t.Errorf("kept aside: %d, want the one that is too large", len(aside))
		}
	})
}

func rejections(t *testing.T, dir string) (all []rejection) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, FileRejected))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(raw) {
		var r rejection
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// TestClusterMappingConflict: a document that the mapping does not take is named and kept aside, once, and all others arrive.
func TestClusterMappingConflict(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		p := c.open(t, dir)
		for id := range uint64(20) {
			r := kept(id + 1)
			r.Data = map[string]json.RawMessage{"price": json.RawMessage("12")}
			if id == 7 {
				r.Data["price"] = json.RawMessage(`"on request"`)
			}
			if err := p.harvest.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "at the end", "yachts", append(numbers(1, 8), numbers(9, 21)...)...)
		aside := rejections(t, dir)
		if len(aside) != 1 || aside[0].URL != kept(8).URL || aside[0].Status != http.StatusBadRequest || !strings.Contains(aside[0].Reason, "data.price") {
			t.Errorf("kept aside: %+v", aside)
		}
		if said := p.told.all(); !strings.Contains(said, "did not take "+kept(8).URL+": ") || !strings.Contains(said, "did not take 1 pages") || !strings.Contains(said, filepath.Join(dir, FileRejected)) {
			t.Errorf("it says %s", said)
		}
		if err := c.open(t, dir).close(t); err != nil || len(rejections(t, dir)) != 1 {
			t.Errorf("opened again: %v, %d kept aside", err, len(rejections(t, dir)))
		}
	})
}

// TestClusterAway: a cluster that does not answer loses nothing, and holds nothing up but what may not wait any more.
func TestClusterAway(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		c.Away(true)
		p := c.open(t, dir, func(o *Options) { o.Queue = 100_000 })
		write(t, p.harvest, 1, 50)
		if why := p.cluster.Behind(); why != "" {
			t.Errorf("the crawl waits too early: %s", why)
		}
		write(t, p.harvest, 50, 151)
		if why := p.cluster.Behind(); !strings.Contains(why, "wait to be sent to the cluster "+c.url) {
			t.Errorf("the crawl does not wait: %q", why)
		}
		err := p.close(t)
		var unsent *UnsentError
		if !errors.As(err, &unsent) || unsent.Pages != 150 || !strings.Contains(err.Error(), c.url) || !strings.Contains(err.Error(), "the same command sends them") {
			t.Fatalf("closed: %v", err)
		}
		var all time.Duration
		for _, d := range p.told.waits {
			all += d
		}
		if all < patience/2 {
			t.Errorf("it was waited for %v in all", all)
		}
		c.Away(false)
		p = c.open(t, dir, func(o *Options) { o.Queue = 100_000 })
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		if why := p.cluster.Behind(); why != "" {
			t.Errorf("the crawl still waits: %s", why)
		}
		c.wants(t, "when it was back", "yachts", numbers(1, 151)...)
	})
}

// TestClusterAfterAKill: what a crash takes back from the harvest is taken out of the cluster, whatever had been sent of it; what
// was not sent is.
func TestClusterAfterAKill(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		p := c.open(t, dir)
		committed := write(t, p.harvest, 1, 31)
		write(t, p.harvest, 31, 41)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "before", "yachts", numbers(1, 41)...)
		if err := Cut(dir, committed); err != nil {
			t.Fatal(err)
		}
		p = c.open(t, dir)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "cut back", "yachts", numbers(1, 31)...)

		// Killed between sending and noting it, cut back, and other pages kept in their place.
		p = c.open(t, dir)
		write(t, p.harvest, 50, 60)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		var st clusterState
		path := filepath.Join(dir, fileCluster)
		if err := json.Unmarshal([]byte(mustRead(t, path)), &st); err != nil {
			t.Fatal(err)
		}
		st.Acked.Offset, st.Last, st.Length = committed["harvest.jsonl"], 0, 0
		raw, _ := json.Marshal(&st)
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Cut(dir, committed); err != nil {
			t.Fatal(err)
		}
		p = c.open(t, dir)
		write(t, p.harvest, 31, 35)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "killed in the middle", "yachts", numbers(1, 35)...)
	})
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestClusterFollowsASecondLook: what it takes out goes, what it brings in comes, and when the crawl goes on, the harvest counts again.
func TestClusterFollowsASecondLook(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		p := c.open(t, dir)
		write(t, p.harvest, 1, 21)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		look := func(ids ...uint64) {
			var lines growing
			e, err := NewEncoder(&lines, "jsonl", nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range ids {
				r := kept(id)
				r.Second, r.Importance = .9, 1.5
				if err := e.Encode(r); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, FileKept), lines, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, ids := range [][]uint64{append(numbers(5, 15), 100, 101), {3}} {
			look(ids...)
			if err := c.open(t, dir).close(t); err != nil {
				t.Fatal(err)
			}
			c.wants(t, "after a second look", "yachts", ids...)
		}
		if err := os.Remove(filepath.Join(dir, FileKept)); err != nil {
			t.Fatal(err)
		}
		p = c.open(t, dir)
		write(t, p.harvest, 21, 23)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "gone on with", "yachts", numbers(1, 23)...)
	})
}

// TestClusterKeepsRunsApart: what goes of one run stays of another, and a run that is started over leaves nothing behind.
func TestClusterKeepsRunsApart(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir, other := runFolder(t), filepath.Join(t.TempDir(), "second")
		for d, ids := range map[string][2]uint64{dir: {1, 11}, other: {20, 25}} {
			p := c.open(t, d)
			write(t, p.harvest, ids[0], ids[1])
			if err := p.close(t); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		p := c.open(t, dir)
		write(t, p.harvest, 5, 7)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		held := slices.Sorted(maps.Keys(c.holds(t, `{}`)))
		var want []string
		for _, id := range []uint64{20, 21, 22, 23, 24, 5, 6} {
			want = append(want, kept(id).URL)
		}
		if !slices.Equal(held, want) {
			t.Errorf("it holds %v, want %v", held, want)
		}
	})
}

// TestClusterIndexDeleted: somebody deletes the index. All is sent anew.
func TestClusterIndexDeleted(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		p := c.open(t, dir)
		write(t, p.harvest, 1, 11)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.call(t, http.MethodDelete, "", nil)
		p = c.open(t, dir)
		write(t, p.harvest, 11, 13)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "afterwards", "yachts", numbers(1, 13)...)
	})
}

// TestClusterFindsBothLanguages: by a Chinese word within a text, and by another form of an English one. The mapping says by which
// analyzers; that they do is seen on a real cluster.
func TestClusterFindsBothLanguages(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		p := c.open(t, runFolder(t))
		for id, text := range map[uint64]string{1: "数学家张益唐证明了一个定理", 2: "Old yachts were racing in the harbour", 3: "Nothing of the kind, 张先生"} {
			r := kept(id)
			r.Title, r.Text = "", text
			if err := p.harvest.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		if c.memory != nil {
			text, _ := c.memory.Mapping(c.index)["text"].(map[string]any)
			english, _ := text["fields"].(map[string]any)["english"].(map[string]any)
			if text["analyzer"] != "cjk" || english["analyzer"] != "english" {
				t.Errorf("text is mapped as %v", text)
			}
			return
		}
		for query, id := range map[string]uint64{"张益唐": 1, "yacht race": 2} {
			held := c.holds(t, `{"query":{"multi_match":{"query":"`+query+`","fields":["text","text.english"],"operator":"and"}}}`)
			if len(held) != 1 || held[kept(id).URL] == "" {
				t.Errorf("%s finds %v", query, held)
			}
		}
	})
}

// TestClusterChosenFields: only those are sent.
func TestClusterChosenFields(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		p := c.open(t, runFolder(t), func(o *Options) { o.Fields = []string{"url", "title"} })
		write(t, p.harvest, 1, 3)
		if err := p.close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "at the end", "yachts", 1, 2)
		if raw := c.call(t, http.MethodPost, "/_search", []byte(`{}`)); !bytes.Contains(raw, []byte("景点")) || bytes.Contains(raw, []byte("旅游")) {
			t.Errorf("it holds %s", raw)
		}
	})
}

// TestClusterLogin: name and password come from the environment, and stand in no file and no message.
func TestClusterLogin(t *testing.T) {
	memory, dir := &clustertest.Cluster{}, runFolder(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "crawler" || password != "s3cr:t" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		memory.ServeHTTP(w, r)
	}))
	defer server.Close()
	c := &site{url: server.URL, index: "i"}
	p := c.open(t, dir)
	write(t, p.harvest, 1, 3)
	if err := p.close(t); err == nil || !strings.Contains(err.Error(), EnvironmentLogin) {
		t.Errorf("without a login: %v", err)
	}
	t.Setenv(EnvironmentLogin, "crawler:s3cr:t")
	p = c.open(t, dir)
	if err := p.close(t); err != nil || strings.Contains(p.told.all(), "s3cr") {
		t.Errorf("with a login: %v %s", err, p.told.all())
	}
	there, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range there {
		if strings.Contains(mustRead(t, filepath.Join(dir, f.Name())), "s3cr") {
			t.Errorf("the password stands in %s", f.Name())
		}
	}
	if err := CheckCluster("http://crawler:s3cr@localhost:9200"); err == nil || strings.Contains(err.Error(), "s3cr") || !strings.Contains(err.Error(), EnvironmentLogin) {
		t.Errorf("a password in the address: %v", err)
	}
}
