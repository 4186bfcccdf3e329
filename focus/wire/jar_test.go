package wire

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
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

// TestWhatIsNoNewCookieStaysOut: a login is not put out by what a jar does not take, by what a host takes back, nor by itself under
// another way to write its path; and not by any number of others where who crawls has given it.
func TestWhatIsNoNewCookieStaysOut(t *testing.T) {
	given, err := ReadCookies(strings.NewReader("a.example\tFALSE\t/\tFALSE\t0\tsession\t1\n"))
	if err != nil {
		t.Fatal(err)
	}
	from := &url.URL{Scheme: "https", Host: "a.example", Path: "/index"}
	for name, of := range map[string]struct {
		jar    *Jar
		others http.Cookie
		first  int // how many others are set before the login is set anew
	}{
		"of another site":   {NewJar(), http.Cookie{Domain: "b.example"}, 0},
		"of all sites":      {NewJar(), http.Cookie{Domain: "example"}, 0},
		"of another host":   {NewJar(), http.Cookie{Domain: "www.a.example"}, 0},
		"that are over":     {NewJar(), http.Cookie{Expires: time.Unix(1, 0)}, 0},
		"that are deleted":  {NewJar(), http.Cookie{MaxAge: -1}, 0},
		"set before it was": {NewJar(), http.Cookie{}, 2 * mostCookies},
		"where it is given": {given.jar, http.Cookie{}, 0},
	} {
		if of.jar != given.jar {
			of.jar.SetCookies(from, []*http.Cookie{{Name: "session", Value: "1", Path: "/"}})
		}
		most := 2*mostCookies + 10
		for n := range most {
			if n == of.first {
				of.jar.SetCookies(from, []*http.Cookie{{Name: "session", Value: "2"}})
			}
			if c := of.others; of.first == 0 || n < mostCookies-10 || n > of.first {
				c.Name, c.Value = fmt.Sprint("c", n), "1"
				of.jar.SetCookies(from, []*http.Cookie{&c})
			}
		}
		all := of.jar.Cookies(from)
		if len(all) == 0 || len(all) > mostCookies || all[0].Name != "session" || all[0].Value != "2" {
			t.Errorf("%s: %d are sent, the first %v", name, len(all), all[:min(len(all), 1)])
		}
	}
}
