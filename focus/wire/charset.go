package wire

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// CharsetHeader is the response header that names the charset a body was in before Charset made it UTF-8.
const CharsetHeader = "X-Thresher-Charset"

// Charset is the layer that turns text of any charset into UTF-8 before a callback sees it: what the bytes themselves
// say counts first, then the header, then <meta charset>, then a detector. Content-Type is rewritten to charset=utf-8,
// so that Colly leaves the body alone; the charset it was in stands in CharsetHeader. A response without Content-Type
// gets the one its first bytes tell, since Colly looks for links only in what is called HTML; and one that begins as a PDF
// does is called so, whatever the server has. Pictures, archives and the like pass untouched.
func Charset() Layer {
	return Layer{
		name:  "Charset",
		place: AtCharset,
		wrap: trips(func(next http.RoundTripper, r *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(r)
			if err == nil && r.Method != http.MethodHead && resp.Body != nil {
				recode(resp)
			}
			return resp, err
		}),
	}
}

// recode puts the conversion in front of a body that is text, or may be, or may be a PDF.
func recode(resp *http.Response) {
	declared := resp.Header.Get("Content-Type")
	text := saysNothing(declared) || isText(declared)
	if !text && !mayBePDF(declared) {
		return
	}
	if resp.Header.Get("Content-Encoding") != "" && !resp.Uncompressed {
		return // still encoded: these bytes are not text yet
	}
	resp.Body = &recoded{body: resp.Body, header: resp.Header, declared: declared}
	if text {
		resp.Header.Del("Content-Length")
		resp.ContentLength = -1
	}
}

// kindOf is a content type without its parameters.
func kindOf(contentType string) string {
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	return strings.TrimSpace(kind)
}

// saysNothing tells of a content type that it is none, or a word for not knowing: browsers look at the bytes then.
func saysNothing(contentType string) bool {
	switch kind := kindOf(contentType); kind {
	case "", "html", "htm", "xhtml", "text", "unknown", "*/*", "unknown/unknown", "application/unknown":
		return true
	default:
		return strings.HasPrefix(kind, "charset=")
	}
}

// told is what bytes are of which the content type says nothing. What begins with any tag is a page, as it is where the type means one.
func told(raw []byte, contentType string) string {
	kind := http.DetectContentType(raw)
	if start := bytes.TrimSpace(raw); kindOf(kind) == "text/plain" && (strings.Contains(kindOf(contentType), "htm") ||
		len(start) > 1 && start[0] == '<' && (start[1] == '!' || 'a' <= start[1]|0x20 && start[1]|0x20 <= 'z')) {
		return "text/html"
	}
	return kind
}

// mayBePDF tells whether servers give a content type to files of which they know nothing, or to PDF.
func mayBePDF(contentType string) bool {
	switch kindOf(contentType) {
	case "application/octet-stream", "application/x-octet-stream", "binary/octet-stream", "application/force-download", "application/x-force-download",
		"application/download", "application/x-download", "application/x-pdf", "application/acrobat", "application/vnd.pdf", "pdf":
		return true
	}
	return false
}

const typePDF = "application/pdf"

// isPDF tells whether a body begins as a PDF does.
func isPDF(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(body[:min(len(body), 64)], " \t\r\n\ufeff"), []byte("%PDF-"))
}

// isText tells whether a content type is one of text.
func isText(contentType string) bool {
	kind := kindOf(contentType)
	if strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+xml") && !strings.HasPrefix(kind, "image/") || strings.HasSuffix(kind, "+json") {
		return true
	}
	switch kind {
	case "application/xml", "application/json", "application/javascript", "application/x-javascript", "application/ecmascript":
		return true
	}
	return false
}

// recoded is a body that is read whole and made UTF-8 when its first byte is asked for: a callback that looks at the
// header alone costs no download.
type recoded struct {
	body     io.ReadCloser
	raw      *bytes.Buffer // from the pool, until Close
	header   http.Header
	declared string
	utf8     *bytes.Reader
	err      error // what ended the body, io.EOF at its proper end
}

func (b *recoded) Read(p []byte) (int, error) {
	if b.utf8 == nil {
		b.convert()
	}
	n, err := b.utf8.Read(p)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}

// raws are buffers for bodies before they are recoded. What is read from a body is a copy of them.
var raws = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// mostPooled is how large a buffer is kept: a few long bodies must not hold memory for ever.
const mostPooled = 1 << 20

func (b *recoded) convert() {
	raw, err := b.gather()
	b.err = err
	if err == nil {
		b.err = io.EOF
	}
	kind := b.declared
	switch {
	case isPDF(raw):
		kind = typePDF
		b.header.Set("Content-Type", kind)
	case saysNothing(kind) && len(raw) > 0:
		kind = told(raw, b.declared)
		b.header.Set("Content-Type", kind)
	}
	if len(raw) == 0 || !isText(kind) {
		b.utf8 = bytes.NewReader(raw)
		return
	}
	clean, name := raw, "utf-8"
	if !isPlainUTF8(raw, b.declared) {
		clean, name = charset.Decode(raw, b.declared)
	}
	b.utf8 = bytes.NewReader(clean)
	b.header.Set("Content-Type", inUTF8(kind))
	if name != "" {
		b.header.Set(CharsetHeader, name)
	}
}

// gather reads the body: the beginning, which most often is all of it, into what is kept for the next one.
func (b *recoded) gather() ([]byte, error) {
	b.raw = raws.Get().(*bytes.Buffer)
	b.raw.Reset()
	if n, err := b.raw.ReadFrom(io.LimitReader(b.body, mostPooled)); err != nil || n < mostPooled {
		return b.raw.Bytes(), err
	}
	long := pile{parts: [][]byte{b.raw.Bytes()}, lent: true}
	_, err := long.ReadFrom(b.body)
	return long.Bytes(), err
}

// isPlainUTF8 tells, at a glance, that header and bytes agree on UTF-8: most pages. No byte order mark, no NUL, and no
// escape of the seven-bit charsets may be in it.
func isPlainUTF8(body []byte, declared string) bool {
	_, params, _ := strings.Cut(strings.ToLower(declared), ";")
	return strings.TrimSpace(params) == "charset=utf-8" && !bytes.HasPrefix(body, []byte("\ufeff")) &&
		bytes.IndexByte(body, 0) < 0 && bytes.IndexByte(body, 0x1b) < 0 && utf8.Valid(body)
}

func (b *recoded) Close() error {
	if b.raw != nil {
		if b.raw.Cap() <= mostPooled {
			pack.Spoil(b.raw.Bytes())
			raws.Put(b.raw)
		}
		b.raw, b.utf8, b.err = nil, bytes.NewReader(nil), http.ErrBodyReadAfterClose
	}
	return b.body.Close()
}

// inUTF8 is a content type with its charset rewritten.
func inUTF8(contentType string) string {
	const usual = "text/html; charset=utf-8"
	if contentType == usual {
		return usual
	}
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind, _, _ = strings.Cut(contentType, ";")
		params = nil
	}
	if params == nil {
		params = map[string]string{}
	}
	params["charset"] = "utf-8"
	if s := mime.FormatMediaType(strings.TrimSpace(kind), params); s != "" {
		return s
	}
	return "text/plain; charset=utf-8"
}
