package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// TestWhatIsInjectedAsksRobots: an address that robots.txt forbids is not fetched because a person gave it to the crawl, before
// or while it runs; it is refused by name.
func TestWhatIsInjectedAsksRobots(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path] = true
		mu.Unlock()
		if r.URL.Path == "/robots.txt" {
			w.Write([]byte("User-agent: *\nDisallow: /secret\n"))
			return
		}
		hostiletest.Say(w, "<title>Solar energy</title><p>solar energy <a href=/one>solar</a> <a href=/two>energy</a> "+r.URL.Path)
	}))
	defer server.Close()
	files(t, "own.yaml", "name: own\ntopic: {language: en, terms: [solar]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\n"+
		"fetch: {private: [127.0.0.1]}\nseeds: ['"+server.URL+"/']\n")
	noError(t, os.WriteFile("more.txt", []byte(server.URL+"/secret/injected\n"+server.URL+"/open\n"), 0o644))
	for _, args := range [][]string{
		{"crawl", "own.yaml", "--budget", "1"},
		{"inject", "more.txt", "--run", "runs/own"},
		{"crawl", "own.yaml", "--budget", "20"},
	} {
		if code, out, errs := thresher(t, args...); code != exitDone {
			t.Fatalf("%v: exit %d: %s%s", args, code, out, errs)
		}
	}
	if asked["/secret/injected"] || !asked["/open"] || !asked["/one"] {
		t.Errorf("it asked for %v", asked)
	}
	_, out, _ := thresher(t, "list", "refused", "--run", "runs/own")
	if !strings.Contains(out, "/secret/injected") || !strings.Contains(out, "robots") {
		t.Errorf("the refusals do not name it: %s", out)
	}
	if _, out, _ = thresher(t, "why", server.URL+"/secret/injected", "--run", "runs/own"); !strings.Contains(out, "robots") {
		t.Errorf("why does not name robots.txt: %s", out)
	}
}
