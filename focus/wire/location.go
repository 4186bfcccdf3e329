package wire

import (
	"net/http"
	"net/url"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Follow makes it possible to follow where an answer from an address sends us, if net/http could not read it, and would lose the whole
// answer: a path with a bare percent sign.
func Follow(resp *http.Response, from string) {
	written := resp.Header.Get("Location")
	if _, err := url.Parse(written); err == nil {
		return
	}
	if to := page.Location(from, written); to != "" {
		resp.Header.Set("Location", to)
	}
}
