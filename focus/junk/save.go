package junk

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/thresher-crawler/thresher/focus/pack"
)

var errSaved = errors.New("what was saved is damaged, or another version wrote it: start the crawl afresh")

// loaded is an error unless what was read is exactly what was there.
func loaded(k *pack.Coder) error {
	if k.Done() != nil {
		return errSaved
	}
	return nil
}

func byPair(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

// bound is how many the program wants, or the default where it wants 0. Fewer is a mistake in the program.
func bound(name string, n, preset int) int {
	if n < 0 {
		panic(fmt.Sprintf("junk.%s is %d: want a number above 0, or 0 for the default", name, n))
	}
	return cmp.Or(n, preset)
}
