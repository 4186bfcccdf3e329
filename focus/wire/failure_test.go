package wire

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
)

// TestANameServerThatIsAwayIsToldAsThat: only a name that does not exist is no such host.
func TestANameServerThatIsAwayIsToldAsThat(t *testing.T) {
	for _, err := range []*net.DNSError{
		{Err: "no such host", Name: "a.example", IsNotFound: true},
		{Err: "server misbehaving", Name: "a.example", Server: "127.0.0.53:53", IsTemporary: true},
		{Err: "i/o timeout", Name: "a.example", IsTimeout: true},
	} {
		want := NoNameServer
		if err.IsNotFound {
			want = NoSuchHost
		}
		if got := Failure(fmt.Errorf("get: %w", err)); got != want || Passing(0, err) == err.IsNotFound {
			t.Errorf("%v: told as %q, want %q; passing %v", err, got, want, Passing(0, err))
		}
	}
}

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

// TestAHandshakeThatFailsIsToldAsThat: "internal error" alone would not say what it is about.
func TestAHandshakeThatFailsIsToldAsThat(t *testing.T) {
	here, there := net.Pipe()
	defer here.Close()
	go tls.Server(there, &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return nil, errors.New("there is none") }}).Handshake()
	err := tls.Client(here, &tls.Config{ServerName: "a.example"}).Handshake()
	if err == nil || Failure(fmt.Errorf("get: %w", err)) != "TLS: internal error" {
		t.Errorf("%v is told as %q", err, Failure(err))
	}
}
