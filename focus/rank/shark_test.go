package rank

import (
	"strings"
	"testing"
)

func TestSharkPotential(t *testing.T) {
	s := shipped(t, "shark")
	tests := []struct {
		name                                 string
		relevance, inherited, anchor, around float64
		want, wantInherited, wantNeighbour   float64
	}{
		{"a relevant page", 0.6, 1, 0.4, 0.9, 0.41, 0.3, 0.52},
		{"an irrelevant page that inherited", 0, 0.3, 0, 0.25, 0.1, 0.15, 0.05},
		{"further out, with nothing to go by", 0, 0.15, 0, 0, 0.0375, 0.075, 0},
		{"no words at all", 0, 0.15, none, none, 0.0375, 0.075, 0},
	}
	for _, test := range tests {
		e := judged(linked(test.anchor, test.around), test.relevance)
		e.Trail.Inherited = float32(test.inherited)
		v, numbers := s.Score(e, nil)
		near(t, test.name+": potential", float64(v), test.want)
		near(t, test.name+": potential in the explanation", float64(numbers[0]), test.want)
		near(t, test.name+": inherited", float64(numbers[1]), test.wantInherited)
		near(t, test.name+": neighbourhood", float64(numbers[2]), test.wantNeighbour)
		child, _ := s.Follow(e)
		near(t, test.name+": what the trail carries", float64(child.Inherited), test.wantInherited)
	}
}

func TestSharkWithAnotherGamma(t *testing.T) {
	s := tree(t, `{mix: [{use: inherited, weight: 0.8}, {weight: 0.2, mix: [{use: anchor, weight: 0.8},
  {use: context, weight: 0.2, with: {full_if_anchor: true}}]}]}`)
	near(t, "γ 0.8", score(s, judged(linked(0.4, 0.9), 0.6)), 0.344)
}

func TestSharkExplainsItself(t *testing.T) {
	s := shipped(t, "shark")
	e := judged(linked(0.4, none), 0.6)
	_, numbers := s.Score(e, nil)
	want := `0.41     mix
0.3        inherited ×0.5
0.52       neighbourhood (mix) ×0.5
0.4          anchor ×0.8
1            context ×0.2
`
	if have := s.Explain(numbers); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
	if have := s.Explain(numbers[:2]); !strings.Contains(have, "scored by another strategy") {
		t.Errorf("two numbers are explained as %q", have)
	}
}
