package winnow

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// packed is a page's vector as it is held: of each kind how many signs there are, and of each its number twice, and one more where it is
// there more than once: how often follows then. A word takes three bytes so, mostly, where the vector itself takes eight.
type packed []byte

// count is how often something is there.
type count[S comparable] struct {
	sign  S
	times uint64
}

// counted counts signs, in the order in which they come first.
func counted[S comparable](all []S) []count[S] {
	order, at := make([]count[S], 0, len(all)), make(map[S]int, len(all))
	for _, sign := range all {
		k, there := at[sign]
		if !there {
			k = len(order)
			at[sign], order = k, append(order, count[S]{sign, 0})
		}
		order[k].times++
	}
	return order
}

// packing packs vectors, many in one piece of memory.
type packing struct {
	known *lexicon
	made  []byte // one vector
	room  []byte
}

// pack packs what a page itself has, and what is said of it.
func (p *packing) pack(own *[ofItself][]count[string], anchors, lists []uint32) packed {
	p.made = p.made[:0]
	for kind := range own {
		p.made = binary.AppendUvarint(p.made, uint64(len(own[kind])))
		for _, c := range own[kind] {
			p.add(p.known.number(kinds[kind].name, c.sign), c.times)
		}
	}
	for _, numbers := range [...][]uint32{anchors, lists} {
		all := counted(numbers)
		p.made = binary.AppendUvarint(p.made, uint64(len(all)))
		for _, c := range all {
			p.add(c.sign, c.times)
		}
	}
	if len(p.made) > cap(p.room)-len(p.room) {
		const piece = 1 << 20
		p.room = make([]byte, 0, max(piece, len(p.made)))
	}
	from := len(p.room)
	p.room = append(p.room, p.made...)
	return packed(p.room[from:len(p.room):len(p.room)])
}

func (p *packing) add(number uint32, times uint64) {
	if times == 1 {
		p.made = binary.AppendUvarint(p.made, uint64(number)<<1)
	} else {
		p.made = binary.AppendUvarint(binary.AppendUvarint(p.made, uint64(number)<<1|1), times)
	}
}

// logs are the logarithms of how often signs are there.
var logs = func() (of [64]float64) {
	for n := range of {
		of[n] = math.Log1p(float64(n))
	}
	return of
}()

func logOf(times uint64) float64 {
	if times < uint64(len(logs)) {
		return logs[times]
	}
	return math.Log1p(float64(times))
}

// unpacking makes vectors of packed ones, each in the place of the one before.
type unpacking struct {
	x    learn.Vector
	logs []float64
}

// of is the vector: of each group the logarithms of how often its signs are there, made one long and weighed; and the constant.
func (u *unpacking) of(p packed) learn.Vector {
	n := 0
	for _, b := range p {
		if b < 0x80 { // a number ends
			n++
		}
	}
	u.x.Index, u.x.Value, u.logs = slices.Grow(u.x.Index[:0], n), slices.Grow(u.x.Value[:0], n), slices.Grow(u.logs[:0], n)
	next := func() uint64 {
		if p[0] < 0x80 { // most are
			n := uint64(p[0])
			p = p[1:]
			return n
		}
		n, size := binary.Uvarint(p)
		p = p[size:]
		return n
	}
	for kind := range kinds {
		from, norm := len(u.logs), 0.0
		for range next() {
			number, times := next(), uint64(1)
			if number&1 != 0 {
				times = next()
			}
			log := logOf(times)
			u.x.Index, u.logs = append(u.x.Index, uint32(number>>1)), append(u.logs, log)
			norm += log * log
		}
		norm = math.Sqrt(norm)
		for _, log := range u.logs[from:] {
			u.x.Value = append(u.x.Value, float32(kinds[kind].weight*log/norm))
		}
	}
	u.x.Index, u.x.Value = append(u.x.Index, 0), append(u.x.Value, 1)
	return u.x
}
