package text

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// Decode turns a body into UTF-8 and names the charset it was in. contentType is the header, which may be empty or
// wrong. The answer may share memory with body.
func Decode(body []byte, contentType string) (utf8Body []byte, name string) {
	if utf8.Valid(body) {
		return body, "utf-8"
	}
	e, name, _ := charset.DetermineEncoding(body, contentType)
	out, err := e.NewDecoder().Bytes(body)
	if err != nil {
		return bytes.ToValidUTF8(body, []byte("\uFFFD")), "utf-8"
	}
	return out, name
}
