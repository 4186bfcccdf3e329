package extensions_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// hostile is a web of servers that do everything wrong, each under a name of its own on one port, and of good ones.
type hostile struct {
	*httptest.Server
	port   string
	secure []*httptest.Server
}

// behaviours are what the hosts do. A handler sees r.Host without its port in the first part of the name.
var behaviours = map[string]http.HandlerFunc{
	"endless": func(w http.ResponseWriter, r *http.Request) {
		chunk := bytes.Repeat([]byte("<p>for ever and ever</p>\n"), 1000)
		for r.Context().Err() == nil {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	},
	"drip": func(w http.ResponseWriter, r *http.Request) {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				io.WriteString(w, "x")
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	},
	"gzip-bomb":   bomb("gzip"),
	"brotli-bomb": bomb("br"),
	"zstd-bomb":   bomb("zstd"),
	"redirects": func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
	},
	"to-loopback":   sendTo("http://127.0.0.1:PORT/secret"),
	"to-file":       sendTo("file:///etc/passwd"),
	"to-metadata":   sendTo("http://169.254.169.254/latest/meta-data/"),
	"big-header":    wire("HTTP/1.1 200 OK\r\nX-Big: " + strings.Repeat("x", 1<<20) + "\r\n\r\n"),
	"many-cookies":  wire("HTTP/1.1 200 OK\r\n" + strings.Repeat("Set-Cookie: a=b; path=/\r\n", 50_000) + "\r\n"),
	"no-header-end": hanging("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"),
	"too-short":     wire("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>short"),
	"too-long":      wire("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 7\r\nConnection: close\r\n\r\n<p>long"),
	"bad-chunks":    wire("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n<p>chunk\r\nzz\r\n"),
	"nonsense":      wire("<html>HTTP/0.9 has no header</html>"),
	"reset-first":   wire(""),
	"reset-header":  wire("HTTP/1.1 200 O"),
	"torn-first":    torn(""),
	"torn-header":   torn("HTTP/1.1 200 O"),
	"silent":        hanging(""),
	"robots-bomb":   page("<p>robots bomb"),
	"robots-large":  page("<p>robots large"),
	"robots-away":   page("<p>robots elsewhere"),
	"million-links": page(millionLinks),
	"nesting":       page(strings.Repeat("<div>", 100_000) + "<p>deep down"),
	"calendar": func(w http.ResponseWriter, r *http.Request) {
		var year, month int
		fmt.Sscanf(r.URL.Path, "/calendar/%d/%d", &year, &month)
		if year == 0 {
			year, month = 2020, 0
		}
		month++
		reply(w, fmt.Sprintf("<p>day of %d</p><a href=/calendar/%d/%d>next</a>", month, year+month/12, month%12+1))
	},
	"path": func(w http.ResponseWriter, r *http.Request) {
		reply(w, fmt.Sprintf("<p>%d</p><a href=%s/more/>next</a>", len(r.URL.Path), strings.TrimSuffix(r.URL.Path, "/")))
	},
	"sessions": func(w http.ResponseWriter, r *http.Request) {
		id := fmt.Sprintf("%032x", time.Now().UnixNano())
		reply(w, "<a href=/?PHPSESSID="+id+"1>a</a><a href=/?PHPSESSID="+id+"2>b</a>"+strings.Repeat("<p>the same page for everybody</p>", 10))
	},
	"mirror-1": mirrored,
	"mirror-2": mirrored,
	"bad-utf8": page("<p>\xff\xfe\x80 caf\xc3\xa9 \xe4\xb8"),
	"nul":      page("<p>a\x00b\x00c"),
	"wrong-charset": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-16le")
		io.WriteString(w, "<meta charset=shift_jis><p>北京的秋天最美，红叶与长城相映成趣")
	},
	"secret": func(w http.ResponseWriter, _ *http.Request) { reply(w, "<p>nobody may read this") },
}

func page(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { reply(w, body) }
}

func reply(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, body)
}

// millionLinks is made once, before anybody waits for it.
var millionLinks = func() string {
	var b []byte
	for i := range int64(1_000_000) {
		b = append(strconv.AppendInt(append(b, "<a href=/leaf/"...), i, 10), "/>x</a>"...)
	}
	return string(b)
}()

// good are pages that lead to each other: twenty of them on a host.
func good(w http.ResponseWriter, r *http.Request) {
	var n int
	fmt.Sscanf(r.URL.Path, "/%d", &n)
	var links strings.Builder
	for i := range 20 {
		fmt.Fprintf(&links, "<a href=/%d>%d</a> ", i, i)
	}
	reply(w, fmt.Sprintf("<title>%s %d</title><body>%s<p>%s", r.Host, n, links.String(), strings.Repeat(fmt.Sprintf("Good words number %d of %s. ", n, r.Host), 30)))
}

