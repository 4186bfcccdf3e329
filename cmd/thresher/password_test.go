package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// The secrets of the test: one that stands in the seeds, and those that pages and people bring along. None of them is the
// part of another word.
const (
	seedSecret   = "s3cr3t:w0rd/#"
	linkedSecret = "l1nk3dw0rd"
	givenSecret  = "g1v3nw0rd"
)

// guarded is a host that lets in nobody who does not know the password, and another one to which it sends its visitors.
type guarded struct {
	own, other *httptest.Server
	mu         sync.Mutex
	inside     map[string]bool // paths that were asked for with the right password
	strangers  []string        // what the other host was told
}

func newGuarded(t *testing.T) *guarded {
	g := &guarded{inside: map[string]bool{}}
	g.other = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if said := r.Header.Get("Authorization"); said != "" {
			g.strangers = append(g.strangers, r.URL.Path+" "+said)
		}
		hostiletest.Say(w, "<title>Solar energy</title><p>solar energy of somebody else at "+r.URL.Path)
	}))
	t.Cleanup(g.other.Close)
	g.own = httptest.NewServer(http.HandlerFunc(g.answer))
	t.Cleanup(g.own.Close)
	return g
}

func (g *guarded) answer(w http.ResponseWriter, r *http.Request) {
	if user, password, ok := r.BasicAuth(); !ok || user != "solar" || password != seedSecret {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	g.mu.Lock()
	g.inside[r.URL.Path] = true
	g.mu.Unlock()
	switch at := strings.TrimPrefix(g.own.URL, "http://"); r.URL.Path {
	case "/robots.txt":
		fmt.Fprintf(w, "User-agent: *\nDisallow: /secret\nSitemap: http://map:%s@%s/sitemap.xml\n", linkedSecret, at)
	case "/sitemap.xml":
		w.Header().Set("Content-Type", "application/xml")
		fmt.Fprintf(w, "<urlset><url><loc>http://map:%s@%s/mapped</loc></url></urlset>", linkedSecret, at)
	case "/away":
		http.Redirect(w, r, g.other.URL+"/landed", http.StatusFound)
	case "/back":
		w.Header().Set("Location", "http://back:"+linkedSecret+"@"+at+"/sent")
		w.WriteHeader(http.StatusFound)
	default:
		hostiletest.Say(w, fmt.Sprintf(`<title>Solar energy</title><p>solar energy and panels at %s
			<a href="/away">solar away</a> <a href="/back">solar back</a> <a href="//linked:%s@%s/linked">solar linked</a>
			<a href="%s/open">solar open</a> <a href="/one">solar one</a> <a href="/two">solar two</a>`, r.URL.Path, linkedSecret, at, g.other.URL))
	}
}

// seed is the start page with its password.
func (g *guarded) seed() string {
	return "http://solar:" + url.QueryEscape(seedSecret) + "@" + strings.TrimPrefix(g.own.URL, "http://") + "/"
}

func (g *guarded) crawlFile(more string) string {
	return "name: guarded\ntopic: {language: en, terms: [solar, energy], threshold: 0}\nseeds: ['" + g.seed() + "']\n" +
		"polite: {delay: 0s, contact: tests@example.org}\nfetch: {private: [127.0.0.1], retries: 0}\nmin_free: 0\nduplicates: keep\n" +
		"sinks: [{to: jsonl}, {to: csv}, {to: warc}]\nscope: {soft_404: ignore, sitemaps: true}\n" + more
}

// tells says where one of the secrets stands, in whatever form.
func tells(where string, text []byte) (found []string) {
	for _, secret := range []string{seedSecret, url.QueryEscape(seedSecret), url.PathEscape(seedSecret), "s3cr3t", linkedSecret, givenSecret,
		base64.StdEncoding.EncodeToString([]byte("solar:" + seedSecret))} {
		if i := bytes.Index(text, []byte(secret)); i >= 0 {
			found = append(found, fmt.Sprintf("%s tells the secret: …%s…", where, text[max(0, i-100):min(len(text), i+60)]))
		}
	}
	return found
}

// TestAPasswordIsWrittenNowhere: the password of a start page opens its host, before and after a restart, and stands in no file
// of the run folder and on no screen; no other host is told it. What passwords links, redirects and sitemaps bring along is left
// out.
func TestAPasswordIsWrittenNowhere(t *testing.T) {
	g := newGuarded(t)
	files(t, "guarded.yaml", g.crawlFile(""))
	one := g.own.URL + "/one"
	withGiven := strings.Replace(g.own.URL, "http://", "http://given:"+givenSecret+"@", 1)
	for _, args := range [][]string{
		{"check", "guarded.yaml"}, {"check", "guarded.yaml", "--json"},
		{"crawl", "guarded.yaml", "--budget", "2"}, {"inject", withGiven + "/injected", "--run", "runs/guarded"},
		{"inject", "ftp://given:" + givenSecret + "@a.example/", "--run", "runs/guarded"},
		{"crawl", "guarded.yaml", "--budget", "40", "--json"},
		{"list", "kept"}, {"list", "refused"}, {"list", "waiting"}, {"list", "hosts"}, {"why", one}, {"why", withGiven + "/one"}, {"why", g.own.URL + "/linked"},
		{"export"}, {"export", "--to", "csv"}, {"judge", "guarded.yaml", g.seed()}, {"index"}, {"search", "solar", "--why"}, {"search", "solar", "--json"},
		{"crawl", "guarded.yaml", "--set", "seeds=http://x:" + givenSecret + "@ no address/"},
		{"check", "guarded.yaml", "--set", "seeds=[x:" + givenSecret + "@a.example/]"}, {"inject", "x:" + givenSecret + "@a.example/", "--run", "runs/guarded"},
		{"inject", "http://x:" + givenSecret + "/x@a.example/", "--run", "runs/guarded"}, {"check", "guarded.yaml", "--set", "fetch.logins=[x:" + givenSecret + "@a.example]"},
	} {
		_, out, errs := thresher(t, args...)
		for _, wrong := range append(tells("stdout of "+args[0], []byte(out)), tells("stderr of "+args[0], []byte(errs))...) {
			t.Error(wrong)
		}
	}
	first := firstHit(t, "runs/guarded")
	for _, target := range []string{"/?q=solar", "/feed", "/api/v1/search?q=solar", "/page?" + first, "/copy?" + first, "/api/v1/page?" + first} {
		for _, wrong := range tells("serve "+target, []byte(served(t, "runs/guarded", target))) {
			t.Error(wrong)
		}
	}
	for _, want := range []string{"/", "/robots.txt", "/one", "/two", "/linked", "/sent", "/mapped", "/injected"} {
		if !g.inside[want] {
			t.Errorf("%s was not asked for with the password", want)
		}
	}
	if len(g.strangers) > 0 {
		t.Errorf("another host was told: %q", g.strangers)
	}
	read := 0
	err := filepath.WalkDir("runs", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.HasSuffix(path, ".gz") {
			text = unpacked(t, text)
		}
		text = bytes.ReplaceAll(text, []byte("Location: http://back:"+linkedSecret), nil) // a server's own words, byte for byte
		text = bytes.ReplaceAll(text, []byte("linked:"+linkedSecret+"@"), nil)
		text = bytes.ReplaceAll(text, []byte("map:"+linkedSecret+"@"), nil)
		for _, wrong := range tells(path, text) {
			t.Error(wrong)
		}
		read++
		return err
	})
	if err != nil || read < 8 {
		t.Errorf("%d files were read: %v", read, err)
	}
}

