package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// A crawl that fetched nothing because no start page could be had has failed, and says of each what it failed with. One that
// fetched a page has not.
func TestACrawlThatFetchedNothingHasFailed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			w.Write([]byte("User-agent: *\nDisallow: /forbidden\n"))
		case "/away":
			http.Redirect(w, r, "/gone", http.StatusFound)
		case "/page":
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<p>a page that is about something else"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	file := func(paths ...string) string {
		return "name: none\ntopic: {language: en, terms: [solar]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\n" +
			"fetch: {private: [127.0.0.1], retries: 0}\nseeds: ['" + strings.Join(paths, "', '") + "']\n"
	}
	files(t, "none.yaml", file(server.URL+"/gone1", server.URL+"/forbidden", server.URL+"/away", "http://127.0.0.1:1/"),
		"some.yaml", strings.Replace(file(server.URL+"/gone1", server.URL+"/page"), "none", "some", 1))
	for _, args := range [][]string{{"crawl", "none.yaml"}, {"crawl", "none.yaml", "--fresh", "--json"}} {
		code, out, errs := thresher(t, args...)
		if code != exitFailed || !strings.Contains(out, "none") || strings.Contains(out, "relevant pages") {
			t.Errorf("%v: exit %d: %s%s", args, code, out, errs)
		}
		for _, want := range []string{"nothing was fetched", "/gone1: status: 404", "/forbidden: robots", "/gone: status: 404", "http://127.0.0.1:1/: failed: "} {
			if !strings.Contains(errs, want) {
				t.Errorf("%v does not say %q: %s", args, want, errs)
			}
		}
	}
	if code, out, errs := thresher(t, "crawl", "some.yaml"); code != exitDone {
		t.Errorf("exit %d of a crawl that fetched a page: %s%s", code, out, errs)
	}
}

// A start page that asks that its links are not followed ends a crawl, which says what to do.
func TestACrawlWhoseLinksMayNotBeFollowedSaysSo(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<meta name=robots content=nofollow><p>a page of <a href=/a>one</a> and <a href=/b>another</a>"))
	}))
	defer server.Close()
	files(t, "inside.yaml", "name: inside\ntopic: {language: en, terms: [solar]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\n"+
		"fetch: {private: [127.0.0.1]}\nseeds: ['"+server.URL+"/']\n")
	const want = "no page is kept, and pages ask that their links are not followed (nofollow: 2 links): name start pages further inside"
	replies(t, exitDone, want, "crawl", "inside.yaml")
}

// A site whose menu is drawn by a script ends a crawl early, which says so; one whose pages lead to each other says nothing of it.
func TestACrawlThatFindsNoMenuSaysSo(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%s</title><p>A manual of solar energy, which says what a panel is.", r.URL.Path)
		if strings.HasPrefix(r.URL.Path, "/drawn/") {
			w.Write([]byte("<script src=/menu.js></script><a href=/drawn/licence>Licence</a>"))
			return
		}
		for n := range 12 {
			fmt.Fprintf(w, "<li><a href=/read/%d>Chapter %d</a>", n, n)
		}
	}))
	defer server.Close()
	file := func(site string) string {
		return "topic: {language: en, terms: [solar]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\n" +
			"fetch: {private: [127.0.0.1]}\nseeds: ['" + server.URL + "/" + site + "/']\n"
	}
	files(t, "drawn.yaml", file("drawn"), "read.yaml", file("read"))
	const want = "no more than 2 pages could be reached, and a menu that a script draws is not read: name start pages further inside"
	replies(t, exitDone, want, "crawl", "drawn.yaml")
	if code, out, errs := thresher(t, "crawl", "read.yaml"); code != exitDone || strings.Contains(out+errs, "could be reached") {
		t.Errorf("of a site with a menu, exit %d: %s%s", code, out, errs)
	}
}

