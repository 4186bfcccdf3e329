package wire

import (
	"bufio"
	"context"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// heardBy is what a proxy of the test was told, in its own words.
type heardBy struct {
	mu   sync.Mutex
	said []string
}

func (h *heardBy) add(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said = append(h.said, fmt.Sprintf(format, args...))
}

func (h *heardBy) all() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.said)
}

// httpProxy is a proxy for http and, by CONNECT, https, that takes every request to one server. login is what it asks for; answer, where it is
// not 0, is what it says to everybody.
func httpProxy(t *testing.T, target, login string, answer int) (*url.URL, *heardBy) {
	t.Helper()
	heard := &heardBy{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heard.add("%s %s %v", r.Method, r.RequestURI, r.Header)
		if answer != 0 {
			w.WriteHeader(answer)
			return
		}
		asked := http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}
		if user, password, _ := asked.BasicAuth(); login != "" && user+":"+password != login {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		there, err := net.Dial("tcp", target)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer there.Close()
		here, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer here.Close()
		if r.Method == http.MethodConnect {
			fmt.Fprint(here, "HTTP/1.1 200 OK\r\n\r\n")
			go io.Copy(there, here)
			io.Copy(here, there)
			return
		}
		r.Header.Del("Proxy-Authorization")
		r.Header.Set("Connection", "close")
		r.Write(there)
		io.Copy(here, there)
	}))
	t.Cleanup(s.Close)
	at, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return at, heard
}

// socksProxy speaks as much of SOCKS 5 (RFC 1928, 1929) as a client needs, and takes every connection to one server.
func socksProxy(t *testing.T, target, login string) (*url.URL, *heardBy) {
	t.Helper()
	heard := &heardBy{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serveSocks(c, target, login, heard)
		}
	}()
	return &url.URL{Scheme: "socks5", Host: l.Addr().String()}, heard
}

func serveSocks(c net.Conn, target, login string, heard *heardBy) {
	defer c.Close()
	in := bufio.NewReader(c)
	read := func(n int) []byte {
		b := make([]byte, n)
		io.ReadFull(in, b)
		return b
	}
	read(int(read(2)[1])) // methods
	if login != "" {
		c.Write([]byte{5, 2})
		user := read(int(read(2)[1]))
		password := read(int(read(1)[0]))
		if string(user)+":"+string(password) != login {
			c.Write([]byte{1, 1})
			return
		}
		c.Write([]byte{1, 0})
	} else {
		c.Write([]byte{5, 0})
	}
	host := ""
	switch read(4)[3] {
	case 1:
		host = net.IP(read(4)).String()
	case 3:
		host = string(read(int(read(1)[0])))
	}
	heard.add("connect %s:%d", host, binary.BigEndian.Uint16(read(2)))
	there, err := net.Dial("tcp", target)
	if err != nil {
		c.Write([]byte{5, 4, 0, 1, 0, 0, 0, 0, 0, 0})
		return
	}
	defer there.Close()
	c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	go io.Copy(there, in)
	io.Copy(c, there)
}

