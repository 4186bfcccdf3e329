package admit

import (
	"cmp"
	"net/http"
	"strings"
)

// Tolled is the refusal of a host that wants something for its pages: money, which it names in an answer of 402, or a licence, which
// it asks for in one of 401 (RSL's Open License Protocol). It is empty for every other answer.
func Tolled(status int, header http.Header) Refused {
	switch status {
	case http.StatusPaymentRequired:
		if price := cmp.Or(header.Get("Crawler-Price"), header.Get("Crawler-Exact-Price")); price != "" {
			return Refuse(RefusedPaid, price)
		}
	case http.StatusUnauthorized:
		for _, challenge := range header.Values("Www-Authenticate") {
			if scheme, _, _ := strings.Cut(strings.TrimSpace(challenge), " "); strings.EqualFold(scheme, "License") {
				return Refuse(RefusedLicence, challenge)
			}
		}
	}
	return ""
}
