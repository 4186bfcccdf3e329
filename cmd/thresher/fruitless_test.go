package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
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
