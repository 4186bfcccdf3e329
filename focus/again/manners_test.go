package again

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// watched is a web that remembers what was asked of it, and when.
type watched struct {
	site
	mu    sync.Mutex
	asked []string
	at    []time.Time
}

func (w *watched) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.asked, w.at = append(w.asked, r.URL.Path), append(w.at, time.Now())
	w.mu.Unlock()
	return w.site.RoundTrip(r)
}

// TestARoundIsOneCrawl for the hosts: their robots.txt is asked for once, and the pause between two visits is one also between the last
// list and the first page. A budget that was raised is that of the pages.
func TestARoundIsOneCrawl(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	c.Polite.Delay, c.Budget.Pages = strict.Pace(40*time.Millisecond), 20
	web := &watched{site: site{"/": tea("all"), "/robots.txt": "User-agent: *\nAllow: /\nSitemap: http://a.example/map\n", "/map": listing("http://a.example/")}}
	crawled(t, c, web, nil)
	if _, err := run.Raise(c.Store, 30, false); err != nil {
		t.Fatal(err)
	}
	web.asked, web.at = nil, nil
	r, err := Open(c)
	noError(t, err)
	lists, ok, err := r.Lists()
	if err != nil || !ok {
		t.Fatal(err, ok)
	}
	crawled(t, lists, web, r)
	pages, err := r.Pages(time.Now())
	noError(t, err)
	written := filepath.Join(r.below, filePlan)
	text, err := os.ReadFile(written)
	noError(t, err)
	head, _, _ := bytes.Cut(text, []byte(`"fresh"`))
	for _, plan := range [][]byte{head, text} { // addresses need not be read for it
		noError(t, os.WriteFile(written, plan, 0o600))
		if o, err := run.ReadOrders(pages.Store); err != nil || o.Budget(pages.Budget.Pages) != 30+1 {
			t.Errorf("a budget that was raised to 30 is %d with the list, %v", o.Budget(pages.Budget.Pages), err)
		}
	}
	crawled(t, pages, web, r)
	noError(t, r.Close())
	list, page := slices.Index(web.asked, "/map"), slices.Index(web.asked, "/")
	if list < 0 || page < list || web.at[page].Sub(web.at[list]) < time.Duration(c.Polite.Delay) {
		t.Errorf("it asked for %v, at %v", web.asked, web.at)
	}
	if again := slices.Index(web.asked[list:], "/robots.txt"); again >= 0 {
		t.Errorf("it asked for %v", web.asked)
	}
}
