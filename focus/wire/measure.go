package wire

import (
	"io"
	"net/http"
	"time"
)

// MeasureConfig says who hears what Measure finds; nil is nobody. Both are called by many goroutines at once.
type MeasureConfig struct {
	Took  func(time.Duration) // from the request to the last byte of its answer
	Bytes func(int)           // of bodies, as they come over the wire
}

// Measure is the layer that measures requests: how long they take, and how many bytes come over the wire.
func Measure(o MeasureConfig) Layer {
	l := Layer{name: "Measure", place: AtMeasure}
	if o.Took != nil {
		l.wrap = trips(func(next http.RoundTripper, r *http.Request) (*http.Response, error) {
			begin := time.Now()
			resp, err := next.RoundTrip(r)
			if err != nil || resp.Body == nil {
				return resp, err
			}
			resp.Body = &ending{resp.Body, func() { o.Took(time.Since(begin)) }}
			return resp, nil
		})
	}
	if o.Bytes != nil {
		l.ground = func(g *ground) { g.count = o.Bytes }
	}
	return l
}

// wired counts the bytes of a body as it comes over the wire.
type wired struct {
	io.ReadCloser
	count func(int)
}

func (w *wired) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.count(n)
	return n, err
}
