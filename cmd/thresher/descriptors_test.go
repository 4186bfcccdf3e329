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
	"time"

	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// TestFewOpenFilesLoseNothing: a process that may open 64 files and has 500 workers fetches every page of 300 hosts, which all
// answer at the same time. They are reached through a proxy with a password, which is told it, and robots.txt is asked for through
// it, too; the password stands nowhere.
func TestFewOpenFilesLoseNothing(t *testing.T) {
	const hosts, crowd, secret = 300, 24, "pr0xyw0rd"
	var mu sync.Mutex
	now, most, robots, strangers := 0, 0, 0, 0
	met := make(chan struct{})
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if now++; now == crowd && most < crowd {
			close(met)
		}
		most = max(most, now)
		if r.Header.Get("Proxy-Authorization") == "" {
			strangers++
		}
		mu.Unlock()
		select { // so that there are many at once
		case <-met:
		case <-time.After(time.Minute):
		}
		if r.URL.Path == "/robots.txt" {
			mu.Lock()
			robots++
			mu.Unlock()
			http.NotFound(w, r)
		} else {
			hostiletest.Say(w, "<title>Solar energy</title><p>solar energy of "+r.URL.String())
		}
		mu.Lock()
		now--
		mu.Unlock()
	}))
	defer proxy.Close()
	var seeds, named strings.Builder
	for n := range hosts {
		fmt.Fprintf(&seeds, "  - http://h%d.example/\n", n)
		fmt.Fprintf(&named, ", h%d.example", n) // only the proxy could look it up
	}
	files(t, "many.yaml", "name: many\ntopic: {language: en, terms: [solar], threshold: 0}\nmin_free: 0\nduplicates: keep\nscope: {soft_404: ignore}\n"+
		"polite: {delay: 0s, contact: tests@example.org, parallel: 500}\nfetch: {private: [127.0.0.1"+named.String()+"], retries: 0}\nseeds:\n"+seeds.String())
	cmd := exec.Command("sh", "-c", "ulimit -n 64 && exec \"$0\" '-test.run=^TestInterrupt$'", os.Args[0])
	cmd.Env = append(os.Environ(), "THRESHER_BE=crawl many.yaml", "HTTP_PROXY=http://me:"+secret+"@"+strings.TrimPrefix(proxy.URL, "http://"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if n := lines(t, "runs/many/harvest.jsonl"); n != hosts || robots != hosts || strangers > 0 {
		t.Errorf("%d pages were kept of %d; %d robots.txt were asked for, %d requests without the password: %s", n, hosts, robots, strangers, out)
	}
	t.Logf("%d requests at the same time", most)
	if strings.Contains(string(out), secret) {
		t.Errorf("it tells the secret: %s", out)
	}
	names, _ := filepath.Glob("runs/many/*")
	more, _ := filepath.Glob("runs/many/*/*")
	for _, name := range append(names, more...) {
		if text, _ := os.ReadFile(name); strings.Contains(string(text), secret) {
			t.Errorf("%s tells the secret", name)
		}
	}
}
