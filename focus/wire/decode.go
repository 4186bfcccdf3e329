package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// DecodeConfig tunes Decode; the zero value is the default.
type DecodeConfig struct {
	MaxBytes int64 // of a body after decoding; 0 means 16 MiB
	// MaxRatio is how many bytes decoding may make out of one, once it has made a MiB: a short page of one repeated line is
	// no bomb. 0 means 200; web pages seldom reach 30.
	MaxRatio int64
}

// ratioFrom is how many decoded bytes there must be before the ratio is looked at.
const ratioFrom = 1 << 20

// maxCodings is how many encodings of one body are undone. Nobody means more than two.
const maxCodings = 3

// ErrCoding: the body is coded in a way that Decode does not undo, or too often. Nobody behind it gets to see such bytes:
// whoever tried his own hand at them (Colly does, without a bound) would be at the mercy of whoever sent them.
var ErrCoding = errors.New("unknown content coding")

// accepts is what the layer can decode, and asks for.
const accepts = "gzip, br, zstd, deflate"

// Decode is the layer that asks for compressed bodies and decodes gzip, brotli, zstd and deflate, one or several on
// top of each other, and files that are gzip themselves (.xml.gz). Decoded size and ratio are bounded; a body that
// goes beyond them, ends early or is damaged is kept as far as it can be read, and flagged in CutHeader. A body that
// is not what Content-Encoding says is handed over as it is.
func Decode(o DecodeConfig) Layer {
	d := &DecodeConfig{MaxBytes: setting("DecodeConfig.MaxBytes", o.MaxBytes, 16<<20), MaxRatio: setting("DecodeConfig.MaxRatio", o.MaxRatio, 200)}
	return Layer{
		name:  "Decode",
		place: AtDecode,
		wrap:  trips(d.roundTrip),
	}
}

func (d *DecodeConfig) roundTrip(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	if r.Header.Get("Accept-Encoding") == "" && r.Header.Get("Range") == "" {
		header := r.Header.Clone()
		if header == nil {
			header = http.Header{}
		}
		header.Set("Accept-Encoding", accepts)
		r = r.WithContext(r.Context())
		r.Header = header
	}
	resp, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	codings, err := codingsOf(resp, r)
	if err != nil {
		if resp.Body != nil {
			resp.Body.Close()
		}
		return nil, err
	}
	resp.Header.Del("Content-Encoding")
	resp.Uncompressed = true // Colly gunzips whatever looks like gzip to it, unless it is told that this was done
	if len(codings) == 0 || resp.Body == nil {
		return resp, nil
	}
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
	if r.Method != http.MethodHead {
		resp.Body = d.decoded(resp.Body, codings, resp.Header)
	}
	return resp, nil
}

// codingsOf lists what was done to the body, the last thing first.
func codingsOf(resp *http.Response, r *http.Request) (codings []string, err error) {
	for _, line := range resp.Header.Values("Content-Encoding") {
		for name := range strings.SplitSeq(line, ",") {
			switch name = strings.ToLower(strings.TrimSpace(name)); name {
			case "gzip", "x-gzip":
				codings = append(codings, "gzip")
			case "br", "zstd", "deflate":
				codings = append(codings, name)
			default:
				if !isNoCoding(name) {
					return nil, fmt.Errorf("Content-Encoding %.40q: %w", name, ErrCoding)
				}
			}
			if len(codings) > maxCodings {
				return nil, fmt.Errorf("more than %d codings of one body: %w", maxCodings, ErrCoding)
			}
		}
	}
	if resp.Uncompressed {
		codings = nil
	}
	if isGzipFile(resp, r) {
		codings = append([]string{"gzip"}, codings...)
	}
	slices.Reverse(codings)
	return codings, nil
}

// isNoCoding tells what servers write into Content-Encoding where nothing was done to the body: that nothing was, or its
// charset, or how mail would carry it.
func isNoCoding(name string) bool {
	switch name {
	case "", "identity", "none", "plain", "text", "binary", "7bit", "8bit", "utf-8", "utf8", "iso-8859-1", "windows-1252", "gbk", "gb2312", "gb18030", "big5":
		return true
	}
	return false
}

// isGzipFile tells whether what was asked for is a gzip file by itself, as Colly tells it.
func isGzipFile(resp *http.Response, r *http.Request) bool {
	if resp.Request != nil {
		r = resp.Request
	}
	return strings.HasSuffix(strings.ToLower(r.URL.Path), ".xml.gz") ||
		strings.Contains(strings.ToLower(resp.Header.Get("Content-Type")), "gzip")
}

// decoded is the body with its codings undone, within bounds.
func (d *DecodeConfig) decoded(body io.ReadCloser, codings []string, header http.Header) io.ReadCloser {
	counted := &counting{reader: body}
	u := &undone{body: body, header: header, wire: counted, ratio: d.MaxRatio}
	u.reader = counted
	for i, name := range codings {
		if i > 0 { // what is undone on the way is bounded like the end: a bomb inside a bomb may come to nothing, after hours
			u.reader = &capped{ReadCloser: io.NopCloser(u.reader), left: d.MaxBytes, header: header, why: CutDecoded}
		}
		c := &coding{name: name, below: bufio.NewReaderSize(u.reader, 4096)}
		u.reader, u.codings = c, append(u.codings, c)
	}
	return &capped{ReadCloser: u, left: d.MaxBytes, header: header, why: CutDecoded}
}

// counting counts the bytes that come through, and remembers what ended them.
type counting struct {
	reader io.Reader
	n      int64
	err    error // of the wire; nil at its proper end
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.reader.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// undone is a body with all codings undone: it minds the ratio and flags what breaks off.
type undone struct {
	body    io.ReadCloser
	reader  io.Reader
	codings []*coding
	header  http.Header
	wire    *counting
	made    int64
	ratio   int64
	over    bool
}

func (u *undone) Read(p []byte) (int, error) {
	if u.over {
		return 0, io.EOF
	}
	n, err := u.reader.Read(p)
	u.made += int64(n)
	switch {
	case u.made > ratioFrom && u.made/u.ratio > u.wire.n:
		flag(u.header, CutRatio)
		u.over = true
		err = io.EOF
	case err != nil && err != io.EOF:
		err = u.broken(err)
	}
	return n, err
}

// broken decides about an error: one of the wire is passed on when nothing was decoded; anything else ends the body.
func (u *undone) broken(err error) error {
	u.over = true
	wire := u.wire.err
	switch {
	case wire != nil && u.made == 0:
		return wire
	case wire != nil:
		flag(u.header, CutBy(wire))
	case errors.Is(err, io.ErrUnexpectedEOF):
		flag(u.header, CutShort)
	default:
		flag(u.header, CutDamaged)
	}
	return io.EOF
}

// Close gives the decoders back and closes the wire.
func (u *undone) Close() error {
	for _, c := range u.codings {
		c.release()
	}
	u.codings, u.over = nil, true
	return u.body.Close()
}
