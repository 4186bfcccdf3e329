package focus_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// smallSite is a site of three pages.
func smallSite(t *testing.T) string {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<title>Start</title><a href="/soup">soup</a> <a href="/panel">solar energy</a>`)
		case "/panel":
			fmt.Fprint(w, "<title>Panels</title><p>Solar energy for every roof. A solar panel is photovoltaic.")
		case "/soup":
			fmt.Fprint(w, "<title>Soup</title><p>Onions.")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// between is what stands in a text from one line on to another, both included.
func between(t *testing.T, name, text, from, to string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, from)
	body, _, closed := strings.Cut(rest, to)
	if !ok || !closed {
		t.Fatalf("%s has nothing from %q to %q", name, from, to)
	}
	return from + body + to
}

// solarFile writes the crawl file that README shows into a module, for the small site.
func solarFile(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	file := strings.ReplaceAll(between(t, "README.md", string(text), "    name: solar\n", "polite: {contact: you@example.org}\n"), "\n    ", "\n")
	file = strings.Replace(strings.TrimSpace(file), "https://www.example.org/", smallSite(t)+"/", 1)
	file = strings.Replace(file, "you@example.org}", "you@example.org, delay: 0s}\nfetch: {private: [127.0.0.1]}\nmin_free: 0", 1) // or the test would wait for its own server
	if err := os.WriteFile(filepath.Join(dir, "solar.yaml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The Colly program that README begins with, and the crawl that the manual begins with, work as they stand there, with the crawl
// file that README shows, from a module that has nothing else.
func TestTheProgramsOfREADMEAndManual(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	shown := []struct {
		file, from, to string
		lines          int
		want           string
	}{
		{"README.md", "    c := colly.NewCollector()\n", `"pages kept")` + "\n", 12, "Start\nPanels\nSoup\n1 pages kept\n"},
		{"cmd/thresher/help/library.md", "    config, err := focus.Load(\"solar.yaml\")\n", "err)\n    }\n\n", 15, "Panels true <nil>\n"},
	}
	bodies := map[string]string{}
	for _, p := range shown {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(p.file)))
		if err != nil {
			t.Fatal(err)
		}
		bodies[p.file] = strings.TrimSpace(between(t, p.file, string(text), p.from, p.to)) + "\n"
		if n := strings.Count(bodies[p.file], "\n"); n != p.lines {
			t.Errorf("the program of %s has %d lines, want %d", p.file, n, p.lines)
		}
	}
	run := programs(t, bodies, "context", "fmt", "log", "github.com/gocolly/colly/v2", module+"/focus", module+"/focus/sink")
	for _, p := range shown {
		dir := t.TempDir()
		solarFile(t, dir)
		if out := run(p.file, dir); out != p.want {
			t.Errorf("the program of %s prints\n%s\nwant\n%s", p.file, out, p.want)
		}
	}
}