// A site that is drawn by scripts ends a crawl, which says who can run them; one that has a single such page among others says nothing.
func TestACrawlOfPagesThatScriptsFillSaysSo(t *testing.T) {
	drawn := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if drawn || r.URL.Path == "/app" {
			w.Write([]byte(`<!DOCTYPE html><title>Notes</title><body><div id="app">Loading</div><script src="/app.js"></script></body>`))
			return
		}
		fmt.Fprintf(w, "<title>Solar %s</title><a href=/app>app</a>", r.URL.Path)
		for i := range 12 {
			fmt.Fprintf(w, "<p>The solar panel number %d of page %s stands on the roof of a house. <a href=/p%d>more</a>", i, r.URL.Path, i)
		}
	}))
	defer server.Close()
	const begin = "topic: {language: en, terms: [solar]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\nfetch: {private: [127.0.0.1]}\n"
	files(t, "drawn.yaml", "name: drawn\n"+begin+"seeds: ['"+server.URL+"/']\n", "mixed.yaml", "name: mixed\n"+begin+"seeds: ['"+server.URL+"/']\n")
	const want = "scripts alone fill 1 page (script-only), and without them there is nothing to judge: fetch.render names a service"
	replies(t, exitDone, want, "crawl", "drawn.yaml")
	drawn = false
	if code, out, errs := thresher(t, "crawl", "mixed.yaml"); code != exitDone || strings.Contains(out+errs, "fetch.render") || !strings.Contains(out, "script-only") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

// TestWhatFailedIsCured: what a crawl proposes that fetched nothing lets it fetch; of a bad certificate that is said at once, and
// not that robots.txt could not be had.
func TestWhatFailedIsCured(t *testing.T) {
	pages := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<p>a page that is about something else"))
	})
	server, secret := httptest.NewServer(pages), httptest.NewUnstartedServer(pages)
	secret.Config.ErrorLog = log.New(io.Discard, "", 0)
	connections := 0
	secret.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			connections++
		}
	}
	secret.StartTLS()
	t.Cleanup(server.Close)
	const begin = "topic: {language: en, terms: [solar]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\n"
	files(t, "private.yaml", begin+"seeds: ['"+server.URL+"/']\n", "secret.yaml", begin+"fetch: {private: [127.0.0.1]}\nseeds: ['"+secret.URL+"/']\n")
	code, _, errs := thresher(t, "crawl", "private.yaml", "--quiet")
	_, cure, _ := strings.Cut(errs, "try: ")
	cure, then, _ := strings.Cut(cure, "\n")
	if code != exitFailed || !strings.Contains(errs, "not a public address") || cure != "fetch: {private: [127.0.0.1]}" || then != "  when that is mended: the same command with --fresh\n" {
		t.Fatalf("exit %d: %s", code, errs)
	}
	noError(t, os.WriteFile("private.yaml", []byte(mustRead(t, "private.yaml")+cure+"\n"), 0o644))
	for _, more := range []string{"--quiet", "--json", "--budget=90"} { // nothing of it is a success, and what is proposed is what helps
		code, _, errs := thresher(t, "crawl", "private.yaml", more)
		if code != exitFailed || !strings.Contains(errs, "has fetched nothing") || !strings.HasSuffix(errs, then) || strings.Contains(errs, "nothing to do") {
			t.Errorf("%s again without --fresh: exit %d: %s", more, code, errs)
		}
	}
	if code, _, errs := thresher(t, "crawl", "private.yaml", "--fresh", "--quiet"); code != exitDone {
		t.Errorf("with what it proposes: exit %d: %s", code, errs)
	}
	code, _, errs = thresher(t, "crawl", "private.yaml")
	if code != exitDone || !strings.Contains(errs, "add start pages or widen the scope in private.yaml to go on") || strings.Contains(errs, "budget") {
		t.Errorf("a run that had nothing more to visit: exit %d: %s", code, errs)
	}
	code, _, errs = thresher(t, "crawl", "secret.yaml", "--quiet")
	tried := connections
	writeCertificate(t, "FILE", secret)
	if code, _, errs := thresher(t, "crawl", "secret.yaml", "--fresh", "--quiet", "--set", "fetch.ca=FILE"); code != exitDone {
		t.Errorf("with the certificate that it asks for: exit %d: %s", code, errs)
	}
	secret.Close()
	if code != exitFailed || !strings.Contains(errs, "failed: bad certificate: nobody who is believed has signed it\n") || !strings.Contains(errs, "try: fetch: {ca: FILE}\n") || tried > 3 {
		t.Errorf("exit %d after %d connections: %s", code, tried, errs)
	}
}

