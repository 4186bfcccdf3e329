package rank

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/topic"
)

func TestHardFocusExpandsRelevantPagesOnly(t *testing.T) {
	s := shipped(t, "hard-focus")
	for _, chain := range [][]float64{{0.7, 0.9, 0.2}, {0.1, 0.9, 0.7, 0.2}, {0.1, 0.2}} { // start pages are followed whatever they are
		e := linked(1, 1)
		e.Trail = s.Root()
		for i, relevance := range chain {
			child, enter := s.Follow(judged(e, relevance))
			if want := i == 0 || relevance >= 0.3; enter != want {
				t.Errorf("%v: links of page %d enter %v, want %v", chain, i, enter, want)
			}
			near(t, "score", score(s, e), relevance)
			e.Trail = child
		}
	}
}

func TestAdaptiveRanksByThePlainCosine(t *testing.T) {
	e := linked(1, 1)
	e.Judgement = topic.Judgement{Raw: 0.35, Relevance: 0.9}
	near(t, "score", score(shipped(t, "adaptive"), e), 0.35)
}

func TestVerdict(t *testing.T) {
	s := tree(t, "{use: relevance, with: {as: verdict}}")
	near(t, "a relevant page", score(s, judged(linked(0, 0), 0.3)), 1)
	near(t, "an irrelevant one", score(s, judged(linked(0, 0), 0.2)), 0)
}

func TestThreeGranularities(t *testing.T) {
	s := shipped(t, "blocks-3")
	e := judged(linked(0.8, 0), 0.6)
	e.Block = func(block int32) topic.Judgement { return topic.Judgement{Relevance: 0.4} }
	_, numbers := s.Score(e, nil)
	near(t, "0.5 · (0.2 · 0.6 + 0.3 · 0.4 + 0.5 · 0.8)", float64(numbers[1]), 0.32)
	child, _ := s.Follow(e)
	near(t, "what the trail carries", float64(child.Inherited), 0.32)
	compared(e, none, 0)
	_, numbers = s.Score(e, nil)
	near(t, "a link without words", float64(numbers[1]), 0.5*(0.2*0.6+0.3*0.4)/0.5)
	e = judged(linked(0, 0), 0)
	e.Trail.Inherited = 0.3
	near(t, "nothing relevant: what was inherited", float64(mustNumber(s, e, 1)), 0.15)
}

func mustNumber(s *Strategy, e *Evidence, i int) float32 {
	_, numbers := s.Score(e, nil)
	return numbers[i]
}
