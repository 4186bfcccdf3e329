package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestKilledAfterEveryFewPages: a crawl that is killed whenever it asks for its fourth page gets on all the same: what the
// first visits of a process told is safe before long. How long a disk takes for that is not the crawl's affair: where nothing
// was safe, the next process may ask for a page more; for nine it needs less than the second after which all is written.
func TestKilledAfterEveryFewPages(t *testing.T) {
	const pages = 10
	var starting sync.Mutex // held until the process that asks is known
	var process *os.Process
	var asked atomic.Int32
	var first, before string // what a process asked for first, and the one before it
	last := int32(4)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		starting.Lock()
		switch asked.Add(1) {
		case 1:
			first = r.URL.Path
		case last:
			process.Kill()
			starting.Unlock()
			<-r.Context().Done() // until it is dead, and reads no answer
			return
		}
		starting.Unlock()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Sailing</title><p>A yacht is sailing: ")
		for n := range pages {
			fmt.Fprintf(w, "<a href=/%d>yacht %d</a> ", n, n)
		}
	}))
	defer server.Close()
	files(t, "often.yaml", "topic: {terms: [yacht, sailing]}\nseeds: ["+server.URL+"/0]\npolite: {contact: you@example.org, delay: 80ms, parallel: 1}\n"+
		"fetch: {private: [127.0.0.1]}\nduplicates: keep\nstrategy: breadth\nscope: {soft_404: ignore}\nmin_free: 0\n")
	killed := 0
	for ; killed <= 2*pages; killed++ {
		cmd := itself("crawl often.yaml --store run")
		var errs strings.Builder
		cmd.Stderr = &errs
		starting.Lock()
		asked.Store(0)
		err := cmd.Start()
		process = cmd.Process
		starting.Unlock()
		noError(t, err)
		err = cmd.Wait()
		if err == nil {
			break
		}
		if cmd.ProcessState.ExitCode() >= 0 {
			t.Fatalf("%v: %s", err, errs.String())
		}
		starting.Lock()
		if first == before {
			last = min(last+1, pages-1)
		}
		before = first
		starting.Unlock()
	}
	t.Logf("killed %d times, at last when it asked for page %d", killed, last)
	if killed == 0 || killed > 2*pages {
		t.Errorf("killed %d times, and it is not through: it does the same again and again", killed)
	}
	if kept := lines(t, "run/harvest.jsonl"); kept != pages {
		t.Errorf("%d pages were kept, want %d", kept, pages)
	}
}
