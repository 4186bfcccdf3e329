package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// TestKilledAgainAmongBombs: a crawl is killed again and again among pages of which every tenth is a bomb, or hands the
// connection over instead of an answer. Nothing good is lost, nothing is kept twice, and nothing is set aside: nobody died over
// what is bad. THRESHER_KILLS says how often. It is killed when it asks for something new, a few requests after its start: so
// it gets on, and no page is met by three deaths in a row.
func TestKilledAgainAmongBombs(t *testing.T) {
	kills := killsOf(6)
	pages := 9*kills + 40
	random := rand.New(rand.NewPCG(3, uint64(kills)))
	bad := []http.HandlerFunc{hostiletest.Bomb("gzip"), hostiletest.Bomb("br"), hostiletest.Bomb("zstd"), hostiletest.Switches}
	var mu sync.Mutex // also held until the process that asks is known
	var process *os.Process
	asked, good, left, until := map[string]bool{}, map[string]bool{}, kills, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &n); err != nil {
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		dies := false
		if !asked[r.URL.Path] && left > 0 {
			if until--; until == 0 { // those that follow at once are the same process's
				dies = true
				left--
				process.Kill()
			}
		}
		asked[r.URL.Path] = true
		mu.Unlock()
		switch {
		case dies:
			<-r.Context().Done() // until it is dead, and reads no answer
			return
		case n%10 == 7:
			bad[n/10%len(bad)](w, r)
			return
		}
		mu.Lock()
		good["http://"+r.Host+r.URL.Path] = true
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>Sailing %d</title><p>A yacht is sailing: ", n)
		for _, next := range []int{n + 1, n + 2, n + 5, 2*n + 3} {
			if next < pages {
				fmt.Fprintf(w, "<a href=/%d>yacht %d</a> ", next, next)
			}
		}
	}))
	t.Cleanup(server.Close)
	files(t, "bombs.yaml", "topic: {terms: [yacht, sailing]}\nseeds: ["+server.URL+"/0]\npolite: {contact: you@example.org, delay: 1ms, per_host: 4, parallel: 4}\n"+
		"fetch: {private: [127.0.0.1]}\nduplicates: keep\nstrategy: breadth\nscope: {soft_404: ignore}\nmin_free: 0\n")
	killed := killedUntilThrough(t, "crawl bombs.yaml --store run", kills, func(cmd *exec.Cmd) error {
		mu.Lock()
		defer mu.Unlock()
		until = 2 + random.IntN(7)
		err := cmd.Start()
		process = cmd.Process
		return err
	})
	t.Logf("killed %d times among %d pages", killed, pages)
	if killed != kills {
		t.Errorf("killed %d times, want %d: the test sees less than it should", killed, kills)
	}
	raw := mustRead(t, "run/harvest.jsonl")
	kept := map[string]int{}
	for line := range strings.Lines(raw) {
		_, rest, _ := strings.Cut(line, `"url":"`)
		url, _, _ := strings.Cut(rest, `"`)
		kept[url]++
	}
	for url := range good {
		if kept[url] != 1 {
			t.Errorf("%s is kept %d times", url, kept[url])
		}
	}
	if len(kept) != len(good) || len(good) < pages*3/4 {
		t.Errorf("%d pages are kept of %d good ones among %d", len(kept), len(good), pages)
	}
	if _, out, _ := thresher(t, "list", "refused", "--run", "run"); strings.Contains(out, "killed the crawl") {
		t.Errorf("set aside, though it killed nobody:\n%s", out)
	}
}
