package sink

import (
	"bytes"
	"encoding/json"
	"errors"
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
		c.wants(t, "after the faults", dir, numbers(1, 301)...)
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
		c.wants(t, "at the end", dir, append(numbers(1, 101), numbers(102, 120)...)...)
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
		c.wants(t, "at the end", dir, append(numbers(1, 8), numbers(9, 21)...)...)
		aside := rejections(t, dir)
		if len(aside) != 1 || aside[0].URL != kept(8).URL || aside[0].Status != http.StatusBadRequest || !strings.Contains(aside[0].Reason, "data.price") {
			t.Errorf("kept aside: %+v", aside)
		}
		if said := p.told.all(); !strings.Contains(said, "did not take "+kept(8).URL+": ") || !strings.Contains(said, "did not take some pages (1)") || !strings.Contains(said, filepath.Join(dir, FileRejected)) {
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
		if all < patience/3 { // each wait is drawn, up to twice the one before it, and the one that would pass the patience is not waited
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
		c.wants(t, "when it was back", dir, numbers(1, 151)...)
		lines := strings.SplitAfter(mustRead(t, filepath.Join(dir, "harvest.jsonl")), "\n")
		if err := os.WriteFile(filepath.Join(dir, FileKept), []byte(strings.Join(lines[:30], "")), 0o600); err != nil {
			t.Fatal(err)
		}
		c.Away(true)
		err = c.open(t, dir).close(t)
		if !errors.As(err, &unsent) || unsent.Pages != 30 || !strings.Contains(err.Error(), "what "+dir+" keeps no more is still in the cluster "+c.url+", and 30 pages are to be sent there") {
			t.Fatalf("closed when less is kept: %v", err)
		}
		c.Away(false)
		if err := c.open(t, dir).close(t); err != nil {
			t.Fatal(err)
		}
		c.wants(t, "when it was back again", dir, numbers(1, 31)...)
	})
}

// TestClusterIndexDeleted: somebody deletes the index. All is sent anew.
func TestClusterIndexDeleted(t *testing.T) {
	clusters(t, func(t *testing.T, c *site) {
		dir := runFolder(t)
		c.sends(t, dir, 1, 11)
		c.call(t, http.MethodDelete, "", nil)
		c.sends(t, dir, 11, 13)
		c.wants(t, "afterwards", dir, numbers(1, 13)...)
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
	if err := p.close(t); err == nil || !strings.Contains(err.Error(), environmentLogin) {
		t.Errorf("without a login: %v", err)
	}
	t.Setenv(environmentLogin, "crawler:s3cr:t")
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
	for _, address := range []string{"crawler:s3cr@localhost:9200", "http://localhost:9200?key=s3cr"} {
		if err := CheckCluster(address); err == nil || strings.Contains(err.Error(), "s3cr") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if err := CheckCluster("http://crawler:s3cr@localhost:9200"); err == nil || strings.Contains(err.Error(), "s3cr") || !strings.Contains(err.Error(), environmentLogin) {
		t.Errorf("a password in the address: %v", err)
	}
}
