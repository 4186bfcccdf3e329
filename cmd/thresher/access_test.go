package main

import (
	"compress/gzip"
	"encoding/pem"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// A crawl with the cookies of a browser gets to the pages behind them, follows no link that logs out, and writes the cookies down nowhere: neither
// those of the file nor those that the host sets in their place. By a proxy that is asked for a password it does the same.
func TestACrawlWithCookiesAndProxy(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]bool{}
	host := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path] = true
		mu.Unlock()
		if c, err := r.Cookie("sid"); r.URL.Path != "/robots.txt" && (err != nil || c.Value != "c00k13" && c.Value != "n3w3r") {
			http.Error(w, "who are you?", http.StatusForbidden)
			return
		}
		w.Header().Set("Set-Cookie", "sid=n3w3r; Path=/")
		hostiletest.Say(w, "<title>Solar energy</title><p>solar energy at "+r.URL.Path+strings.Repeat(" and solar power", 20)+
			"<a href=/one>solar one</a> <a href=/user/logout>solar</a> <a href=/x7>Sign out</a>")
	}))
	t.Cleanup(host.Close)
	proxied := 0
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", r.Header.Get("Proxy-Authorization"))
		if _, password, _ := r.BasicAuth(); r.Method != http.MethodConnect || password != "pr0xyw0rd" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		mu.Lock()
		proxied++
		mu.Unlock()
		here, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer here.Close()
		there, err := net.Dial("tcp", host.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer there.Close()
		io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go io.Copy(there, here)
		io.Copy(here, there)
	}))
	t.Cleanup(proxy.Close)
	files(t, "cookies.txt", "127.0.0.1\tFALSE\t/\tTRUE\t0\tsid\tc00k13\n", "secrets", strings.Replace(proxy.URL, "://", "://ann:pr0xyw0rd@", 1)+"\n", "host.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: host.Certificate().Raw})),
		"solar.yaml", "topic: {terms: [solar]}\nseeds: ["+host.URL+"/]\npolite: {contact: you@example.org, delay: 1ms}\nstore: runs/solar\nduplicates: keep\n"+
			"fetch: {cookies: cookies.txt, logins: [secrets], proxies: [\""+proxy.URL+"\"], ca: host.pem, private: [127.0.0.1]}\n")
	if code, out, errs := thresher(t, "crawl", "solar.yaml", "--quiet"); code != exitDone {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if !asked["/"] || !asked["/one"] || asked["/user/logout"] || asked["/x7"] || proxied == 0 {
		t.Errorf("asked for %v, %d connections by the proxy", asked, proxied)
	}
	if n := strings.Count(mustRead(t, "runs/solar/harvest.jsonl"), "\n"); n != 2 {
		t.Errorf("%d pages kept, want 2", n)
	}
	if n := strings.Count(mustRead(t, "runs/solar/crawl.log"), "logs out"); n != 2 {
		t.Errorf("the log tells of %d links that log out, want 2", n)
	}
	err := filepath.WalkDir("runs", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		var in io.Reader = f
		if strings.HasSuffix(path, ".gz") {
			if in, err = gzip.NewReader(f); err != nil {
				return err
			}
		}
		text, err := io.ReadAll(in)
		for _, secret := range []string{"c00k13", "n3w3r", "pr0xyw0rd"} {
			if strings.Contains(string(text), secret) {
				t.Errorf("%s holds %q", path, secret)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
