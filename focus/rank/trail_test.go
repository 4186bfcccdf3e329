package rank

import (
	"math"
	"testing"
)

func TestTrailSurvivesItsNote(t *testing.T) {
	for _, trail := range []Trail{{}, {Depth: 65535, Drought: 300, Allowance: -1, Inherited: 0.25}, {Depth: 3, Allowance: 6, Inherited: 1}} {
		note := trail.Append([]byte("before"))
		have, rest, err := ParseTrail(append(note, "after"...)[len("before"):])
		if err != nil || have != trail || string(rest) != "after" {
			t.Errorf("%+v came back as %+v, %q, %v", trail, have, rest, err)
		}
		for i := range note[len("before"):] {
			if _, _, err := ParseTrail(note[len("before") : len("before")+i]); err == nil {
				t.Errorf("%+v cut to %d bytes is still read", trail, i)
			}
		}
	}
}

// path follows a chain of pages of the given relevances from a seed and answers the allowances of the pages they lead
// to, until one does not enter.
func path(s *Strategy, relevances ...float64) []int16 {
	var allowances []int16
	e := linked(0, 0)
	e.Trail = s.Root()
	for _, relevance := range relevances {
		child, enter := s.Follow(judged(e, relevance))
		if !enter {
			return append(allowances, -1)
		}
		allowances = append(allowances, child.Allowance)
		e.Trail = child
	}
	return allowances
}

func equal(a, b []int16) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestTunnelAllowance(t *testing.T) {
	raised := "name: x\nadmit: {tunnel: {depth: 3, threshold: 0.5}}\nrank: {use: relevance}\n"
	reset := "name: x\nadmit: {tunnel: {depth: 3, raise: reset, threshold: 0.5}}\nrank: {use: relevance}\n"
	tail := "name: x\nadmit: {tunnel: {depth: 1, raise: reset, threshold: 0.5, spent: tail}}\nrank: {use: relevance}\n"
	drop := "name: x\nadmit: {tunnel: {depth: 1, raise: reset, threshold: 0.5, spent: drop}}\nrank: {use: relevance}\n"
	own := "name: x\nadmit: {tunnel: {depth: 3}}\nrank: {use: relevance}\n"
	open := "name: x\nrank: {use: relevance}\n"
	tests := []struct {
		name, strategy string
		relevances     []float64
		want           []int16
	}{
		{"a relevant page raises", raised, []float64{0.7}, []int16{4}},
		{"a page at the threshold changes nothing", raised, []float64{0.5}, []int16{3}},
		{"an irrelevant page lowers", raised, []float64{0.4}, []int16{2}},
		{"six relevant pages reach the most", raised, []float64{1, 1, 1, 1, 1, 1}, []int16{4, 5, 6, 6, 6, 6}},
		{"the fourth irrelevant page ends it", raised, []float64{0, 0, 0, 0}, []int16{2, 1, 0, -1}},
		{"a relevant page inside a tunnel saves it", raised, []float64{0, 0, 0, 0.6, 0, 0}, []int16{2, 1, 0, 1, 0, -1}},
		{"reset goes back to depth", reset, []float64{0, 0, 0.5, 0.9}, []int16{2, 1, 3, 3}},
		{"the tail lets all in", tail, []float64{0, 0, 0, 0.9}, []int16{0, 0, 0, 1}},
		{"drop ends at a page that has none left, relevant or not", drop, []float64{0, 0.9}, []int16{0, -1}},
		{"without a threshold the judge's own counts", own, []float64{0.3, 0.29}, []int16{4, 3}},
		{"no tunnel is no bound", open, []float64{0, 0, 0}, []int16{math.MaxInt16, math.MaxInt16, math.MaxInt16}},
	}
	for _, test := range tests {
		if have := path(load(t, test.strategy), test.relevances...); !equal(have, test.want) {
			t.Errorf("%s: allowances %v, want %v", test.name, have, test.want)
		}
	}
}

func TestDroughtCountsFromTheLastRelevantPage(t *testing.T) {
	s := shipped(t, "best-first")
	e := linked(0, 0)
	e.Trail = s.Root()
	for i, step := range []struct {
		relevance float64
		want      uint16
	}{{0.1, 1}, {0.1, 2}, {0.9, 0}, {0.1, 1}} {
		child, _ := s.Follow(judged(e, step.relevance))
		if child.Drought != step.want || int(child.Depth) != i+1 {
			t.Errorf("after page %d: %+v, want drought %d, depth %d", i, child, step.want, i+1)
		}
		e.Trail = child
	}
}
