package warc

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/thresher-crawler/thresher/focus/wire"
)

func pack(t *testing.T, coding, s string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zlib":
		w = zlib.NewWriter(&b)
	case "flate":
		w, _ = flate.NewWriter(&b, 5)
	case "br":
		w = brotli.NewWriter(&b)
	case "zstd":
		w, _ = zstd.NewWriter(&b)
	}
	if _, err := io.WriteString(w, s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestResponseUndoesWhatHTTPDid(t *testing.T) {
	long := strings.Repeat("grain ", 5000)
	chunk := func(s string) string { return fmt.Sprintf("%x\r\n%s\r\n0\r\nTrailer: x\r\n\r\n", len(s), s) }
	for _, c := range []struct{ name, head, body, want string }{
		{"nothing", "", "grain", "grain"},
		{"empty", "", "", ""},
		{"chunked", "Transfer-Encoding: chunked\r\n", chunk("grain"), "grain"},
		{"chunked, and cut in a chunk", "Transfer-Encoding: chunked\r\n", "5\r\ngrain\r\n10\r\n of", "grain of"},
		{"chunked, and cut between two", "Transfer-Encoding: chunked\r\n", "5\r\ngrain\r\n", "grain"},
		{"undone before, a letter", "Transfer-Encoding: chunked\r\n", "A\r\nlist of all words", "A\r\nlist of all words"},
		{"undone before, a number", "Transfer-Encoding: chunked\r\n", "1984\na novel", "1984\na novel"},
		{"gzip", "Content-Encoding: gzip\r\n", pack(t, "gzip", long), long},
		{"x-gzip in capitals", "content-encoding: X-GZIP\r\n", pack(t, "gzip", long), long},
		{"two members", "Content-Encoding: gzip\r\n", pack(t, "gzip", "a") + pack(t, "gzip", "b"), "ab"},
		{"deflate by the book", "Content-Encoding: deflate\r\n", pack(t, "zlib", long), long},
		{"deflate in practice", "Content-Encoding: deflate\r\n", pack(t, "flate", long), long},
		{"brotli", "Content-Encoding: br\r\n", pack(t, "br", long), long},
		{"zstd", "Content-Encoding: zstd\r\n", pack(t, "zstd", long), long},
		{"twice", "Content-Encoding: gzip, br\r\n", pack(t, "br", pack(t, "gzip", long)), long},
		{"packed and in chunks", "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunk(pack(t, "gzip", long)), long},
		{"undone before", "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "<html>", "<html>"},
		{"undone before, a text", "Content-Encoding: deflate\r\n", "body { color: red }", "body { color: red }"},
		{"undone before, in other letters", "Content-Encoding: deflate\r\n", "\n<html>gr\xe4in", "\n<html>gr\xe4in"},
		{"unknown", "Content-Encoding: rot13\r\n", "tenva", "tenva"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Record{Type: "response", Body: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + c.head + "\r\n" + c.body)}
			resp, body, err := r.Response()
			if err != nil || string(body) != c.want {
				t.Fatalf("%v, %.40q, want %.40q", err, body, c.want)
			}
			if h := resp.Header; h.Get("Content-Encoding")+h.Get("Transfer-Encoding") != "" || h.Get("Content-Length") != fmt.Sprint(len(c.want)) || h.Get("Content-Type") != "text/html" {
				t.Errorf("header %v", h)
			}
			if again, _ := io.ReadAll(resp.Body); string(again) != c.want {
				t.Errorf("Body %.40q", again)
			}
		})
	}
}

// brokenPages are bodies that are not what they are said to be from some byte on, by coding and fault.
func brokenPages(t *testing.T) map[string][2]string {
	var text strings.Builder // that does not repeat, so that half of the bytes hold about half of it
	for i := range 60000 {
		text.WriteString(string(rune('a'+i*i%23)) + string(rune('a'+i*7%26)))
	}
	pages := map[string][2]string{}
	for coding, name := range map[string]string{"gzip": "gzip", "zlib": "deflate", "flate": "deflate", "br": "br"} {
		whole := pack(t, coding, "<html>"+text.String())
		most := len(whole) * 3 / 4
		pages[coding+" ends early"] = [2]string{name, whole[:most]}
		pages[coding+" is damaged"] = [2]string{name, whole[:most] + strings.Repeat("\xff", len(whole)-most)}
	}
	pages["gzip with padding"] = [2]string{"gzip", pack(t, "gzip", text.String()) + "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"}
	return pages
}

// What a crawl reads of a body that ends early or is damaged is what its archive gives back.
func TestABrokenBodyIsReadAsTheCrawlReadIt(t *testing.T) {
	for fault, page := range brokenPages(t) {
		header := http.Header{"Content-Type": {"text/html"}, "Content-Encoding": {page[0]}}
		live := wire.Stack(answers(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: header.Clone(), Body: io.NopCloser(strings.NewReader(page[1])), Request: r}, nil
		}), wire.Decode(wire.DecodeConfig{}))
		resp, err := live.RoundTrip(httptest.NewRequest(http.MethodGet, "http://a.example/", nil))
		if err != nil {
			t.Fatal(err)
		}
		crawled, err := io.ReadAll(resp.Body)
		if err != nil || len(crawled) == 0 || resp.Header.Get(wire.CutHeader) == "" && fault != "gzip with padding" {
			t.Fatalf("%s: the crawl reads %d bytes, cut %q, %v", fault, len(crawled), resp.Header.Get(wire.CutHeader), err)
		}
		_, archived, err := (&Record{Type: "response", Body: []byte("HTTP/1.1 200 OK\r\nContent-Encoding: " + page[0] + "\r\n\r\n" + page[1])}).Response()
		if err != nil || !bytes.Equal(archived, crawled) {
			t.Errorf("%s: the archive has %d bytes (%.20q), the crawl %d, %v", fault, len(archived), archived, len(crawled), err)
		}
	}
}

