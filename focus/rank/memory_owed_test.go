package rank

import (
	"slices"
	"testing"
)

// The links of a learner hear of a page while that moves what they share: each of the first outcome, and of one that differs;
// none of what was known. Others are scored again for a page alone, and hear of all.
func TestALearnersLinksHearOfWhatMovesThem(t *testing.T) {
	for rank, want := range map[string][]int{
		"{apprentice: [{use: yield, with: {of: host}}]}": {128, 128, 43, 0, 128},
		"{use: yield, with: {of: host}}":                 {256, 256, 256, 256, 256},
	} {
		h := harvesting(tree(t, rank))
		for i := range 300 {
			e := h.link("http://a.example/")
			h.s.Score(e, nil)
			h.m.Linked(uint64(1000+i), e)
		}
		var told []int
		heard := map[uint64]bool{}
		for i, relevance := range []float64{.5, .5, .5, .5, .1} {
			items := h.m.Fetched(uint64(1000+i), relevance, false, 256)
			told = append(told, len(items))
			for _, item := range items {
				heard[item] = true
			}
		}
		if !slices.Equal(told, want) || len(heard) < 299 {
			t.Errorf("%s: %v links are told, and %d in all; want %v, and 299", rank, told, len(heard), want)
		}
	}
}
