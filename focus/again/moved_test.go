package again

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPagesMove: a page that its host has sent elsewhere for good is the page that is found there, under its number, and nobody asks for it
// where it was; one that is sent to another page is gone. What is sent elsewhere for a while stays what it is.
func TestPagesMove(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	web := site{"/": tea("all", "/a", "/b", "/c", "/d", "/e"), "/e": tea("five"), "/a": tea("one"), "/b": tea("two"), "/c": tea("three"), "/d": tea("four")}
	crawled(t, c, web, nil)
	before := recordsOf(t, c.Store)
	web["b.example/a"], web["b.example/b"] = web["/a"], tea("another")
	web["/a"], web["/b"], web["/c"], web["/d"] = "301 http://b.example/a", "301 /b2", "301 /", "302 /"
	web["/b2"], web["/e"], web["/login"] = "301 http://b.example/b", "302 /login", "<title>Log in</title><p>Who is there?"
	told := visitedAgain(t, c, web, time.Now())
	if told.Visited != 8 || told.Same != 2 || told.Changed != 1 || told.Gone != 1 || told.Failed != 2 || told.Weak != 2 || told.New != 0 || told.Left != 0 {
		t.Errorf("it tells %+v", told)
	}
	now := recordsOf(t, c.Store)
	for path, stands := range map[string]string{"a": "b.example/a", "b": "b.example/b", "c": "a.example/c", "d": "a.example/d", "e": "a.example/e"} {
		was, is := before["http://a.example/"+path], now["http://"+stands]
		if is == nil || is.ID != was.ID || !is.FirstSeen.Equal(was.Time) || (is.Gone != "") != (path == "c") {
			t.Errorf("/%s is %+v", path, is)
		}
	}
	if len(now) != 6 || !now["http://b.example/a"].LastChanged.Equal(before["http://a.example/a"].Time) || !strings.Contains(now["http://b.example/b"].Text, "another") {
		t.Errorf("%d pages are kept: %v", len(now), now)
	}
	delete(web, "/a") // which nobody asks for
	delete(web, "/b")
	web["/"] = tea("all and more", "/a", "/b", "/c", "/d")
	if told := visitedAgain(t, c, web, time.Now()); told.Same != 3 || told.Changed != 1 || told.Still != 1 || // what /e leads to is not new once more
		told.Gone+told.New+told.Weak > 0 {
		t.Errorf("another round tells %+v", told)
	}
}

// TestAListLeadsToPages: one that is gone, and sent to the front page or another, has that page visited with the lists; what was found there
// is taken in as of any page of the round, and is followed.
func TestAListLeadsToPages(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	c.Budget.Pages = 20
	web := site{"/": tea("all", "/a"), "/a": tea("one"), "/robots.txt": "User-agent: *\nAllow: /\nSitemap: http://a.example/map\nSitemap: http://a.example/feed\nSitemap: http://a.example/old\n",
		"/map": listing("http://a.example/"), "/feed": listing("http://a.example/a"), "/old": listing("http://a.example/")}
	crawled(t, c, web, nil)
	web["/map"], web["/feed"], web["/old"] = "302 /", "302 /new", "302 /nothing"
	web["/"], web["/b"], web["/new"] = tea("all and much more", "/a", "/b"), tea("two"), tea("three")
	told := visitedAgain(t, c, web, time.Now())
	if told.Changed != 1 || told.Same != 1 || told.New != 2 || told.Gone+told.Weak+told.Failed+told.Left != 0 {
		t.Errorf("it tells %+v", told)
	}
	checkKept(t, c.Store, "after a round", "a.example/", "a.example/a", "a.example/b", "a.example/new")
	if now := recordsOf(t, c.Store)["http://a.example/"]; !strings.Contains(now.Text, "much more") || now.LastSeen.IsZero() {
		t.Errorf("the front page is %+v", now)
	}
	if told := visitedAgain(t, c, web, time.Now()); told.Same != 4 || told.Visited != 4 {
		t.Errorf("another round tells %+v", told)
	}
}
