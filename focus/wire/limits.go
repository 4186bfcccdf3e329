package wire

import (
	"context"
	"io"
	"net/http"
	"time"
)

// LimitsConfig tunes Limits; the zero value is the default.
type LimitsConfig struct {
	MaxHeader int64         // bytes of a response's header; 0 means 256 KiB
	MaxBody   int64         // bytes of a body on the wire; 0 means 10 MiB, as Colly's MaxBodySize, but Colly cuts without a word
	Connect   time.Duration // to connect to one address, and again for TLS; 0 means 10 s
	Answer    time.Duration // from a request sent to the end of the response's header; 0 means 20 s
	Whole     time.Duration // of a request, from its start to the last byte of the body; 0 means 60 s
	Idle      int           // connections to a host, or to a proxy, that are kept for what comes next; 0 means 2, as net/http
}

// Limits is the layer that bounds the wire: the size of header and body, the time to connect, to the first byte and
// for the whole. A body that is too large, too slow or broken off is kept as far as it came, and flagged in CutHeader;
// without a single byte of it the request fails.
func Limits(o LimitsConfig) Layer {
	l := &LimitsConfig{
		MaxHeader: setting("LimitsConfig.MaxHeader", o.MaxHeader, 256<<10), MaxBody: setting("LimitsConfig.MaxBody", o.MaxBody, 10<<20),
		Connect: setting("LimitsConfig.Connect", o.Connect, 10*time.Second), Answer: setting("LimitsConfig.Answer", o.Answer, 20*time.Second),
		Whole: setting("LimitsConfig.Whole", o.Whole, time.Minute), Idle: setting("LimitsConfig.Idle", o.Idle, 2),
	}
	return Layer{
		name:  "Limits",
		place: AtLimits,
		ground: func(g *ground) {
			g.connect, g.firstByte, g.header, g.idle = l.Connect, l.Answer, l.MaxHeader, l.Idle
		},
		wrap: trips(l.roundTrip),
	}
}

// roundTrip makes a request within the time for all of it, which goes on until the body is closed: the header alone is no answer, and
// a host may send the rest a byte a minute.
func (l *LimitsConfig) roundTrip(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), l.Whole)
	resp, err := next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	if resp.Body == nil {
		cancel()
		return resp, nil
	}
	body := &capped{ReadCloser: resp.Body, left: l.MaxBody, header: resp.Header, why: CutSize}
	resp.Body = &ending{ReadCloser: &kept{ReadCloser: body, request: r.Context(), header: resp.Header}, end: cancel}
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
