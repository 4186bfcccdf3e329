package serve

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// longest is how long an answer may take that is work: start pages are looked for on the web, a judge is trained on what was kept.
const longest = 15 * time.Minute

// patient gives an answer the time that it needs, be it work.
func patient(w http.ResponseWriter, long time.Duration) error {
	err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(long))
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// What is said to those who come while somebody else is at work on the same run.
var (
	errWorking = errAs{http.StatusConflict, errors.New("other work on this run goes on: a second look, training, or suggestions; try again when it has ended")}
	errReading = errAs{http.StatusServiceUnavailable, errors.New("the pages of this run are being read: try again in a moment")}
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

// seat waits for a free seat; where that took too long, or whoever waits has left, all are taken.
func seat(ctx context.Context, seats chan struct{}, taken error) (leave func(), err error) {
	timer := time.NewTimer(waiting)
	defer timer.Stop()
	select {
	case seats <- struct{}{}:
		return func() { <-seats }, nil
	case <-ctx.Done():
	case <-timer.C:
	}
	return nil, taken
}
