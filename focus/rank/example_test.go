package rank_test

import (
	"fmt"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// A strategy is a tree of factors. A program adds a factor of its own with its parameters, and everything else, ranges,
// error messages, explanation, comes with it.
func Example() {
	type params struct {
		Word   string  `yaml:"word" doc:"what to look for in the address"`
		Absent float64 `yaml:"absent" doc:"the number where it is not there" check:"0..1"`
	}
	factors := rank.NewRegistry().With(rank.Factors)
	rank.Register(factors, "address-word", "1 where the address has a word", params{Absent: 0.1}, func(p params) (rank.Factor, error) {
		return rank.Func(func(e *rank.Evidence) float64 {
			if strings.Contains(e.Link.URL, p.Word) {
				return 1
			}
			return p.Absent
		}), nil
	})

	strategy, err := rank.Load("mine.yaml", []byte(`
name: mine
rank:
  mix:
    - {use: relevance, weight: 0.7}
    - {use: address-word, weight: 0.3, with: {word: travel}}
`), factors)
	if err != nil {
		fmt.Println(err)
		return
	}
	evidence := &rank.Evidence{
		Judgement: topic.Judgement{Relevance: 0.6, Relevant: true},
		Link:      &page.Link{URL: "https://example.org/travel/yunnan.html"},
	}
	score, numbers := strategy.Score(evidence, nil)
	fmt.Printf("%.2f, because\n%s", score, strategy.Explain(numbers))

	_, err = rank.Load("mine.yaml", []byte("rank: {use: adress-word, with: {absent: 2}}"), factors)
	fmt.Println(err)
	// Output:
	// 0.72, because
	// 0.72     mix
	// 0.6        relevance ×0.7
	// 1          address-word ×0.3
	// mine.yaml:1:13: strategy.rank.use: unknown factor "adress-word"; did you mean "address-word"?
}
