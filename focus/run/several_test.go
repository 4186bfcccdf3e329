package run

import "testing"

func TestSeveral(t *testing.T) {
	for _, c := range []struct {
		n     int
		thing string
		want  string
	}{{0, "page", "0 pages"}, {1, "page", "1 page"}, {2, "start page", "2 start pages"}, {1, "address", "1 address"}, {3, "address", "3 addresses"}, {1, "query", "1 query"}, {2, "query", "2 queries"}} {
		if got := Several(c.n, c.thing); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
