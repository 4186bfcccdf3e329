package extensions

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"sync/atomic"
	"testing"
	"time"
)

// Who looked in vain among what is known, and then was slower than whoever asked meanwhile, does not ask once more.
func TestWhoComesAsTheAnswerDoesNotAskAgain(t *testing.T) {
	t.Run("for addresses", func(t *testing.T) {
		var lookups atomic.Int32
		var inBetween func()
		l := Resolver(Lookup(func(context.Context, string) ([]netip.Addr, error) {
			lookups.Add(1)
			return []netip.Addr{netip.MustParseAddr("1.1.1.1")}, nil
		}), OnLookup(func(string, bool) {
			if then := inBetween; then != nil {
				inBetween = nil
				then()
			}
		}))
		var g ground
		l.ground(&g)
		look := func() {
			if _, err := g.lookup(t.Context(), "a.example"); err != nil {
				t.Error(err)
			}
		}
		inBetween = look
		look()
		if n := lookups.Load(); n != 1 {
			t.Errorf("%d lookups", n)
		}
	})
	t.Run("for robots.txt", func(t *testing.T) {
		s := newSite(t, map[string]http.HandlerFunc{"/robots.txt": plain("User-agent: *\nDisallow: /a")})
		var inBetween func()
		clock := &watch{}
		g := NewRobotsGate(http.DefaultTransport, "shark/1", Now(func() time.Time {
			if then := inBetween; then != nil {
				inBetween = nil
				then()
			}
			return clock.now()
		}))
		u, _ := url.Parse(s.URL + "/x")
		ask := func() {
			if _, err := g.Rules(t.Context(), u); err != nil {
				t.Error(err)
			}
		}
		ask()
		clock.advance(robotsLife) // what is known holds no longer
		inBetween = ask
		ask()
		if n := s.hits("/robots.txt"); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
	})
}
