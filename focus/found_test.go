package focus

import (
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// What a callback asks to visit is no link of the page: of the few that fish-search prefers it takes no place, as long as the
// page has enough of its own.
func TestVisitsOfCallbacksComeBehindTheLinksOfThePage(t *testing.T) {
	for _, test := range []struct {
		order string
		links int
		want  []float32
	}{
		{"document", 3, []float32{0.5, 0.5, 0, 0, 0}},
		{"document", 1, []float32{0.5, 0.5, 0}},
		{"anchor", 3, []float32{0.5, 0.5, 0, 0, 0}},
	} {
		s, err := rank.Load("fish.yaml", []byte("rank: {use: fish, with: {width: 2, order: "+test.order+"}}\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		v := &Visit{Page: &page.Page{}, passage: passage{foreign: []string{"http://a.example/x", "http://a.example/y"}}}
		for i := range test.links {
			v.Page.Links = append(v.Page.Links, page.Link{Order: int32(i)})
		}
		var st Steps
		st.scope.Store(&admit.Scope{})
		var have []float32
		for _, f := range append(st.links(v), st.asked(v)...) {
			score, _ := s.Score(&rank.Evidence{Page: v.Page, Link: f.Link, Trail: s.Root()}, nil)
			have = append(have, score)
		}
		if !slices.Equal(have, test.want) {
			t.Errorf("%d links in the order of %s: %v, want %v", test.links, test.order, have, test.want)
		}
	}
}
