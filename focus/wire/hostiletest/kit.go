package hostiletest

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Raw is a server that says what a script says: it may break every rule. It answers its address.
func Raw(t testing.TB, script func(conn net.Conn)) string {
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

// Main runs the tests of a package, and fails when one of them leaves a goroutine behind.
func Main(m *testing.M) {
	code := m.Run()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	if err := Left(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// Left says which goroutines do not end, beside those that are left out. A busy machine takes its time to end them.
func Left(but ...goleak.Option) error {
	err := goleak.Find(but...)
	for over := time.Now().Add(time.Minute); err != nil && time.Now().Before(over); {
		err = goleak.Find(but...)
	}
	return err
}
