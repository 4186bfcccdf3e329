package rank_test

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// siblings is a factor of our own that remembers: which share of the links in the link's block turned out relevant. Because it
// answers Recall, waiting links are scored again as that changes.
type siblings struct{ least int }

func (s siblings) Score(e *rank.Evidence) float64 { return s.Recall(e.Trace()) }

func (s siblings) Recall(t rank.Trace) float64 {
	if block := t.Block(); block.Fetched >= s.least {
		return block.Share()
	}
	return 0.5
}

// A factor with memory is one file, too: it registers itself with its parameters, and needs no state of its own.
func ExampleRegister() {
	type params struct {
		Least int `yaml:"least" doc:"how many links of the block must have been fetched" check:"1..100"`
	}
	factors := rank.NewRegistry().With(rank.Factors)
	rank.Register(factors, "siblings", "how the links of the same block turned out", params{Least: 1}, func(p params) (rank.Factor, error) {
		return siblings{p.Least}, nil
	})
	s, err := rank.Load("mine.yaml", []byte("rank: {use: siblings, with: {least: 2}}"), factors)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := &page.Page{URL: "http://a.example/", Blocks: []page.Block{{Parent: -1}}}
	for i := range 3 {
		p.Links = append(p.Links, page.Link{URL: fmt.Sprintf("http://a.example/%d.html", i), Order: int32(i)})
	}
	memory := rank.NewMemory()
	for i := range p.Links { // the three links enter, as items 10, 11 and 12
		e := &rank.Evidence{Page: p, Link: &p.Links[i], Parent: 1, Memory: memory}
		s.Score(e, nil)
		memory.Linked(uint64(10+i), e)
	}
	for _, item := range []uint64{10, 11} { // two are fetched, and both are relevant
		memory.Fetched(item, 1, true, 256)
		numbers, _ := s.Rescore(12, memory)
		fmt.Println(numbers[0])
	}
	// Output:
	// 0.5
	// 1
}
