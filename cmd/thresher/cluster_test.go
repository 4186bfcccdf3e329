package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/sink/clustertest"
)

// clusterPages are the addresses of all documents of an index.
func clusterPages(t *testing.T, address, index string) []string {
	t.Helper()
	resp, err := http.Post(address+"/"+index+"/_search", "application/json", strings.NewReader("{}"))
	noError(t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	noError(t, err)
	var said struct {
		Hits struct {
			Hits []struct {
				Source struct{ URL string } `json:"_source"`
			}
		}
	}
	if err := json.Unmarshal(raw, &said); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	var pages []string
	for _, h := range said.Hits.Hits {
		pages = append(pages, h.Source.URL)
	}
	slices.Sort(pages)
	return pages
}

func pagesKept(t *testing.T, folder string) []string {
	t.Helper()
	kept := map[string]bool{}
	for r, err := range sink.Kept(folder) {
		noError(t, err)
		kept[r.URL] = true
	}
	return slices.Sorted(maps.Keys(kept))
}

// sentFile is the crawl file of the quickstart, with a cluster and nothing else among its sinks.
func sentFile(t *testing.T, address string) string {
	t.Helper()
	text := mustRead(t, filepath.Join(home, "configs", "quickstart.yaml"))
	text = strings.Replace(text, "web: ", "web: "+filepath.ToSlash(filepath.Join(home, "configs"))+"/", 1)
	text = strings.Replace(text, "sinks: [jsonl, warc]", "", 1)
	path := filepath.Join(t.TempDir(), "quickstart.yaml")
	noError(t, os.WriteFile(path, []byte(text+"\nsinks: [{to: opensearch, url: '"+address+"'}]\n"), 0o600))
	return path
}

// TestAClusterHasWhatACrawlKeeps: from the crawl file, over a second look, another cut, and a host that is forgotten while it is away.
func TestAClusterHasWhatACrawlKeeps(t *testing.T) {
	faults, away := &clustertest.Faults{Next: &clustertest.Cluster{}}, false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if away {
			leaveAlone(w)
			return
		}
		faults.ServeHTTP(w, r)
	}))
	defer server.Close()
	run := filepath.Join(t.TempDir(), "run")
	must(t, "crawl", sentFile(t, server.URL), "--store", run, "--quiet")
	kept := pagesKept(t, run)
	if have := clusterPages(t, server.URL, "thresher-quickstart"); len(kept) < 20 || !slices.Equal(have, kept) {
		t.Fatalf("the cluster has %d pages, and %d are kept", len(have), len(kept))
	}
	must(t, "winnow", "--run", run, "--top", "7")
	if have := clusterPages(t, server.URL, "thresher-quickstart"); len(have) != 7 || !slices.Equal(have, pagesKept(t, run)) {
		t.Fatalf("after another cut the cluster has %v", have)
	}
	host, err := url.Parse(pagesKept(t, run)[0])
	noError(t, err)
	away = true
	code, _, errs := thresher(t, "forget", host.Host, "--run", run)
	if code != exitFailed || !strings.Contains(errs, "what "+run+" keeps no more is still in the cluster "+server.URL) {
		t.Errorf("forgotten while the cluster is away: exit %d: %s", code, errs)
	}
	away = false
	if out := must(t, "forget", host.Host, "--run", run); out != "nothing of "+host.Host+" is left in "+run+", and it is blocked there\n" {
		t.Errorf("forgotten again: %s", out)
	}
	have := clusterPages(t, server.URL, "thresher-quickstart")
	if len(have) == 0 || !slices.Equal(have, pagesKept(t, run)) || slices.ContainsFunc(have, func(page string) bool { return strings.HasPrefix(page, "http://"+host.Host+"/") }) {
		t.Errorf("the cluster has %v when %s is forgotten", have, host.Host)
	}
}

// leaveAlone answers for a cluster that wants to be left alone for longer than anybody waits.
func leaveAlone(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "3600")
	w.WriteHeader(http.StatusTooManyRequests)
}

