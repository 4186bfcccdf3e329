package wire

import (
	"net/http"
	"testing"
)

// A login goes to its own origin, however that is written, and nowhere else; what is seen of the request above has none.
func TestALoginGoesToItsOwnOrigin(t *testing.T) {
	var l Logins
	l.Add("http://B\u00dccher.example/", "u", "p")
	l.Add("https://a.example./x", "v", "q")
	l.Add("https://a.example/", "w", "r") // the first one counts
	l.Add("nonsense", "x", "y")
	sent := map[string]string{}
	bottom := roundTripper(func(r *http.Request) (*http.Response, error) {
		sent[r.URL.String()] = r.Header.Get("Authorization")
		return &http.Response{StatusCode: 200, Body: http.NoBody, Request: r}, nil
	})
	rt := Stack(bottom, l.Layer(), Tap(func(r *http.Request, _ Answer) {
		if r.Header.Get("Authorization") != "" && r.URL.Host != "own.example" {
			t.Errorf("what is written down of %s has the login", r.URL)
		}
	}))
	for address, want := range map[string]string{
		"http://xn--bcher-kva.example/y": "Basic dTpw", "http://b\u00fccher.example:80/": "Basic dTpw", "https://b\u00fccher.example/": "",
		"http://b\u00fccher.example:8080/": "", "https://A.example:443/": "Basic djpx", "http://a.example/": "", "https://b.a.example/": "",
		"https://own.example/": "Bearer mine",
	} {
		r, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.URL.Host == "own.example" {
			r.Header.Set("Authorization", "Bearer mine")
		}
		resp, err := rt.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := sent[r.URL.String()]; got != want {
			t.Errorf("%s was told %q, want %q", address, got, want)
		}
		if resp.Request != r {
			t.Errorf("%s: the answer shows another request than was made", address)
		}
	}
}
