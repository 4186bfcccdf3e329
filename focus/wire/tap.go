package wire

import (
	"io"
	"net/http"
)

// Answer is what came over the wire for one request.
type Answer struct {
	Status int
	Proto  string
	Header http.Header // as it was sent; a private header such as CutHeader is not among them
	Body   []byte      // as it was sent, its Content-Encoding still on; chunking is undone
	Cut    string      // why the body is not whole; empty if it is
}

// Tap is the layer that hands every answer to a function, with the request as it went out: what a recording is made
// of. It is called when the body is closed, which in a Colly program is before OnResponse, possibly from many
// goroutines at once. Requests without an answer are not heard of.
func Tap(hear func(*http.Request, Answer)) Layer {
	return NewLayer("Tap", AtRecord, func(next http.RoundTripper) http.RoundTripper { return Tapped(next, hear) })
}

// Tapped is a transport with a Tap: for layers of one's own that record.
func Tapped(next http.RoundTripper, hear func(*http.Request, Answer)) http.RoundTripper {
	return caught(next, func(r *http.Request, a Answer, body func(have []byte) []byte) {
		a.Body = body(nil)
		hear(r, a)
	})
}

// Catch is Tap for whoever may come to have the bytes otherwise. The answer has no body: body answers have if that is what was sent,
// or if nothing was, and gives up what it held; else the body in memory of its own. Asked again, it answers the same.
func Catch(hear func(r *http.Request, a Answer, body func(have []byte) []byte)) Layer {
	return NewLayer("Tap", AtRecord, func(next http.RoundTripper) http.RoundTripper { return caught(next, hear) })
}

func caught(next http.RoundTripper, hear func(*http.Request, Answer, func([]byte) []byte)) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(r)
		if err != nil || resp.Body == nil {
			return resp, err
		}
		a := Answer{Status: resp.StatusCode, Proto: resp.Proto, Header: resp.Header.Clone()}
		t := &tapped{ReadCloser: resp.Body, seen: new(pile)} // who asks for the bytes later holds no body
		t.seen.expect(resp.ContentLength)
		t.done = func() {
			a.Cut = resp.Header.Get(CutHeader)
			hear(r, a, t.seen.orElse)
		}
		resp.Body = t
		return resp, nil
	})
}

// tapped is a body that keeps what is read of it.
type tapped struct {
	io.ReadCloser
	seen *pile
	done func()
}

func (t *tapped) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.seen.Write(p[:n])
	return n, err
}

func (t *tapped) Close() error {
	err := t.ReadCloser.Close()
	if t.done != nil {
		t.done()
		t.done = nil
	}
	return err
}
