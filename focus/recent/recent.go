// Package recent answers one question: what was used lately?
//
// A Map is a map of bounded size, for what is worth remembering and no loss when it is forgotten: addresses of hosts, pages
// that were seen, patterns that were counted.
package recent

import (
	"maps"
	"slices"
	"sync"
)

// Map is a map of bounded size that forgets what was not used for long: it has two halves, and when the young one
// is full the old one is dropped. What is used moves to the young half.
type Map[K comparable, V any] struct {
	mu         sync.Mutex
	half       int
	young, old map[K]V
}

// New makes a Map that remembers at most max things, and at least the max/2 used last.
func New[K comparable, V any](max int) *Map[K, V] {
	half := max / 2
	if half == 0 {
		half = 1
	}
	return &Map[K, V]{half: half, young: map[K]V{}}
}

// Get answers the value of a key, which counts as a use of it.
func (r *Map[K, V]) Get(key K) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.find(key)
}

// Peek is Get, and no use of it.
func (r *Map[K, V]) Peek(key K) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v, ok := r.young[key]; ok {
		return v, true
	}
	v, ok := r.old[key]
	return v, ok
}

func (r *Map[K, V]) find(key K) (V, bool) {
	if v, ok := r.young[key]; ok {
		return v, true
	}
	v, ok := r.old[key]
	if ok {
		r.set(key, v)
	}
	return v, ok
}

// Put remembers a value.
func (r *Map[K, V]) Put(key K, value V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.set(key, value)
}

func (r *Map[K, V]) set(key K, value V) {
	delete(r.old, key)
	if _, ok := r.young[key]; !ok && len(r.young) >= r.half {
		r.old, r.young = r.young, make(map[K]V, r.half)
	}
	r.young[key] = value
}

// Update replaces the value of a key by what a function makes of it, and answers that. The function must not ask the Map.
func (r *Map[K, V]) Update(key K, change func(old V, known bool) V) V {
	r.mu.Lock()
	defer r.mu.Unlock()
	if young, ok := r.young[key]; ok { // and so it is not among the old
		value := change(young, true)
		r.young[key] = value
		return value
	}
	old, known := r.find(key)
	value := change(old, known)
	r.set(key, value)
	return value
}

// Drop forgets a key.
func (r *Map[K, V]) Drop(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.young, key)
	delete(r.old, key)
}

// Values are the values that are remembered, in no order.
func (r *Map[K, V]) Values() []V {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.AppendSeq(slices.Collect(maps.Values(r.old)), maps.Values(r.young))
}

// Len is how many things are remembered.
func (r *Map[K, V]) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.young) + len(r.old)
}
