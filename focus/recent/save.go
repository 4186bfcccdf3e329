package recent

import (
	"maps"
	"slices"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// Save writes what is remembered, the young half first, each in the order of its keys.
func Save[K comparable, V any](s *pack.Writer, r *Map[K, V], order func(a, b K) int, one func(K, V)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, half := range []map[K]V{r.young, r.old} {
		s.Count(len(half))
		for _, k := range slices.SortedFunc(maps.Keys(half), order) {
			one(k, half[k])
		}
	}
}

// Load reads what is remembered in the place of what was.
func Load[K comparable, V any](l *pack.Reader, r *Map[K, V], one func() (K, V)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, half := range []*map[K]V{&r.young, &r.old} {
		*half = map[K]V{}
		for range l.Count(1) {
			k, v := one()
			(*half)[k] = v
		}
	}
}
