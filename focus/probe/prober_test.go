package probe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ground"
)

// hosts is a web of handlers, by host.
type hosts map[string]http.HandlerFunc

func (h hosts) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if handle := h[r.URL.Host]; handle != nil {
		handle(w, r)
	} else {
		http.NotFound(w, r)
	}
	resp := w.Result()
	resp.Request = r
	return resp, nil
}

func html(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write([]byte("<title>T</title><body><p>" + body))
}

func proberOf(t *testing.T, web http.RoundTripper, change func(*crawlfile.Config)) *Prober {
	t.Helper()
	c := crawlfile.Default()
	c.Topic.Terms = []crawlfile.TermConfig{{Term: "keel", Weight: 1}, {Term: "mast", Weight: 1}}
	c.Seeds = []string{"http://a.example/"}
	c.Polite.Contact, c.Polite.Delay = "you@example.org", 0
	if change != nil {
		change(&c)
	}
	s, err := New(c, ground.Options{Transport: web})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// heard runs requests and answers what was seen by the address of the request.
func heard(t *testing.T, s *Prober, requests ...Request) map[string]*Answer {
	t.Helper()
	seen := map[string]*Answer{}
	if err := s.Go(context.Background(), requests, func(v *Answer) { seen[v.Request.URL] = v }); err != nil {
		t.Fatal(err)
	}
	if len(seen) != len(requests) {
		t.Fatalf("%d requests, %d answers", len(requests), len(seen))
	}
	return seen
}

func TestAScoutReadsAndJudges(t *testing.T) {
	s := proberOf(t, hosts{"a.example": func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/good":
			html(w, "The keel and the mast, the mast and the keel.")
		case "/bad":
			html(w, "Nothing about ships whatever.")
		case "/gbk":
			w.Header().Set("Content-Type", "text/html; charset=gbk")
			w.Write([]byte("<p>The keel <a href='/s?q=\xb7\xab\xb4\xac'>\xb7\xab\xb4\xac</a>"))
		case "/feed":
			w.Write([]byte(`<rss><channel><item><title>Keels</title><link>http://a.example/keels</link></item></channel></rss>`))
		default:
			http.NotFound(w, r)
		}
	}}, nil)
	seen := heard(t, s, Request{URL: "http://a.example/good"}, Request{URL: "http://a.example/bad"}, Request{URL: "http://a.example/feed"},
		Request{URL: "http://a.example/gone"}, Request{URL: "no address"}, Request{URL: "http://a.example/gbk"})
	good, bad := seen["http://a.example/good"], seen["http://a.example/bad"]
	if !good.Judgement.Relevant || bad.Judgement.Relevant || good.Err != nil || bad.Err != nil {
		t.Errorf("good %+v %v, bad %+v %v", good.Judgement, good.Err, bad.Judgement, bad.Err)
	}
	if feed := seen["http://a.example/feed"]; !feed.List || len(feed.Page.Links) != 1 || feed.Page.Links[0].Anchor != "Keels" {
		t.Errorf("feed: %+v", feed)
	}
	if gbk := seen["http://a.example/gbk"]; gbk.Page == nil || len(gbk.Page.Links) != 1 || gbk.Page.Links[0].URL != "http://a.example/s?q=%B7%AB%B4%AC" {
		t.Errorf("in other letters: %+v", gbk)
	}
	if gone := seen["http://a.example/gone"]; gone.Err == nil || gone.Status != 404 {
		t.Errorf("gone: %+v", gone)
	}
	if none := seen["no address"]; none.Err == nil {
		t.Errorf("no address: %+v", none)
	}
	if again := heard(t, s, Request{URL: "http://a.example/good#part"})["http://a.example/good#part"]; !errors.Is(again.Err, ErrTwice) {
		t.Errorf("a second time: %v", again.Err)
	}
}

// TestAScoutHasTheMannersOfACrawl: its name, robots.txt but for interfaces, a host that asks to be left alone is; and what
// is meant for one host is not told to another.
func TestAScoutHasTheMannersOfACrawl(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	note := func(r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.URL.Host+r.URL.Path)
		if r.UserAgent() != "thresher (+you@example.org)" {
			t.Errorf("%s was asked by %q", r.URL, r.UserAgent())
		}
	}
	s := proberOf(t, hosts{
		"a.example": func(w http.ResponseWriter, r *http.Request) {
			note(r)
			switch r.URL.Path {
			case "/robots.txt":
				w.Write([]byte("User-agent: *\nDisallow: /search\nSitemap: http://a.example/map.xml\n"))
			case "/search/key":
				if r.Header.Get("X-Key") != "secret" {
					t.Error("the key was not sent")
				}
				http.Redirect(w, r, "http://b.example/key", http.StatusFound)
			default:
				html(w, "keel")
			}
		},
		"b.example": func(w http.ResponseWriter, r *http.Request) {
			note(r)
			if r.Header.Get("X-Key") != "" {
				t.Error("the key was sent to another host")
			}
			html(w, "keel")
		},
		"busy.example": func(w http.ResponseWriter, r *http.Request) {
			note(r)
			if r.URL.Path == "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(http.StatusTooManyRequests)
		},
	}, nil)
	key := http.Header{"X-Key": {"secret"}}
	seen := heard(t, s, Request{URL: "http://a.example/search/page"}, Request{URL: "http://a.example/search/key", Open: true, Header: key},
		Request{URL: "http://a.example/p"}, Request{URL: "http://busy.example/1", Promise: 1}, Request{URL: "http://busy.example/2"})
	if v := seen["http://a.example/search/page"]; !errors.Is(v.Err, ErrRobots) || slices.Contains(asked, "a.example/search/page") {
		t.Errorf("a page that robots.txt forbids: %v", v.Err)
	}
	if v := seen["http://a.example/search/key"]; v.Err != nil || v.FinalURL != "http://b.example/key" {
		t.Errorf("an interface: %v at %s", v.Err, v.FinalURL)
	}
	if v := seen["http://a.example/p"]; !slices.Equal(v.Sitemaps, []string{"http://a.example/map.xml"}) {
		t.Errorf("sitemaps: %v", v.Sitemaps)
	}
	if seen["http://busy.example/2"].Err == nil || slices.Contains(asked, "busy.example/2") {
		t.Error("a host was asked again that wanted to be left alone")
	}
	if n := slices.Index(asked, "a.example/robots.txt"); n < 0 || slices.Contains(asked[n+1:], "a.example/robots.txt") {
		t.Errorf("robots.txt is asked for once: %v", asked)
	}
}