// TestWhatIsSentInTheEndIsNoError: a cluster that could not be had when the crawl ended, and could after its second look, has all pages.
// One that stays away is told of once.
func TestWhatIsSentInTheEndIsNoError(t *testing.T) {
	faults := &clustertest.Faults{Next: &clustertest.Cluster{}}
	for comes, want := range map[bool]struct{ code, told int }{true: {exitDone, 0}, false: {exitFailed, 1}} {
		run := filepath.Join(t.TempDir(), "run")
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := os.Stat(filepath.Join(run, sink.FileKept)); !comes || err != nil { // what a second look writes
				leaveAlone(w)
				return
			}
			faults.ServeHTTP(w, r)
		}))
		code, _, errs := thresher(t, "crawl", sentFile(t, server.URL), "--store", run, "--quiet", "--budget", "60")
		if told := strings.Count(errs, "are not in the cluster"); code != want.code || told != want.told {
			t.Errorf("where it comes back (%t): exit %d, told of %d times: %s", comes, code, told, errs)
		}
		server.Close()
	}
}

// TestAComparisonIsNotSent: the pages of the crawl that is compared with are nobody's.
func TestAComparisonIsNotSent(t *testing.T) {
	faults := &clustertest.Faults{Next: &clustertest.Cluster{}}
	server := httptest.NewServer(faults)
	defer server.Close()
	run := filepath.Join(t.TempDir(), "run")
	must(t, "crawl", sentFile(t, server.URL), "--store", run, "--quiet", "--compare", "random")
	if have, kept := clusterPages(t, server.URL, "thresher-quickstart"), pagesKept(t, run); len(kept) < 20 || !slices.Equal(have, kept) {
		t.Errorf("the cluster has %d pages, and %d are kept", len(have), len(kept))
	}
}

// TestOnlyUnsent: pages that are not sent yet hide no other error.
func TestOnlyUnsent(t *testing.T) {
	unsent, other := &sink.UnsentError{Err: io.ErrUnexpectedEOF}, os.ErrPermission
	for _, c := range []struct {
		err  error
		want bool
	}{{nil, true}, {unsent, true}, {errors.Join(unsent, unsent), true}, {fmt.Errorf("run: %w", errors.Join(unsent)), true},
		{other, false}, {errors.Join(unsent, other), false}, {errors.Join(errors.Join(other), unsent), false}, {fmt.Errorf("%w, %w", unsent, other), false}} {
		if sink.OnlyUnsent(c.err) != c.want {
			t.Errorf("%v: %t", c.err, !c.want)
		}
	}
}

// TestACrawlIsKilledWhileItSends: killed at every third request, a crawl has sent the pages that it keeps and no others in the end.
func TestACrawlIsKilledWhileItSends(t *testing.T) {
	const pages = 12
	memory := &clustertest.Cluster{}
	var starting sync.Mutex // held until the process that asks is known
	var process *os.Process
	bulks := 0
	cluster := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "_bulk") {
			memory.ServeHTTP(w, r)
			return
		}
		starting.Lock()
		defer starting.Unlock()
		bulks++
		if bulks%3 == 1 {
			process.Kill() // before it is taken
			return
		}
		memory.ServeHTTP(w, r)
		if bulks%3 == 2 {
			process.Kill() // when it is taken, and before that is told
		}
	}))
	defer cluster.Close()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>Sailing %s</title><p>A yacht is sailing: ", r.URL.Path)
		for n := range pages {
			fmt.Fprintf(w, "<a href=/%d>yacht %d</a> ", n, n)
		}
	}))
	defer web.Close()
	files(t, "sent.yaml", "name: sent\ntopic: {terms: [yacht, sailing]}\nseeds: ["+web.URL+"/0]\npolite: {contact: you@example.org, delay: 60ms, parallel: 1}\n"+
		"fetch: {private: [127.0.0.1]}\nduplicates: keep\nstrategy: breadth\nscope: {soft_404: ignore}\nmin_free: 0\n"+
		"sinks: [jsonl, {to: opensearch, url: '"+cluster.URL+"'}]\n")
	killed := killedUntilThrough(t, "crawl sent.yaml --store run", 60, func(cmd *exec.Cmd) error {
		starting.Lock()
		defer starting.Unlock()
		err := cmd.Start()
		process = cmd.Process
		return err
	})
	kept := pagesKept(t, "run")
	t.Logf("killed %d times, %d pages", killed, len(kept))
	if have := clusterPages(t, cluster.URL, "thresher-sent"); killed < 2 || len(kept) != pages || !slices.Equal(have, kept) {
		t.Errorf("the cluster has %d pages, and %d are kept:\n%v", len(have), len(kept), have)
	}
}

