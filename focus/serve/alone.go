package serve

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// longest is how long an answer may take that is work: start pages are looked for on the web, a judge is trained on what was kept.
const longest = 15 * time.Minute

// patient gives an answer that is work the time that it needs; what is wrong is said.
func patient(w http.ResponseWriter) bool {
	err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(longest))
	if err == nil || errors.Is(err, http.ErrNotSupported) {
		return true
	}
	http.Error(w, err.Error(), http.StatusInternalServerError)
	return false
}

// What is said to those who come while somebody else is at work on the same run.
var (
	errWorking = errors.New("other work on this run goes on: a second look, training, or suggestions; try again when it has ended")
	errReading = errors.New("the pages of this run are being read: try again in a moment")
)

// alone begins work on a run, of which one goes on at a time; the server does not end before it has.
func (s *Server) alone(dir string) (leave func(), err error) {
	if _, at := s.working.LoadOrStore(dir, true); at {
		return nil, errWorking
	}
	s.work.Add(1)
	return func() {
		s.working.Delete(dir)
		s.work.Done()
	}, nil
}

// seat waits for a free seat; false where that took too long, or whoever waits has left.
func seat(ctx context.Context, seats chan struct{}) (leave func(), ok bool) {
	timer := time.NewTimer(waiting)
	defer timer.Stop()
	select {
	case seats <- struct{}{}:
		return func() { <-seats }, true
	case <-ctx.Done():
	case <-timer.C:
	}
	return nil, false
}
