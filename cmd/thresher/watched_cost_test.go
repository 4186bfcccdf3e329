//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
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

// TestWhatWatchingCosts crawls as fast as this machine can, beside a server at which nobody looks and while three browsers follow it,
// and says what the crawl and the server took of the processor. It runs where THRESHER_WATCHED is set (.ci/long watched).
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
		cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), "THRESHER_BE="+args, "GOGC=", "GOMEMLIMIT="), out, os.Stderr
		return cmd
	}
	// round is one crawl beside a server, and how many browsers follow it; it answers what both took.
	round := func(store string, browsers int) (crawl, server time.Duration) {
		t.Helper()
		cmd := child("crawl fast.yaml --quiet --store "+store, io.Discard)
		noError(t, cmd.Start())
		for late := time.Now().Add(tooLate); !hasRun(store) && time.Now().Before(late); {
			time.Sleep(10 * time.Millisecond)
		}
		read, write, err := os.Pipe()
		noError(t, err)
		defer read.Close()
		serves := child("serve --listen 127.0.0.1:0 "+store, write)
		noError(t, serves.Start())
		write.Close()
		line, err := bufio.NewReader(read).ReadString('\n')
		noError(t, err)
		heard := make(chan int64, browsers)
		for range browsers {
			go func() { // what the script of the page asks for
				response, err := http.Get(strings.TrimSuffix(strings.TrimSpace(line), "/") + "/" + store + "/live")
				if err != nil {
					heard <- 0
					return
				}
				defer response.Body.Close()
				many, _ := io.Copy(io.Discard, response.Body)
				heard <- many
			}()
		}
		err = cmd.Wait()
		serves.Process.Signal(os.Interrupt)
		noError(t, errors.Join(err, serves.Wait()))
		for range browsers {
			if many := <-heard; many < 10_000 {
				t.Errorf("a browser heard %d bytes", many)
			}
		}
		took := func(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }
		return took(cmd.ProcessState), took(serves.ProcessState)
	}
	round("runs/warm", 0)
	var crawl, server [2]time.Duration
	for n := range 3 {
		for i, browsers := range []int{0, 3} {
			c, s := round(fmt.Sprintf("runs/round%d-%d", n, browsers), browsers)
			crawl[i], server[i] = crawl[i]+c, server[i]+s
		}
	}
	watching := server[1] - server[0]
	t.Logf("three crawls of 4,000 pages: %v of the processor beside a server at which nobody looks (%v), %v while three browsers follow (%v): watching takes %v, %.1f %% of the crawl's",
		crawl[0], server[0], crawl[1], server[1], watching, 100*float64(watching)/float64(crawl[1]))
	if watching > crawl[1]/100 {
		t.Errorf("watching takes more than one part in a hundred of what the crawl takes")
	}
}
