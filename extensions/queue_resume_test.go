package extensions

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
)

// TestQueueIsTakenUpAgain: over a frontier on disk the next program goes on where the last one ended, with requests
// that are more than an address, too. Nothing is fetched twice and nothing is forgotten.
func TestQueueIsTakenUpAgain(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Header.Get("X-Own")) }})
	dir := t.TempDir()
	own := 0
	program := func(stopAfter int) (pages int) {
		f, err := disk.Open(dir, frontier.Manners{}, disk.Options{})
		noError(t, err)
		defer func() {
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}()
		q := mustQueue(1, f)
		for i := range 10 {
			r := &colly.Request{URL: address(t, fmt.Sprintf("%s/?%d", s.URL, i)), Headers: &http.Header{"X-Own": {"yes"}}}
			noError(t, q.AddRequest(r))
		}
		c := colly.NewCollector()
		c.OnResponse(func(r *colly.Response) {
			if string(r.Body) == "yes" {
				own++
			}
			if pages++; pages == stopAfter {
				q.Stop()
			}
		})
		noError(t, q.Run(c))
		return pages
	}
	if first, second, third := program(4), program(100), program(100); first != 4 || second != 6 || third != 0 || own != 10 {
		t.Errorf("%d pages, then %d, then %d; %d with their own header", first, second, third, own)
	}
	for i := range 10 {
		if n := s.hits(fmt.Sprintf("/?%d", i)); n != 1 {
			t.Errorf("page %d was asked for %d times", i, n)
		}
	}
}
