package rights

import (
	"net/http"
	"strings"
	"testing"
)

// FuzzLinkHeader: whatever stands in a Link header, the links that are read are whole, and no more than it has bytes for.
func FuzzLinkHeader(f *testing.F) {
	for _, line := range []string{
		`</a>; rel="next"`, `</a>; rel=next; type="text/html", <b>; rel="x y"; title="a, <b>; c"`, `<<<>>>;;;,,,`, `</a`, `</a>; rel="`,
		strings.Repeat("</x>; rel=next, ", 500), "</a>; REL*=UTF-8''x", "<\x00>; rel=\x1b[2J",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		h := ReadHead(http.Header{"Link": {line, line}}, nil)
		if len(h.links) > len(line) {
			t.Errorf("%d links in %d bytes", len(h.links), len(line))
		}
		for _, l := range h.links {
			if l.Address == "" || l.Relation == "" || l.Relation != strings.ToLower(l.Relation) || !strings.Contains(line, l.Address) {
				t.Errorf("%.100q: link %+v", line, l)
			}
		}
	})
}
