package wire

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// bounds of the fuzzed transports.
const (
	fuzzBody   = 1 << 16
	fuzzHeader = 1 << 14
)

// FuzzCodings: whatever an answer says of its codings and whatever stands in it, what comes out of the layer is bounded and is
// marked as coded no more.
func FuzzCodings(f *testing.F) {
	for _, coding := range []string{"gzip", "br", "zstd", "deflate"} {
		f.Add(coding, 200, []byte(coded(f, coding, article)))
		f.Add(coding+", "+coding, 404, []byte(coded(f, coding, coded(f, coding, article))))
		f.Add("x-"+coding+",,identity", 206, []byte(coded(f, coding, strings.Repeat("a", 1<<20))))
	}
	f.Add("gzip, gzip, gzip, gzip", 200, []byte("\x1f\x8b"))
	f.Add("gzip, foo", 503, []byte(article))
	f.Fuzz(func(t *testing.T, coding string, status int, body []byte) {
		status = 200 + (status%400+400)%400
		rt := Stack(answer(status, http.Header{"Content-Encoding": {coding}, "Content-Type": {"text/html"}}, string(body)),
			Limits(LimitsConfig{MaxBody: fuzzBody}), Decode(DecodeConfig{MaxBytes: fuzzBody}), Charset())
		r, err := http.NewRequest(http.MethodGet, "http://a.example/", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := rt.RoundTrip(r)
		if err != nil {
			return // a named refusal
		}
		defer resp.Body.Close()
		if left := resp.Header.Get("Content-Encoding"); left != "" {
			t.Errorf("coding %q, status %d: it leaves as %q", coding, status, left)
		}
		if n, _ := io.Copy(io.Discard, resp.Body); n > 4*fuzzBody { // a charset may make three bytes out of one
			t.Errorf("coding %q: %d bytes came out of %d", coding, n, len(body))
		}
	})
}

// FuzzStatusLine: whatever bytes a server sends in the place of an answer, what comes out is an error or an answer with a status
// that ends the exchange, bounded, and with no word in our own headers.
func FuzzStatusLine(f *testing.F) {
	for _, said := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n<p>", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nflood",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200\r\n\r\nx", "HTTP/1.1 -200 No\r\n\r\n", "HTTP/1.1 999 \x1b[2J\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n",
		"HTTP/1.1 200 OK\r\nX-Thresher-Cut: size\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", "SSH-2.0-x\r\n", "",
	} {
		f.Add([]byte(said))
	}
	f.Fuzz(func(t *testing.T, said []byte) {
		base := &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			go func() {
				defer there.Close()
				http.ReadRequest(bufio.NewReader(there))
				there.SetWriteDeadline(time.Now().Add(time.Second))
				there.Write(said)
			}()
			return here, nil
		}}
		rt := Stack(base, Limits(LimitsConfig{MaxBody: fuzzBody, MaxHeader: fuzzHeader, Answer: time.Second, Whole: time.Second}),
			Decode(DecodeConfig{MaxBytes: fuzzBody}), Charset())
		r, err := http.NewRequest(http.MethodGet, "http://a.example/", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := rt.RoundTrip(r)
		if err != nil {
			return
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode < 200 {
			t.Errorf("%.100q: status %d came out", said, resp.StatusCode)
		}
		if len(body) > 4*fuzzBody {
			t.Errorf("%d bytes came out of %d", len(body), len(said))
		}
		if resp.Header.Get("X-Thresher-Trap") != "" || resp.Header.Get("X-Thresher-Item") != "" {
			t.Errorf("%.100q: the server speaks in our name: %v", said, resp.Header)
		}
	})
}
