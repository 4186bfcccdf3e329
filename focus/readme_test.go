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

// TestTheProgramOfTheREADME: the Colly program that README begins with compiles as it stands there, and crawls.
func TestTheProgramOfTheREADME(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(readme), "\n    about, _ := topic.New(")
	body, _, closed := strings.Cut(rest, "\n    q.Run(c)\n")
	if !ok || !closed {
		t.Fatal("README.md has no Colly program from about, _ := topic.New( to q.Run(c)")
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<title>Start</title><a href="/soup">soup</a> <a href="/panel">solar energy</a>`)
		case "/panel":
			fmt.Fprint(w, "<title>Panels</title><p>Solar energy for every roof.")
		case "/soup":
			fmt.Fprint(w, "<title>Soup</title><p>Onions.")
		default:
			http.NotFound(w, r)
		}
	}))
	defer site.Close()
	body = strings.ReplaceAll("about, _ := topic.New("+body+"\nq.Run(c)\n", "https://www.example.org/", site.URL+"/")
	body = strings.Replace(body, "time.Second", "time.Millisecond", 1) // or the test would wait for its own server
	program := "package main\n\nimport (\n\t\"fmt\"\n\t\"time\"\n\n\t\"github.com/gocolly/colly/v2\"\n"
	for _, room := range []string{"extensions", "focus", "focus/crawlfile", "focus/frontier", "focus/topic"} {
		program += "\t\"github.com/thresher-crawler/thresher/" + room + "\"\n"
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program+")\n\nfunc main() {\n"+body+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", file).CombinedOutput()
	if want := "Start\nPanels\nSoup\n"; err != nil || string(out) != want {
		t.Errorf("the program of README.md: %v\n%s\nwant\n%s", err, out, want)
	}
}
