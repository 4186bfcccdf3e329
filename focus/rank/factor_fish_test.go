package rank

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// school scores all links of a page with fish-search and answers the trail they are given.
func school(s *Strategy, p *told, relevance float64, trail Trail) (scores []float64, child Trail, enter bool) {
	for i := range p.page.Links {
		e := judged(p.link(i), relevance)
		e.Trail = trail
		scores = append(scores, score(s, e))
		child, enter = s.Follow(e)
	}
	return scores, child, enter
}

func sameScores(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

// fishOf is fish-search with W = 2 and D = 3.
func fishOf(t *testing.T, spent, order string) *Strategy {
	return load(t, "name: fish\nadmit: {tunnel: {depth: 3, raise: reset, spent: "+spent+"}}\nrank: {use: fish, with: {width: 2, order: "+order+"}}\n")
}

func fiveLinks() *told {
	return tellPage(page.Links, linkTold{2, 0, 0}, linkTold{2, 0.9, 0}, linkTold{2, none, 0}, linkTold{2, 0.5, 0}, linkTold{2, 0.9, 0})
}

func TestFishScoresAndDepths(t *testing.T) {
	tests := []struct {
		name, spent, order string
		relevance          float64
		allowance          int16
		want               []float64
		wantAllowance      int16
		wantEnter          bool
	}{
		{"a relevant page", "tail", "document", 0.9, 3, []float64{1, 1, 1, 0, 0}, 3, true},
		{"an irrelevant page at depth 3", "tail", "document", 0, 3, []float64{0.5, 0.5, 0, 0, 0}, 2, true},
		{"a page of depth 0, De Bra", "tail", "document", 0, 0, []float64{0, 0, 0, 0, 0}, 0, true},
		{"a relevant page of depth 0, De Bra", "tail", "document", 0.9, 0, []float64{0, 0, 0, 0, 0}, 3, true},
		{"a page of depth 0, Hersovici", "drop", "document", 0.9, 0, []float64{0, 0, 0, 0, 0}, 0, false},
		{"the best anchors first", "tail", "anchor", 0.9, 3, []float64{0, 1, 0, 1, 1}, 3, true},
		{"the best anchors first, of an irrelevant page", "tail", "anchor", 0, 3, []float64{0, 0.5, 0, 0, 0.5}, 2, true},
	}
	for _, test := range tests {
		s := fishOf(t, test.spent, test.order)
		scores, child, enter := school(s, fiveLinks(), test.relevance, Trail{Allowance: test.allowance})
		if !sameScores(scores, test.want) {
			t.Errorf("%s: scores %v, want %v", test.name, scores, test.want)
		}
		if enter != test.wantEnter || enter && child.Allowance != test.wantAllowance {
			t.Errorf("%s: links enter %v with allowance %d, want %v with %d", test.name, enter, child.Allowance, test.wantEnter, test.wantAllowance)
		}
	}
}

// The insertion points of the list: what a relevant page puts at the beginning comes before what an irrelevant one put
// in the middle, whichever was read first, and the tail comes last.
func TestFishScoresAreTheInsertionPoints(t *testing.T) {
	s := shipped(t, "fish")
	irrelevant, _, _ := school(s, fiveLinks(), 0, s.Root())
	relevant, _, _ := school(s, fiveLinks(), 0.9, s.Root())
	spent, _, _ := school(s, fiveLinks(), 0.9, Trail{})
	if !(relevant[0] > irrelevant[0] && irrelevant[0] > spent[0]) {
		t.Errorf("beginning %v, middle %v, end %v", relevant[0], irrelevant[0], spent[0])
	}
}

func TestFishDropIsFishButForDepthZero(t *testing.T) {
	tail, drop := shipped(t, "fish"), shipped(t, "fish-drop")
	e := judged(fiveLinks().link(0), 0.9)
	for _, allowance := range []int16{3, 0} {
		e.Trail.Allowance = allowance
		if a, b := score(tail, e), score(drop, e); a != b {
			t.Errorf("scores differ: %v and %v", a, b)
		}
	}
	if have := drop.Refuses(e); have != "tunnel" {
		t.Errorf("refused with %q, want tunnel", have)
	}
	if have := tail.Refuses(e); have != "" {
		t.Errorf("De Bra's form refuses with %q", have)
	}
}