// A text that claims a coding which was undone before it was recorded is taken as it stands, whatever its charset.
func TestTextThatClaimsACoding(t *testing.T) {
	for _, text := range []string{"Solar energie f\xfcr alle", "Caf\xe9 au lait, et du pain pour tout le monde", "<p>\xcc\xab\xd1\xf4\xc4\xdc", "\xcc\xab\xd1\xf4\xc4\xdc\n\xb5\xe7\xb3\xd8"} {
		for _, coding := range []string{"gzip", "deflate", "br", "zstd"} {
			_, body, err := (&Record{Type: "response", Body: []byte("HTTP/1.1 200 OK\r\nContent-Encoding: " + coding + "\r\n\r\n" + text)}).Response()
			if err != nil || string(body) != text {
				t.Errorf("%q as %s: %q, %v", text, coding, body, err)
			}
		}
	}
}

// answers is a transport.
type answers func(*http.Request) (*http.Response, error)

func (f answers) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestResponseReadsOldServers(t *testing.T) {
	for _, c := range []struct {
		block, body string
		status      int
		field       string
	}{
		{"HTTP/1.0 200 Document follows\r\nServer NCSA\r\nX-A : 1\r\n\r\nbody", "body", 200, ""},
		{"HTTP/1.0 404\nX-A: b\n\nbody\n", "body\n", 404, "b"},
		{"HTTP/2 301 \r\nx-a: c\r\n\r\n", "", 301, "c"},
		{"HTTP/1.1 200 OK\r\nX-A: d", "", 200, "d"},
	} {
		resp, body, err := (&Record{Type: "response", Body: []byte(c.block)}).Response()
		if err != nil || resp.StatusCode != c.status || string(body) != c.body || c.field != "" && resp.Header.Get("X-A") != c.field {
			t.Errorf("%q: %v %v %q", c.block, err, resp, body)
		}
	}
	for _, block := range []string{"", "hello", "HTTP/1.1", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 99 x\r\n\r\n", "ICY 200 OK\r\n\r\n"} {
		if resp, _, err := (&Record{Type: "response", Target: "http://a.example/", Body: []byte(block)}).Response(); err == nil || !strings.Contains(err.Error(), "http://a.example/") {
			t.Errorf("%q: %v %v", block, resp, err)
		}
	}
	resp, body, err := (&Record{Type: "resource", Header: http.Header{"Content-Type": {"text/plain"}}, Body: []byte("as it is")}).Response()
	if err != nil || resp.StatusCode != 200 || string(body) != "as it is" || resp.Header.Get("Content-Type") != "text/plain" {
		t.Errorf("resource: %v %v %q", err, resp, body)
	}
}

func TestABombIsNotUnpacked(t *testing.T) {
	for _, coding := range []string{"gzip", "br", "zstd"} {
		bomb := []byte(pack(t, coding, strings.Repeat("\x00", 100_000)))
		h := http.Header{"Content-Encoding": {coding}}
		if body, err := decode(h.Clone(), bomb, 99_999); err == nil || !strings.Contains(err.Error(), "more than 99999 bytes") {
			t.Errorf("%s: %d bytes, %v", coding, len(body), err)
		}
		if body, err := decode(h.Clone(), bomb, 100_000); err != nil || len(body) != 100_000 {
			t.Errorf("%s: %d bytes, %v", coding, len(body), err)
		}
	}
}

// BenchmarkWrite shows what a page costs that is kept: the compressor is made once, not for every page.
func BenchmarkWrite(b *testing.B) {
	words := strings.Fields("a shark is a fish and the thresher is a shark with a long tail that stuns what it hunts")
	var body strings.Builder
	for i := 0; body.Len() < 38_000; i++ {
		fmt.Fprintf(&body, "<a href=\"/%s/%d.html\">%s %s</a> ", words[i%17], i*7919%1000, words[i*7%19], words[i*3%18])
	}
	rec := &Record{Type: "response", Target: "http://a.example/", Date: moment, Body: []byte("HTTP/1.1 200 OK\r\n\r\n" + body.String())}
	w := NewWriter(io.Discard)
	b.SetBytes(int64(len(rec.Body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.Write(rec); err != nil {
			b.Fatal(err)
		}
	}
}
