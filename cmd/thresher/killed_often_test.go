package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
)

// TestKilledAfterEveryFewPages: a crawl that is killed whenever it asks for its fourth page gets on all the same: what the
// first visits of a process told is safe before long.
func TestKilledAfterEveryFewPages(t *testing.T) {
	const pages = 10
	var process atomic.Pointer[os.Process]
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		if asked.Add(1) == 4 {
			process.Load().Kill()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Sailing</title><p>A yacht is sailing: ")
		for n := range pages {
			fmt.Fprintf(w, "<a href=/%d>yacht %d</a> ", n, n)
		}
	}))
	defer server.Close()
	files(t, "often.yaml", "topic: {terms: [yacht, sailing]}\nseeds: ["+server.URL+"/0]\npolite: {contact: you@example.org, delay: 40ms, parallel: 1}\n"+
		"fetch: {private: [127.0.0.1]}\nduplicates: keep\nstrategy: breadth\n")
	killed := 0
	for ; killed <= 2*pages; killed++ {
		cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
		cmd.Env = append(os.Environ(), "THRESHER_BE=crawl often.yaml --store run")
		var errs strings.Builder
		cmd.Stderr = &errs
		asked.Store(0)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		process.Store(cmd.Process)
		err := cmd.Wait()
		if err == nil {
			break
		}
		if cmd.ProcessState.ExitCode() >= 0 {
			t.Fatalf("%v: %s", err, errs.String())
		}
	}
	t.Logf("killed %d times", killed)
	if killed == 0 || killed > 2*pages {
		t.Errorf("killed %d times, and it is not through: it does the same again and again", killed)
	}
	if kept := lines(t, "run/harvest.jsonl"); kept != pages {
		t.Errorf("%d pages were kept, want %d", kept, pages)
	}
}