// whereHosts are the addresses of the hosts of the test.
func whereHosts(_ context.Context, host string) ([]netip.Addr, error) {
	if at, ok := map[string]string{"example.com": "93.184.216.34", "inside.example.com": "10.1.2.3"}[host]; ok {
		return []netip.Addr{netip.MustParseAddr(at)}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// echo is a host that says what it was told.
func echo(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "%s %s | %s | %s | %s", r.Host, r.URL.Path, r.Header.Get("Authorization"), r.Header.Get("Cookie"), r.Header.Get("Proxy-Authorization"))
}

// ask asks for an address, and answers status and body, or what went wrong.
func ask(t *testing.T, by http.RoundTripper, address string) (string, error) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := by.RoundTrip(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return fmt.Sprint(resp.StatusCode, " ", string(body)), err
}

// byProxies is the guarded network by way of proxies.
func byProxies(t *testing.T, trusted *x509.CertPool, o ProxiesConfig, more ...Layer) http.RoundTripper {
	t.Helper()
	s := Stack(nil, append(more, Limits(LimitsConfig{}), PrivateNetworks(PrivateNetworksConfig{}), Resolver(ResolverConfig{Lookup: whereHosts}), Proxies(o), Authorities(trusted))...)
	t.Cleanup(func() { (&http.Client{Transport: s}).CloseIdleConnections() })
	return s
}

// TestProxiesOfEveryKind: http, CONNECT and SOCKS 5, with a name and a password. The proxy stands on loopback and is asked all the same; a host in a
// private network is not, and neither is one whose addresses nobody knows. The password of the proxy stays with it.
func TestProxiesOfEveryKind(t *testing.T) {
	plain, secure := httptest.NewServer(http.HandlerFunc(echo)), httptest.NewTLSServer(http.HandlerFunc(echo))
	defer plain.Close()
	defer secure.Close()
	trusted := x509.NewCertPool()
	trusted.AddCert(secure.Certificate())
	for _, c := range []struct{ kind, scheme string }{{"http", "http"}, {"http", "https"}, {"socks5", "http"}, {"socks5", "https"}} {
		target := plain.Listener.Addr().String()
		if c.scheme == "https" {
			target = secure.Listener.Addr().String()
		}
		at, heard := socksProxy(t, target, "ann:s3cr3t")
		if c.kind == "http" {
			at, heard = httpProxy(t, target, "ann:s3cr3t", 0)
		}
		var logins Logins
		logins.Add(at.String(), "ann", "s3cr3t")
		by := byProxies(t, trusted, ProxiesConfig{Addresses: []*url.URL{at}, User: logins.User})
		said, err := ask(t, by, c.scheme+"://example.com/a")
		if err != nil || said != "200 example.com /a |  |  | " {
			t.Errorf("%s over %s: %q (%v)", c.scheme, c.kind, said, err)
		}
		before := len(heard.all())
		for _, host := range []string{"inside.example.com", "127.0.0.1"} {
			if said, err := ask(t, by, c.scheme+"://"+host+"/"); err == nil || errors.Is(err, ErrProxy) {
				t.Errorf("%s over %s: %s said %q (%v)", c.scheme, c.kind, host, said, err)
			}
		}
		if now := heard.all(); before != 1 || len(now) != before {
			t.Errorf("the proxy was told %q", now)
		}
	}
}

// TestProxiesOfTheEnvironment: HTTP_PROXY and NO_PROXY count where no proxies are named, and the guard judges by the host there, too.
func TestProxiesOfTheEnvironment(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(echo))
	defer plain.Close()
	at, heard := httpProxy(t, plain.Listener.Addr().String(), "ann:s3cr3t", 0)
	t.Setenv("HTTP_PROXY", "http://ann:s3cr3t@"+at.Host)
	t.Setenv("NO_PROXY", "inside.example.com")
	by := byProxies(t, nil, ProxiesConfig{})
	if said, err := ask(t, by, "http://example.com/a"); err != nil || said != "200 example.com /a |  |  | " || len(heard.all()) != 1 {
		t.Errorf("%q (%v)", said, err)
	}
	if _, err := ask(t, by, "http://inside.example.com/"); !errors.Is(err, ErrPrivate) || len(heard.all()) != 1 {
		t.Errorf("%v", err)
	}
}

// TestAProxyDoesNotWaitForNames: where nobody answers for a name here, the request goes by the proxy all the same, and waits for the name
// once. What is found out later counts: a host that turns out to stand inside is not asked again.
func TestAProxyDoesNotWaitForNames(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(echo))
	defer plain.Close()
	at, heard := httpProxy(t, plain.Listener.Addr().String(), "", 0)
	answer, answered := make(chan bool), make(chan bool)
	lookup := func(ctx context.Context, host string) ([]netip.Addr, error) {
		defer close(answered)
		<-answer
		return whereHosts(ctx, host)
	}
	s := Stack(nil, Limits(LimitsConfig{}), PrivateNetworks(PrivateNetworksConfig{}), Resolver(ResolverConfig{Lookup: lookup}), Proxies(ProxiesConfig{Addresses: []*url.URL{at}}))
	defer (&http.Client{Transport: s}).CloseIdleConnections()
	var took [4]time.Duration
	for n := range took {
		began := time.Now()
		if said, err := ask(t, s, "http://inside.example.com/a"); err != nil || !strings.HasPrefix(said, "200 ") {
			t.Fatalf("%q (%v)", said, err)
		}
		took[n] = time.Since(began)
	}
	if slices.Min(took[1:]) > took[0]/2 { // a busy machine may hold up one of them
		t.Errorf("the first request took %v, those after it %v: they waited for the name again", took[0], took[1:])
	}
	close(answer)
	<-answered
	for {
		if _, err := ask(t, s, "http://inside.example.com/a"); errors.Is(err, ErrPrivate) {
			break // the answer has been taken in
		} else if err != nil {
			t.Fatal(err)
		}
		runtime.Gosched()
	}
	if before := len(heard.all()); before < 2 {
		t.Errorf("the proxy was asked %d times", before)
	} else if _, err := ask(t, s, "http://inside.example.com/b"); !errors.Is(err, ErrPrivate) || len(heard.all()) != before {
		t.Errorf("%v, the proxy was told %q", err, heard.all())
	}
}

