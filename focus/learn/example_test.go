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
	ready := layers.Ready()
	for _, words := range [][]string{{"cours", "list"}, {"depart"}, {"unknown"}} {
		var text []int32
		for _, w := range words {
			text = append(text, ready.Number(w))
		}
		fmt.Println(words, ready.Class(text))
	}
	// Output:
	// [cours list] 1
	// [depart] 2
	// [unknown] 3
}
