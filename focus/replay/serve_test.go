package replay

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/warc"
)

func TestRoundTripAnswersAsATransportMust(t *testing.T) {
	w := open(t, folder(t, nil, [2]string{"http://a.example/", okHTML + "home"}))
	ask := func(method string, ctx context.Context) (*http.Response, error) {
		req, err := http.NewRequestWithContext(ctx, method, "http://a.example/", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		return w.RoundTrip(req)
	}
	resp, err := ask("HEAD", context.Background())
	if err != nil || resp.StatusCode != 200 || resp.ContentLength != 4 || resp.Header.Get("Content-Length") != "4" {
		t.Errorf("HEAD: %v %v", resp, err)
	}
	if body, _ := io.ReadAll(resp.Body); len(body) != 0 {
		t.Errorf("HEAD came with %q", body)
	}
	if resp, err = ask("POST", context.Background()); err != nil || resp.StatusCode != 405 || resp.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %v %v", resp, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ask("GET", ended); err != context.Canceled {
		t.Errorf("a request that was cancelled: %v", err)
	}
	resp, _ = ask("GET", context.Background())
	resp.Header.Set("X-Mine", "1") // an answer is its reader's own
	resp, _ = ask("GET", context.Background())
	if resp.Header.Get("X-Mine") != "" {
		t.Error("answers share their header")
	}
}

func TestManyReadOneWebAtOnce(t *testing.T) {
	var pages [][2]string
	for i := range 60 {
		pages = append(pages, [2]string{fmt.Sprintf("http://a.example/%d", i), okHTML + strings.Repeat(fmt.Sprint(i, " "), 1000)})
	}
	w := open(t, folder(t, nil, pages...))
	w.cache = newCache(20_000) // a handful of pages
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range 200 {
				n := (i*7 + g*13) % len(pages)
				if got, want := get(t, w, pages[n][0]), "200 "+strings.TrimSpace(pages[n][1][len(okHTML):]); got != want {
					t.Errorf("%s: %.20s", pages[n][0], got)
				}
				w.Has(pages[n][0] + "#x")
				w.Latency("http://A.example/1")
			}
		})
	}
	group.Wait()
	held := 0
	for e := w.cache.order.Front(); e != nil; e = e.Next() {
		held += e.Value.(cached).a.cost()
	}
	if held > 20_000 || held+w.cache.left != 20_000 || len(w.cache.at) != w.cache.order.Len() {
		t.Errorf("the cache holds %d bytes of 20000, and says %d are left", held, w.cache.left)
	}
}

func TestADamagedPageIsAnErrorThatNamesIt(t *testing.T) {
	dir := folder(t, nil, [2]string{"http://a.example/", okHTML + "home"}, [2]string{"http://a.example/2", okHTML + strings.Repeat("second ", 99)})
	w := open(t, dir)
	data, err := os.ReadFile(dir + "/pages.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	// The file changes under the open web.
	if err := os.WriteFile(dir+"/pages.warc.gz", bytes.Repeat([]byte{7}, len(data)), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := get(t, w, "http://a.example/2"); !strings.Contains(got, `fetch "http://a.example/2"`) || !strings.Contains(got, "pages.warc.gz") || !strings.Contains(got, "has changed or is damaged") {
		t.Error(got)
	}
}

func TestADrawnWebHasItsOwnLatencies(t *testing.T) {
	w := open(t, webs+"small")
	seen := map[time.Duration]bool{}
	for address := range w.Addresses() {
		d := w.Latency(address)
		if d < 15*time.Millisecond || d > 200*time.Millisecond {
			t.Errorf("%s takes %v", address, d)
		}
		seen[d] = true
	}
	if len(seen) < 10 {
		t.Errorf("%d different latencies", len(seen))
	}
}

// BenchmarkOpen and BenchmarkRoundTrip are what a crawl over a recorded web pays for it.
func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		w, err := Open(webs + "quickstart")
		if err != nil {
			b.Fatal(err)
		}
		w.Close()
	}
}

func BenchmarkRoundTrip(b *testing.B) {
	w := open(b, webs+"quickstart")
	w.cache = newCache(0) // every page from the disk
	var asks []*http.Request
	for address := range w.Addresses() {
		req, err := http.NewRequest("GET", address, nil)
		if err != nil {
			b.Fatal(err)
		}
		asks = append(asks, req)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := w.RoundTrip(asks[i%len(asks)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

// Answers without a body take room, too: a web may have a million redirects.
func TestTheCacheIsBoundedForAnswersWithoutABody(t *testing.T) {
	c := newCache(1 << 20)
	for n := range int32(10_000) {
		c.put(n, &stored{status: http.StatusMovedPermanently})
	}
	if len(c.at) > 2000 || c.get(9999) == nil || c.get(0) != nil {
		t.Errorf("%d answers are kept in 1 MB", len(c.at))
	}
}

// TestTheBeginningOfAPageHasNoName: a host that is asked whether it has changed since answers for the whole page.
func TestTheBeginningOfAPageHasNoName(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "pages.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	cuts := map[string]bool{"": true, "length": true, "disconnect": false, "time": false, "unspecified": false}
	out := warc.NewWriter(f)
	for why := range cuts {
		rec := &warc.Record{Type: "response", Target: "http://a.example/" + why, Date: moment, Header: http.Header{},
			Body: []byte("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nLast-Modified: Mon, 02 Mar 2026 00:00:00 GMT\r\n\r\n<p>Tea")}
		if why != "" {
			rec.Header.Set("WARC-Truncated", why)
		}
		if _, err := out.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	w := open(t, dir)
	for why, named := range cuts {
		req, _ := http.NewRequest(http.MethodGet, "http://a.example/"+why, nil)
		resp, err := w.RoundTrip(req)
		if err != nil || (resp.Header.Get("ETag") != "") != named || (resp.Header.Get("Last-Modified") != "") != named {
			t.Errorf("cut by %q: %v %v, want it named: %v", why, resp, err, named)
		}
	}
}
