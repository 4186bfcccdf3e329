package compare_test

import (
	"context"
	"fmt"

	"github.com/thresher-crawler/thresher/focus/compare"
)

// Which of two strategies finds the pages about tea sooner, on a web of 60 pages?
func ExampleRun() {
	result, err := compare.Run(context.Background(), compare.Options{
		Webs: []string{"../../testdata/webs/small"}, Topics: []string{"tea"},
		Strategies: []string{"shark", "breadth"}, Baseline: "breadth", Seed: 1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range result.Cells {
		fmt.Printf("%s found half of the %d pages after fetching %d of %d\n", c.Strategy, c.Relevant, c.PagesTo50, c.Reachable)
	}
	// Output:
	// shark found half of the 12 pages after fetching 6 of 59
	// breadth found half of the 12 pages after fetching 15 of 59
}
