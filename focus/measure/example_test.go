package measure_test

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/measure"
)

// The figures of a crawl of four pages on a web in which four are relevant and ten can be reached.
func ExampleSequence() {
	crawl := measure.Sequence{Relevant: []bool{true, false, true, true}, Total: 4, Reach: 10}
	fmt.Printf("harvest %.2f, recall %.2f, area %.2f\n", crawl.Harvest(4), crawl.Recall(4), crawl.AUC())
	// Output: harvest 0.75, recall 0.75, area 0.62
}
