package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
)

// CutHeader is the response header that says why a body is not whole. It is set while the body is read, so it stands
// in OnResponse and not yet in OnResponseHeaders.
const CutHeader = "X-Thresher-Cut"

// Why a body was cut.
const (
	CutSize    = "size"    // more bytes on the wire than allowed
	CutDecoded = "decoded" // more bytes after decoding than allowed
	CutRatio   = "ratio"   // decoding made far more bytes of far too few
	CutTime    = "time"    // the time for the whole request was over
	CutShort   = "short"   // the server ended it before its end, or broke the connection
	CutDamaged = "damaged" // from some byte on it is not what its encoding says
)

// TooLong tells that a body is not whole because it is longer than was allowed.
func TooLong(h http.Header) bool {
	why := h.Get(CutHeader)
	return why == CutSize || why == CutDecoded
}

// RenderedHeader is the response header that says which service made the body: one that runs the scripts of pages.
const RenderedHeader = "X-Thresher-Rendered"

// Rendered is a body, if a service made it; nil if it is the host's own.
func Rendered(h http.Header, body []byte) []byte {
	if h.Get(RenderedHeader) == "" {
		return nil
	}
	return body
}

// flag notes why a body was cut. The first reason stays.
func flag(h http.Header, why string) {
	if h.Get(CutHeader) == "" {
		h.Set(CutHeader, why)
	}
}

// capped is a body of at most left bytes. It looks one byte beyond the last one in the same Read that hands it over,
// so that a reader with the same limit sees the flag too.
type capped struct {
	io.ReadCloser
	left   int64
	header http.Header
	why    string
	err    error // what the end is, once it is known
}

func (c *capped) Read(p []byte) (int, error) {
	if c.err != nil || len(p) == 0 {
		return 0, c.err
	}
	n, err := c.ReadCloser.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	if err == nil && c.left == 0 {
		err = c.beyond()
	}
	c.err = err
	return n, err
}

// beyond tells whether the body ends where the limit is.
func (c *capped) beyond() error {
	var one [1]byte
	n, err := io.ReadFull(c.ReadCloser, one[:])
	if n > 0 {
		flag(c.header, c.why)
		return io.EOF
	}
	return err
}

// kept is a body whose failure ends it instead of losing it: what arrived is kept and flagged. A body of which
// nothing arrived fails, and so does everything when the caller gave up.
type kept struct {
	io.ReadCloser
	request context.Context // the caller's
	header  http.Header
	any     bool
}

func (k *kept) Read(p []byte) (int, error) {
	n, err := k.ReadCloser.Read(p)
	k.any = k.any || n > 0
	if err == nil || err == io.EOF || !k.any || k.request.Err() != nil {
		return n, err
	}
	flag(k.header, CutBy(err))
	return n, io.EOF
}

// CutBy is how an error of the wire cuts a body: CutTime or CutShort.
func CutBy(err error) string {
	var t net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &t) && t.Timeout() {
		return CutTime
	}
	return CutShort
}
