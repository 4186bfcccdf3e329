package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// Response splits a response record's block into status, header and body, with transfer and content encodings undone.
// It is as patient as old servers need: field lines without a colon are passed over, and a body that claims an
// encoding but is not in it is taken as it stands, because many recorders undo encodings and leave the header. Of one that ends early or
// is damaged there is what comes before that, as for whoever fetched it.
// A resource record is a response of status 200 that never saw HTTP, and so is a conversion.
func (r *Record) Response() (*http.Response, []byte, error) {
	if r.Type == "resource" || r.Type == "conversion" {
		h := http.Header{"Content-Type": {r.Header.Get("Content-Type")}}
		return answer(http.StatusOK, "200 OK", "HTTP/1.1", h, r.Body), r.Body, nil
	}
	head, body := splitHead(r.Body)
	lines := strings.Split(head, "\n")
	proto, rest, _ := strings.Cut(strings.TrimSpace(lines[0]), " ")
	rest = strings.TrimSpace(rest)
	code, err := strconv.Atoi(strings.SplitN(rest, " ", 2)[0])
	if err != nil || !strings.HasPrefix(proto, "HTTP/") || code < 100 || code > 999 {
		return nil, nil, fmt.Errorf("response of %q at byte %d: its status line is %.40q, want HTTP/1.1 200 OK", r.Target, r.Offset, lines[0])
	}
	h := fields(lines[1:])
	body, err = decode(h, body, MaxRecord)
	if err != nil {
		return nil, nil, fmt.Errorf("response of %q at byte %d: %w", r.Target, r.Offset, err)
	}
	return answer(code, rest, proto, h, body), body, nil
}

func answer(code int, status, proto string, h http.Header, body []byte) *http.Response {
	major, minor, ok := http.ParseHTTPVersion(proto)
	if !ok { // HTTP/2 and HTTP/3 as some recorders write them
		proto, major, minor = "HTTP/1.1", 1, 1
	}
	return &http.Response{
		Status: status, StatusCode: code, Proto: proto, ProtoMajor: major, ProtoMinor: minor, Header: h,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}
}

// IsPage tells whether a record is an answer that somebody had, or a page that was made of one: a page whose scripts were run. Other
// conversions, such as the plain text of pages, are not.
func (r *Record) IsPage() bool {
	return r.Type == "response" || r.Type == "resource" || r.Type == "conversion" && strings.HasPrefix(r.Header.Get("Content-Type"), "text/html")
}

// splitHead parts an HTTP message at its first empty line.
func splitHead(block []byte) (head string, body []byte) {
	for i := 0; i < len(block); {
		end := bytes.IndexByte(block[i:], '\n')
		if end < 0 {
			break
		}
		line := block[i : i+end]
		if len(line) == 0 || len(line) == 1 && line[0] == '\r' {
			return string(block[:i]), block[i+end+1:]
		}
		i += end + 1
	}
	return string(block), nil
}

func fields(lines []string) http.Header {
	h := http.Header{}
	for _, line := range lines {
		name, value, ok := strings.Cut(strings.TrimRight(line, "\r"), ":")
		if name = strings.TrimSpace(name); ok && name != "" && !strings.ContainsAny(name, " \t") {
			name = textproto.CanonicalMIMEHeaderKey(name)
			h[name] = append(h[name], strings.TrimSpace(value))
		}
	}
	return h
}

// decode undoes the encodings that a header claims, and takes the claims out of it. A body that unpacks to more than
// limit bytes is an error: there are pages of a few bytes that unpack to gigabytes.
func decode(h http.Header, body []byte, limit int64) ([]byte, error) {
	if strings.EqualFold(h.Get("Transfer-Encoding"), "chunked") {
		plain, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(body)))
		ends := len(plain) > 0 && errors.Is(err, io.ErrUnexpectedEOF) && body[bytes.IndexByte(body, '\n')-1] == '\r'
		if err == nil || ends { // other errors are of a text that begins with a number on a line
			body = plain
		}
	}
	h.Del("Transfer-Encoding")
	codings := strings.Split(strings.Join(h.Values("Content-Encoding"), ","), ",")
	for i := len(codings) - 1; i >= 0; i-- { // the last one was put on last
		plain, err := unpack(strings.ToLower(strings.TrimSpace(codings[i])), body, limit)
		if errors.Is(err, errTooLong) {
			return nil, fmt.Errorf("its body unpacks to more than %d bytes", limit)
		}
		if err == nil {
			body = plain
		}
	}
	h.Del("Content-Encoding")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	return body, nil
}

var errTooLong = errors.New("too long")

func unpack(coding string, body []byte, limit int64) ([]byte, error) {
	in := bytes.NewReader(body)
	var r io.Reader
	var err error
	switch coding {
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(in)
	case "deflate": // zlib by the book, bare in practice
		if r, err = zlib.NewReader(in); err != nil {
			r, err = flate.NewReader(bytes.NewReader(body)), nil
		}
	case "br":
		r = brotli.NewReader(in)
	case "zstd":
		var z *zstd.Decoder
		if z, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxRecord)); err == nil {
			defer z.Close()
			r = z
		}
	default:
		return body, nil
	}
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case int64(len(plain)) > limit:
		return nil, errTooLong
	case err != nil && (len(plain) == 0 || isText(body)):
		return nil, err
	}
	return plain, nil
}

// isText tells of a body that it is no packed one: not every coding has a mark that it begins with, and some texts can be read as the
// beginning of one.
func isText(body []byte) bool {
	return !bytes.ContainsFunc(body[:min(len(body), 512)], func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\f\r\x1b", r) })
}
