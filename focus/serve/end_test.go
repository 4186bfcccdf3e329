package serve

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"testing"
)

// listening is a server at an address of its own; end ends it, and is what came of that.
func listening(t *testing.T, s *Server) (at string, end func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(cancel)
	return l.Addr().String(), func() error { cancel(); return <-ended }
}

// TestAServerEndsThoughSomebodyIsConnected holds that a connection on which nothing is asked makes no failure of the end.
func TestAServerEndsThoughSomebodyIsConnected(t *testing.T) {
	s, err := New(Options{Listen: "127.0.0.1:0"})
	noError(t, err)
	at, end := listening(t, s)
	idle, err := net.Dial("tcp", at)
	noError(t, err)
	defer idle.Close()
	answer, err := http.Get("http://" + at + "/runs") // by now the server has taken the connection before
	noError(t, err)
	answer.Body.Close()
	if err := end(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// TestAServerEndsWhenItsWorkIsDone holds that a judge which is being trained is waited for, though its caller is not.
func TestAServerEndsWhenItsWorkIsDone(t *testing.T) {
	began, goOn, trained := make(chan struct{}), make(chan struct{}), false
	s, _ := taught(t, Options{Steer: Steering{Train: func(string) (float64, error) {
		close(began)
		<-goOn
		trained = true
		return 1, nil
	}}})
	at, end := listening(t, s)
	gone := make(chan error, 1)
	go func() {
		answer, err := http.PostForm("http://"+at+"/api/v1/runs/tea", url.Values{"do": {"train"}})
		if err == nil {
			answer.Body.Close()
		}
		gone <- err
	}()
	<-began
	go func() { <-gone; close(goOn) }() // the server has hung up
	if err := end(); err != nil || !trained {
		t.Errorf("it ended with %v; trained: %v", err, trained)
	}
}