// TestAScoutOverARecordedWebAsksOutsideOnlyWhereToldTo: pages come from the web, in virtual time; what is outside is live.
func TestAScoutOverARecordedWebAsksOutsideOnlyWhereToldTo(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { html(w, "keel, mast") }))
	defer server.Close()
	s := proberOf(t, nil, func(c *crawlfile.Config) {
		c.Web = filepath.Join("..", "..", "testdata", "webs", "small")
		c.Fetch.Private = []string{"127.0.0.1"}
	})
	seen := heard(t, s, Request{URL: server.URL + "/x", Outside: true}, Request{URL: server.URL + "/y"}, Request{URL: "http://www.fairwind.example/"})
	if v := seen[server.URL+"/x"]; v.Err != nil || v.Page == nil {
		t.Errorf("outside: %v", v.Err)
	}
	if v := seen[server.URL+"/y"]; v.Status != 404 {
		t.Errorf("inside: %d %v", v.Status, v.Err)
	}
	if v := seen["http://www.fairwind.example/"]; v.Page == nil {
		t.Errorf("a page of the web: %v", v.Err)
	}
}

func TestAScoutNeedsAContactToo(t *testing.T) {
	c := crawlfile.Default()
	c.Topic.Terms, c.Seeds = []crawlfile.TermConfig{{Term: "keel", Weight: 1}}, []string{"http://a.example/"}
	if _, err := New(c, ground.Options{}); err == nil {
		t.Error("it goes out without one")
	}
}

// hasty is a clock that goes on by itself wherever somebody waits.
type hasty struct{ *frontier.Manual }

func (h hasty) After(d time.Duration) (<-chan time.Time, func()) {
	ring, stop := h.Manual.After(d)
	h.Advance(d)
	return ring, stop
}

// TestAHostThatSaysWhenIsAskedThen, as often as the request waits for it, and no other request to it before.
func TestAHostThatSaysWhenIsAskedThen(t *testing.T) {
	clock := hasty{frontier.NewManual(time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC))}
	var mu sync.Mutex
	var asked []time.Duration
	began := clock.Now()
	web := hosts{"busy.example": func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		switch asked = append(asked, clock.Now().Sub(began)); len(asked) {
		case 1:
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(http.StatusTooManyRequests)
		case 2:
			w.Header().Set("Retry-After", clock.Now().Add(40*time.Second).Format(http.TimeFormat))
			w.WriteHeader(http.StatusServiceUnavailable)
		case 4:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			html(w, "keel, mast")
		}
	}}
	c := crawlfile.Default()
	c.Topic.Terms = []crawlfile.TermConfig{{Term: "keel", Weight: 1}}
	c.Polite.Contact, c.Polite.Delay = "you@example.org", 0
	s, err := New(c, ground.Options{Transport: web, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	said := ""
	waits := func(status int, wait time.Duration) bool {
		said += fmt.Sprint(status, " ", wait, "; ")
		return true
	}
	v := heard(t, s, Request{URL: "http://busy.example/1", Waits: waits})["http://busy.example/1"]
	if v.Err != nil || v.Status != http.StatusOK || said != "429 1m30s; 503 40s; " || !slices.Equal(asked, []time.Duration{0, 90 * time.Second, 130 * time.Second}) {
		t.Errorf("%v, %q, asked after %v", v.Err, said, asked)
	}
	if v := heard(t, s, Request{URL: "http://busy.example/2", Waits: waits})["http://busy.example/2"]; v.Status != http.StatusServiceUnavailable || len(asked) != 4 {
		t.Errorf("one that does not say when: %d, asked %d times", v.Status, len(asked))
	}
	asked = nil
	if v := heard(t, s, Request{URL: "http://busy.example/3"})["http://busy.example/3"]; v.Status != http.StatusTooManyRequests || len(asked) != 1 {
		t.Errorf("a request that does not wait: %d, asked %d times", v.Status, len(asked))
	}
}
