package extensions_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/gocolly/colly/v2"
	"github.com/klauspost/compress/zstd"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// packed is a body under content codings, named as Content-Encoding names them: the first was done first.
func packed(t testing.TB, body []byte, codings ...string) []byte {
	t.Helper()
	for _, name := range codings {
		var b bytes.Buffer
		var w io.WriteCloser
		switch name {
		case "gzip":
			w, _ = gzip.NewWriterLevel(&b, gzip.BestSpeed)
		case "br":
			w = brotli.NewWriterLevel(&b, 1)
		case "zstd":
			w, _ = zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
		case "deflate":
			w, _ = flate.NewWriter(&b, flate.BestSpeed)
		default:
			continue // only claimed
		}
		w.Write(body)
		noError(t, w.Close())
		body = b.Bytes()
	}
	return body
}

// met is what a Colly program gets to see of an answer.
type met struct {
	size int
	cut  string
	err  error
}

// meet fetches an address with a Colly program behind the guards.
func meet(address string) (m met) {
	c := colly.NewCollector(colly.ParseHTTPErrorResponse())
	c.MaxBodySize = 0
	extensions.Transport(c, extensions.Limits(extensions.LimitsConfig{}), extensions.Decode(extensions.DecodeConfig{MaxBytes: mostDecoded}), extensions.Charset())
	c.OnResponse(func(r *colly.Response) { m.size, m.cut = len(r.Body), r.Headers.Get(extensions.CutHeader) })
	m.err = c.Visit(address)
	return m
}

const mostDecoded = 4 << 20

// No bomb reaches a callback, whatever its status says it is, however it was wrapped and wherever it breaks off: neither
// the layer nor Colly behind it makes more of it than MaxDecoded.
func TestNoBombGoesOffBehindTheLayer(t *testing.T) {
	zeros := make([]byte, 32<<20)
	empty := bytes.Repeat(packed(t, nil, "gzip"), 1<<20) // megabytes that come to nothing
	cases := []struct {
		codings string // as Content-Encoding says
		body    []byte
		refused bool
	}{
		{"gzip", packed(t, zeros, "gzip"), false},
		{"br", packed(t, zeros, "br"), false},
		{"zstd", packed(t, zeros, "zstd"), false},
		{"deflate", packed(t, zeros, "deflate"), false},
		{"gzip, gzip", packed(t, zeros, "gzip", "gzip"), false},
		{"br, zstd", packed(t, zeros, "br", "zstd"), false},
		{"zstd, deflate, br", packed(t, zeros, "zstd", "deflate", "br"), false},
		{"gzip, gzip", packed(t, empty, "gzip"), false},
		{"gzip, gzip, gzip, gzip", packed(t, zeros, "gzip", "gzip", "gzip", "gzip"), true},
		{"gzip, foo", packed(t, zeros, "gzip"), true},
		{"foo, gzip", packed(t, zeros, "gzip"), true},
		{"foo", packed(t, zeros, "gzip"), true},
		{"x-gzip-x", packed(t, zeros, "gzip"), true},
		{"gzip;q=1", packed(t, zeros, "gzip"), true},
	}
	var now struct {
		sync.Mutex
		status  int
		codings string
		body    []byte
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		now.Lock()
		defer now.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Encoding", now.codings)
		w.WriteHeader(now.status)
		w.Write(now.body)
	}))
	defer server.Close()
	page := 0
	for _, status := range []int{200, 203, 206, 300, 404, 503} {
		for _, c := range cases {
			for _, part := range []int{1, 2} { // whole, and broken off
				now.Lock()
				now.status, now.codings, now.body = status, c.codings, c.body[:len(c.body)/part]
				now.Unlock()
				page++
				m := meet(fmt.Sprintf("%s/%d.xml.gz", server.URL, page))
				what := fmt.Sprintf("%d %s, 1/%d of %d bytes", status, c.codings, part, len(c.body))
				switch {
				case m.size > mostDecoded:
					t.Errorf("%s: %d bytes came of it", what, m.size)
				case c.refused && !errors.Is(m.err, wire.ErrCoding):
					t.Errorf("%s: want %v, got %v", what, wire.ErrCoding, m.err)
				case !c.refused && (m.err != nil || m.cut == ""):
					t.Errorf("%s: cut %q, %v", what, m.cut, m.err)
				}
			}
		}
	}
}

// A server that switches protocols gives no answer: its connection has neither end nor bound.
func TestAnAnswerThatHandsOverTheConnection(t *testing.T) {
	for _, line := range []string{
		"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
		"HTTP/1.1 101 Switching Protocols\r\n\r\n",
		"HTTP/1.1 000 Nothing\r\n\r\n",
		"HTTP/1.1 099 Less\r\nContent-Length: 5\r\n\r\n",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			defer conn.Close()
			io.WriteString(conn, line)
			for endless := strings.Repeat("no end ", 1000); ; {
				if _, err := io.WriteString(conn, endless); err != nil {
					return // the other side gave up
				}
			}
		}))
		m := meet(server.URL)
		if !errors.Is(m.err, wire.ErrHandover) || m.size > 0 {
			t.Errorf("%.30q: %d bytes came of it, %v", line, m.size, m.err)
		}
		server.Close() // waits for its handlers: the connection was let go
	}
}
