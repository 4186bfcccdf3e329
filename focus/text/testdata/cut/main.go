// Command cut prints the words of its first argument. A test builds it, moves it and runs it with no home.
package main

import (
	"fmt"
	"os"

	"github.com/thresher-crawler/thresher/focus/text"
)

func main() {
	c, err := text.NewCutter(text.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, t := range c.Cut(nil, os.Args[1]) {
		fmt.Print(t.Term, "|")
	}
	fmt.Println()
}
