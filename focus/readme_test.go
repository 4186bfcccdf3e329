package focus_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// emptyModule is a module of nothing but this one, which it requires by replace, as a program that somebody begins.
func emptyModule(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	here, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	ours, err := os.ReadFile(filepath.Join(here, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(here, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	_, needs, _ := strings.Cut(string(ours), "\n")
	own := "module example.org/begun\n" + needs + "\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + here + "\n"
	for name, content := range map[string][]byte{"go.mod": []byte(own), "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runProgram runs a program of one file in a module, and answers what it prints.
func runProgram(t *testing.T, dir, body string, imports ...string) string {
	t.Helper()
	program := "package main\n\nimport (\n"
	for _, i := range imports {
		program += "\t\"" + i + "\"\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program+")\n\nfunc main() {\n"+body+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "-mod=mod", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, body, out)
	}
	return string(out)
}

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

// TestTheProgramOfTheREADME: the Colly program that README begins with, and the crawl file that it names, work as they stand
// there, from a module that has nothing else.
func TestTheProgramOfTheREADME(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	body := between(t, "README.md", string(text), "    c := colly.NewCollector()\n", `"pages kept")`+"\n")
	if n := strings.Count(body, "\n"); n > 13 {
		t.Errorf("the program has %d lines", n)
	}
	file := strings.ReplaceAll(between(t, "README.md", string(text), "    name: solar\n", "polite: {contact: you@example.org}\n"), "\n    ", "\n")
	file = strings.Replace(strings.TrimSpace(file), "https://www.example.org/", smallSite(t)+"/", 1)
	file = strings.Replace(file, "you@example.org}", "you@example.org, delay: 0s}\nfetch: {private: [127.0.0.1]}\nmin_free: 0", 1) // or the test would wait for its own server
	dir := emptyModule(t)
	if err := os.WriteFile(filepath.Join(dir, "solar.yaml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	out := runProgram(t, dir, body, "context", "fmt", "log", "github.com/gocolly/colly/v2", module+"/focus")
	if want := "Start\nPanels\nSoup\n1 pages kept\n"; out != want {
		t.Errorf("the program of README.md prints\n%s\nwant\n%s", out, want)
	}
}
