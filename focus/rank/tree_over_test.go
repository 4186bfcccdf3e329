package rank

import (
	"strings"
	"testing"
)

// linkTo ranks a link of an anchor to item 7 and tells the memory.
func linkTo(s *Strategy, m *Memory, anchor float64, known bool) float64 {
	e := judged(linked(anchor, none), 0.5)
	e.Memory, e.Parent = m, 1
	e.Link.URL = "http://a.example/"
	if known {
		e.Item = 7
	}
	v := score(s, e)
	m.Linked(7, e)
	return v
}

func TestNumbersOverAllLinks(t *testing.T) {
	for _, test := range []struct {
		over string
		want [4]float64 // after links of 0.6, 0.2, none, 0.4
	}{
		{"this", [4]float64{0.6, 0.2, 0, 0.4}},
		{"max", [4]float64{0.6, 0.6, 0.6, 0.6}},
		{"mean", [4]float64{0.6, 0.4, 0.4, 0.4}},
	} {
		s, m := tree(t, "{use: anchor, over: "+test.over+"}"), NewMemory()
		for i, anchor := range []float64{0.6, 0.2, none, 0.4} {
			near(t, test.over, linkTo(s, m, anchor, i > 0), test.want[i])
			if test.over == "this" {
				continue
			}
			if have := m.Stale(7); have != (i > 0) {
				t.Errorf("%s after %d links: stale %v", test.over, i+1, have)
			}
			near(t, test.over+" again", again(t, s, m, 7), test.want[i])
			if m.Stale(7) {
				t.Errorf("%s after %d links: stale after it was scored again", test.over, i+1)
			}
		}
	}
}

func TestOverHasItsBounds(t *testing.T) {
	for _, test := range []struct{ rank, want string }{
		{"{use: in-degree, over: max}", "s.yaml:1:24: strategy.rank.over: in-degree changes with what is fetched"},
		{"{over: mean, mix: [{use: anchor}, {use: yield}]}", "strategy.rank.over: yield changes with what is fetched"},
		{"{use: anchor, over: most}", `strategy.rank.over: unknown word "most"; known are this, max, mean`},
		{"{mix: [" + strings.Repeat("{use: anchor, over: max},", maxOvers+1) + "]}", "stands on 9 nodes; a tree may have 8"},
	} {
		if _, err := Load("s.yaml", []byte("rank: "+test.rank), nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.rank, err, test.want)
		}
	}
}

func TestOverIsExplained(t *testing.T) {
	s := tree(t, "{mix: [{use: anchor, over: max, weight: 0.5}]}")
	if have := s.Explain([]float32{0.6, 0.6}); !strings.Contains(have, "anchor, max over all links ×0.5") {
		t.Errorf("have\n%s", have)
	}
}

func TestOverSurvivesBeingSaved(t *testing.T) {
	s, m := tree(t, "{mix: [{use: anchor, over: mean}, {over: max, best: [{use: anchor}, {use: relevance}]}]}"), NewMemory()
	linkTo(s, m, 0.9, false)
	linkTo(s, m, 0.1, true)
	want := again(t, s, m, 7)
	resumed := NewMemory()
	if err := resumed.Restore(m.State()); err != nil {
		t.Fatal(err)
	}
	near(t, "the score", again(t, s, resumed, 7), want)
	near(t, "the score after another link", linkTo(s, resumed, 0.2, true), (0.4+0.9)/2)
	if again, err := Load("again.yaml", s.YAML(), nil); err != nil || again.Fingerprint() != s.Fingerprint() {
		t.Errorf("written down it is another strategy: %v\n%s", err, s.YAML())
	}
}
