package main

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
)

// A crawl that fetched nothing because no start page could be had has failed, and says of each what it failed with. One that
// fetched a page has not.
func TestACrawlThatFetchedNothingHasFailed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			w.Write([]byte("User-agent: *\nDisallow: /forbidden\n"))
		case "/away":
			http.Redirect(w, r, "/gone", http.StatusFound)
		case "/page":
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<p>a page that is about something else"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	file := func(paths ...string) string {
		return "name: none\ntopic: {language: en, terms: [solar]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\n" +
			"fetch: {private: [127.0.0.1], retries: 0}\nseeds: ['" + strings.Join(paths, "', '") + "']\n"
	}
	files(t, "none.yaml", file(server.URL+"/gone1", server.URL+"/forbidden", server.URL+"/away", "http://127.0.0.1:1/"),
		"some.yaml", strings.Replace(file(server.URL+"/gone1", server.URL+"/page"), "none", "some", 1))
	for _, args := range [][]string{{"crawl", "none.yaml"}, {"crawl", "none.yaml", "--fresh", "--json"}} {
		code, out, errs := thresher(t, args...)
		if code != exitFailed || !strings.Contains(out, "none") {
			t.Errorf("%v: exit %d: %s%s", args, code, out, errs)
		}
		for _, want := range []string{"nothing was fetched", "/gone1: status: 404", "/forbidden: robots", "/gone: status: 404", "http://127.0.0.1:1/: failed: "} {
			if !strings.Contains(errs, want) {
				t.Errorf("%v does not say %q: %s", args, want, errs)
			}
		}
	}
	if code, out, errs := thresher(t, "crawl", "some.yaml"); code != exitDone {
		t.Errorf("exit %d of a crawl that fetched a page: %s%s", code, out, errs)
	}
}

// TestWhatFailedIsCured: what a crawl proposes that fetched nothing lets it fetch; of a bad certificate that is said at once, and
// not that robots.txt could not be had.
func TestWhatFailedIsCured(t *testing.T) {
	pages := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<p>a page that is about something else"))
	})
	server, secret := httptest.NewServer(pages), httptest.NewUnstartedServer(pages)
	secret.Config.ErrorLog = log.New(io.Discard, "", 0)
	connections := 0
	secret.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			connections++
		}
	}
	secret.StartTLS()
	t.Cleanup(server.Close)
	const begin = "topic: {language: en, terms: [solar]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\n"
	files(t, "private.yaml", begin+"seeds: ['"+server.URL+"/']\n", "secret.yaml", begin+"fetch: {private: [127.0.0.1]}\nseeds: ['"+secret.URL+"/']\n")
	code, _, errs := thresher(t, "crawl", "private.yaml", "--quiet")
	_, cure, _ := strings.Cut(errs, "try: ")
	if code != exitFailed || !strings.Contains(errs, "not a public address") || cure != "fetch: {private: [127.0.0.1]}\n" {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if err := os.WriteFile("private.yaml", []byte(mustRead(t, "private.yaml")+cure), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := thresher(t, "crawl", "private.yaml", "--fresh", "--quiet"); code != exitDone {
		t.Errorf("with what it proposes: exit %d: %s", code, errs)
	}
	code, _, errs = thresher(t, "crawl", "secret.yaml", "--quiet")
	secret.Close()
	if code != exitFailed || !strings.Contains(errs, "failed: bad certificate: nobody who is believed has signed it\n") || !strings.Contains(errs, "try: ") || connections > 3 {
		t.Errorf("exit %d after %d connections: %s", code, connections, errs)
	}
}

// TestCures: each way to fail has one, which is said once.
func TestCures(t *testing.T) {
	var c cures
	for _, reason := range []admit.Refused{"failed: no such host", "failed: no such host", "failed: connection refused", "robots: line 2: Disallow: /", "status: 404 Not Found"} {
		c.add("http://a.example/", reason)
	}
	if said := c.said(); strings.Count(said, "try: ") != 3 || !strings.Contains(said, "robots: ignore") {
		t.Errorf("it proposes %s", said)
	}
}
