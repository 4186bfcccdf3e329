package pack

import (
	"sync"
	"sync/atomic"
)

// Rooms are buffers that somebody has done with, for whoever needs one next. Whoever takes one gives it back when nobody can read it any
// more, or leaves it to the collector. The zero value is ready.
type Rooms struct {
	Most int // bytes of one that is kept for the next; a few large ones must not hold memory for ever
	free sync.Pool
}

// Take is an empty buffer.
func (r *Rooms) Take() *[]byte {
	if b, ok := r.free.Get().(*[]byte); ok {
		return b
	}
	return new([]byte)
}

// Give gives a buffer back.
func (r *Rooms) Give(b *[]byte) {
	Spoil((*b)[:cap(*b)])
	if *b = (*b)[:0]; cap(*b) <= r.Most {
		r.free.Put(b)
	}
}

// Spoiling has whatever is given back overwritten at once: a test that turns it on finds out who still reads it.
var Spoiling atomic.Bool

// Spoil is for whoever keeps buffers otherwise. It is called with what is given back.
func Spoil(b []byte) {
	if Spoiling.Load() {
		for i := range b {
			b[i] = 0xA5
		}
	}
}
