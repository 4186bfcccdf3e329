package ledger

import (
	"hash/fnv"
	"net/url"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// collyURL reads addresses as Colly does.
var collyURL = whatwg.NewParser(whatwg.WithPercentEncodeSinglePercentSign())

// Request is the number under which Colly asks its storage for a GET of an address.
func Request(address string) (uint64, bool) {
	parsed, err := collyURL.Parse(address)
	if err != nil {
		return 0, false
	}
	u, err := url.Parse(parsed.Href(false))
	if err != nil {
		return 0, false
	}
	return RequestOf(u)
}

// RequestOf is Request of an address as Colly's requests have it.
func RequestOf(u *url.URL) (uint64, bool) {
	parsed, err := collyURL.Parse(u.String())
	if err != nil {
		return 0, false
	}
	h := fnv.New64a()
	h.Write([]byte(parsed.String()))
	return h.Sum64(), true
}
