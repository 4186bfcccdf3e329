package focus_test

import (
	"net/http"
	"testing"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// A host that does not answer for its robots.txt keeps no worker from the others, even when there is only one.
func TestWaitingForRobotsCostsNoWorker(t *testing.T) {
	w := solarWeb()
	done := make(chan struct{})
	freed := false
	slow := transport(func(r *http.Request) (*http.Response, error) {
		switch {
		case r.URL.Host == "slow.example" && r.URL.Path == "/robots.txt":
			select {
			case <-done:
				freed = true
			case <-r.Context().Done():
			}
		case r.URL.Path == "/roof":
			close(done)
		}
		return w.RoundTrip(r)
	})
	config := solarConfig(t, slow)
	config.Seeds = append([]string{"http://slow.example/"}, config.Seeds...)
	config.Polite.Parallel = 1
	config.Fetch.Timeout, config.Fetch.Answer = strict.Duration(late), strict.Duration(late) // over before the test is, if the other host had to wait
	crawlWith(t, config)
	if !freed {
		t.Error("the other host had to wait")
	}
}
