package selection_test

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/selection"
)

// A selection is one file: it registers itself with its parameters, and strategy files name it from then on.
func ExampleRegister() {
	type params struct {
		Deepest int `yaml:"deepest" doc:"links that are farther from a start page come last" check:"0..100"`
	}
	selection.Register("nearest", params{Deepest: 3}, selection.Rule[params]{
		Order: func(p params, _ uint64) selection.Order {
			return func(item *frontier.Item, _ uint64) {
				if int(item.Depth) > p.Deepest {
					item.Tier++
				}
			}
		},
	})
	s, err := rank.Load("mine.yaml", []byte("rank: {use: anchor}\nselect: {use: nearest, with: {deepest: 2}}"), rank.Factors)
	if err != nil {
		fmt.Println(err)
		return
	}
	waiting := frontier.NewMemory(frontier.Manners{})
	defer waiting.Close()
	place := selection.OrderOf(s.Select, 1)
	for depth, score := range []float32{0.2, 0.4, 0.6, 0.8} {
		address := fmt.Sprintf("http://a.example/%d", depth)
		item := frontier.Item{URL: address, Identity: address, Host: "a.example", Depth: uint16(depth), Score: score}
		place(&item, 0)
		waiting.Push(item)
	}
	for range 4 {
		item, _, _ := waiting.TryPop(0)
		waiting.Done(item.ID, frontier.Outcome{})
		fmt.Println(item.URL, item.Score)
	}
	_, err = rank.Load("mine.yaml", []byte("rank: {use: anchor}\nselect: {use: nearest, with: {deepest: 200}}"), rank.Factors)
	fmt.Println(err)
	// Output:
	// http://a.example/2 0.6
	// http://a.example/1 0.4
	// http://a.example/0 0.2
	// http://a.example/3 0.8
	// mine.yaml:2:40: strategy.select.with.deepest: is 200, want 0 to 100
}