// TestAClusterThatIsAway: the crawl goes on, says so and keeps its pages; started again, it sends them.
func TestAClusterThatIsAway(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits half a minute for a cluster that does not answer")
	}
	faults := &clustertest.Faults{Next: &clustertest.Cluster{}}
	faults.Away(true)
	server := httptest.NewServer(faults)
	defer server.Close()
	file := sentFile(t, server.URL)
	args := []string{"crawl", file, "--store", filepath.Join(t.TempDir(), "run"), "--quiet"}
	begun := time.Now()
	code, out, errs := thresher(t, args...)
	if code != exitFailed || !strings.Contains(out, "finished") && !strings.Contains(out, "kept") || !strings.Contains(errs, "the same command sends them") || !strings.Contains(errs, server.URL) {
		t.Fatalf("exit %d after %v: %s%s", code, time.Since(begun), out, errs)
	}
	faults.Away(false)
	must(t, args...)
	if have, kept := clusterPages(t, server.URL, "thresher-quickstart"), pagesKept(t, args[3]); len(kept) < 20 || !slices.Equal(have, kept) {
		t.Errorf("the cluster has %d pages, and %d are kept", len(have), len(kept))
	}
}

// TestACrawlFileWithACluster: what is wrong with it is said with its place.
func TestACrawlFileWithACluster(t *testing.T) {
	head := "topic: {terms: [yacht]}\nseeds: ['http://a.example/']\npolite: {contact: you@example.org}\n"
	for sinks, want := range map[string]string{
		"[opensearch]": "sinks[0].url: is missing: where is the cluster?",
		"[{to: opensearch, url: 'http://me:secret@h:9200'}]":                   "holds a password: take it out, and set THRESHER_OPENSEARCH_LOGIN=USER:PASSWORD",
		"[{to: opensearch, url: 'h:9200'}]":                                    "want an address such as http://localhost:9200",
		"[{to: opensearch, url: 'http://h:9200', index: Pages}]":               "want lower case",
		"[{to: jsonl, url: 'http://h:9200'}]":                                  "url, index and queue belong to {to: opensearch}",
		"[{to: jsonl, fields: [url]}, {to: opensearch, url: 'http://h:9200'}]": "the cluster is sent what stands in harvest.jsonl",
		"[{to: opensearch, url: 'http://h:9200', fields: [url, titel]}]":       `unknown field "titel"; did you mean "title"?`,
	} {
		files(t, "bad.yaml", head+"sinks: "+sinks+"\n")
		if code, out, errs := thresher(t, "check", "bad.yaml"); code == exitDone || !strings.Contains(out+errs, want) || strings.Contains(out+errs, "secret") {
			t.Errorf("%s: exit %d: %s%s, want %s", sinks, code, out, errs, want)
		}
	}
	files(t, "good.yaml", head+"sinks: [jsonl, {to: opensearch, url: 'http://h:9200/below', index: pages, queue: 10MB, fields: [url, title]}]\n")
	must(t, "check", filepath.Join(".", "good.yaml"))
}
