// Package pack answers: how is what a crawl has learned written down in few bytes, and read back without trusting them?
//
// There are two types for that. A Writer appends values to bytes, and a Reader takes them off again in the same order. What
// is written says nothing about itself: no names, no kinds, no version; those that write put the version first and a
// checksum last where they need one. Small numbers take few bytes.
//
// A Reader can be given anything. After the first thing that is not there it answers zeros and is Bad, so that who reads
// asks once, at the end; a count is never more than what is left can hold, so that nobody makes room for what a damaged
// file claims.
package pack

import (
	"encoding/binary"
	"math"
)

// Writer is what has been written so far.
type Writer []byte

// Number writes a number that is mostly small.
func (w *Writer) Number(n uint64) { *w = binary.AppendUvarint(*w, n) }

// Signed writes a number that is mostly near 0, on either side of it.
func (w *Writer) Signed(n int64) { *w = binary.AppendVarint(*w, n) }

// Count writes how many things follow.
func (w *Writer) Count(n int) { w.Number(uint64(n)) }

// Byte writes one.
func (w *Writer) Byte(b byte) { *w = append(*w, b) }

// Yes writes a yes or a no.
func (w *Writer) Yes(yes bool) {
	if yes {
		w.Byte(1)
	} else {
		w.Byte(0)
	}
}

// Fixed64 writes a number that uses all its bits.
func (w *Writer) Fixed64(n uint64) { *w = binary.LittleEndian.AppendUint64(*w, n) }

// Float32 writes the bits of a number.
func (w *Writer) Float32(f float32) {
	*w = binary.LittleEndian.AppendUint32(*w, math.Float32bits(f))
}

// Float64 writes the bits of a number.
func (w *Writer) Float64(f float64) { w.Fixed64(math.Float64bits(f)) }

// Bytes writes how many there are, and them.
func (w *Writer) Bytes(b []byte) {
	w.Count(len(b))
	*w = append(*w, b...)
}

// Appended writes how many bytes are appended, and them. Their number, of at most 2^42, is filled in when they stand there.
func (w *Writer) Appended(add func([]byte) []byte) {
	const room = 6
	at := len(*w)
	*w = add(append(*w, make([]byte, room)...))
	n := len(*w) - at - room
	for i := range room {
		(*w)[at+i] = byte(n) | 0x80
		n >>= 7
	}
	(*w)[at+room-1] &^= 0x80
}

// Text writes how many bytes it has, and them.
func (w *Writer) Text(s string) {
	w.Count(len(s))
	*w = append(*w, s...)
}

// Reader takes off what a Writer wrote.
type Reader struct {
	Left []byte // what is still to be read
	Bad  bool   // there was less, or something else, than was asked for
}

// Fail makes all that follows zero.
func (r *Reader) Fail() { r.Left, r.Bad = nil, true }

// Number reads what Writer.Number wrote.
func (r *Reader) Number() uint64 {
	n, size := binary.Uvarint(r.Left)
	if size <= 0 {
		r.Fail()
		return 0
	}
	r.Left = r.Left[size:]
	return n
}

// Signed reads what Writer.Signed wrote.
func (r *Reader) Signed() int64 {
	n := r.Number()
	return int64(n>>1) ^ -int64(n&1)
}

// UpTo is a number that is at most most; none is, where that is negative.
func (r *Reader) UpTo(most int) int {
	n := r.Number()
	if most < 0 || n > uint64(most) {
		r.Fail()
		return 0
	}
	return int(n)
}

// Number32 is a number of 32 bits at most.
func (r *Reader) Number32() uint32 {
	n := r.Number()
	if n > math.MaxUint32 {
		r.Fail()
		return 0
	}
	return uint32(n)
}

// Count is how many things follow, each of them at least so many bytes long.
func (r *Reader) Count(each int) int {
	n := r.Number()
	if n > uint64(len(r.Left)/each) {
		r.Fail()
		return 0
	}
	return int(n)
}

// Take is the next n bytes; they are not copied, and who appends to them does not write over what follows.
func (r *Reader) Take(n int) []byte {
	if n < 0 || n > len(r.Left) {
		r.Fail()
		return nil
	}
	b := r.Left[:n:n]
	r.Left = r.Left[n:]
	return b
}

// Byte reads one.
func (r *Reader) Byte() byte {
	if b := r.Take(1); b != nil {
		return b[0]
	}
	return 0
}

// Yes reads what Writer.Yes wrote.
func (r *Reader) Yes() bool {
	b := r.Byte()
	if b > 1 {
		r.Fail()
	}
	return b == 1
}

// Fixed64 reads what Writer.Fixed64 wrote.
func (r *Reader) Fixed64() uint64 {
	if b := r.Take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// Float32 reads what Writer.Float32 wrote.
func (r *Reader) Float32() float32 {
	if b := r.Take(4); b != nil {
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// Float64 reads what Writer.Float64 wrote.
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Fixed64()) }

// Bytes reads what Writer.Bytes wrote; like those of Take they are not copied.
func (r *Reader) Bytes() []byte { return r.Take(r.Count(1)) }

// Text reads what Writer.Text wrote.
func (r *Reader) Text() string { return string(r.Bytes()) }
