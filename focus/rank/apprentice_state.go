package rank

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// blank is an apprentice of the same kind that has learned nothing and believes nothing.
func (p *apprentice) blank() *apprentice {
	size := len(p.chance.Weight)
	return &apprentice{Apprenticeship: p.Apprenticeship, parts: p.parts, visited: map[uint64]*visited{},
		chance: learn.NewOnline(size), future: learn.NewOnline(size)}
}

// apprentice is what one has learned. It is read into one of the same kind that is blank.
func (k *coder) apprentice(p *apprentice) {
	size, parts, bits := len(p.chance.Weight), p.parts, p.Bits
	upTo(k, &parts, maxNodes)
	upTo(k, &bits, hashBits)
	k.must(parts == p.parts && bits == p.Bits)
	k.head(p.chance, 0, size)
	k.head(p.future, 0, size)
	upTo(k, &p.due, math.MaxInt)
	k.Number(&p.page)
	room(k, &p.order, visitedKept)
	for i := range p.order {
		item := &p.order[i]
		if k.Number(item); k.Read {
			p.visited[*item] = new(visited)
		}
		k.visited(p.visited[*item], size, p.Best)
	}
	k.must(len(p.visited) == len(p.order))
}

// head is the weights of a stretch of a head that were moved, or began as something; most never are. Each is told by how far it stands
// behind the one before.
func (k *coder) head(h *learn.Online, from, to int) {
	if !k.Read {
		last := from
		for i := range h.Changed(from, to) {
			k.Count(i + 1 - last)
			k.weight(h, i)
			last = i + 1
		}
		k.Count(0)
		return
	}
	for at, step := from, 0; ; {
		if upTo(k, &step, to-at); step == 0 {
			return
		}
		at += step
		k.weight(h, at-1)
	}
}

func (k *coder) visited(v *visited, size, best int) {
	k.Number(&v.finder)
	k.Float32(&v.relevance)
	k.vector(&v.x, size)
	k.vector(&v.words, size)
	room(k, &v.best, best)
	for i := range v.best {
		k.Number(&v.best[i].item)
		k.Float32(&v.best[i].value)
	}
	k.Float64(&v.taught)
}

func (k *coder) vector(x *learn.Vector, size int) {
	if k.list(&x.Index, size); k.Read {
		x.Value = make([]float32, len(x.Index))
	}
	for i := range x.Value {
		k.Float32(&x.Value[i])
	}
}

// speech is what was said of an address. Words that count the same stand one after the other.
func (k *coder) speech(s *speech, bits int) {
	room(k, &s.words, math.MaxInt)
	if len(s.words) == 0 {
		return
	}
	upTo(k, &s.mine, min(len(s.words), math.MaxUint8))
	pack.Small(&k.Coder, &s.count)
	k.must(s.count > 0)
	last := uint32(0)
	for i, word := range s.words {
		at, value := uint64(word&(1<<hashBits-1))<<1, word>>hashBits
		if value != last {
			at |= 1
		}
		if k.Number(&at); at&1 == 1 {
			upTo(k, &value, 1<<(32-hashBits)-1)
			last = value
		}
		if k.must(at>>1 < 1<<bits); k.Read {
			s.words[i] = uint32(at>>1)&(1<<hashBits-1) | last<<hashBits
		}
	}
}
