package junk_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/junk"
)

// Hosts that go by the number an address ends in, whatever stands before it, would answer nonsense that ends so with a
// page that they have, and that page would be refused for their error page.
func TestNonsenseEndsInNoNumber(t *testing.T) {
	for i := range 100 {
		at := junk.Nonsense(&url.URL{Scheme: "http", Host: fmt.Sprintf("host%d.example", i), Path: "/p/1"})
		if strings.ContainsAny(at.Path, "0123456789") {
			t.Errorf("%s has a number in its path", at)
		}
	}
}
