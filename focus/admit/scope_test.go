package admit

import (
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

func TestScopeAdmits(t *testing.T) {
	s := Scope{
		Hosts: []string{"*.a.example", "b.example", "c.example:8080", "[::1]", "*.中文.example", "Bücher。example:81"}, NotHosts: []string{"ads.a.example", "广告.中文.example"},
		Paths: []string{"/*"}, NotPaths: []string{"*/print/*", "*sort=*", "*/list?*", "/帆船*", "/%e6%b8%b8/*", "/a b*"}, Depth: 3,
	}
	if err := s.Compile(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		address string
		depth   int
		want    Refused
	}{
		{"http://a.example/", 1, ""},
		{"https://www.a.example/x?y=1", 3, ""},
		{"http://b.example:8080/", 1, ""},
		{"http://c.example:8080/", 1, ""},
		{"http://c.example/", 1, RefusedHost},
		{"http://c.example:80800/", 1, RefusedScheme},
		{"http://[::1]:8080/", 1, ""},
		{"http://[::2]/", 1, RefusedHost},
		{"http://ads.a.example:81/", 1, RefusedHost},
		{"http://www.b.example/", 1, RefusedHost},
		{"http://nota.example/", 1, RefusedHost},
		{"http://ads.a.example/", 1, RefusedHost},
		{"ftp://a.example/", 1, RefusedScheme},
		{"mailto:somebody@a.example", 1, RefusedScheme},
		{"http://a.example/x/print/1", 1, RefusedPath},
		{"http://a.example/list?sort=up", 1, RefusedPath},
		{"http://a.example/list?n=2", 1, RefusedPath},
		{"http://a.example/lists", 1, ""},
		{"http://xn--fiq228c.example/", 1, ""},
		{"http://www.中文.example/", 1, ""},
		{"http://xn--bcher-kva.example:81/", 1, ""},
		{"http://xn--bcher-kva.example/", 1, RefusedHost},
		{"http://xn--1lq90ig7e.xn--fiq228c.example/", 1, ""},
		{"http://广告.中文.example/", 1, RefusedHost},
		{"http://a.example/%E5%B8%86%e8%88%b9.html", 1, RefusedPath},
		{"http://a.example/帆船", 1, RefusedPath},
		{"http://a.example/%E6%B8%B8/x", 1, RefusedPath},
		{"http://a.example/a%20b.html", 1, RefusedPath},
		{"http://a.example/%70rint/x/%70rint/1", 1, RefusedPath},
		{"http://a.example/", 4, RefusedDepth},
		{"http://a.example/film.mp4", 1, RefusedType},
		{"http://a.example/" + strings.Repeat("x", 3000), 1, RefusedTrap},
	} {
		l := page.LinkTo(c.address)
		if got := s.Admit(&l, c.depth); got != c.want {
			t.Errorf("%.60s at depth %d: %q, want %q", c.address, c.depth, got, c.want)
		}
	}
}

func TestScopeOfNothingAdmitsTheWeb(t *testing.T) {
	var s Scope
	if err := s.Compile(); err != nil {
		t.Fatal(err)
	}
	l := page.Link{URL: "http://anything.example/at/all", Identity: "http://anything.example/at/all", Host: "anything.example"}
	if got := s.Admit(&l, 60000); got != "" {
		t.Errorf("refused: %q", got)
	}
}

func TestScopeNamesAnEmptyPattern(t *testing.T) {
	s := Scope{NotPaths: []string{"/a/*", " "}}
	err := s.Compile()
	if err == nil || !strings.Contains(err.Error(), "scope.not_paths: pattern 2 is empty") {
		t.Errorf("got %v", err)
	}
}
