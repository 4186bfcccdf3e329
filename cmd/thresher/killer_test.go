package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/alicebob/miniredis/v2"
)

// deadlyServer answers with pages, and kills whatever process asks for one of the deadly addresses, as a page does that
// asks for more memory than there is. begin starts a process that it may kill.
func deadlyServer(t *testing.T, pages int, deadly map[string]bool) (server *httptest.Server, begin func(cmd *exec.Cmd) error) {
	var starting sync.Mutex // held until the process that asks is known
	var process *os.Process
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		starting.Lock()
		kills := deadly[r.URL.Path]
		if kills {
			process.Kill()
		}
		starting.Unlock()
		switch {
		case kills:
			<-r.Context().Done() // until it is dead, and reads no answer
			return
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Sailing</title><p>A yacht is sailing: ")
		for n := range pages {
			fmt.Fprintf(w, "<a href=/%d>yacht %d</a> ", n, n)
		}
	}))
	t.Cleanup(server.Close)
	return server, func(cmd *exec.Cmd) error {
		starting.Lock()
		defer starting.Unlock()
		err := cmd.Start()
		process = cmd.Process
		return err
	}
}

// killedUntilThrough starts a crawl again whenever it was killed, and answers how often it was.
func killedUntilThrough(t *testing.T, command string, most int, begin func(*exec.Cmd) error) (killed int) {
	t.Helper()
	for {
		cmd := itself(command)
		var errs strings.Builder
		cmd.Stderr = &errs
		noError(t, begin(cmd))
		err := cmd.Wait()
		if err == nil {
			return killed
		}
		if cmd.ProcessState.ExitCode() >= 0 {
			t.Fatalf("%v: %s", err, errs.String())
		}
		if killed++; killed > most {
			t.Fatalf("killed %d times, and it is not through: it fetches what kills it again and again", killed)
		}
	}
}

// TestAPageThatKillsIsSetAside: two pages kill whoever fetches them. Each costs three deaths in a
// row and a few more where several are under way together; then it is refused by name, and everything else is kept. Injected, it
// is visited: once it is mended, it is a page like any other.
func TestAPageThatKillsIsSetAside(t *testing.T) {
	const pages = 12
	deadly := map[string]bool{"/3": true, "/7": true}
	server, begin := deadlyServer(t, pages, deadly)
	files(t, "killer.yaml", "topic: {terms: [yacht, sailing]}\nseeds: ["+server.URL+"/0]\npolite: {contact: you@example.org, delay: 10ms, per_host: 4, parallel: 4}\n"+
		"fetch: {private: [127.0.0.1]}\nduplicates: keep\nstrategy: breadth\nscope: {soft_404: ignore}\nmin_free: 0\n")
	killed := killedUntilThrough(t, "crawl killer.yaml --store run", 12, begin)
	t.Logf("killed %d times", killed)
	if kept := lines(t, "run/harvest.jsonl"); kept != pages-len(deadly) {
		t.Errorf("%d pages were kept, want %d", kept, pages-len(deadly))
	}
	_, out, errs := thresher(t, "list", "refused", "--run", "run")
	for path := range deadly {
		if !strings.Contains(out, server.URL+path+"\n") && !strings.Contains(out, server.URL+path+" ") {
			t.Errorf("%s is not listed as refused: %s%s", path, out, errs)
		}
	}
	if !strings.Contains(out, fmt.Sprintf("killed the crawl (%d): ", len(deadly))) {
		t.Errorf("%d refusals do not say why:\n%s", len(deadly), out)
	}

	delete(deadly, "/3")
	must(t, "inject", server.URL+"/3", "--run", "run")
	if killed := killedUntilThrough(t, "crawl killer.yaml --store run", 0, begin); killed != 0 {
		t.Errorf("killed %d times when nothing deadly was left", killed)
	}
	if kept := lines(t, "run/harvest.jsonl"); kept != pages-1 {
		t.Errorf("%d pages were kept after the mended one was injected, want %d", kept, pages-1)
	}
	replies(t, exitDone, "the process died over it three times in a row", "why", server.URL+"/7", "--run", "run")
}

// TestARobotsTxtThatKillsIsSetAside: the pages behind it are refused, and the other host's are kept.
func TestARobotsTxtThatKillsIsSetAside(t *testing.T) {
	const pages = 4
	good, _ := deadlyServer(t, pages, nil) // it kills nobody
	bad, begin := deadlyServer(t, pages, map[string]bool{"/robots.txt": true})
	files(t, "robots.yaml", "topic: {terms: [yacht, sailing]}\nseeds: ["+bad.URL+"/0, "+bad.URL+"/1, "+good.URL+"/0]\npolite: {contact: you@example.org, delay: 10ms, parallel: 4}\n"+
		"fetch: {private: [127.0.0.1]}\nduplicates: keep\nstrategy: breadth\nscope: {soft_404: ignore}\nmin_free: 0\n")
	killed := killedUntilThrough(t, "crawl robots.yaml --store run", 6, begin)
	t.Logf("killed %d times", killed)
	if kept := lines(t, "run/harvest.jsonl"); kept != pages {
		t.Errorf("%d pages were kept, want %d", kept, pages)
	}
	if _, out, _ := thresher(t, "list", "refused", "--run", "run"); !strings.Contains(out, "killed the crawl (2): ") {
		t.Errorf("refused:\n%s", out)
	}
}

// TestAPageThatKillsIsSetAsideOnRedis: the links are in Redis, and what the machine died over is in its own folder. When its
// leases have lapsed it visits the page again, and dies again; after the third death it refuses the page, and keeps the rest.
func TestAPageThatKillsIsSetAsideOnRedis(t *testing.T) {
	const pages = 10
	server, begin := deadlyServer(t, pages, map[string]bool{"/3": true, "/7": true})
	db := miniredis.RunT(t)
	files(t, "killer.yaml", "topic: {terms: [yacht, sailing]}\nseeds: ["+server.URL+"/0]\npolite: {contact: you@example.org, delay: 10ms, per_host: 2, parallel: 2}\n"+
		"fetch: {private: [127.0.0.1]}\nduplicates: keep\nstrategy: breadth\nscope: {soft_404: ignore}\nmin_free: 0\n")
	store := "redis://" + db.Addr() + "/0?crawl=killer&lease=500ms"
	killed := killedUntilThrough(t, "crawl killer.yaml --store "+store, 12, begin)
	t.Logf("killed %d times", killed)
	kept := map[string]int{}
	paths, err := filepath.Glob("runs/killer/*/harvest.jsonl")
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	raw := mustRead(t, paths[0])
	for line := range strings.Lines(raw) {
		_, rest, _ := strings.Cut(line, `"url":"`+server.URL)
		path, _, _ := strings.Cut(rest, `"`)
		kept[path]++
	}
	for n := range pages {
		path, want := fmt.Sprint("/", n), 1
		if n == 3 || n == 7 {
			want = 0
		}
		if kept[path] != want {
			t.Errorf("%s is kept %d times, want %d", path, kept[path], want)
		}
	}
	if _, out, errs := thresher(t, "list", "refused", "--run", "runs/killer"); !strings.Contains(out, "killed the crawl (2): ") {
		t.Errorf("refused:\n%s%s", out, errs)
	}
}
