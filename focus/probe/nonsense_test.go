package probe

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// unplugged is a web of which nobody can be reached for so many requests.
type unplugged struct {
	hosts
	requests int
}

func (u *unplugged) RoundTrip(r *http.Request) (*http.Response, error) {
	if u.requests--; u.requests >= 0 {
		return nil, wire.ErrAway
	}
	return u.hosts.RoundTrip(r)
}

// TestAnOutageIsNoAnswer: the question for an error page that falls into an outage is asked once more, and no more often than that.
func TestAnOutageIsNoAnswer(t *testing.T) {
	const origin = "http://soft.example"
	at, err := url.Parse(origin + "/")
	if err != nil {
		t.Fatal(err)
	}
	for away, want := range map[int]int{0: 1, 1: 2, 2: 2} {
		pages := junk.NewErrorPages(1, 10)
		pages.Page(origin)
		web := &unplugged{hosts{"soft.example": func(w http.ResponseWriter, _ *http.Request) { html(w, "There is no such keel here.") }}, away}
		asked := 0
		for q := pages.Begin(origin, at); q != nil && asked < 5; q = pages.Begin(origin, at) {
			asked++
			Nonsense(t.Context(), web, http.Header{}, q, page.Options{})
		}
		if knows := pages.Wait(origin) != (junk.ErrorPage{}); asked != want || knows != (asked > away) {
			t.Errorf("away for %d requests: asked %d times, want %d; the error page is known: %v", away, asked, want, knows)
		}
	}
}