// mirrored are eight pages that two hosts have in the same places.
func mirrored(w http.ResponseWriter, r *http.Request) {
	var n int
	fmt.Sscanf(r.URL.Path, "/m%d", &n)
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "mirror%dword%d ", n, i*i%(n+7))
	}
	link := ""
	if n < 7 {
		link = fmt.Sprintf("<a href=/m%d>next</a>", n+1)
	}
	reply(w, "<p>"+text.String()+link)
}

// sendTo redirects; PORT stands for the server's own.
func sendTo(target string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, port, _ := net.SplitHostPort(r.Host)
		w.Header().Set("Location", strings.Replace(target, "PORT", port, 1))
		w.WriteHeader(http.StatusFound)
	}
}

// wire writes bytes that need not be HTTP, and closes.
func wire(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			io.WriteString(conn, answer)
			conn.Close()
		}
	}
}

// torn writes bytes and resets the connection.
func torn(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			io.WriteString(conn, answer)
			conn.(*net.TCPConn).SetLinger(0)
			conn.Close()
		}
	}
}

// hanging writes bytes and then nothing, until the other side gives up.
func hanging(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			io.WriteString(conn, answer)
			conn.Read(make([]byte, 1))
			conn.Close()
		}
	}
}

// bomb is 100 MB of nothing in few bytes.
func bomb(coding string) http.HandlerFunc {
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w, _ = gzip.NewWriterLevel(&b, gzip.BestSpeed)
	case "br":
		w = brotli.NewWriterLevel(&b, 1)
	case "zstd":
		w, _ = zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
	}
	zeros := make([]byte, 1<<20)
	for range 100 {
		w.Write(zeros)
	}
	w.Close()
	packed := b.Bytes()
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", coding)
		w.Write(packed)
	}
}

// robots are the robots.txt files of the hosts that have one.
func robots(w http.ResponseWriter, r *http.Request, host string) {
	switch host {
	case "robots-bomb":
		fmt.Fprint(w, "User-agent: *\nDisallow: /secret\n", strings.Repeat("Disallow: /*a*a*a*a*a*a*a*a*a*a*b\n", 10_000))
	case "robots-large":
		fmt.Fprint(w, "User-agent: *\nDisallow: /secret\n")
		junk := strings.Repeat("# nothing to see here, go on reading\n", 1000)
		for range 1400 {
			if _, err := io.WriteString(w, junk); err != nil {
				return
			}
		}
	case "robots-away":
		_, port, _ := net.SplitHostPort(r.Host)
		http.Redirect(w, r, "http://robots-bomb.example:"+port+"/robots.txt", http.StatusFound)
	default:
		http.NotFound(w, r)
	}
}

func newHostile(t *testing.T) *hostile {
	h := &hostile{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, _ := strings.Cut(r.Host, ".")
		handler := behaviours[name]
		switch {
		case r.URL.Path == "/robots.txt":
			robots(w, r, name)
		case strings.HasPrefix(r.URL.Path, "/leaf/"), handler == nil && !strings.HasPrefix(name, "good"):
			http.NotFound(w, r)
		case handler != nil:
			handler(w, r)
		default:
			good(w, r)
		}
	}))
	t.Cleanup(h.Close)
	_, h.port, _ = net.SplitHostPort(h.Listener.Addr().String())
	return h
}

// newHostileWeb adds servers whose certificates are wrong and one that resets its streams, by name, and the transport
// that trusts who signed them.
func newHostileWeb(t *testing.T) (h *hostile, secure map[string]string, base *http.Transport) {
	h = newHostile(t)
	secure = map[string]string{}
	roots := x509.NewCertPool()
	add := func(name, certified string, end time.Time, handler http.HandlerFunc) {
		s, cert := newCertified(t, certified, end, handler)
		roots.AddCert(cert)
		h.secure = append(h.secure, s)
		_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
		secure[name] = "https://" + name + ".example:" + port + "/"
	}
	add("expired", "expired.example", time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), good)
	add("other", "somebody.example", time.Now().AddDate(1, 0, 0), good)
	add("resets", "resets.example", time.Now().AddDate(1, 0, 0), func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	base = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 2}
	return h, secure, base
}

// close closes all of it; closing twice does no harm.
func (h *hostile) close() {
	h.Close()
	for _, s := range h.secure {
		s.Close()
	}
}

func (h *hostile) at(name, path string) string {
	return "http://" + name + ".example:" + h.port + path
}

// newCertified is a server with a certificate of that name and end, and the pool that trusts who signed it.
func newCertified(t *testing.T, name string, end time.Time, handler http.HandlerFunc) (*httptest.Server, *x509.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: end.AddDate(-1, 0, 0), NotAfter: end, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(handler)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.EnableHTTP2 = true
	s.Config.ErrorLog = quiet
	s.StartTLS()
	t.Cleanup(s.Close)
	return s, cert
}