// TestCures: each way to fail has one, which is said once and is a line of a crawl file.
func TestCures(t *testing.T) {
	for _, c := range []struct{ failed, cure string }{
		{"failed: no such host", "seeds: [https://www.example.org/]"},
		{"failed: connection refused", "seeds: [https://www.example.org/]"},
		{"failed: bad certificate: " + wire.UnknownSigner, "fetch: {ca: FILE}"},
		{"failed: bad certificate: it has expired, or is not valid yet", "seeds: [http://a.example/, http://a.example/other]"},
		{"robots unreachable: " + wire.ShutByProxy + ": 403 Forbidden", `fetch: {proxies: ["http://proxy.example:3128"]}`},
		{"failed: " + wire.NoTLS, "seeds: [http://a.example/, http://a.example/other]"},
		{"failed: timeout", `fetch: {proxies: ["http://proxy.example:3128"]}`},
		{"robots unreachable: " + wire.NoNameServer, `fetch: {proxies: ["http://proxy.example:3128"]}`},
		{"robots unreachable: timeout", `fetch: {proxies: ["http://proxy.example:3128"]}`},
		{"failed: network is unreachable", `fetch: {proxies: ["http://proxy.example:3128"]}`},
		{"robots unreachable: status 503", "polite: {robots: ignore}"},
		{"failed: " + wire.ErrPrivate.Error() + "; fetch.private lets it be visited", "fetch: {private: [a.example]}"},
		{"robots unreachable: " + wire.ErrProxy.Error() + ": http://127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused", `fetch: {proxies: ["http://proxy.example:3128"]}`},
		{"failed: " + wire.ErrProxy.Error() + ": http://127.0.0.1:1: " + wire.WantsLogin, "fetch: {logins: [LOGINS]}"},
		{"status: 401 Unauthorized", "fetch: {logins: [LOGINS]}"},
		{"robots: line 2: Disallow: /", "polite: {robots: ignore}"},
		{"status: 404 Not Found", ""},
	} {
		var all cures
		all.add("http://a.example/", admit.Refused(c.failed))
		all.add("https://a.example/other", admit.Refused(c.failed))
		said := all.said()
		if c.cure != "" && !strings.Contains(said+"\n", "  try: "+c.cure+"\n") || c.cure == "" && said != "" {
			t.Errorf("%s: it proposes %q, want %q", c.failed, said, c.cure)
		}
		proposed := 0
		for line := range strings.Lines(said) {
			if try, ok := strings.CutPrefix(line, "  try: "); ok {
				if err := tried(t, strings.TrimSpace(try)); err != nil {
					t.Errorf("%s: %s: %v", c.failed, try, err)
				}
				proposed++
			}
			if len(line) > 81 && !strings.Contains(line, "LOGINS") { // which ends with addresses

				t.Errorf("%q is wider than a terminal", line)
			}
		}
		if most := max(1, strings.Count(c.failed, "no such host")*2); proposed > most {
			t.Errorf("%s: it proposes %d lines: %s", c.failed, proposed, said)
		}
	}
}

// TestANameWithoutAnAddressIsTold: which start page failed, and how; behind a proxy the proxy looks names up.
func TestANameWithoutAnAddressIsTold(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<p>a page that the proxy alone can reach"))
	}))
	t.Cleanup(proxy.Close)
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"} {
		t.Setenv(name, "")
	}
	const address = "http://no-such-host.invalid/"
	files(t, "away.yaml", "topic: {language: en, terms: [solar]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\nseeds: ['"+address+"']\n")
	code, _, errs := thresher(t, "crawl", "away.yaml", "--quiet")
	if code != exitFailed || !strings.Contains(errs, "\n  "+address+": failed: no such host\n") || !strings.Contains(errs, "have no address: no-such-host.invalid") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, _, errs := thresher(t, "crawl", "away.yaml", "--fresh", "--quiet", "--set", "fetch.proxies="+proxy.URL); code != exitDone {
		t.Errorf("with what it proposes: exit %d: %s", code, errs)
	}
}

// What names a proxy and cannot be read is refused, and nothing goes straight because of it.
func TestAProxyThatCannotBeReadIsTold(t *testing.T) {
	var asked atomic.Int32
	host := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer host.Close()
	t.Setenv("HTTP_PROXY", "http://me:p%s3cr3t@127.0.0.1:1")
	files(t, "straight.yaml", "topic: {language: en, terms: [solar]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\nfetch: {private: [127.0.0.1]}\nseeds: ['"+host.URL+"']\n")
	code, _, errs := thresher(t, "crawl", "straight.yaml", "--quiet")
	if code != exitMisuse || !strings.Contains(errs, "fetch.proxies: HTTP_PROXY of the environment is no address of a proxy") || strings.Contains(errs, "s3cr3t") || asked.Load() > 0 {
		t.Errorf("exit code %d, asked %d times: %s", code, asked.Load(), errs)
	}
}

