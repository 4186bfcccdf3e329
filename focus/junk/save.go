package junk

import (
	"cmp"
	"errors"
	"fmt"
	"sync"

	"github.com/thresher-crawler/thresher/focus/pack"
)

var errSaved = errors.New("what was saved is damaged, or another version wrote it: start the crawl afresh")

// notes are what a watch or a memory of pages was told or asked, for Lesson.
type notes struct {
	mu     sync.Mutex
	noting bool
	noted  pack.Coder
}

// Record lets it write down what it is told or asked from now on, for Lesson.
func (n *notes) Record() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.noting = true
}

// Lesson is what that was since Lesson was last asked, for Relearn: who takes back an older State and is told all lessons since
// answers as this one. It is nil unless Record was called.
func (n *notes) Lesson() []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	told := n.noted.Bytes
	n.noted.Bytes = nil
	return told
}

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