// TestProxiesTakeTurns: one after the other; one that cannot be used rests, longer each time, and a request goes to the next. Where none can
// be used it is the proxies' fault, and not the host's.
func TestProxiesTakeTurns(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(echo))
	defer plain.Close()
	target := plain.Listener.Addr().String()
	one, heardOne := httpProxy(t, target, "", 0)
	two, heardTwo := httpProxy(t, target, "", 0)
	shut, heardShut := httpProxy(t, target, "somebody:else", 0)
	now := time.Unix(1e9, 0)
	by := byProxies(t, nil, ProxiesConfig{Addresses: []*url.URL{one, shut, two}, Now: func() time.Time { return now }})
	counts := func() [3]int { return [3]int{len(heardOne.all()), len(heardShut.all()), len(heardTwo.all())} }
	fetch := func(times int) {
		t.Helper()
		for range times {
			if said, err := ask(t, by, "http://example.com/a"); err != nil || !strings.HasPrefix(said, "200 ") {
				t.Fatalf("%q (%v)", said, err)
			}
		}
	}
	fetch(6)
	if have := counts(); have != [3]int{3, 1, 3} {
		t.Errorf("the proxies were asked %v times, want 3, 1, 3: the one that lets nobody in rests", have)
	}
	now = now.Add(proxyRest)
	fetch(3)
	if have := counts(); have[1] != 2 {
		t.Errorf("%v: it was to be tried again", have)
	}
	now = now.Add(proxyRest)
	fetch(3)
	if have := counts(); have[1] != 2 {
		t.Errorf("%v: after the second failure it rests twice as long", have)
	}
	alone := byProxies(t, nil, ProxiesConfig{Addresses: []*url.URL{shut, {Scheme: "http", Host: "127.0.0.1:1"}}})
	_, err := ask(t, alone, "http://example.com/a")
	if !errors.Is(err, ErrProxy) || Gone(err) || !NoProxy(err) || Failure(err) != ErrProxy.Error()+": http://127.0.0.1:1: connection refused" {
		t.Errorf("%v: %s", err, Failure(err))
	}
}

// TestAHostBehindAProxyFailsByItself: what the proxy says of the host is not the proxy's fault.
func TestAHostBehindAProxyFailsByItself(t *testing.T) {
	at, heard := httpProxy(t, "127.0.0.1:1", "", 0)
	by := byProxies(t, nil, ProxiesConfig{Addresses: []*url.URL{at}})
	if said, err := ask(t, by, "http://example.com/"); err != nil || !strings.HasPrefix(said, "502") {
		t.Errorf("%q (%v)", said, err)
	}
	if _, err := ask(t, by, "https://example.com/"); err == nil || errors.Is(err, ErrProxy) {
		t.Errorf("%v", err)
	}
	if n := len(heard.all()); n != 2 {
		t.Errorf("%d requests", n)
	}
}

// TestAHostThatHangsUpIsAskedOnceMore, however many connections to its proxy are open.
func TestAHostThatHangsUpIsAskedOnceMore(t *testing.T) {
	var asked atomic.Int32
	var both sync.WaitGroup
	both.Add(2)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "down.example" {
			both.Done()
			both.Wait() // so that there are two connections
			return
		}
		asked.Add(1)
		if c, _, err := w.(http.Hijacker).Hijack(); err != nil {
			t.Error(err)
		} else {
			c.Close()
		}
	}))
	defer s.Close()
	at, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	by := byProxies(t, nil, ProxiesConfig{Addresses: []*url.URL{at}})
	var open sync.WaitGroup
	for range 2 {
		open.Go(func() {
			if _, err := ask(t, by, "http://up.example/"); err != nil {
				t.Error(err)
			}
		})
	}
	open.Wait()
	if _, err := ask(t, by, "http://down.example/"); !hungUp(err) {
		t.Errorf("%v, want that it hung up", err)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("asked %d times, want once over an open connection and once over a new one", n)
	}
}

