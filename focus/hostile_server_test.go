package focus_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// hostileHosts are servers that do everything wrong, each under a name of its own.
func hostileHosts() map[string]http.HandlerFunc {
	say := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { sayHTML(w, body) }
	}
	to := func(target string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Location", target); w.WriteHeader(302) }
	}
	const start = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	return map[string]http.HandlerFunc{
		"endless":       endless,
		"drip":          drip,
		"gzip-bomb":     bomb("gzip"),
		"brotli-bomb":   bomb("br"),
		"zstd-bomb":     bomb("zstd"),
		"redirects":     func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path+"x", http.StatusFound) },
		"to-loopback":   to("http://127.0.0.1:1/secret"),
		"to-file":       to("file:///etc/passwd"),
		"to-metadata":   to("http://169.254.169.254/latest/meta-data/"),
		"big-header":    raw("HTTP/1.1 200 OK\r\nX-Big: "+strings.Repeat("x", 1<<20)+"\r\n\r\n", false, false),
		"many-cookies":  raw("HTTP/1.1 200 OK\r\n"+strings.Repeat("Set-Cookie: a=b; path=/\r\n", 50_000)+"\r\n", false, false),
		"no-header-end": raw(start, true, false),
		"silent":        raw("", true, false),
		"too-short":     raw(start+"Content-Length: 100\r\n\r\n<p>short", false, false),
		"too-long":      raw(start+"Content-Length: 7\r\nConnection: close\r\n\r\n<p>long and longer", false, false),
		"bad-chunks":    raw(start+"Transfer-Encoding: chunked\r\n\r\n8\r\n<p>chunk\r\nzz\r\n", false, false),
		"nonsense":      raw("<html>HTTP/0.9 has no header</html>", false, false),
		"reset-first":   raw("", false, true),
		"reset-header":  raw("HTTP/1.1 200 O", false, true),
		"reset-body":    raw(start+"Content-Length: 100\r\n\r\n<p>torn", false, true),
		"robots-bomb":   say("<p>robots bomb"),
		"robots-large":  say("<p>robots large"),
		"robots-away":   say("<p>robots elsewhere"),
		"robots-silent": say("<p>robots do not answer"),
		"many-links":    say(strings.Repeat("<a href=/leaf/>x</a>", 10) + manyLinks),
		"nesting":       say(strings.Repeat("<div>", 100_000) + "<p>deep down"),
		"calendar": func(w http.ResponseWriter, r *http.Request) {
			n := len(r.URL.Path)
			sayHTML(w, fmt.Sprintf("<p>%d<a href=/calendar/%d/%d/>solar energy</a><a href=%s1>solar</a>", n, 2020+n/12, 1+n%12, r.URL.Path))
		},
		"path": func(w http.ResponseWriter, r *http.Request) {
			sayHTML(w, "<a href="+strings.TrimSuffix(r.URL.Path, "/")+"/more/>solar energy</a>")
		},
		"sessions": func(w http.ResponseWriter, r *http.Request) {
			id := fmt.Sprintf("%032x", rand.Uint64())
			sayHTML(w, "<a href=/?PHPSESSID="+id+"1>solar</a><a href=/?PHPSESSID="+id+"2>energy</a>"+strings.Repeat("<p>the same page for everybody</p>", 10))
		},
		"mirror-1": mirrored,
		"mirror-2": mirrored,
		"bad-utf8": say("<p>\xff\xfe\x80 caf\xc3\xa9 \xe4\xb8"),
		"nul":      say("<p>a\x00b\x00c"),
		"wrong-charset": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-16le")
			io.WriteString(w, "<meta charset=shift_jis><p>北京的秋天最美，红叶与长城相映成趣")
		},
	}
}

// manyLinks are a million links.
var manyLinks = func() string {
	var b []byte
	for i := range int64(1_000_000) {
		b = append(strconv.AppendInt(append(b, "<a href=/leaf/"...), i, 10), ">x</a>"...)
	}
	return string(b)
}()

// mirrorPages is how many pages two hosts have in the same places.
const mirrorPages = 8

func mirrored(w http.ResponseWriter, r *http.Request) {
	n := 0
	fmt.Sscanf(r.URL.Path, "/m%d", &n)
	var b strings.Builder
	fmt.Fprintf(&b, "<title>Solar mirror %d</title>", n)
	for i := range 80 {
		fmt.Fprintf(&b, "mirror%dword%d ", n, i*i%(n+7))
	}
	if n < mirrorPages-1 {
		fmt.Fprintf(&b, "<a href=/m%d>solar energy</a>", n+1)
	}
	sayHTML(w, b.String())
}

func sayHTML(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, body)
}

func endless(w http.ResponseWriter, r *http.Request) {
	chunk := bytes.Repeat([]byte("<p>for ever and ever</p>\n"), 1000)
	for r.Context().Err() == nil {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

func drip(w http.ResponseWriter, r *http.Request) {
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
}

// raw writes bytes that need not be HTTP; then it waits until the other side gives up, resets the connection, or closes it.
func raw(answer string, hang, reset bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		io.WriteString(conn, answer)
		if hang {
			conn.Read(make([]byte, 1))
		}
		if reset {
			conn.(*net.TCPConn).SetLinger(0)
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

// hostileRobots are the robots.txt files of those that have one.
func hostileRobots(w http.ResponseWriter, r *http.Request, name string) {
	switch name {
	case "robots-bomb":
		fmt.Fprint(w, "User-agent: *\nDisallow: /secret\n", strings.Repeat("Disallow: /*a*a*a*a*a*a*a*a*a*a*b\n", 10_000))
	case "robots-large":
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat("# nothing to see here, go on reading\n", 1000)); err != nil {
				return
			}
		}
	case "robots-away":
		_, port, _ := net.SplitHostPort(r.Host)
		http.Redirect(w, r, "http://robots-bomb.example:"+port+"/robots.txt", http.StatusFound)
	case "robots-silent":
		raw("", true, false)(w, r)
	default:
		http.NotFound(w, r)
	}
}

// goodPages is how many pages a good host has; each is unlike all others, and leads to all of its host.
const goodPages = 20

func goodPage(w http.ResponseWriter, r *http.Request) {
	n := 0
	fmt.Sscanf(r.URL.Path, "/%d", &n)
	words := rand.New(rand.NewPCG(uint64(r.Host[4]), uint64(n)))
	var b strings.Builder
	fmt.Fprintf(&b, "<title>Solar energy %d</title>", n)
	for i := range goodPages {
		fmt.Fprintf(&b, "<a href=/%d>panel %d</a> ", i, i)
	}
	for range 12 {
		b.WriteString("<p>Solar energy")
		for range 60 {
			fmt.Fprintf(&b, " w%d", words.IntN(1_000_000))
		}
	}
	sayHTML(w, b.String())
}

// newHostileWeb serves hostile and good hosts, all of them on one port.
func newHostileWeb(t *testing.T) (server *httptest.Server, port string, names []string) {
	hosts := hostileHosts()
	for name := range hosts {
		names = append(names, name)
	}
	server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, _ := strings.Cut(r.Host, ".")
		handler := hosts[name]
		switch {
		case r.URL.Path == "/robots.txt":
			hostileRobots(w, r, name)
		case strings.HasPrefix(r.URL.Path, "/leaf/"):
			http.NotFound(w, r)
		case handler != nil:
			handler(w, r)
		default:
			goodPage(w, r)
		}
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	_, port, _ = net.SplitHostPort(server.Listener.Addr().String())
	return server, port, names
}
