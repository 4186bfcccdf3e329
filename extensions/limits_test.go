package extensions

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// raw is a server that says what a script says: it may break every rule. It answers its address.
func raw(t testing.TB, script func(conn net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					script(conn)
				}
			}()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return "http://" + l.Addr().String() + "/"
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
		{"reset in the body", func(c net.Conn) {
			fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello")
			c.(*net.TCPConn).SetLinger(0)
		}, "", "", "any"},
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
			t.Parallel()
			rt := Stack(nil, Limits(MaxBody(1000), MaxHeader(2000), AnswerWithin(150*time.Millisecond), WholeWithin(300*time.Millisecond)))
			defer rt.(*stack).CloseIdleConnections()
			resp, body, err := get(t, rt, raw(t, c.script))
			if c.err == "any" {
				return // whether a reset overtakes the bytes before it is the kernel's affair; it must only end
			}
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if cut := resp.Header.Get(CutHeader); body != c.body || cut != c.cut {
				t.Errorf("got %d bytes, cut %q; want %d, %q", len(body), cut, len(c.body), c.cut)
			}
		})
	}
}

func TestLimitsDoNotHideThatTheCallerGaveUp(t *testing.T) {
	url := raw(t, func(c net.Conn) {
		fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello")
		c.Read(make([]byte, 1))
	})
	ctx, cancel := context.WithCancel(t.Context())
	rt := Stack(nil, Limits())
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
