package frontier

import "math"

// An ordering says which of two elements of a heap comes first, and hears where each of them went.
//
//	heap invariant: for all i > 0, !before(h[i], h[(i-1)/arity]), and moved(h[i], i) was told last of h[i]
type ordering[T any] interface {
	before(a, b T) bool
	moved(x T, at uint32)
}

// arity is how many children an element has. Memory is what a heap of many waits for: eight children stand side by side and
// are read at once, there are a third as many levels as with two, and what is new rises past few others, each of which is
// told its place in a part of the memory of its own.
const arity = 8

// nowhere is the place of what is in no heap.
const nowhere = ^uint32(0)

// heapPush adds an element.
func heapPush[T any, O ordering[T]](o O, h *[]T, x T) {
	*h = append(*h, x)
	heapUp(o, *h, len(*h)-1)
}

// heapRemove takes out the element at a place. The last one takes that place, and may have to rise from there as well as to sink:
// it comes from another branch of the tree.
func heapRemove[T any, O ordering[T]](o O, h *[]T, at uint32) {
	s, i, last := *h, int(at), len(*h)-1
	o.moved(s[i], nowhere)
	x := s[last]
	*h = s[:last]
	if i == last {
		return
	}
	s[i] = x
	heapFix(o, *h, i)
}

// fit puts an element into a heap, puts it there anew, or takes it out; at is where it stands so far.
func fit[T any, O ordering[T]](o O, h *[]T, x T, at uint32, in bool) {
	switch {
	case in && at == nowhere:
		heapPush(o, h, x)
	case in:
		(*h)[at] = x
		heapFix(o, *h, int(at))
	case at != nowhere:
		heapRemove(o, h, at)
	}
}

// heapFix restores the invariant after the element at i has changed its standing.
func heapFix[T any, O ordering[T]](o O, h []T, i int) {
	if i > 0 && o.before(h[i], h[(i-1)/arity]) {
		heapUp(o, h, i)
		return
	}
	heapDown(o, h, i)
}

// heapUp lets the element at i rise to where it belongs. What it passes moves down one by one and the element itself is written
// once, at the end: until then two places hold the same element, and only moved says where anything is.
func heapUp[T any, O ordering[T]](o O, h []T, i int) {
	x := h[i]
	for i > 0 {
		parent := (i - 1) / arity
		if !o.before(x, h[parent]) {
			break
		}
		h[i] = h[parent]
		o.moved(h[i], uint32(i))
		i = parent
	}
	h[i] = x
	o.moved(x, uint32(i))
}

// heapDown lets the element at i sink to where it belongs, as heapUp lets it rise.
func heapDown[T any, O ordering[T]](o O, h []T, i int) {
	x := h[i]
	for {
		child := arity*i + 1
		if child >= len(h) {
			break
		}
		for other := child + 1; other < min(arity*(i+1)+1, len(h)); other++ {
			if o.before(h[other], h[child]) {
				child = other
			}
		}
		if !o.before(h[child], x) {
			break
		}
		h[i] = h[child]
		o.moved(h[i], uint32(i))
		i = child
	}
	h[i] = x
	o.moved(x, uint32(i))
}

// heapBuild makes a heap of elements in any order, in linear time. An element that need not move is told its place only at the end.
func heapBuild[T any, O ordering[T]](o O, h []T) {
	for i := (len(h)+arity-2)/arity - 1; i >= 0; i-- {
		heapDown(o, h, i)
	}
	for i := range h {
		o.moved(h[i], uint32(i))
	}
}

// A slot is an item's place in a queue, with all that its order needs: comparing two of them reads no item.
type slot struct {
	tier  uint32
	score uint32 // falls as the score rises
	id    uint32
}

func (a slot) before(b slot) bool {
	if a.tier != b.tier {
		return a.tier < b.tier
	}
	if a.score != b.score {
		return a.score < b.score
	}
	return a.id < b.id
}

// falling maps finite numbers to integers that fall as the numbers rise. Both zeros are one. The bits of positive floats are in the
// order of their values, and those of negative ones in the reverse order: so the former are inverted and the latter are not, and
// the bit of the sign, which inverting clears, keeps every positive number below every negative one.
func falling(score float32) uint32 {
	bits := math.Float32bits(score + 0)
	if score == 0 {
		bits = 0
	}
	if bits>>31 == 0 {
		return ^(bits | 1<<31)
	}
	return bits
}
