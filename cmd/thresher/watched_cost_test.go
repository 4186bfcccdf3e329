//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestWhatWatchingCosts crawls as fast as this machine can, alone and while three browsers follow it, and says what the crawl and the
// server took of the processor. It runs where THRESHER_WATCHED is set (.ci/long watched).
func TestWhatWatchingCosts(t *testing.T) {
	if os.Getenv("THRESHER_WATCHED") == "" {
		t.Skip("it takes minutes: set THRESHER_WATCHED")
	}
	const pages = 12_000
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		n, _ := strconv.Atoi(strings.TrimPrefix(q.URL.Path, "/"))
		var b bytes.Buffer
		fmt.Fprintf(&b, "<title>Sailing %d</title><p>%s", n, strings.Repeat("The yacht left the harbour with the tide and a regatta was sailed. ", 60))
		for k := range 40 {
			fmt.Fprintf(&b, "<p><a href=/%d>sailing boat %d</a> by the harbour", n*7%pages+k*311, k)
		}
		b.WriteTo(w)
	}))
	defer web.Close()
	files(t, "fast.yaml", "name: fast\ntopic: {language: en, terms: [sailing, boat]}\nseeds: ["+web.URL+"/]\nstrategy: best-first\nduplicates: keep\n"+
		"scope: {traps: ignore, soft_404: ignore}\nbudget: {pages: 4000}\npolite: {contact: you@example.org, delay: 1ms, per_host: 4, robots: ignore, parallel: 4}\n"+
		"fetch: {private: [127.0.0.1]}\nmin_free: 0\nsecond_look: off\nsinks: []\n")
	child := func(args string, out io.Writer) *exec.Cmd {
		t.Helper()
		cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
		cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), "THRESHER_BE="+args), out, os.Stderr
		return cmd
	}
	crawl := func(store string) time.Duration {
		t.Helper()
		cmd := child("crawl fast.yaml --quiet --store "+store, nil)
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	crawl("runs/warm")
	var alone, watched []time.Duration
	var serving, wall time.Duration
	for n := range 3 {
		alone = append(alone, crawl(fmt.Sprintf("runs/alone%d", n)))
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		cmd := child(fmt.Sprintf("crawl fast.yaml --quiet --store runs/watched%d", n), nil)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for !hasRun(fmt.Sprintf("runs/watched%d", n)) {
			time.Sleep(10 * time.Millisecond)
		}
		server := child(fmt.Sprintf("serve --listen 127.0.0.1:0 runs/watched%d", n), write)
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(read).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		at := strings.TrimSuffix(strings.TrimSpace(line), "/")
		heard := make(chan int64, 3)
		for range 3 {
			go func() { // what the script of the page asks for
				response, err := http.Get(fmt.Sprintf("%s/runs/watched%d/live", at, n))
				if err != nil {
					heard <- 0
					return
				}
				defer response.Body.Close()
				many, _ := io.Copy(io.Discard, response.Body)
				heard <- many
			}()
		}
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		wall += time.Since(begun)
		watched = append(watched, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		server.Process.Signal(os.Interrupt)
		server.Wait()
		serving += server.ProcessState.UserTime() + server.ProcessState.SystemTime()
		for range 3 {
			if many := <-heard; many < 10_000 {
				t.Errorf("a browser heard %d bytes", many)
			}
		}
		write.Close()
		read.Close()
	}
	var a, w time.Duration
	for i := range alone {
		a, w = a+alone[i], w+watched[i]
	}
	t.Logf("4,000 pages, three times: alone %v, %v while three browsers watch (%+.1f %%); the server took %v, %.1f %% of that, over %v", a, w, 100*(float64(w)/float64(a)-1), serving, 100*float64(serving)/float64(w), wall)
}
