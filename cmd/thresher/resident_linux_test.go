package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// growing is a web in which every link leads to a page that no other links to. It answers as a proxy does, whatever the host. One in
// five of its pages is of the topic.
type growing struct{ hosts, links uint64 }

func (g growing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var n uint64
	if _, err := fmt.Sscanf(r.URL.Path, "/section%d/page%d.html", new(int), &n); err != nil {
		http.NotFound(w, r) // robots.txt and its neighbours
		return
	}
	hostiletest.Say(w, string(g.page(n)))
}

func (g growing) address(n uint64) string {
	return fmt.Sprintf("http://h%d.example/section%d/page%d.html", n%g.hosts, n%7, n)
}

func (g growing) page(n uint64) []byte {
	r := rand.New(rand.NewPCG(n, 3))
	var b bytes.Buffer
	words := func(many int) {
		for range many {
			fmt.Fprintf(&b, " %s", madeUp(r))
		}
	}
	b.WriteString("<!DOCTYPE html><html lang=en><title>Page")
	words(4)
	b.WriteString("</title><body><h1>")
	words(5)
	b.WriteString("</h1>")
	for k := range g.links {
		if k%20 == 0 {
			b.WriteString("</ul><p>")
			if n%5 == 0 {
				b.WriteString("Solar panels on the roof, and battery storage for solar energy.")
			}
			words(100)
			b.WriteString("</p><ul>")
		}
		fmt.Fprintf(&b, "<li><a href=%q>", g.address(r.Uint64()>>20))
		if r.IntN(50) == 0 {
			b.WriteString("solar")
		}
		words(3)
		b.WriteString("</a>")
		words(4)
		b.WriteString("</li>\n")
	}
	b.WriteString("</ul></body></html>")
	return b.Bytes()
}

// madeUp is one of four thousand words.
func madeUp(r *rand.Rand) string {
	const syllables = "bacadafagahalamanaparasatavaweberedefegelemenepe"
	n := r.IntN(4096)
	at := func(shift int) string { i := n >> shift & 15; return syllables[3*i : 3*i+3] }
	return at(0) + at(4) + at(8)
}

// crawled crawls pages of it by the command in a process of its own, and answers how much memory the system has seen it take, in bytes.
func (g growing) crawled(t *testing.T, strategy string, pages, parallel int) (resident int64) {
	t.Helper()
	web := httptest.NewServer(g)
	defer web.Close()
	files(t, "growing.yaml", fmt.Sprintf("name: growing\ntopic: {language: en, terms: [solar, panel, battery]}\nstrategy: %s\nmin_free: 0\n"+
		"budget: {pages: %d}\npolite: {delay: 0s, contact: tests@example.org, parallel: %d, per_host: 4}\nfetch: {private: [127.0.0.1]}\nseeds: [%s]\n",
		strategy, pages, parallel, g.address(0)))
	return peakOf(t, "crawl growing.yaml --quiet", "HTTP_PROXY="+web.URL)
}

// peakOf runs a command line in a process of its own.
func peakOf(t *testing.T, line string, environment ...string) (resident int64) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
	cmd.Env = append(append(os.Environ(), "THRESHER_BE="+line, "THRESHER_PEAK=peak", "GOGC=", "GOMEMLIMIT="), environment...) // as for any user
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, " waiting") {
			t.Log(strings.TrimSpace(line))
		}
	}
	if _, peak, ok := strings.Cut(mustRead(t, "peak"), "VmHWM:"); !ok {
		t.Fatal("the system does not say what the process took")
	} else if _, err := fmt.Sscan(peak, &resident); err != nil {
		t.Fatal(err)
	}
	return resident << 10
}

// TestWhatCrawlsTake: what the system sees a crawl take that leaves a million links waiting, one of two thousand hosts by five hundred
// workers, and one over a recorded web of Chinese portals. It runs where THRESHER_RESIDENT is set (.ci/long memory).
func TestWhatCrawlsTake(t *testing.T) {
	if os.Getenv("THRESHER_RESIDENT") == "" {
		t.Skip("it takes minutes: set THRESHER_RESIDENT")
	}
	const portals = "../../../shared/webs/zh_portals"
	home, err := filepath.Abs(portals)
	noError(t, err)
	for _, c := range []struct {
		name  string
		take  func(*testing.T) int64
		bound int64 // MB
	}{
		{"a million links, shark", func(t *testing.T) int64 { return growing{100, 200}.crawled(t, "shark", 5050, 32) }, 500},
		{"a million links, apprentice", func(t *testing.T) int64 { return growing{100, 200}.crawled(t, "apprentice", 5050, 32) }, 900},
		{"two thousand hosts", func(t *testing.T) int64 { return growing{2000, 100}.crawled(t, "shark", 7790, 500) }, 700},
		{"portals, apprentice", func(t *testing.T) int64 {
			if _, err := os.Stat(home); err != nil {
				t.Skip("needs the recorded web ", portals)
			}
			files(t, "portals.yaml", fmt.Sprintf("name: portals\nweb: %s\nweb_topic: tech\nstrategy: apprentice\nbudget: {pages: 2000}\n", home))
			return peakOf(t, "crawl portals.yaml --quiet")
		}, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			took := c.take(t) >> 20
			if t.Logf("%d MB", took); took > c.bound {
				t.Errorf("%d MB; there may be %d", took, c.bound)
			}
		})
	}
}
