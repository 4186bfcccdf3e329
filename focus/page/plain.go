package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The media types that are read as pages beside HTML.
const (
	PlainType = "text/plain"
	PDFType   = "application/pdf"
)

// Arrived tells of the status of an answer that what was asked for has come: what the crawl keeps, and whoever reads an archive of it
// takes for a page. Every success is one, such as a page by way of a proxy that has changed it (203).
func Arrived(status int) bool { return 200 <= status && status < 300 }

// Later tells of the status of an answer that it may be another one when it is asked for again: the host is busy or away, or took too long.
func Later(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout, overloaded:
		return true
	}
	return unknownFailure <= status && status <= originTimeout
}

// What has no name in package http: Cloudflare's words for a host behind it that is down, out of reach, too slow, or answers what is no
// HTTP, and what hosters say of a machine that has too much to do.
const (
	unknownFailure = 520
	originTimeout  = 524
	overloaded     = 529
)

// Reads tells of an answer that is no HTML whether it is read as a page all the same.
func (o *Options) Reads(media string, body []byte) bool {
	return o.Plain && media == PlainType && IsPlain(body) || o.PDF != nil && media == PDFType
}

// HTML is what an answer of a media type says as HTML in UTF-8: HTML is so itself, and XHTML nearly so. It says why a PDF cannot be read.
func (o *Options) HTML(ctx context.Context, media string, body []byte) ([]byte, error) {
	switch {
	case media == PDFType && o.PDF == nil:
		return nil, errors.New("PDF is not read")
	case media == PDFType:
		html, err := o.PDF(ctx, body)
		if err != nil {
			return nil, fmt.Errorf("PDF: %w", err)
		}
		return html, nil
	case media == PlainType:
		if most := o.withDefaults().MaxText; len(body) > most && !markup(body) { // what is behind would be cut off anyway
			body = body[:most]
		}
		return Markup(body), nil
	case media == XHTMLType:
		return fromXML(body), nil
	}
	return body, nil
}

// Read reads a page of a media type. Plain text becomes paragraphs, below the line that heads them, and has no links.
func Read(media string, body []byte, address string, o Options) (*Page, error) {
	html, err := o.HTML(context.Background(), media, body)
	if err != nil {
		return nil, err
	}
	return Parse(html, address, o), nil
}

// markup tells of a text that begins as a page in HTML does.
func markup(body []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), 256)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html")) || bytes.HasPrefix(head, []byte("<head"))
}

// IsPlain tells whether bytes that are called plain text are a text: others hold what no text does.
func IsPlain(body []byte) bool {
	odd := 0
	for _, c := range body[:min(len(body), 16<<10)] {
		switch {
		case c == 0:
			return false
		case c < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b", rune(c)):
			odd++
		}
	}
	return odd <= len(body)/100
}

const (
	longestHeading = 100 // letters of a line that is taken for a heading
	fullLine       = 120 // letters of a line that is a paragraph by itself
)

// Markup is plain text as HTML, and HTML that calls itself plain text as it is. A paragraph ends at an empty line, before
// a line that is set in, and behind a line so long that nobody has broken it.
func Markup(body []byte) []byte {
	if markup(body) {
		return body
	}
	var b strings.Builder
	b.Grow(len(body) + len(body)/8)
	var paragraph []string
	var headed bool
	end := func(blank bool) {
		text := joined(paragraph)
		alone := len(paragraph) == 1 && blank
		paragraph = paragraph[:0]
		switch {
		case text == "":
			return
		case !headed && alone && utf8.RuneCountInString(text) <= longestHeading && !strings.ContainsRune("。．.！!？?；;，,：:", lastOf(text)):
			text = html.EscapeString(text)
			b.WriteString("<title>" + text + "</title><body><article><h1>" + text + "</h1>\n")
		case !headed:
			b.WriteString("<body><article><p>" + html.EscapeString(text) + "</p>\n")
		default:
			b.WriteString("<p>" + html.EscapeString(text) + "</p>\n")
		}
		headed = true
	}
	for line := range strings.Lines(strings.ReplaceAll(string(body), "\r\n", "\n")) {
		text := strings.TrimSpace(line)
		first, _ := utf8.DecodeRuneInString(line)
		if text == "" {
			end(true)
			continue
		}
		if unicode.IsSpace(first) {
			end(!headed) // a heading may stand right above
		}
		paragraph = append(paragraph, text)
		if utf8.RuneCountInString(text) >= fullLine {
			end(false)
		}
	}
	end(true)
	return []byte(b.String())
}

func lastOf(text string) rune {
	last, _ := utf8.DecodeLastRuneInString(text)
	return last
}

// joined is a paragraph in one line. Where a line ends in a sign of Chinese or Japanese and the next begins with one, no space was
// meant.
func joined(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			next, _ := utf8.DecodeRuneInString(line)
			if !unbroken(lastOf(lines[i-1])) || !unbroken(next) {
				b.WriteByte(' ')
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// unbroken tells of a letter, or a mark, of a script that puts no spaces between words.
func unbroken(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || '\u3000' <= r && r <= '\u303f' || '\uff00' <= r && r <= '\uffef'
}
