package extensions

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/thresher-crawler/thresher/focus/pack"
)

var errSaved = errors.New("extensions: what was saved is damaged, or another version wrote it: start the crawl afresh")

// loaded is an error unless what was read is exactly what was there.
func loaded(l *pack.Reader) error {
	if !l.Whole() {
		return errSaved
	}
	return nil
}

func saveTexts(s *pack.Writer, list []string) {
	s.Count(len(list))
	for _, t := range list {
		s.Text(t)
	}
}

func loadTexts(l *pack.Reader) (list []string) {
	for range l.Count(1) {
		list = append(list, l.Text())
	}
	return list
}

// saveRecent writes what is remembered, the young half first, each in the order of its keys.
func saveRecent[K comparable, V any](s *pack.Writer, r *recent[K, V], order func(a, b K) int, one func(K, V)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, half := range []map[K]V{r.young, r.old} {
		s.Count(len(half))
		for _, k := range slices.SortedFunc(maps.Keys(half), order) {
			one(k, half[k])
		}
	}
}

// loadRecent reads what is remembered in the place of what was.
func loadRecent[K comparable, V any](l *pack.Reader, r *recent[K, V], one func() (K, V)) {
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

func byPair(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }
