package serve

import (
	"fmt"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/thresher-crawler/thresher/focus/run"
)

// TestADayOfWatching has a browser follow a crawl of a day, a million events that are written in minutes, and measures what page and
// server hold of it. It runs where THRESHER_DAY is set (.ci/long watched).
func TestADayOfWatching(t *testing.T) {
	if os.Getenv("THRESHER_DAY") == "" {
		t.Skip("it takes minutes: set THRESHER_DAY")
	}
	b := newBrowser(t)
	s, dir := taught(t, Options{})
	server := httptest.NewServer(s)
	defer server.Close()
	defer server.CloseClientConnections()
	standing, err := run.ReadStanding(dir)
	noError(t, err)
	standing.State = "running"
	os.Remove(filepath.Join(dir, run.FileState, "safe")) // all that is written counts as committed
	const events, updates = 1_000_000, 48
	log, err := run.OpenLog(filepath.Join(dir, run.FileLog))
	noError(t, err)
	held := func() (page, here float64) {
		t.Helper()
		if _, err := chromedp.Call(b.ctx, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
			t.Fatal(err)
		}
		heap, err := chromedp.Call(b.ctx, cdpruntime.GetHeapUsage, cdp.Empty{})
		noError(t, err)
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return (heap.UsedSize + heap.EmbedderHeapUsedSize) / 1e6, float64(m.HeapAlloc) / 1e6
	}
	noError(t, run.Stand(dir, standing))
	b.do(chromedp.Navigate(server.URL+"/runs/tea"), chromedp.WaitVisible("#figures"))
	page0, here0 := held()
	for n := range updates {
		for i := n * events / updates; i < (n+1)*events/updates; i++ {
			d := run.Decision{Time: standing.Started.Add(time.Duration(i) * 24 * time.Hour / events), Decision: "push", ID: uint64(10_000 + i), Via: uint64(10_000 + i/9), Hops: "LLL", Score: float64(i%100) / 100,
				Relevance: math.NaN(), URL: fmt.Sprintf("http://host%d.test/some/way/page%d.html", i%30_000, i), Words: []string{"boat"}, Anchor: "some words of a link"}
			if i%10 == 9 {
				d.ID, d.Decision, d.Status, d.Bytes, d.Relevance = d.ID-9, "keep", 200, 10_000, .4
				d.Title = fmt.Sprintf("The title of page %d, as long as they are", i)
			}
			noError(t, log.Write(&d))
		}
		noError(t, log.Flush())
		if err := run.Stand(dir, standing); err != nil { // its process says that it is there
			t.Fatal(err)
		}
		b.sees("the pages of this hour", fmt.Sprintf(`parseInt(document.querySelector("#figures dd").textContent) >= %d`, (n+1)*events/updates/10-10))
	}
	page, here := held()
	t.Logf("%d events: the page holds %.1f MB (%.1f when it was opened), the server %.1f MB more than the %.1f without the run", events, page, page0, here-here0, here0)
	if page > 100 || here-here0 > 50 {
		t.Errorf("the page holds %.1f MB, want at most 100; the server %.1f MB, want at most 50", page, here-here0)
	}
	noError(t, log.Close())
}
