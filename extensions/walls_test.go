package extensions

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/junk"
)

func TestWalls(t *testing.T) {
	long := strings.Join(prose(1, 1000), " ")
	s := newSite(t, map[string]http.HandlerFunc{
		"/page":    hyper("<title>Sharks</title>" + long),
		"/about":   hyper("<title>How sedoparking.com works</title>" + long),
		"/wall":    hyper("<title>Just a moment...</title><p>Checking your browser"),
		"/parked":  hyper(`<script src="//www.sedoparking.com/x.js"></script>Buy this domain`),
		"/chinese": hyper("<title>百度安全验证</title>"),
		"/header": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cf-Mitigated", "challenge")
		},
		"/text": plain("This domain is for sale"),
	})
	want := map[string]string{"/page": "", "/about": "", "/wall": "bot wall: Cloudflare", "/parked": "parked domain", "/chinese": "bot wall: Baidu",
		"/header": "bot wall: Cloudflare", "/text": ""}
	c := colly.NewCollector()
	Walls(c)
	c.OnScraped(func(r *colly.Response) {
		if got := r.Headers.Get(TrapHeader); got != want[r.Request.URL.Path] {
			t.Errorf("%s: %q, want %q", r.Request.URL.Path, got, want[r.Request.URL.Path])
		}
	})
	for path := range want {
		if err := c.Visit(s.URL + path); err != nil {
			t.Error(err)
		}
	}
}

func TestSoftNotFound(t *testing.T) {
	words := strings.Join(prose(9, 120), " ")
	errorPage := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<p>%s <b>%s</b>", words, r.URL.Path)
	}
	soft := newSite(t, map[string]http.HandlerFunc{"/real": hyper(strings.Join(prose(3, 200), " ")), "/gone": errorPage, "/short": hyper("Hello")})
	nonsense := junk.Nonsense(address(t, soft.URL)).Path
	soft.set(nonsense, errorPage)
	hard := newSite(t, map[string]http.HandlerFunc{"/gone": errorPage})
	shut := newSite(t, map[string]http.HandlerFunc{"/gone": errorPage, "/robots.txt": plain("User-agent: *\nAllow: /gone\nDisallow: /")})
	c := colly.NewCollector()
	Robots(c, RobotsConfig{})
	SoftNotFound(c, SoftNotFoundConfig{})
	got := map[string]string{}
	c.OnScraped(func(r *colly.Response) { got[r.Request.URL.String()] = r.Headers.Get(TrapHeader) })
	for _, address := range []string{soft.URL + "/real", soft.URL + "/gone", soft.URL + "/short", hard.URL + "/gone", shut.URL + "/gone"} {
		if err := c.Visit(address); err != nil {
			t.Error(err)
		}
	}
	for address, mark := range got {
		if want := map[bool]string{true: "soft 404"}[address == soft.URL+"/gone"]; mark != want {
			t.Errorf("%s: %q, want %q", address, mark, want)
		}
	}
	if soft.hits(nonsense) != 1 {
		t.Errorf("the host was asked for nonsense %d times", soft.hits(nonsense))
	}
	if n := len(shut.asked); n != 2 {
		t.Errorf("where robots.txt forbids it: %v", shut.asked)
	}
}

func address(t testing.TB, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	noError(t, err)
	return u
}

// closeIdle closes what a transport keeps open.
func closeIdle(rt http.RoundTripper) { (&http.Client{Transport: rt}).CloseIdleConnections() }
