package wire

import (
	"io"
	"net"
	"net/http"
	"testing"
)

// TestWhatSpeaksNoTLSIsNotAskedAgain: whatever it is that answers an https address instead.
func TestWhatSpeaksNoTLSIsNotAskedAgain(t *testing.T) {
	for _, answer := range []string{"HTTP/1.1 400 Bad Request\r\n\r\n", "<html>what do you want?</html>", "220 mail.example ESMTP\r\n"} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, answer)
			io.Copy(io.Discard, conn)
			conn.Close()
		}()
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		_, err = client.Get("https://" + listener.Addr().String() + "/robots.txt")
		listener.Close()
		if err == nil || Failure(err) != NoTLS || !Gone(err) || Passing(0, err) {
			t.Errorf("after %q: %v is told as %q; gone %v, passing %v", answer, err, Failure(err), Gone(err), Passing(0, err))
		}
	}
}
