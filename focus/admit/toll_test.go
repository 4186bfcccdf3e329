package admit

import (
	"net/http"
	"strings"
	"testing"
)

func TestTolls(t *testing.T) {
	for _, c := range []struct {
		status int
		header string
		want   Refused
	}{
		{402, "Crawler-Price: USD 0.01", "paid: USD 0.01"},
		{402, "Crawler-Exact-Price: USD 2", "paid: USD 2"},
		{402, "X: y", ""},
		{200, "Crawler-Price: USD 0.01", ""},
		{401, `Www-Authenticate: License error="invalid_request"`, `licence: License error="invalid_request"`},
		{401, "Www-Authenticate: Basic realm=x", ""},
		{403, "Www-Authenticate: License", ""},
	} {
		name, value, _ := strings.Cut(c.header, ": ")
		if got := Tolled(c.status, http.Header{name: {value}}); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.status, c.header, got, c.want)
		}
	}
}
