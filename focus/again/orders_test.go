package again

import (
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// heard is a web that counts what it is asked for, and calls first with the first of that.
type heard struct {
	site
	mu    sync.Mutex
	first func()
	asked []string
}

func (h *heard) RoundTrip(r *http.Request) (*http.Response, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.asked = append(h.asked, r.URL.Host+r.URL.Path); len(h.asked) == 1 {
		h.first()
	}
	return h.site.RoundTrip(r)
}

// TestARoundHearsWhatItsRunIsTold: who blocks a host, raises the budget or stops the run while a round goes on, which crawls in a folder of
// its own, is heard; the next start goes on with the round. Addresses that are given to the run are none of the round's.
func TestARoundHearsWhatItsRunIsTold(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	c.Budget.Pages = 20
	web := site{"/": tea("all", "/a", "/c", "http://b.example/b"), "/a": tea("one"), "/c": tea("three"), "b.example/b": tea("two")}
	crawled(t, c, web, nil)
	r, err := Open(c)
	noError(t, err)
	pages, err := r.Pages(time.Now())
	if err != nil || len(r.plan.Pages) != 4 {
		t.Fatal(err, len(r.plan.Pages))
	}
	tell := func(running bool, err error) {
		t.Helper()
		if err != nil || !running {
			t.Errorf("told, it says %v, %v", running, err)
		}
	}
	tell(run.Block(c.Store, []string{"b.example"}, false))
	tell(run.Raise(c.Store, 30, false))
	if done, err := run.Inject(c.Store, []string{"http://a.example/x"}); err != nil || done.Running {
		t.Errorf("given an address, it says %+v, %v", done, err)
	}
	pages.Polite.Delay = strict.Pace(time.Hour) // whoever is not told to stop waits for the next page
	h := &heard{site: web, first: func() { tell(true, run.Command(c.Store, frontier.Stop)) }}
	crawler, err := focus.New(t.Context(), pages, focus.Transport(h), r.Offer())
	noError(t, err)
	report, err := crawler.Run(t.Context())
	if err != nil || report.Finished || !r.Stopped() || crawler.Given() != 30 {
		t.Errorf("finished: %v, stopped: %v, budget: %d, %v", report.Finished, r.Stopped(), crawler.Given(), err)
	}
	if asked := strings.Join(h.asked, " "); strings.Contains(asked, "b.example") || strings.Contains(asked, "a.example/c") {
		t.Errorf("it asked for %s", asked)
	}
	noError(t, r.Close())
	if r, err = Open(c); err != nil || r.Stopped() || r.most() != 30 {
		t.Fatalf("begun again: stopped %v, budget %d, %v", r.Stopped(), r.most(), err)
	}
	noError(t, r.Close())
}
