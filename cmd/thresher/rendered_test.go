package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestARenderedPageIsReadAgainAsItWasJudged: rules that are tried on the archive find what the crawl found, and what the service did is
// said in the end, as is of each page why a browser that ended elsewhere was of no use. With log: debug there is a line for each page.
func TestARenderedPageIsReadAgainAsItWasJudged(t *testing.T) {
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" && r.URL.Path != "/left" && r.URL.Path != "/secured" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<html><head><title>App</title><script src="/bundle.js"></script></head><body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript></body></html>`)
	}))
	defer host.Close()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ URL string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		asked.URL = strings.Replace(asked.URL, "/left", "/login/", 1)
		if strings.Contains(asked.URL, "/secured") {
			asked.URL = strings.Replace(asked.URL, "http:", "https:", 1)
		}
		fmt.Fprintf(w, `<html data-thresher-at="%s"><head><title>Solar</title></head><body><h1>Solar power</h1><p>%s</p></body></html>`,
			asked.URL, strings.Repeat("Solar panels turn the light of the sun into electricity. ", 20))
	}))
	defer service.Close()
	files(t, "app.yaml", "name: app\ntopic: {language: en, terms: [solar, panels, electricity]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\nlog: debug\n"+
		"fetch: {private: [127.0.0.1], retries: 0, render: '"+service.URL+"/content'}\nextract: {heading: h1}\nscope: {not_paths: [/login/*]}\nseeds: ['"+host.URL+"/', '"+host.URL+"/left', '"+host.URL+"/secured']\n")
	code, _, errs := thresher(t, "crawl", "app.yaml")
	if code != exitDone || !strings.Contains(errs, "fetch.render: 1 rendered; 1 not: a script led from http to https; 1 not: a script led where the crawl file lets nobody: path") || !strings.Contains(errs, host.URL+"/: kept, relevance ") {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if kept := mustRead(t, "runs/app/harvest.jsonl"); !strings.Contains(kept, `"heading":"Solar power"`) {
		t.Fatalf("the crawl found %s", kept)
	}
	replies(t, exitDone, "Solar power", "extract", "app.yaml", "runs/app")
}
