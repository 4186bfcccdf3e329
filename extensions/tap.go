package extensions

import (
	"bytes"
	"io"
	"net/http"
)

// Answer is what came over the wire for one request: the header and body as they were received, encodings not undone.
type Answer struct {
	Status int
	Proto  string
	Header http.Header
	Body   []byte
	Cut    string // why the body is not whole (see CutHeader); empty if it is
}

// Tap is the layer that shows every answer, as it came over the wire, to see. The body is read whole before see is
// called, which may happen for several answers at the same time; see must not change it.
func Tap(see func(*http.Request, Answer)) Layer {
	return Layer{
		name:  "Tap",
		place: placeRecord,
		wrap: func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) {
				resp, err := next.RoundTrip(r)
				if err != nil {
					return nil, err
				}
				return tapped(resp, r, see)
			})
		},
	}
}

// tapped reads the body, shows it, and puts it back.
func tapped(resp *http.Response, r *http.Request, see func(*http.Request, Answer)) (*http.Response, error) {
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	see(r, Answer{Status: resp.StatusCode, Proto: resp.Proto, Header: resp.Header.Clone(), Body: body,
		Cut: resp.Header.Get(CutHeader)})
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}
