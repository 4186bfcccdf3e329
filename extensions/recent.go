package extensions

import (
	"container/list"
	"sync"
)

// recent is a map of bounded size that forgets what was not used for the longest time.
type recent[K comparable, V any] struct {
	mu    sync.Mutex
	max   int
	order *list.List // of *entry[K, V], the last used first
	at    map[K]*list.Element
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

func newRecent[K comparable, V any](max int) *recent[K, V] {
	return &recent[K, V]{max: max, order: list.New(), at: map[K]*list.Element{}}
}

func (r *recent[K, V]) get(key K) (value V, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.at[key]
	if !ok {
		return value, false
	}
	r.order.MoveToFront(e)
	return e.Value.(*entry[K, V]).value, true
}

func (r *recent[K, V]) put(key K, value V) {
	r.update(key, func(V, bool) V { return value })
}

// update replaces the value of a key by what a function makes of it, and answers that.
func (r *recent[K, V]) update(key K, change func(old V, known bool) V) V {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.at[key]; ok {
		r.order.MoveToFront(e)
		en := e.Value.(*entry[K, V])
		en.value = change(en.value, true)
		return en.value
	}
	var none V
	value := change(none, false)
	r.at[key] = r.order.PushFront(&entry[K, V]{key, value})
	if r.order.Len() > r.max {
		last := r.order.Back()
		delete(r.at, r.order.Remove(last).(*entry[K, V]).key)
	}
	return value
}

func (r *recent[K, V]) len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.order.Len()
}
