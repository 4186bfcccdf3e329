package again

import (
	"net/http"
	"path/filepath"
	"testing"
	"time"
)

// polite is a site that answers with status 200 where there is nothing.
type polite struct{ site }

func (p polite) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, there := p.site[r.URL.Path]; !there && r.URL.Path != "/robots.txt" {
		return site{r.URL.Path: "<title>Tea is not here</title><p>Nothing is found here, but there is much tea elsewhere: please look for black tea on our front page."}.RoundTrip(r)
	}
	return p.site.RoundTrip(r)
}

// TestErrorPagesWithStatus200: a page in whose place its host has its error page by now is gone, the first ones of a host, too, and none is
// taken for a page that has changed. Where a host has nothing else, it is away for a while, perhaps.
func TestErrorPagesWithStatus200(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	c.Duplicates = "drop"
	paths := []string{"/a", "/b", "/c", "/d", "/e", "/f", "/g"}
	web := polite{site{"/": tea("all", paths...)}}
	for _, path := range paths {
		web.site[path] = tea("of its own" + path)
	}
	crawled(t, c, web, nil)
	before := recordsOf(t, c.Store)
	all := web.site
	web.site = site{}
	if told := visitedAgain(t, c, web, time.Now()); told.Failed != 8 || told.Gone+told.Changed+told.Weak > 0 {
		t.Errorf("of a host that is away it tells %+v", told)
	}
	web.site = site{"/": all["/"], "/a": all["/a"]}
	if told := visitedAgain(t, c, web, time.Now()); told.Gone != 6 || told.Same != 2 || told.Changed+told.Weak+told.Failed > 0 {
		t.Errorf("of pages that are gone it tells %+v", told)
	}
	now := recordsOf(t, c.Store)
	for _, path := range paths {
		was, is := before["http://a.example"+path], now["http://a.example"+path]
		if is == nil || is.Text != was.Text || (is.Gone != "") != (path != "/a") {
			t.Errorf("%s is %+v", path, is)
		}
	}
}
