package extensions

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/robots"
)

// Who looked in vain among what is known, and then was slower than whoever asked meanwhile, does not ask once more.
func TestWhoComesAsTheAnswerDoesNotAskAgain(t *testing.T) {
	t.Run("for robots.txt", func(t *testing.T) {
		s := newSite(t, map[string]http.HandlerFunc{"/robots.txt": plain("User-agent: *\nDisallow: /a")})
		var inBetween func()
		clock := &watch{}
		g := robots.NewGate(http.DefaultTransport, "shark/1", robots.GateConfig{Now: func() time.Time {
			if then := inBetween; then != nil {
				inBetween = nil
				then()
			}
			return clock.now()
		}})
		u, _ := url.Parse(s.URL + "/x")
		ask := func() {
			if _, err := g.Rules(t.Context(), u); err != nil {
				t.Error(err)
			}
		}
		ask()
		clock.advance(24 * time.Hour) // what is known holds no longer
		inBetween = ask
		ask()
		if n := s.hits("/robots.txt"); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
	})
}
