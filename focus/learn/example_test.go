package learn_test

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// A link's words say how far it is from what we look for: links to course pages speak of courses, links to the pages
// that list them of departments.
func ExampleUnigram() {
	layers, err := learn.NewUnigram(3, "jm", .9)
	if err != nil {
		fmt.Println(err)
		return
	}
	layers.Add(1, []string{"cours", "homework", "cours"})
	layers.Add(2, []string{"depart", "peopl", "teach"})
	layers.Add(3, []string{"univers", "academ"})
	fmt.Println(layers.Class([]string{"cours", "list"}), layers.Class([]string{"depart"}), layers.Class([]string{"unknown"}))
	// Output: 1 2 3
}
