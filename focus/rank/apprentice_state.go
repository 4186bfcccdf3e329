package rank

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// head writes the weights of a stretch of a head that were moved, or began as something; most never are.
func (w *writer) head(h *learn.Online, from, to int) {
	last := from
	for i := range h.Changed(from, to) {
		w.Count(i + 1 - last)
		w.weight(h, i)
		last = i + 1
	}
	w.Count(0)
}

// head reads what stands in a stretch of a head.
func (r *reader) head(h *learn.Online, from, to int) {
	for at := from; ; {
		step := r.UpTo(to - at)
		if step == 0 {
			return
		}
		at += step
		r.weight(h, at-1)
	}
}

func (w *writer) vector(x learn.Vector) {
	w.list(x.Index)
	for _, v := range x.Value {
		w.Float32(v)
	}
}

func (r *reader) vector(size int) (x learn.Vector) {
	x.Index = r.list(size)
	for range x.Index {
		x.Value = append(x.Value, r.Float32())
	}
	return x
}

func (w *writer) apprentice(p *apprentice) {
	w.Count(p.parts)
	w.Count(p.Bits)
	w.head(p.chance, 0, len(p.chance.Weight))
	w.head(p.future, 0, len(p.future.Weight))
	w.Count(p.due)
	w.Number(p.page)
	w.Count(len(p.order))
	for _, item := range p.order {
		w.Number(item)
		w.visited(p.visited[item])
	}
}

func (w *writer) visited(v *visited) {
	w.Number(v.finder)
	w.Float32(v.relevance)
	w.vector(v.x)
	w.vector(v.words)
	w.Count(len(v.best))
	for _, c := range v.best {
		w.Number(c.item)
		w.Float32(c.value)
	}
	w.Float64(v.taught)
}

func (r *reader) visited(size, best int) *visited {
	v := &visited{finder: r.Number(), relevance: r.Float32()}
	v.x, v.words = r.vector(size), r.vector(size)
	for range r.UpTo(best) {
		v.best = append(v.best, child{r.Number(), r.Float32()})
	}
	v.taught = r.Float64()
	return v
}

// apprentice takes back what one has learned. It must be of the same kind as p.
func (r *reader) apprentice(p *apprentice) *apprentice {
	if p == nil || r.UpTo(maxNodes) != p.parts || r.UpTo(hashBits) != p.Bits {
		r.Bad = true
		return nil
	}
	size := len(p.chance.Weight)
	again := &apprentice{Apprenticeship: p.Apprenticeship, parts: p.parts, visited: map[uint64]*visited{}}
	again.chance, again.future = learn.NewOnline(size), learn.NewOnline(size)
	r.head(again.chance, 0, size)
	r.head(again.future, 0, size)
	again.due, again.page = r.UpTo(math.MaxInt), r.Number()
	for range r.UpTo(visitedKept) {
		if r.Bad {
			break
		}
		item := r.Number()
		again.visit(item, r.visited(size, p.Best))
	}
	r.Bad = r.Bad || len(again.visited) != len(again.order)
	return again
}

// speech writes what was said of an address. Words that count the same stand one after the other.
func (w *writer) speech(s *speech) {
	w.Count(len(s.words))
	if len(s.words) == 0 {
		return
	}
	w.Count(int(s.mine))
	w.Count(int(s.count))
	last := uint32(0)
	for _, word := range s.words {
		at, value := word&(1<<hashBits-1), word>>hashBits
		if value == last {
			w.Number(uint64(at) << 1)
			continue
		}
		w.Number(uint64(at)<<1 | 1)
		w.Number(uint64(value))
		last = value
	}
}

func (r *reader) speech(bits int) (s speech) {
	n := r.Count(1)
	if n == 0 {
		return s
	}
	s.mine, s.count = uint8(r.UpTo(min(n, math.MaxUint8))), uint8(r.UpTo(math.MaxUint8))
	s.words = make([]uint32, 0, n)
	value := uint32(0)
	for range n {
		at := r.Number()
		if at&1 == 1 {
			value = uint32(r.UpTo(1<<(32-hashBits) - 1))
		}
		if at>>1 >= 1<<bits {
			r.Bad = true
		}
		s.words = append(s.words, uint32(at>>1)&(1<<hashBits-1)|value<<hashBits)
	}
	if s.count == 0 {
		r.Bad = true
	}
	return s
}
