package main

import (
	"encoding/csv"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/serve"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// steers is what steers a terminal, and turns the direction of text.
const steers = "\x1b]0;owned\x07\u009b2J\u202e\u2066solar\u200f"

// steering is a server whose pages try to steer; steers.yaml crawls it.
func steering(t *testing.T) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/robots.txt":
			w.Write([]byte("User-agent: *\nDisallow: /forbidden # " + steers + "\n"))
			return
		case "/coded":
			w.Header().Set("Content-Encoding", "\u202efoo")
		case "/missing":
			http.NotFound(w, r)
			return
		}
		w.Write([]byte("<title>=cmd|solar " + steers + r.URL.Path + "</title><meta name=author content='@SUM(1) " + steers + "'><meta name=description content='+1 " + steers + "'>" +
			"<p>solar energy " + steers + r.URL.Path + "<h2>=solar" + steers + "</h2>" +
			"<p><a href='/one?" + steers + "'>=solar " + steers + "</a> <a href=/coded>solar " + steers + "</a> <a href=/missing>" + steers + "</a> <a href=/forbidden>" + steers + "</a>"))
	}))
	t.Cleanup(server.Close)
	files(t, "steers.yaml", "name: steers\ntopic: {language: en, terms: [solar, energy], threshold: 0}\nmin_free: 0\nduplicates: keep\n"+
		"polite: {delay: 0s, contact: tests@example.org}\nfetch: {private: [127.0.0.1], retries: 0}\nsinks: [{to: jsonl}, {to: csv}]\nseeds: ['"+server.URL+"/']\n")
	return server
}

// steersNot sees to it that nothing in a text steers.
func steersNot(t *testing.T, where, text string) {
	t.Helper()
	if i := strings.IndexFunc(text, func(r rune) bool { return sink.Steers(r) && r != '\n' && r != '\t' && r != '\r' }); i >= 0 {
		t.Errorf("%s steers: %q", where, text[max(0, i-60):min(len(text), i+30)])
	}
}

// served is what the search page of a run answers.
func served(t *testing.T, dir, target string) string {
	t.Helper()
	c, err := index.Open(dir, index.Options{})
	noError(t, err)
	defer c.Close()
	if _, err := c.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := serve.New(serve.Options{Collections: func() []*index.Collection { return []*index.Collection{c} }, Weights: index.DefaultWeights(), Listen: "127.0.0.1:7700"})
	noError(t, err)
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Host = "127.0.0.1:7700"
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	return w.Body.String()
}

// firstHit names the first page that a search for solar finds in a run, as the search page's addresses do.
func firstHit(t *testing.T, dir string) string {
	t.Helper()
	id := regexp.MustCompile(`"id":(\d+)`).FindStringSubmatch(served(t, dir, "/api/v1/search?q=solar"))
	if id == nil {
		t.Fatal("nothing was found")
	}
	return "c=" + filepath.Base(dir) + "&id=" + id[1]
}

// TestWhatPagesSaySteersNothing: titles, anchors, words, headers and reasons of pages that try to steer a terminal, to turn the
// direction of text or to be a formula come out of no command and no file as that.
func TestWhatPagesSaySteersNothing(t *testing.T) {
	server := steering(t)
	seen := 0
	check := func(where, text string) {
		seen += len(text)
		steersNot(t, where, text)
	}
	for _, args := range [][]string{
		{"crawl", "steers.yaml"}, {"crawl", "steers.yaml", "--fresh", "--json"}, {"list", "kept"}, {"list", "refused"}, {"list", "dropped"}, {"list", "harvest"}, {"list", "waiting"},
		{"list", "hosts"}, {"list", "kept", "--json"}, {"list", "refused", "--json"}, {"why", server.URL + "/"}, {"why", server.URL + "/coded"}, {"why", server.URL + "/" + steers},
		{"why", server.URL + "/coded", "--json"}, {"export"}, {"export", "--to", "csv"}, {"export", "--to", "csv", "--fields", "title,author,description,url,text"},
		{"judge", "steers.yaml", server.URL + "/"}, {"judge", "steers.yaml", server.URL + "/", "--json"}, {"index"}, {"search", "solar"}, {"search", "solar", "--json"},
		{"nonsense" + steers}, {"list", "kept", "--run", "runs/" + steers}, {"crawl", "none" + steers + ".yaml"},
	} {
		_, out, errs := thresher(t, args...)
		check("stdout of "+strings.Join(args, " "), out)
		check("stderr of "+strings.Join(args, " "), errs)
	}
	for _, name := range []string{"crawl.log", "harvest.jsonl", "harvest.csv", "report.html", "meter.csv"} {
		text := mustRead(t, filepath.Join("runs/steers", name))
		check(name, text)
		if !strings.HasSuffix(name, ".csv") || name == "meter.csv" {
			continue
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%d rows: %v", len(rows), err)
		}
		for _, cell := range rows[1] {
			if strings.IndexAny(cell, "=+@|") == 0 {
				t.Errorf("%s: %q is a formula", name, cell)
			}
		}
	}
	first := firstHit(t, "runs/steers")
	for _, target := range []string{"/?q=solar", "/?q=solar&sort=date", "/?q=" + url.QueryEscape(steers), "/feed?q=solar",
		"/api/v1/search?q=solar", "/api/v1/complete?q=so", "/like?" + first, "/page?" + first, "/api/v1/page?" + first} {
		check("serve "+target, served(t, "runs/steers", target))
	}
	if seen < 10_000 {
		t.Errorf("only %d bytes were looked at", seen)
	}
}
