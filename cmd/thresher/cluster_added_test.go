package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink/clustertest"
)

// TestAClusterThatIsAddedHearsOfTheSecondLook: it is named in the crawl file when the crawl is under way, and has in the end what the
// second look keeps, with what that look says of each page.
func TestAClusterThatIsAddedHearsOfTheSecondLook(t *testing.T) {
	added := make(chan struct{})
	once := sync.OnceFunc(func() { close(added) })
	kept := &clustertest.Cluster{}
	cluster := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		once()
		kept.ServeHTTP(w, r)
	}))
	defer cluster.Close()
	text := ""
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/page/"))
		said := "Solar panels on the roof of house %d make power. "
		switch {
		case err != nil || page > 40:
			http.NotFound(w, r)
			return
		case page > 20:
			said = "A stew of beans for %d guests wants onions, garlic and time. "
		case page == 1:
			if err := os.WriteFile("added.yaml", []byte(text+"sinks: [jsonl, {to: opensearch, url: '"+cluster.URL+"'}]\n"), 0o600); err != nil {
				t.Error(err)
			}
		case page == 12:
			select {
			case <-added:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>Page %d</title><p>%s</p>", page, strings.Repeat(fmt.Sprintf(said, page), 12))
		for n := range 40 {
			fmt.Fprintf(w, "<p><a href='/page/%d'>part %d</a>", n+1, n+1)
		}
	}))
	defer host.Close()
	text = "name: added\ntopic: {language: en, terms: [solar, panels, power]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\nduplicates: keep\nsecond_look: all\n" +
		"fetch: {private: [127.0.0.1], retries: 0}\nseeds: ['" + host.URL + "/page/1']\n"
	files(t, "added.yaml", text+"sinks: [jsonl]\n")
	must(t, "crawl", "added.yaml", "--quiet")
	run := filepath.Join("runs", "added")
	have, want := clusterPages(t, cluster.URL, "thresher-added"), pagesKept(t, run)
	if len(want) < 15 || !slices.Equal(have, want) {
		t.Errorf("the cluster has %d pages, and %d are kept", len(have), len(want))
	}
	resp, err := http.Post(cluster.URL+"/thresher-added/_search", "application/json", strings.NewReader("{}"))
	noError(t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if second := strings.Count(string(raw), `"second":`) - strings.Count(string(raw), `"second":null`); err != nil || second != len(want) {
		t.Errorf("the cluster knows of %d pages what the second look says of them, want all %d (%v)", second, len(want), err)
	}
}
