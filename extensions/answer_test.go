package extensions

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// roundTripper is a function as a transport.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answer is a transport that always answers the same.
func answer(status int, header http.Header, body string) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		if header == nil {
			header = http.Header{}
		}
		return &http.Response{
			StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
			Header: header.Clone(), ContentLength: int64(len(body)), Body: io.NopCloser(strings.NewReader(body)),
		}, nil
	})
}

var article = "<html>" + strings.Repeat("<p>All work and no play. 只工作不玩耍。</p>\n", 400) + "</html>"

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}
