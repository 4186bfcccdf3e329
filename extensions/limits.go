package extensions

import (
	"context"
	"io"
	"net/http"
	"time"
)

type limits struct {
	header    int64
	body      int64
	connect   time.Duration
	firstByte time.Duration
	whole     time.Duration
}

// MaxHeader is how many bytes the header of a response may have (Limits). Default 256 KiB.
func MaxHeader(bytes int64) Option {
	want(bytes > 0, "MaxHeader", bytes, "a number above 0")
	return option("MaxHeader", func(l *limits) { l.header = bytes })
}

// MaxBody is how many bytes of a body are taken from the wire (Limits). Default 10 MiB, as Colly's MaxBodySize; but
// Colly cuts without a word.
func MaxBody(bytes int64) Option {
	want(bytes > 0, "MaxBody", bytes, "a number above 0")
	return option("MaxBody", func(l *limits) { l.body = bytes })
}

// ConnectWithin is the time to connect to one address, and again for TLS (Limits). Default 10 s.
func ConnectWithin(d time.Duration) Option {
	wantTime("ConnectWithin", d)
	return option("ConnectWithin", func(l *limits) { l.connect = d })
}

// AnswerWithin is the time from a request sent to the end of the response's header (Limits). Default 20 s.
func AnswerWithin(d time.Duration) Option {
	wantTime("AnswerWithin", d)
	return option("AnswerWithin", func(l *limits) { l.firstByte = d })
}

// WholeWithin is the time of a whole request, from its start to the last byte of the body (Limits). Default 60 s.
func WholeWithin(d time.Duration) Option {
	wantTime("WholeWithin", d)
	return option("WholeWithin", func(l *limits) { l.whole = d })
}

// Limits is the layer that bounds the wire: the size of header and body, the time to connect, to the first byte and
// for the whole. A body that is too large, too slow or broken off is kept as far as it came, and flagged in CutHeader;
// without a single byte of it the request fails.
func Limits(o ...Option) Layer {
	l := &limits{header: 256 << 10, body: 10 << 20, connect: 10 * time.Second, firstByte: 20 * time.Second, whole: time.Minute}
	tune("Limits", l, o)
	return Layer{
		name:  "Limits",
		place: placeLimits,
		ground: func(g *ground) {
			g.connect, g.firstByte, g.header = l.connect, l.firstByte, l.header
		},
		wrap: func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) { return l.roundTrip(next, r) })
		},
	}
}

func (l *limits) roundTrip(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), l.whole)
	resp, err := next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	if resp.Body == nil {
		cancel()
		return resp, nil
	}
	body := &capped{body: resp.Body, left: l.body, header: resp.Header, why: CutSize}
	resp.Body = &ending{ReadCloser: &kept{body: body, request: r.Context(), header: resp.Header}, end: cancel}
	return resp, nil
}

// ending is a body that tells, once, that it was closed.
type ending struct {
	io.ReadCloser
	end func()
}

func (e *ending) Close() error {
	err := e.ReadCloser.Close()
	if e.end != nil {
		e.end()
		e.end = nil
	}
	return err
}