// TestAPasswordGoesNotToRedis listens to everything that a crawl says to its Redis.
func TestAPasswordGoesNotToRedis(t *testing.T) {
	g := newGuarded(t)
	address, said := overheard(t, redisAddress(t))
	files(t, "guarded.yaml", g.crawlFile("store: "+address+"\n"))
	for _, budget := range []string{"2", "40"} {
		if code, out, errs := thresher(t, "crawl", "guarded.yaml", "--budget", budget); code != exitDone {
			t.Fatalf("exit %d: %s%s", code, out, errs)
		}
	}
	if !g.inside["/one"] || len(said()) < 1000 {
		t.Errorf("%d bytes went to Redis, of paths %v", len(said()), g.inside)
	}
	for _, wrong := range tells("what went to Redis", said()) {
		t.Error(wrong)
	}
}

// overheard is the address of somebody who passes on all that is said to a Redis, and hears it.
func overheard(t *testing.T, address string) (through string, said func() []byte) {
	t.Helper()
	u, err := url.Parse(address)
	noError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	t.Cleanup(func() { l.Close() })
	var heard listener
	to := u.Host
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				continue
			}
			go func() { io.Copy(io.MultiWriter(&heard, out), in); out.Close() }()
			go func() { io.Copy(in, out); in.Close() }()
		}
	}()
	u.Host = l.Addr().String()
	return u.String(), func() []byte {
		heard.mu.Lock()
		defer heard.mu.Unlock()
		return bytes.Clone(heard.heard.Bytes())
	}
}

// unpacked is what a file of many members of gzip holds.
func unpacked(t *testing.T, packed []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	noError(t, err)
	text, err := io.ReadAll(r)
	noError(t, err)
	return text
}
