package wire

import (
	"mime"
	"net/http"
)

// MediaType is the media type that an answer declares, without its parameters; empty if it declares none.
func MediaType(h http.Header) string {
	t, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return t
}

// IsPage tells whether a media type is one that package page reads. Nothing declared is taken for a page.
func IsPage(media string) bool {
	return media == "" || media == "text/html" || media == "application/xhtml+xml"
}
