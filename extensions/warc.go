package extensions

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/warc"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// recording is the part of settings that extensions which write have in common.
type recording struct {
	now     func() time.Time
	mu      sync.Mutex
	tell    func(error)
	err     error // the first one; nothing is written after it
	written int
}

// failed answers the error that ended the recording.
func (r *recording) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// write runs what writes, one at a time, until it fails.
func (r *recording) write(do func() error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return
	}
	if r.err = do(); r.err != nil && r.tell != nil {
		r.tell(r.err)
	}
}

// WARCConfig tunes WARC; the zero value is the default.
type WARCConfig struct {
	OnError func(error)      // hears of it when nothing can be written any more; nil is nobody
	Now     func() time.Time // the clock; nil is the wall's
}

// WARC is the layer that writes every exchange into a WARC file: a request and a response record, the body as it came
// over the wire. A body that was cut has WARC-Truncated. When the file cannot be written any more, OnError hears of it
// and every further request fails with that reason: what is not recorded is not fetched.
func WARC(w *warc.Writer, o WARCConfig) Layer {
	r := &recording{now: clock(o.Now), tell: o.OnError}
	write := func(req *http.Request, a Answer) {
		r.write(func() error {
			r.written++
			return writeExchange(w, req, a, r.now(), r.written)
		})
	}
	return wire.NewLayer("WARC", wire.AtRecord, func(next http.RoundTripper) http.RoundTripper {
		return recorder{r, wire.Tapped(next, write)}
	})
}

// recorder fails with what ended its recording.
type recorder struct {
	recording *recording
	next      http.RoundTripper
}

func (r recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := r.recording.failed(); err != nil {
		return nil, err
	}
	return r.next.RoundTrip(req)
}

// truncations are the words of the WARC standard for what cut a body.
var truncations = map[string]string{wire.CutSize: "length", wire.CutTime: "time", wire.CutShort: "disconnect"}

// addressOf is an address without the name and the password in it: what is written down is given away.
func addressOf(u *url.URL) string {
	plain, _, _, _ := page.Login(u.String())
	return plain
}

func writeExchange(w *warc.Writer, req *http.Request, a Answer, at time.Time, number int) error {
	target := addressOf(req.URL)
	response := &warc.Record{
		Type: "response", Target: target, Date: at, Body: responseBlock(a),
		Header: http.Header{"Content-Type": {"application/http; msgtype=response"}},
	}
	if a.Cut != "" {
		word := cmp.Or(truncations[a.Cut], "unspecified")
		response.Header.Set("WARC-Truncated", word)
	}
	response.ID = warc.NewID("response", target, at.UTC().Format(time.RFC3339Nano), strconv.Itoa(number))
	request := &warc.Record{
		Type: "request", Target: target, Date: at, Body: requestBlock(req),
		Header: http.Header{"Content-Type": {"application/http; msgtype=request"}, "WARC-Concurrent-To": {response.ID}},
	}
	for _, r := range []*warc.Record{response, request} {
		if _, err := w.Write(r); err != nil {
			return fmt.Errorf("record %q: %w", target, err)
		}
	}
	return nil
}

// responseBlock is a response as HTTP/1.1 writes it.
func responseBlock(a Answer) []byte {
	var b bytes.Buffer
	b.Grow(len(a.Body) + 1024)
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", a.Status, http.StatusText(a.Status))
	header := a.Header.Clone()
	header.Del("Transfer-Encoding") // chunking was undone
	if a.Cut == "" && header.Get("Content-Length") != "" {
		header.Set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	header.Write(&b)
	b.WriteString("\r\n")
	b.Write(a.Body)
	return b.Bytes()
}

// requestBlock is a request as HTTP/1.1 writes it; what a body there was has been sent.
func requestBlock(r *http.Request) []byte {
	var b bytes.Buffer
	host := cmp.Or(r.Host, r.URL.Host)
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", r.Method, r.URL.RequestURI(), host)
	header := r.Header.Clone()
	for _, secret := range []string{"Authorization", "Proxy-Authorization", "Cookie"} {
		header.Del(secret)
	}
	header.Write(&b)
	b.WriteString("\r\n")
	return b.Bytes()
}
