package wire

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestAJarIsBounded: a site that sets other cookies with every page has the last of them, whatever path, host or domain they are of, and
// other sites keep theirs.
func TestAJarIsBounded(t *testing.T) {
	at := func(address string) *url.URL {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	j := NewJar()
	good := at("https://www.good.example/a")
	j.SetCookies(good, []*http.Cookie{{Name: "session", Value: "1"}})
	for n := range 1000 {
		from := at(fmt.Sprintf("https://h%d.bad.example/a//../%d/x", n%7, n%3))
		c := &http.Cookie{Name: fmt.Sprint("c", n), Value: "1"}
		if n%2 == 0 {
			c.Domain = ".Bad.example"
		}
		if n%5 == 0 {
			c.Path = "/"
		}
		j.SetCookies(from, []*http.Cookie{c, {Name: "last", Value: fmt.Sprint(n), Path: "/"}})
	}
	kept := 0
	for _, entries := range j.sites {
		kept = max(kept, len(entries))
	}
	sent := map[string]bool{}
	for host := range 7 {
		for folder := range 3 {
			for _, c := range j.Cookies(at(fmt.Sprintf("https://h%d.bad.example/a//../%d/x", host, folder))) {
				sent[c.Name] = true
			}
		}
	}
	if kept != mostCookies || len(sent) > mostCookies || !sent["c999"] || !sent["last"] || sent["c1"] {
		t.Errorf("%d cookies are kept and %d sent, want %d: those that were set last", kept, len(sent), mostCookies)
	}
	j.SetCookies(good, []*http.Cookie{{Name: "long", Value: strings.Repeat("x", longestCookie)}})
	if all := j.Cookies(good); len(all) != 1 || all[0].Value != "1" {
		t.Errorf("the other site has %v", all)
	}
	j.SetCookies(good, []*http.Cookie{{Name: "session", MaxAge: -1}})
	if all := j.Cookies(good); len(all) != 0 {
		t.Errorf("what a host takes back is sent: %v", all)
	}
}
