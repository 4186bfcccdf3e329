package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// scripted is a transport to such a server without a network between: whoever waits on either side waits for the other or for
// the clock, and nobody for the machine.
func scripted(script func(conn net.Conn)) *http.Transport {
	return &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			defer there.Close()
			if _, err := http.ReadRequest(bufio.NewReader(there)); err == nil {
				script(there)
			}
		}()
		return here, nil
	}}
}

func TestLimits(t *testing.T) {
	hold := func(conn net.Conn) { conn.Read(make([]byte, 1)) } // until the other side gives up
	cases := []struct {
		name   string
		script func(net.Conn)
		body   string
		cut    string
		err    string
	}{
		{"whole", func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") }, "hello", "", ""},
		{"too long", func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 200 OK\r\n\r\n", strings.Repeat("x", 3000)) }, strings.Repeat("x", 1000), CutSize, ""},
		{"exactly as long as allowed", func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 200 OK\r\n\r\n", strings.Repeat("x", 1000)) }, strings.Repeat("x", 1000), "", ""},
		{"shorter than it says", func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello") }, "hello", CutShort, ""},
		{"longer than it says", func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhello") }, "hell", "", ""},
		{"wrong chunking", func(c net.Conn) {
			fmt.Fprint(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n")
		}, "hello", CutShort, ""},
		{"stuck in the body", func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"); hold(c) }, "hello", CutTime, ""},
		{"no byte of a body", func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"); hold(c) }, "", "", "deadline exceeded"},
		{"no answer", hold, "", "", "awaiting response headers"},
		{"no end of the header", func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 200 OK\r\nX: 1\r\n"); hold(c) }, "", "", "awaiting response headers"},
		{"large header", func(c net.Conn) {
			fmt.Fprint(c, "HTTP/1.1 200 OK\r\nX: ", strings.Repeat("x", 9000), "\r\n\r\nhello")
		}, "", "", "exceeded 2000 bytes"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { checkLimits(t, c.script, c.body, c.cut, c.err) })
		})
	}
}

// checkLimits asks a server by a clock that goes on only while both sides wait.
func checkLimits(t *testing.T, script func(net.Conn), want, wantCut, wantErr string) {
	const answer, whole = 150 * time.Millisecond, 300 * time.Millisecond
	rt := Stack(scripted(script), Limits(LimitsConfig{MaxBody: 1000, MaxHeader: 2000, Answer: answer, Whole: whole}))
	defer rt.(*stack).CloseIdleConnections()
	begin := time.Now()
	resp, body, err := get(t, rt, "http://a.example/")
	wantTook := map[bool]time.Duration{true: whole}[wantCut == CutTime || wantErr == "deadline exceeded"]
	if wantErr == "awaiting response headers" {
		wantTook = answer
	}
	if took := time.Since(begin); took != wantTook {
		t.Errorf("it took %v, want %v", took, wantTook)
	}
	if wantErr != "" {
		if err == nil || !strings.Contains(err.Error(), wantErr) {
			t.Errorf("error %v, want %q", err, wantErr)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if cut := resp.Header.Get(CutHeader); body != want || cut != wantCut {
		t.Errorf("got %d bytes, cut %q; want %d, %q", len(body), cut, len(want), wantCut)
	}
}

// A reset in the body ends the request; whether it overtakes the bytes before it is the kernel's affair.
func TestLimitsWithAReset(t *testing.T) {
	rt := Stack(nil, Limits(LimitsConfig{}))
	defer rt.(*stack).CloseIdleConnections()
	get(t, rt, hostiletest.Raw(t, func(c net.Conn) {
		fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello")
		c.(*net.TCPConn).SetLinger(0)
	}))
}

func TestLimitsDoNotHideThatTheCallerGaveUp(t *testing.T) {
	url := hostiletest.Raw(t, func(c net.Conn) {
		fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello")
		c.Read(make([]byte, 1))
	})
	ctx, cancel := context.WithCancel(t.Context())
	rt := Stack(nil, Limits(LimitsConfig{}))
	defer rt.(*stack).CloseIdleConnections()
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	resp, err := rt.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	buf := make([]byte, 5)
	if _, err := resp.Body.Read(buf); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := resp.Body.Read(buf); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
