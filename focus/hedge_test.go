package focus

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// site is a web that one function answers for.
type site http.HandlerFunc

func (s site) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	s(w, r)
	answer := w.Result()
	answer.Request = r
	return answer, nil
}

// TestALinkCountsForTheLaneItWasTakenFrom: where all that the hedge chooses is relevant and nothing else is, the hedge gets
// the most it can.
func TestALinkCountsForTheLaneItWasTakenFrom(t *testing.T) {
	dir := t.TempDir()
	strategy := filepath.Join(dir, "hedged.yaml")
	if err := os.WriteFile(strategy, []byte("version: 1\nname: hedged\nrank: {use: anchor, with: {blank: zero}}\nhedge: {least: 0.1, most: 0.4, rank: {use: address}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	web := site(func(w http.ResponseWriter, r *http.Request) {
		var b strings.Builder
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
			return
		case r.URL.Path == "/":
			for i := range 150 {
				fmt.Fprintf(&b, "<a href=/other/p%d>keel and mast</a> <a href=/keel/p%d>read on</a>\n", i, i)
			}
		case strings.HasPrefix(r.URL.Path, "/keel/"):
			fmt.Fprintf(&b, "The keel and the mast of %s.", r.URL.Path)
		default:
			fmt.Fprintf(&b, "Nothing about ships in %s.", r.URL.Path)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<title>T</title><body><p>%s", b.String())
	})
	c := DefaultSetting()
	c.Topic.Terms = []crawlfile.TermConfig{{Term: "keel", Weight: 1}, {Term: "mast", Weight: 1}}
	c.Seeds, c.Strategy.Name, c.Store = []string{"http://a.example/"}, strategy, filepath.Join(dir, "run")
	c.Polite.Contact, c.Polite.Delay, c.Polite.Parallel, c.Polite.PerHost = "you@example.org", 0, 1, 1
	c.Scope.Soft404, c.Transport, c.Budget.Pages, c.MinFree = "ignore", web, 150, 0
	crawler, err := NewWith(c)
	if err != nil {
		t.Fatal(err)
	}
	hedged := [2]int{}
	crawler.OnDone(func(v *Visit) {
		if v.Item.Via == 0 {
			return
		}
		hedged[v.lane]++
		if v.Judgement.Relevant != (v.lane == 1) {
			t.Errorf("lane %d took %s, of relevance %.2f: the test shows nothing", v.lane, v.Item.URL, v.Judgement.Relevance)
		}
	})
	if _, err := crawler.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if share := crawler.steps.memory.Share(); hedged[0] == 0 || hedged[1] == 0 || share < 0.35 {
		t.Errorf("of %v links by lane all of the second and none of the first were relevant, and its share is %.3f, want nearly 0.4", hedged, share)
	}
}
