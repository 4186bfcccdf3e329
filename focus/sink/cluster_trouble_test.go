package sink

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink/clustertest"
)

// TestClusterBlocked: where the single documents of a request are forbidden, such as by a full disk's block of writes, none is kept
// aside: they wait, and arrive when the block is gone.
func TestClusterBlocked(t *testing.T) {
	for _, status := range []int{http.StatusForbidden, http.StatusUnauthorized, http.StatusRequestTimeout} {
		c, dir := memorySite(t), runFolder(t)
		p := c.open(t, dir)
		c.Then(clustertest.ItemsRefused(status, "cluster_block_exception"), clustertest.ItemsRefused(status, "cluster_block_exception"))
		write(t, p.harvest, 1, 11)
		if err := p.close(t); err != nil {
			t.Fatalf("%d: %v", status, err)
		}
		c.wants(t, "without the block", dir, numbers(1, 11)...)
		if _, err := os.Stat(filepath.Join(dir, FileRejected)); err == nil {
			t.Errorf("%d: pages are kept aside", status)
		}
		if said := p.told.all(); strings.Count(said, "pages wait in") != 1 || strings.Count(said, "answers again") != 1 {
			t.Errorf("%d: it says\n%s", status, said)
		}
	}
}

func memorySite(t *testing.T) *site {
	c := &site{memory: &clustertest.Cluster{}, index: "thresher-test"}
	c.serve(t, c.memory)
	return c
}

// closedSoon closes what does not end by itself where the time is not bounded.
func (p *pair) closedSoon(t *testing.T) *UnsentError {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- p.close(t) }()
	select {
	case err := <-done:
		var unsent *UnsentError
		if !errors.As(err, &unsent) {
			t.Fatalf("closed: %v", err)
		}
		return unsent
	case <-time.After(time.Minute):
		t.Fatal("it is not closed within a minute")
	}
	return nil
}

// TestClusterBlockedForEver: a cluster that answers and takes nothing is given up when the sink is closed.
func TestClusterBlockedForEver(t *testing.T) {
	c := memorySite(t)
	refuse := clustertest.ItemsRefused(http.StatusForbidden, "cluster_block_exception")
	c.Then(slices.Repeat([]clustertest.Fault{refuse}, 10_000)...)
	p := c.open(t, runFolder(t))
	write(t, p.harvest, 1, 11)
	if unsent := p.closedSoon(t); unsent.Pages != 10 || !strings.Contains(unsent.Error(), "403 cluster_block_exception") {
		t.Errorf("closed: %v", unsent)
	}
}

// TestClusterNeverAnswers: it takes connections and says nothing, before the sink is closed or after. One that was waited for just before is
// given less time.
func TestClusterNeverAnswers(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(silent.Close)
	c := &site{url: silent.URL, index: "thresher-test"}
	for waited, want := range map[bool]string{false: "no answer within 20ms", true: "no answer within 2ms"} {
		p := c.open(t, runFolder(t), func(o *Options) { o.patience, o.Waited = 20*time.Millisecond, waited })
		write(t, p.harvest, 1, 11)
		if unsent := p.closedSoon(t); unsent.Pages != 10 || !strings.Contains(unsent.Error(), want) {
			t.Errorf("closed: %v, want %s", unsent, want)
		}
	}
}

// TestClusterLeadsElsewhere: neither pages nor a login go where the crawl file does not say, and the cure is said.
func TestClusterLeadsElsewhere(t *testing.T) {
	t.Setenv(environmentLogin, "ann:s3cr3t")
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	t.Cleanup(other.Close)
	for _, status := range []int{http.StatusMovedPermanently, http.StatusPermanentRedirect} {
		c := &site{index: "thresher-test"}
		c.serve(t, http.RedirectHandler(strings.Replace(other.URL, "://", "://x:y@", 1)+"/es", status))
		p := c.open(t, runFolder(t))
		write(t, p.harvest, 1, 11)
		want := fmt.Sprintf("%d %s: it leads to %s/es; if that is the cluster, give it as url in the crawl file", status, http.StatusText(status), other.URL)
		if unsent := p.closedSoon(t); unsent.Pages != 10 || !strings.Contains(unsent.Error(), want) || asked > 0 || p.cluster.heard {
			t.Errorf("closed: %v, want %s; it was asked %d times elsewhere", unsent, want, asked)
		}
	}
}

// TestClusterWantsToBeLeftAlone: a cluster that asks for minutes when the sink is closed gets them, but nobody waits for that.
func TestClusterWantsToBeLeftAlone(t *testing.T) {
	c := memorySite(t)
	p := c.open(t, runFolder(t))
	c.Then(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		<-p.cluster.closing
		clustertest.Busy(290)(w, r, next)
	})
	write(t, p.harvest, 1, 11)
	if unsent := p.closedSoon(t); unsent.Pages != 10 || slices.Max(append(p.told.waits, 0)) >= 290*time.Second {
		t.Errorf("%d pages are left, after waits of %v", unsent.Pages, p.told.waits)
	}
}

