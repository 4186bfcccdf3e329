package hostiletest

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/thresher-crawler/thresher/focus/pdf/pdftest"
)

// behaviours are what the bad hosts do. They are made once, before anybody waits for them.
var behaviours = sync.OnceValue(func() map[string]http.HandlerFunc {
	const start = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	all := answers()
	for name, body := range pdftest.Hostile() {
		all["pdf-"+name] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = w.Write(body)
		}
	}
	maps.Copy(all, map[string]http.HandlerFunc{
		"endless":       endless,
		"drip":          drip,
		"gzip-bomb":     Bomb("gzip"),
		"brotli-bomb":   Bomb("br"),
		"zstd-bomb":     Bomb("zstd"),
		"deflate-bomb":  Bomb("deflate"),
		"gzip-unknown":  bombAs(http.StatusOK, "gzip, foo", "gzip"),
		"gzip-part":     bombAs(http.StatusPartialContent, "gzip", "gzip"),
		"gzip-missing":  bombAs(http.StatusNotFound, "gzip", "gzip"),
		"gzip-four":     bombAs(http.StatusOK, "gzip, gzip, gzip, gzip", "gzip", "gzip", "gzip", "gzip"),
		"nested-bomb":   bombAs(http.StatusOK, "zstd, br, gzip", "zstd", "br", "gzip"),
		"switch-silent": raw(switches, hangs),
		"switch-flood":  Switches,
		"hints":         raw(strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 1000), hangs),
		"robots-switch": say("<p>robots hand over"),
		"redirects":     func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path+"x", http.StatusFound) },
		"to-loopback":   sendTo("http://127.0.0.1:PORT/secret"),
		"to-file":       sendTo("file:///etc/passwd"),
		"to-metadata":   sendTo("http://169.254.169.254/latest/meta-data/"),
		"big-header":    raw("HTTP/1.1 200 OK\r\nX-Big: "+strings.Repeat("x", 1<<20)+"\r\n\r\n", closes),
		"many-cookies":  raw("HTTP/1.1 200 OK\r\n"+strings.Repeat("Set-Cookie: a=b; path=/\r\n", 50_000)+"\r\n", closes),
		"no-header-end": raw(start, hangs),
		"silent":        Silent,
		"too-short":     raw(start+"Content-Length: 100\r\n\r\n<p>short", closes),
		"too-long":      raw(start+"Content-Length: 7\r\nConnection: close\r\n\r\n<p>long and longer", closes),
		"bad-chunks":    raw(start+"Transfer-Encoding: chunked\r\n\r\n8\r\n<p>chunk\r\nzz\r\n", closes),
		"nonsense":      raw("<html>HTTP/0.9 has no header</html>", closes),
		"closed-first":  raw("", closes),
		"closed-header": raw("HTTP/1.1 200 O", closes),
		"reset-first":   raw("", resets),
		"reset-header":  raw("HTTP/1.1 200 O", resets),
		"reset-body":    raw(start+"Content-Length: 100\r\n\r\n<p>torn", resets),
		"robots-bomb":   say("<p>robots bomb"),
		"robots-large":  say("<p>robots large"),
		"robots-away":   say("<p>robots elsewhere"),
		"robots-silent": say("<p>robots do not answer"),
		"robots-slow":   say("<p>robots take their time"),
		"robots-farm":   say("<p>robots are many"),
		"robots-words":  say("<p>robots talk"),
		"slow":          slow,
		"to-session":    sendToForbidden("/;jsessionid=0123456789abcdef"),
		"to-campaign":   sendToForbidden("/?utm_source=elsewhere"),
		"to-dot":        sendToForbidden("http://to-dot.example.:PORT/secret"),
		"many-links":    say(strings.Repeat("<a href=/leaf/>x</a>", 10) + manyLinks()),
		"nesting":       say(strings.Repeat("<div>", 100_000) + "<p>deep down"),
		"calendar":      calendar,
		"path": func(w http.ResponseWriter, r *http.Request) {
			Say(w, "<a href="+strings.TrimSuffix(r.URL.Path, "/")+"/more/>solar energy</a>")
		},
		"sessions": func(w http.ResponseWriter, _ *http.Request) {
			id := fmt.Sprintf("%032x", rand.Uint64())
			Say(w, "<a href=/?PHPSESSID="+id+"1>solar</a><a href=/?PHPSESSID="+id+"2>energy</a>"+strings.Repeat("<p>the same page for everybody</p>", 10))
		},
		"mirror-1": mirrored,
		"mirror-2": mirrored,
		"bad-utf8": say("<p>\xff\xfe\x80 caf\xc3\xa9 \xe4\xb8"),
		"nul":      say("<p>a\x00b\x00c"),
		"wrong-charset": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-16le")
			io.WriteString(w, "<meta charset=shift_jis><p>北京的秋天最美，红叶与长城相映成趣")
		},
	})
	return all
})

