package focus

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/wire"
)

// However many answers a server makes up, the reasons they are refused for are few: what it wrote is not among them.
func TestReasonsHoldNoTextOfTheWeb(t *testing.T) {
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		text := fmt.Sprintf("made-up-%s", strings.TrimPrefix(r.URL.Path, "/"))
		fmt.Fprintf(conn, []string{"HTTP/1.1 %s OK\r\n\r\n", "HTTP/%s 200 OK\r\n\r\n", "%s\r\n\r\n", "HTTP/1.1 200 OK\r\n%s\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length: %s\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: %s\r\n\r\n"}[n%6], text)
	}))
	defer server.Close()
	reasons := map[string]int{}
	for n = range 60 {
		resp, err := http.Get(fmt.Sprintf("%s/%d", server.URL, n))
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		if err != nil {
			reasons[wire.Failure(err)]++
		}
	}
	for reason := range reasons {
		if strings.Contains(reason, "made-up") {
			t.Errorf("the reason %q is the server's own", reason)
		}
	}
	if len(reasons) > 8 || len(reasons) < 3 {
		t.Errorf("%d reasons: %v", len(reasons), reasons)
	}
}

// One stream that a server of HTTP/2 resets, or a connection that it lets go, costs no page: it is asked for again.
func TestABrokenStreamIsTriedAgain(t *testing.T) {
	for text, want := range map[string]bool{
		"stream error: stream ID 3; INTERNAL_ERROR; received from peer":                true,
		"http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode": true,
		"http2: Transport received Server's graceful shutdown":                         false,
		"tls: failed to verify certificate":                                            false,
	} {
		if got := wire.Passing(0, errors.New(text)); got != want {
			t.Errorf("%s: tried again: %v, want %v", text, got, want)
		}
	}
}
