package again

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/extract"
)

// listing is a sitemap of addresses.
func listing(addresses ...string) string {
	return "<urlset><url><loc>" + strings.Join(addresses, "</loc></url><url><loc>") + "</loc></url></urlset>"
}

// checkKept holds the addresses that are kept, without http://, against those that are wanted.
func checkKept(t *testing.T, dir, when string, want ...string) {
	t.Helper()
	kept := harvestOf(t, dir)
	for _, address := range want {
		if !strings.Contains(kept, `"url":"http://`+address+`"`) {
			t.Errorf("%s %s is not kept", when, address)
		}
	}
	if n := strings.Count(kept, "\n"); n != len(want) {
		t.Errorf("%s %d pages are kept, want %d", when, n, len(want))
	}
}

// TestWhatARoundFindsIsFollowed in the next ones as what the first crawl has found: the sitemap of a host that a round comes to first, and
// a page that is none of the harvest and leads to some of it.
func TestWhatARoundFindsIsFollowed(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	c.Scope.Sitemaps = true
	web := site{"/": tea("all", "/a"), "/a": tea("one")}
	crawled(t, c, web, nil)
	hub := func(paths ...string) string {
		return "<title>Various things</title><p>Matters <a href=" + strings.Join(paths, ">one</a> <a href=") + ">one</a>"
	}
	web["/"], web["/hub"], web["/h1"] = tea("all and more", "/a", "/hub", "http://b.example/"), hub("/h1"), tea("two")
	web["b.example/"], web["b.example/robots.txt"] = tea("elsewhere"), "User-agent: *\nAllow: /\nSitemap: http://b.example/map\n"
	web["b.example/map"], web["b.example/m1"] = listing("http://b.example/m1"), tea("three")
	visitedAgain(t, c, web, time.Now())
	kept := []string{"a.example/", "a.example/a", "a.example/h1", "b.example/", "b.example/m1"}
	checkKept(t, c.Store, "after a round", kept...)
	web["/hub"], web["/h2"] = hub("/h1", "/h2"), tea("four")
	web["b.example/map"], web["b.example/m2"] = listing("http://b.example/m1", "http://b.example/m2"), tea("five")
	visitedAgain(t, c, web, time.Now())
	checkKept(t, c.Store, "after another", append(kept, "a.example/h2", "b.example/m2")...)
}

// TestASiteGetsMoreSitemaps: those that an index names for the first time are read, whatever they are called, and from then on in each
// round, though the index is as it was.
func TestASiteGetsMoreSitemaps(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	part := func(i int) string { return fmt.Sprint("/part/", i) + []string{"", ".xml"}[i%2] }
	index := func(parts int) string {
		addresses := make([]string, parts)
		for i := range addresses {
			addresses[i] = "http://a.example" + part(i)
		}
		return "<sitemapindex><sitemap><loc>" + strings.Join(addresses, "</loc></sitemap><sitemap><loc>") + "</loc></sitemap></sitemapindex>"
	}
	web := site{"/": tea("all"), "/robots.txt": "User-agent: *\nAllow: /\nSitemap: http://a.example/map.xml\n",
		"/map.xml": index(1), part(0): listing("http://a.example/"), "/p": tea("last")}
	crawled(t, c, web, nil)
	kept := []string{"a.example/"}
	web["/map.xml"] = index(10)
	for i := 1; i < 10; i++ {
		at := fmt.Sprintf("a.example/p%d", i)
		web[part(i)], web[fmt.Sprint("/p", i)] = listing("http://"+at), tea(fmt.Sprint(i))
		kept = append(kept, at)
	}
	visitedAgain(t, c, web, time.Now())
	checkKept(t, c.Store, "after a round", kept...)
	web[part(9)] = listing("http://a.example/p9", "http://a.example/p")
	visitedAgain(t, c, web, time.Now())
	checkKept(t, c.Store, "after another", append(kept, "a.example/p")...)
}

// TestSitemapsLeaveRoom for new pages, however many a robots.txt names, whether the lists are read before the pages or there were none.
func TestSitemapsLeaveRoom(t *testing.T) {
	for _, listed := range []bool{false, true} {
		c := teaConfig(filepath.Join(t.TempDir(), "tea"))
		c.Budget.Pages = 50
		web := site{"/": tea("all"), "/robots.txt": "User-agent: *\nAllow: /\n"}
		if listed {
			web["/robots.txt"] += "Sitemap: /map\n"
			web["/map"] = listing("http://a.example/")
		}
		crawled(t, c, web, nil)
		web["/"], web["/n1"], web["/n2"] = tea("all and more", "/n1", "/n2"), tea("one"), tea("two")
		for i := range 30 {
			web["/robots.txt"] += fmt.Sprintf("Sitemap: /daily/%d\n", i)
		}
		if told := visitedAgain(t, c, web, time.Now()); told.New != 2 {
			t.Errorf("with lists: %v; it tells %+v, want 2 new pages", listed, told)
		}
	}
}

// TestValuesGrowOld: a page of which the values have changed that the crawl file asks for has changed, though its text has not.
func TestValuesGrowOld(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	c.Extract = extract.Rules{"price": {{Meta: "price"}}}
	priced := func(price string) string {
		return strings.Replace(tea("all"), "<p>", "<meta name=price content="+price+"><p>", 1)
	}
	web := site{"/": priced("1.50")}
	crawled(t, c, web, nil)
	for i, price := range []string{"2.75", "2.75 lang=en"} { // the second has other bytes alone
		web["/"] = priced(price)
		if told := visitedAgain(t, c, web, time.Now()); told.Changed != 1-i {
			t.Errorf("%s: %+v", price, told)
		}
		if kept := harvestOf(t, c.Store); !strings.Contains(kept, `"price":"2.75"`) {
			t.Errorf("kept is %s", kept)
		}
	}
}
