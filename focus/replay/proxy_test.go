package replay

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// safeLog may be read while the proxy still writes.
type safeLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *safeLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *safeLog) lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Split(strings.TrimSuffix(l.b.String(), "\n"), "\n")
}

// serve runs a proxy until the test ends.
func serve(t *testing.T, p *Proxy) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- p.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

func box(t *testing.T) *Web {
	return open(t, folder(t, map[string]string{"redirects.tsv": "https://s.example/old\thttps://s.example/\n"},
		[2]string{"http://a.example/", "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Type: text/html\r\n\r\nplain"},
		[2]string{"http://b.example:8080/", okHTML + "port"},
		[2]string{"https://s.example/", okHTML + "secure"},
		[2]string{"https://s.example:444/", okHTML + "secure port"},
	))
}

// client asks through a proxy, trusts it, and follows no redirect.
func client(t *testing.T, p *Proxy, address string) *http.Client {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(p.Certificate()) {
		t.Fatal("the certificate cannot be read")
	}
	tr := &http.Transport{Proxy: http.ProxyURL(u), TLSClientConfig: &tls.Config{RootCAs: pool}}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func TestProxyServesAWeb(t *testing.T) {
	before := goleak.IgnoreCurrent()
	defer func() {
		if err := hostiletest.Left(before); err != nil {
			t.Error(err)
		}
	}()
	t.Run("", func(t *testing.T) {
		log := &safeLog{}
		p, err := NewProxy(box(t), ProxyOptions{Log: log})
		if err != nil {
			t.Fatal(err)
		}
		c := client(t, p, serve(t, p))
		var want []string
		for i, a := range []struct {
			address, answer string
			status          int
		}{
			{"http://a.example/", "plain", 200}, {"https://s.example/", "secure", 200}, {"https://s.example/old", "Moved Permanently\n", 301},
			{"http://b.example:8080/", "port", 200}, {"https://s.example:444/", "secure port", 200}, {"https://s.example/none", "Not Found\n", 404},
			{"http://s.example/", "Not Found\n", 404}, {"https://s.example/", "secure", 200},
		} {
			resp, err := c.Get(a.address)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != a.status || string(body) != a.answer || resp.Header.Get("Connection") != "" {
				t.Errorf("%s: %d %q %v %v", a.address, resp.StatusCode, body, resp.Header, err)
			}
			want = append(want, fmt.Sprintf("%d\tGET\t%s\t%d", i+1, a.address, a.status))
		}
		resp, err := c.Head("https://s.example/")
		if err != nil || resp.ContentLength != 6 {
			t.Errorf("HEAD: %v %v", resp, err)
		}
		resp.Body.Close()
		want = append(want, "9\tHEAD\thttps://s.example/\t200")
		if got := log.lines(); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("log\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestProxyTakesNamesSentToItDirectly(t *testing.T) {
	p, err := NewProxy(box(t), ProxyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	address := serve(t, p)
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(resp.Body); string(body) != "plain" {
		t.Errorf("%q", body)
	}
}

func TestProxyTakesItsTime(t *testing.T) {
	var slept []time.Duration
	ask := func() {
		p, err := NewProxy(box(t), ProxyOptions{
			Latency: func(address string) time.Duration { return time.Duration(len(address)) * time.Second },
			Jitter:  time.Second,
			Sleep:   func(_ context.Context, d time.Duration) { slept = append(slept, d) },
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range []string{"http://a.example/", "http://b.example:8080/"} {
			req, _ := http.NewRequest("GET", a, nil)
			p.answer(req, "http")
		}
	}
	ask()
	ask()
	for i, base := range []time.Duration{17 * time.Second, 22 * time.Second} {
		if slept[i] < base || slept[i] >= base+time.Second || slept[i] != slept[i+2] {
			t.Errorf("slept %v", slept)
		}
	}
	if slept[0]-17*time.Second == slept[1]-22*time.Second {
		t.Errorf("the same jitter for all: %v", slept)
	}
}

func TestProxySaysWhenThereIsNoAnswer(t *testing.T) {
	p, err := NewProxy(roundTripper(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }), ProxyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client(t, p, serve(t, p)).Get("http://a.example/")
	if err != nil || resp.StatusCode != http.StatusBadGateway {
		t.Fatalf("%v %v", resp, err)
	}
	resp.Body.Close()
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func tool(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
}

func TestCurlThroughTheProxy(t *testing.T) {
	tool(t, "curl")
	p, err := NewProxy(box(t), ProxyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	proxy := serve(t, p)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, p.Certificate(), 0o666); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{"http://a.example/": "plain", "https://s.example/old": "secure"} {
		out, err := exec.Command("curl", "-sS", "-L", "--noproxy", "", "--proxy", proxy, "--cacert", ca, address).CombinedOutput()
		if err != nil || string(out) != want {
			t.Errorf("curl %s: %s %v", address, out, err)
		}
	}
}

// TestWgetThroughTheProxy has another crawler walk the small web: it finds what is linked and not forbidden, and the
// log knows all it asked for.
func TestWgetThroughTheProxy(t *testing.T) {
	tool(t, "wget")
	w := open(t, webs+"small")
	log := &safeLog{}
	p, err := NewProxy(w, ProxyOptions{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	proxy := serve(t, p)
	seed := w.Topics()[0].Seeds[0]
	cmd := exec.Command("wget", "--recursive", "--level=3", "--span-hosts", "--no-verbose", "--no-check-certificate", "-P", t.TempDir(),
		"-e", "use_proxy=yes", "-e", "http_proxy="+proxy, "-e", "https_proxy="+proxy, seed)
	cmd.Env = append(os.Environ(), "no_proxy=", "NO_PROXY=")
	if out, err := cmd.CombinedOutput(); err != nil && !strings.Contains(err.Error(), "exit status 8") { // 8: some answer was a 404
		t.Fatalf("wget: %v\n%s", err, out)
	}
	lines := log.lines()
	pages := map[string]bool{}
	for i, line := range lines {
		col := strings.Split(line, "\t")
		if len(col) != 4 || col[0] != fmt.Sprint(i+1) {
			t.Fatalf("line %d of the log: %q", i+1, line)
		}
		if recorded, ok := w.Has(col[2]); ok && col[3] == "200" {
			pages[recorded] = true
		}
		if strings.Contains(col[2], "/private/") {
			t.Errorf("wget asked for %s, which robots.txt forbids", col[2])
		}
	}
	if !strings.HasPrefix(lines[0], "1\tGET\t"+strings.TrimSuffix(seed, "/")) {
		t.Errorf("the log starts with %q", lines[0])
	}
	if len(pages) < 30 {
		t.Errorf("wget found %d pages of 60; the log has %d lines", len(pages), len(lines))
	}
}
