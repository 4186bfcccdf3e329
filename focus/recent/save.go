package recent

import (
	"maps"
	"slices"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// Code writes what is remembered, or reads it in the place of what was: the young half first, each in the order of its keys. One
// codes a key and what is remembered of it.
func Code[K comparable, V any](c *pack.Coder, r *Map[K, V], order func(a, b K) int, one func(*K, *V)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, half := range []*map[K]V{&r.young, &r.old} {
		n := c.Count(len(*half))
		if c.Read {
			*half = map[K]V{}
			for range n {
				var k K
				var v V
				one(&k, &v)
				(*half)[k] = v
			}
			continue
		}
		for _, k := range slices.SortedFunc(maps.Keys(*half), order) {
			v := (*half)[k]
			one(&k, &v)
		}
	}
}
