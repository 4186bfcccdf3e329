package wire

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

type answering func(*http.Request) (*http.Response, error)

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) { return a(r) }

// TestAPageThatHasASeatIsNotGivenUp: where all places beside the workers are taken, a worker begins the visit of a slow host. The
// host's seat is the visit's own: the page is waited for, and not by the worker.
func TestAPageThatHasASeatIsNotGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSlow(2, 8*time.Second)
		a := &Asking{Slow: s, Host: "slow.example"}
		web := answering(func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(3 * s.after):
				return &http.Response{Body: http.NoBody}, nil
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		})
		made := make(chan error, 1)
		s.Attend(a, func() {
			if !s.Sit(t.Context(), a.Host) {
				made <- errors.New("there is no seat")
				return
			}
			a.Sits()
			defer s.GetUp(a.Host)
			resp, err := a.RoundTrip(web, httptest.NewRequest(http.MethodGet, "http://slow.example/", nil))
			if err == nil {
				_, err = io.ReadAll(resp.Body)
			}
			made <- err
		})
		if len(made) > 0 {
			t.Error("the worker has waited for the page")
		}
		if s.Wait(); len(s.seated) > 0 || a.GivenUp() {
			t.Errorf("seats %v, given up %v", s.seated, a.GivenUp())
		}
		if err := <-made; err != nil {
			t.Error(err)
		}
	})
}
