package extensions

import (
	"maps"
	"slices"
	"sync"
)

// recent is a map of bounded size that forgets what was not used for long: it has two halves, and when the young one
// is full the old one is dropped. What is used moves to the young half.
type recent[K comparable, V any] struct {
	mu         sync.Mutex
	half       int
	young, old map[K]V
}

// newRecent remembers at most max things, and at least the max/2 used last.
func newRecent[K comparable, V any](max int) *recent[K, V] {
	half := max / 2
	if half == 0 {
		half = 1
	}
	return &recent[K, V]{half: half, young: map[K]V{}}
}

func (r *recent[K, V]) get(key K) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.find(key)
}

func (r *recent[K, V]) find(key K) (V, bool) {
	if v, ok := r.young[key]; ok {
		return v, true
	}
	v, ok := r.old[key]
	if ok {
		r.set(key, v)
	}
	return v, ok
}

func (r *recent[K, V]) put(key K, value V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.set(key, value)
}

func (r *recent[K, V]) set(key K, value V) {
	delete(r.old, key)
	if _, ok := r.young[key]; !ok && len(r.young) >= r.half {
		r.old, r.young = r.young, make(map[K]V, r.half)
	}
	r.young[key] = value
}

// update replaces the value of a key by what a function makes of it, and answers that.
func (r *recent[K, V]) update(key K, change func(old V, known bool) V) V {
	r.mu.Lock()
	defer r.mu.Unlock()
	old, known := r.find(key)
	value := change(old, known)
	r.set(key, value)
	return value
}

func (r *recent[K, V]) drop(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.young, key)
	delete(r.old, key)
}

// values are the values that are remembered, in no order.
func (r *recent[K, V]) values() []V {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.AppendSeq(slices.Collect(maps.Values(r.old)), maps.Values(r.young))
}

// len is how many things are remembered.
func (r *recent[K, V]) len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.young) + len(r.old)
}
