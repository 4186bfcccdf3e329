package rank

import (
	"encoding/binary"
	"math"
)

// writer appends numbers to a state.
type writer []byte

func (w *writer) number(v uint64) { *w = binary.AppendUvarint(*w, v) }
func (w *writer) count(n int)     { w.number(uint64(n)) }

func (w *writer) yes(b bool) {
	if b {
		*w = append(*w, 1)
	} else {
		*w = append(*w, 0)
	}
}

func (w *writer) real(v float64) {
	*w = binary.LittleEndian.AppendUint64(*w, math.Float64bits(v))
}

func (w *writer) short(v float32) {
	*w = binary.LittleEndian.AppendUint32(*w, math.Float32bits(v))
}

func (w *writer) list(numbers []uint32) {
	w.count(len(numbers))
	for _, n := range numbers {
		w.number(uint64(n))
	}
}

// reader takes numbers off a state. bad says that it held less, or other things, than it should.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// count is a number that is at most most; nothing is, where that is negative.
func (r *reader) count(most int) int {
	v := r.number()
	if most < 0 || v > uint64(most) {
		r.bad, r.rest = true, nil
		return 0
	}
	return int(v)
}

func (r *reader) bytes(n int) []byte {
	if len(r.rest) < n {
		r.bad, r.rest = true, nil
		return make([]byte, n)
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) yes() bool { return r.count(1) == 1 }

func (r *reader) real() float64  { return math.Float64frombits(binary.LittleEndian.Uint64(r.bytes(8))) }
func (r *reader) short() float32 { return math.Float32frombits(binary.LittleEndian.Uint32(r.bytes(4))) }

// list is a list of numbers below most.
func (r *reader) list(most int) []uint32 {
	n := r.count(len(r.rest))
	if n == 0 {
		return nil
	}
	numbers := make([]uint32, n)
	for i := range numbers {
		numbers[i] = uint32(r.count(most - 1))
	}
	return numbers
}
