package rank

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// head writes the weights of a head that were moved, or began as something; most never are.
func (w *writer) head(h *learn.Online) {
	last := 0
	for i := range h.Weight {
		if h.Weight[i] != 0 || h.Moved[i] != 0 {
			w.count(i + 1 - last)
			w.short(h.Weight[i])
			w.short(h.Moved[i])
			last = i + 1
		}
	}
	w.count(0)
}

func (r *reader) head(size int) *learn.Online {
	h := learn.NewOnline(size)
	for at := 0; ; {
		step := r.count(size - at)
		if step == 0 {
			return h
		}
		at += step
		h.Weight[at-1], h.Moved[at-1] = r.short(), r.short()
		if weight, moved := float64(h.Weight[at-1]), float64(h.Moved[at-1]); math.IsNaN(weight) || math.IsInf(weight, 0) || !(0 <= moved && moved <= math.MaxFloat32) {
			r.bad = true
		}
	}
}

func (w *writer) vector(x learn.Vector) {
	w.list(x.Index)
	for _, v := range x.Value {
		w.short(v)
	}
}

func (r *reader) vector(size int) (x learn.Vector) {
	x.Index = r.list(size)
	for range x.Index {
		x.Value = append(x.Value, r.short())
	}
	return x
}

func (w *writer) apprentice(p *apprentice) {
	w.count(p.parts)
	w.count(p.Bits)
	w.head(p.chance)
	w.head(p.future)
	w.count(p.due)
	w.number(p.page)
	w.vector(p.x)
	w.vector(p.words)
	w.count(len(p.best))
	for _, v := range p.best {
		w.short(v)
	}
}

// apprentice takes back what one has learned. It must be of the same kind as p.
func (r *reader) apprentice(p *apprentice) *apprentice {
	if p == nil || r.count(maxNodes) != p.parts || r.count(hashBits) != p.Bits {
		r.bad = true
		return nil
	}
	size := len(p.chance.Weight)
	again := &apprentice{Apprenticeship: p.Apprenticeship, parts: p.parts}
	again.chance, again.future = r.head(size), r.head(size)
	again.due, again.page = r.count(math.MaxInt), r.number()
	again.x, again.words = r.vector(size), r.vector(size)
	again.best = make([]float32, r.count(p.Best))
	for i := range again.best {
		again.best[i] = r.short()
	}
	return again
}

// speech writes what was said of an address. Words that count the same stand one after the other.
func (w *writer) speech(s *speech) {
	w.count(len(s.words))
	if len(s.words) == 0 {
		return
	}
	w.count(int(s.mine))
	w.count(int(s.count))
	last := uint32(0)
	for _, word := range s.words {
		at, value := word&(1<<hashBits-1), word>>hashBits
		if value == last {
			w.number(uint64(at) << 1)
			continue
		}
		w.number(uint64(at)<<1 | 1)
		w.number(uint64(value))
		last = value
	}
}

func (r *reader) speech(bits int) (s speech) {
	n := r.count(len(r.rest))
	if n == 0 {
		return s
	}
	s.mine, s.count = uint8(r.count(min(n, math.MaxUint8))), uint8(r.count(math.MaxUint8))
	s.words = make([]uint32, 0, n)
	value := uint32(0)
	for range n {
		at := r.number()
		if at&1 == 1 {
			value = uint32(r.count(1<<(32-hashBits) - 1))
		}
		if at>>1 >= 1<<bits {
			r.bad = true
		}
		s.words = append(s.words, uint32(at>>1)&(1<<hashBits-1)|value<<hashBits)
	}
	if s.count == 0 {
		r.bad = true
	}
	return s
}
