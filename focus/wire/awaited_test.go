package wire

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestWhatIsWaitedForIsKnown: an answer from the moment it is asked for until it has been read, and then how it failed.
func TestWhatIsWaitedForIsKnown(t *testing.T) {
	var a Awaited
	under := ""
	answer := func(resp *http.Response, err error) http.RoundTripper {
		return a.Over(roundTripper(func(*http.Request) (*http.Response, error) { under = a.Say(); return resp, err }))
	}
	if a.Say() != "" {
		t.Errorf("before anything is asked it says %q", a.Say())
	}
	ok := &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("x"))}
	resp, _ := answer(ok, nil).RoundTrip(httptest.NewRequest("GET", "http://a.example/robots.txt?key=secret", nil))
	if want := "waiting for http://a.example/robots.txt"; under != want || a.Say() != want {
		t.Errorf("it says %q, and before the body is read %q, want %q", under, a.Say(), want)
	}
	answer(nil, errors.New("read: connection reset by peer")).RoundTrip(httptest.NewRequest("GET", "http://b.example/", nil))
	if want := "waiting for http://a.example/robots.txt and 1 more"; under != want {
		t.Errorf("of two it says %q, want %q", under, want)
	}
	resp.Body.Close()
	if a.Say() != "" {
		t.Errorf("after an answer it says %q", a.Say())
	}
	answer(&http.Response{StatusCode: 503, Body: http.NoBody}, nil).RoundTrip(httptest.NewRequest("GET", "http://b.example/x", nil))
	if want := "Service Unavailable at http://b.example/x, and its host is given time"; a.Say() != want {
		t.Errorf("after a failure it says %q, want %q", a.Say(), want)
	}
}