// TestSecretsStayWithTheirOrigin: login and cookies go to the origin that they are of, over redirects, too; a proxy reads them neither in CONNECT nor
// over plain http, and nobody above the layers sees them.
func TestSecretsStayWithTheirOrigin(t *testing.T) {
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "sid=n3w; Path=/")
		echo(w, r)
	}))
	defer secure.Close()
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://other.test/b", http.StatusFound)
			return
		}
		echo(w, r)
	}))
	defer plain.Close()
	trusted := x509.NewCertPool()
	trusted.AddCert(secure.Certificate())
	cookies, err := ReadCookies(strings.NewReader("# Netscape HTTP Cookie File\n\n#HttpOnly_example.com\tFALSE\t/\tFALSE\t0\tsid\tc00k13\nexample.com\tFALSE\t/\tFALSE\t1\told\tgone\n.example.com\tTRUE\t/a\tTRUE\t4102444800\tsafe\ty3s\n"))
	if err != nil {
		t.Fatal(err)
	}
	var logins Logins
	logins.Add("https://example.com/", "ann", "s3cr3t")
	logins.Add("http://example.com/", "ann", "s3cr3t")
	seen := &heardBy{}
	watch := NewLayer("watch", AtRecord, func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(r)
			if resp != nil {
				seen.add("%v %v %v", r.Header, resp.Request.Header, resp.Header)
			}
			return resp, err
		})
	})
	at, heard := httpProxy(t, secure.Listener.Addr().String(), "", 0)
	by := byProxies(t, trusted, ProxiesConfig{Addresses: []*url.URL{at}}, logins.Layer(), cookies.Layer(), watch)
	const basic = "Basic YW5uOnMzY3IzdA=="
	if said, err := ask(t, by, "https://example.com/a"); err != nil || said != "200 example.com /a | "+basic+" | safe=y3s; sid=c00k13 | " {
		t.Errorf("%q (%v)", said, err)
	}
	if said, err := ask(t, by, "https://example.com/x"); err != nil || said != "200 example.com /x | "+basic+" | sid=n3w | " {
		t.Errorf("what the host sets counts from then on: %q (%v)", said, err)
	}
	toPlain, heardPlain := httpProxy(t, plain.Listener.Addr().String(), "", 0)
	over := byProxies(t, trusted, ProxiesConfig{Addresses: []*url.URL{toPlain}}, logins.Layer(), cookies.Layer(), watch)
	if said, err := ask(t, over, "http://example.com/a"); err != nil || said != "200 example.com /a |  |  | " {
		t.Errorf("over plain http by a proxy: %q (%v)", said, err)
	}
	direct := Stack(&http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", plain.Listener.Addr().String())
	}}, logins.Layer(), cookies.Layer(), watch)
	if said, err := ask(t, direct, "http://example.com/a"); err != nil || said != "200 example.com /a | "+basic+" | sid=n3w | " {
		t.Errorf("straight: %q (%v)", said, err)
	}
	client := &http.Client{Transport: direct}
	resp, err := client.Get("http://example.com/away")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); string(body) != "other.test /b |  |  | " {
		t.Errorf("after a redirect to another origin: %q", body)
	}
	for _, said := range append(append(heard.all(), heardPlain.all()...), seen.all()...) {
		for _, secret := range []string{"s3cr3t", "c00k13", "y3s", "n3w", basic[6:]} {
			if strings.Contains(said, secret) {
				t.Errorf("%q was told in %s", secret, said)
			}
		}
	}
}

func TestCookiesThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{"a b c\n": "line 1 has 1 columns", "#\na\tTRUE\t/\tTRUE\tsoon\tn\tv\n": "line 2: column 5"} {
		if _, err := ReadCookies(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestHeadersAreAdded: what a request says itself counts.
func TestHeadersAreAdded(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Header.Get("Accept-Language"), r.Header.Get("Accept"))
	}))
	defer s.Close()
	by := Stack(&http.Transport{}, Headers(map[string]string{"accept-language": "de", "Accept": "a/b"}))
	r, _ := http.NewRequest(http.MethodGet, s.URL, nil)
	r.Header.Set("Accept", "text/html")
	resp, err := by.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); string(body) != "detext/html" || r.Header.Get("Accept-Language") != "" {
		t.Errorf("%q; the request says %v", body, r.Header)
	}
}