// manyLinks are a million links.
func manyLinks() string {
	var b []byte
	for i := range int64(1_000_000) {
		b = append(strconv.AppendInt(append(b, "<a href=/leaf/"...), i, 10), ">x</a>"...)
	}
	return string(b)
}

func say(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { Say(w, body) }
}

// sendTo redirects; PORT stands for the server's own.
func sendTo(target string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, port, _ := net.SplitHostPort(r.Host)
		w.Header().Set("Location", strings.Replace(target, "PORT", port, 1))
		w.WriteHeader(http.StatusFound)
	}
}

// sendToForbidden redirects its start page to an address that its robots.txt forbids, and has a page for whoever goes there.
func sendToForbidden(target string) http.HandlerFunc {
	away := sendTo(target)
	return func(w http.ResponseWriter, r *http.Request) {
		if r.RequestURI == "/" {
			away(w, r)
			return
		}
		Say(w, "<title>Solar energy</title><p>solar energy that robots.txt forbids at "+r.Host+r.RequestURI)
	}
}

// aWhile is longer than a host may take that is not to be slow, and shorter than what anybody gives up after.
const aWhile = 600 * time.Millisecond

// slow has a quick robots.txt, and a page that takes its time.
func slow(w http.ResponseWriter, r *http.Request) {
	if pause(r) {
		Say(w, "<title>Solar energy</title><p>solar energy, slowly")
	}
}

// pause lets a while pass; it answers false where nobody waits any more.
func pause(r *http.Request) bool {
	timer := time.NewTimer(aWhile)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
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

// ending is what a server does when it has said what it says.
type ending int

const (
	closes ending = iota // it closes the connection
	resets               // it resets it
	hangs                // it waits until the other side gives up
	floods               // it goes on for ever
)

// switches is an answer that is none: it hands the connection over.
const switches = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"

// raw writes bytes that need not be HTTP.
func raw(answer string, then ending) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		io.WriteString(conn, answer)
		switch then {
		case hangs:
			conn.Read(make([]byte, 1))
		case floods:
			for flood := bytes.Repeat([]byte("for ever and ever "), 1000); ; {
				if _, err := conn.Write(flood); err != nil {
					return
				}
			}
		case resets:
			conn.(*net.TCPConn).SetLinger(0)
		}
	}
}

// Silent takes a request and never answers.
var Silent = raw("", hangs)

// Switches hands the connection over instead of an answer, and sends on it without an end.
var Switches = raw(switches, floods)

// Bomb is a page of 100 MB in few bytes, by a content coding: gzip, br, zstd or deflate.
func Bomb(coding string) http.HandlerFunc { return bombAs(http.StatusOK, coding, coding) }

// bombAs is a page of 100 MB under content codings, the first of them done first, and what its answer says of it.
func bombAs(status int, said string, codings ...string) http.HandlerFunc {
	packed := zeros(codings[0])
	for _, coding := range codings[1:] {
		inner := packed
		packed = pack(coding, func(w io.Writer) { w.Write(inner) })
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", said)
		w.WriteHeader(status)
		w.Write(packed)
	}
}

// zeros are 100 MB of them under a content coding, packed once.
func zeros(coding string) []byte {
	packed, known := zerosPacked.Load(coding)
	if !known {
		packed, _ = zerosPacked.LoadOrStore(coding, pack(coding, func(w io.Writer) {
			some := make([]byte, 1<<20)
			for range 100 {
				w.Write(some)
			}
		}))
	}
	return packed.([]byte)
}

var zerosPacked sync.Map // by content coding

// pack is what somebody writes, under a content coding.
func pack(coding string, write func(io.Writer)) []byte {
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w, _ = gzip.NewWriterLevel(&b, gzip.BestSpeed)
	case "br":
		w = brotli.NewWriterLevel(&b, 1)
	case "zstd":
		w, _ = zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
	case "deflate":
		w, _ = zlib.NewWriterLevel(&b, zlib.BestSpeed)
	}
	write(w)
	w.Close()
	return b.Bytes()
}