// TestADeadProxyIsTold: which start page failed, by which proxy and how; while nothing has come, nobody is asked again and again.
func TestADeadProxyIsTold(t *testing.T) {
	t.Setenv("NO_PROXY", "")
	t.Setenv("no_proxy", "")
	const text = "topic: {language: en, terms: [solar]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\nseeds: ['http://www.example.org/', 'https://www.example.com/']\n"
	for _, by := range []struct{ name, more, environment string }{
		{"named", "fetch: {proxies: [http://127.0.0.1:1]}\n", ""},
		{"several", "fetch: {proxies: [http://127.0.0.1:1, socks5://127.0.0.1:1]}\n", ""},
		{"unasked", "fetch: {proxies: [http://127.0.0.1:1]}\npolite: {robots: ignore, delay: 0s, contact: tests@example.org}\n", ""},
		{"environment", "", "http://127.0.0.1:1"},
	} {
		t.Run(by.name, func(t *testing.T) {
			for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"} {
				t.Setenv(name, by.environment)
			}
			said := text
			if strings.Contains(by.more, "polite:") {
				said = strings.Replace(text, "polite: {delay: 0s, contact: tests@example.org}\n", "", 1)
			}
			files(t, "dead.yaml", said+by.more)
			code, _, errs := thresher(t, "crawl", "dead.yaml", "--quiet")
			if code != exitFailed {
				t.Errorf("exit %d", code)
			}
			for _, want := range []string{"\n  http://www.example.org/: failed: the proxy cannot be used: ", "\n  https://www.example.com/: failed: the proxy cannot be used: ",
				"://127.0.0.1:1: connection refused\n", "try: fetch: {proxies: [\"http://proxy.example:3128\"]}\n"} {
				if !strings.Contains(errs, want) {
					t.Errorf("it does not say %q: %s", want, errs)
				}
			}
			err := run.ReadLog(filepath.Join("runs", "dead", run.FileLog), func(d *run.Decision) bool {
				if d.Decision == "again" {
					t.Errorf("%s is put off: %s", d.URL, d.Reason)
				}
				return true
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAProxyThatWantsALoginIsTold: in one word for http and https, with what lets a crawl in, which it then does.
func TestAProxyThatWantsALoginIsTold(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", r.Header.Get("Proxy-Authorization"))
		if user, password, _ := r.BasicAuth(); user != "NAME" || password != "PASSWORD" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<p>a page that the proxy alone can reach"))
	}))
	t.Cleanup(proxy.Close)
	files(t, "locked.yaml", "topic: {language: en, terms: [solar]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\n"+
		"seeds: ['http://www.example.org/', 'https://www.example.com/']\nfetch: {proxies: ["+proxy.URL+"]}\n")
	line := strings.Replace(proxy.URL, "://", "://NAME:PASSWORD@", 1)
	code, out, errs := thresher(t, "crawl", "locked.yaml", "--quiet")
	wants := ": failed: the proxy cannot be used: " + proxy.URL + ": it wants another name and password\n"
	for _, want := range []string{"http://www.example.org/" + wants, "https://www.example.com/" + wants, "\n  try: fetch: {logins: [LOGINS]}\n    LOGINS (mode 0600) has these, with NAME:PASSWORD@ before the host: " + proxy.URL + "\n"} {
		if !strings.Contains(errs, want) {
			t.Errorf("it does not say %q: %s", want, errs)
		}
	}
	if code != exitFailed || strings.Contains(errs, "proxy.example") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	noError(t, os.WriteFile("LOGINS", []byte(line+"\n"), 0o600))
	if code, _, errs := thresher(t, "crawl", "locked.yaml", "--fresh", "--quiet", "--set", "fetch.logins=LOGINS", "--set", "seeds=http://www.example.org/"); code != exitDone {
		t.Errorf("with what it proposes: exit %d: %s", code, errs)
	}
}