// TestClusterGoesOnAfterALocalError: the run folder cannot be written to for a while, and nothing is written that would wake the sink.
func TestClusterGoesOnAfterALocalError(t *testing.T) {
	memory, dir, arrived := &clustertest.Cluster{}, runFolder(t), make(chan bool, 1)
	state := filepath.Join(dir, fileCluster)
	begun := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !begun {
			begun = true
			os.Mkdir(state, 0o700)
		}
		memory.ServeHTTP(w, r)
		if strings.HasSuffix(r.URL.Path, "_bulk") {
			arrived <- true
		}
	}))
	t.Cleanup(server.Close)
	h := opened(t, dir, Options{To: "jsonl"})
	write(t, h, 1, 5)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	c := &site{memory: memory, url: server.URL, index: "thresher-test"}
	p := c.open(t, dir, func(o *Options) { o.pause = func(time.Duration) { os.Remove(state) } })
	select {
	case <-arrived:
	case <-time.After(time.Minute):
		t.Fatal("nothing is sent")
	}
	if err := p.close(t); err != nil {
		t.Fatal(err)
	}
	c.wants(t, "when there was room again", dir, numbers(1, 5)...)
	if said := p.told.all(); strings.Count(said, "it is tried again and again") != 1 {
		t.Errorf("it says\n%s", said)
	}
}

// TestClusterCutAcrossARotation: what a crash takes back reaches behind the beginning of a file.
func TestClusterCutAcrossARotation(t *testing.T) {
	c, dir := memorySite(t), runFolder(t)
	h := opened(t, dir, Options{To: "jsonl"})
	committed := write(t, h, 1, 6)
	write(t, h, 6, 11)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h = opened(t, dir, Options{To: "jsonl", Rotate: 1}) // each page begins a file
	write(t, h, 11, 12)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.open(t, dir).close(t); err != nil {
		t.Fatal(err)
	}
	c.wants(t, "before", dir, numbers(1, 12)...)
	if err := Cut(dir, committed); err != nil {
		t.Fatal(err)
	}
	c.sends(t, dir, 20, 23)
	c.wants(t, "cut back", dir, append(numbers(1, 6), numbers(20, 23)...)...)
}

// TestClusterStandsAtARotation: the next file has begun, and nothing of it was sent. What is in the file before is not sent anew.
func TestClusterStandsAtARotation(t *testing.T) {
	c, dir := memorySite(t), runFolder(t)
	p := c.open(t, dir)
	write(t, p.harvest, 1, 6)
	next := filepath.Join(dir, jsonl.name(1))
	if err := os.WriteFile(next, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.close(t); err != nil {
		t.Fatal(err)
	}
	sent := c.Bulks()
	if err := c.open(t, dir).close(t); err != nil || c.Bulks() != sent {
		t.Errorf("%d more requests where nothing is left to do: %v", c.Bulks()-sent, err)
	}
	c.wants(t, "at the end", dir, numbers(1, 6)...)
}

// TestClusterIndexGoesMeanwhile: it is deleted between two requests, and the cluster makes none by itself.
func TestClusterIndexGoesMeanwhile(t *testing.T) {
	c, dir := memorySite(t), runFolder(t)
	p := c.open(t, dir)
	gone := clustertest.ItemsRefused(http.StatusNotFound, "index_not_found_exception")
	c.Then(gone, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(w, r)
		next.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodDelete, "/"+c.index, nil)) // what is stale is to go then
	})
	write(t, p.harvest, 1, 11)
	if err := p.close(t); err != nil {
		t.Fatal(err)
	}
	c.wants(t, "at the end", dir, numbers(1, 11)...)
	if len(p.told.waits) < 2 {
		t.Errorf("it did not wait before it sent anew: %v", p.told.waits)
	}
	if text, _ := c.memory.Mapping(c.index)["text"].(map[string]any); text["analyzer"] != "cjk" {
		t.Errorf("text is mapped as %v", text)
	}
}

// TestClusterIsNotWaitedForInHaste: whoever told the crawl to stop does not wait for a cluster, whatever it does.
func TestClusterIsNotWaitedForInHaste(t *testing.T) {
	busy := clustertest.Busy(0)
	for name, does := range map[string]http.HandlerFunc{
		"silent": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"busy":   func(w http.ResponseWriter, r *http.Request) { busy(w, r, nil) },
	} {
		server := httptest.NewServer(does)
		t.Cleanup(server.Close)
		c := &site{url: server.URL, index: "thresher-test"}
		p := c.open(t, runFolder(t), func(o *Options) { o.patience, o.pause = time.Hour, nil })
		p.cluster.haste = time.Millisecond
		write(t, p.harvest, 1, 2)
		p.cluster.Hurry()
		p.cluster.Hurry()
		if unsent := p.closedSoon(t); unsent.Pages != 1 || !strings.HasPrefix(unsent.Error(), "1 page of ") {
			t.Errorf("%s: closed: %v", name, unsent)
		}
	}
}
