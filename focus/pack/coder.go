package pack

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"
	"time"
)

// Coder writes values to bytes or reads them back: the same description does both, so that what is read is what was written.
// After the first mistake in reading everything is zero, and Bad is set.
type Coder struct {
	Bytes []byte // what was written, or what is still to be read
	Read  bool
	Bad   bool
}

// errCoded is the error of what was not written by the same description, or not to its end.
var errCoded = errors.New("it ends too early or makes no sense")

// Done is an error unless what was read is exactly what was there.
func (k *Coder) Done() error {
	if k.Read && (k.Bad || len(k.Bytes) > 0) {
		return errCoded
	}
	return nil
}

// Fail makes all zero that is still to be read. What is written stays.
func (k *Coder) Fail() {
	if k.Read {
		k.Bytes, k.Bad = nil, true
	}
}

// code writes a value, or reads it.
func code[T any](k *Coder, x *T, write func(*Writer, T), read func(*Reader) T) {
	if !k.Read {
		write((*Writer)(&k.Bytes), *x)
		return
	}
	r := Reader{Left: k.Bytes, Bad: k.Bad}
	*x = read(&r)
	k.Bytes, k.Bad = r.Left, r.Bad
}

// Number is a number that is mostly small.
func (k *Coder) Number(x *uint64) { code(k, x, (*Writer).Number, (*Reader).Number) }

// Signed is a number that is mostly near 0, on either side of it.
func (k *Coder) Signed(x *int64) { code(k, x, (*Writer).Signed, (*Reader).Signed) }

// Int is Signed of an int.
func (k *Coder) Int(x *int) {
	n := int64(*x)
	k.Signed(&n)
	*x = int(n)
}

// Byte is one.
func (k *Coder) Byte(x *byte) { code(k, x, (*Writer).Byte, (*Reader).Byte) }

// Fixed64 is a number that uses all its bits.
func (k *Coder) Fixed64(x *uint64) { code(k, x, (*Writer).Fixed64, (*Reader).Fixed64) }

// Fixed32 is a number that uses all its bits.
func (k *Coder) Fixed32(x *uint32) {
	f := math.Float32frombits(*x)
	k.Float32(&f)
	*x = math.Float32bits(f)
}

// Float32 is the bits of a number.
func (k *Coder) Float32(x *float32) { code(k, x, (*Writer).Float32, (*Reader).Float32) }

// Float64 is the bits of a number.
func (k *Coder) Float64(x *float64) { code(k, x, (*Writer).Float64, (*Reader).Float64) }

// Yes is a yes or a no.
func (k *Coder) Yes(x *bool) { code(k, x, (*Writer).Yes, (*Reader).Yes) }

// Count is how many things follow, each of them at least a byte long.
func (k *Coder) Count(n int) int {
	code(k, &n, (*Writer).Count, func(r *Reader) int { return r.Count(1) })
	return n
}

// Blob is how many bytes there are, and them.
func (k *Coder) Blob(x *[]byte) { code(k, x, (*Writer).Bytes, (*Reader).Bytes) }

// Text is how many bytes it has, and them.
func (k *Coder) Text(x *string) { code(k, x, (*Writer).Text, (*Reader).Text) }

// Left is all that follows, to the end.
func (k *Coder) Left(x *[]byte) {
	if !k.Read {
		k.Bytes = append(k.Bytes, *x...)
		return
	}
	*x, k.Bytes = k.Bytes, nil
}

// Time is a moment to the nanosecond, or the zero time.
func (k *Coder) Time(x *time.Time) {
	known := !x.IsZero()
	k.Yes(&known)
	if !known {
		*x = time.Time{}
		return
	}
	n := x.UnixNano()
	k.Signed(&n)
	*x = time.Unix(0, n).UTC()
}

// Bits32 is the bits of a number, of which those of 0 take one byte.
func (k *Coder) Bits32(x *float32) {
	n := uint64(math.Float32bits(*x))
	if k.Number(&n); n > math.MaxUint32 {
		k.Bad, n = true, 0
	}
	*x = math.Float32frombits(uint32(n))
}

// List is a list; one codes an element.
func List[T any](k *Coder, list *[]T, one func(*T)) {
	n := k.Count(len(*list))
	if k.Read {
		*list = nil
		for range n {
			var x T
			if one(&x); k.Bad {
				return
			}
			*list = append(*list, x)
		}
		return
	}
	for i := range *list {
		one(&(*list)[i])
	}
}

// Small is a number of fewer than 64 bits, none below 0, that is mostly small. What is written is not touched.
func Small[T ~uint8 | ~uint16 | ~uint32 | ~int | ~int64](k *Coder, x *T) {
	n := uint64(*x)
	if k.Number(&n); !k.Read {
		return
	}
	if uint64(T(n)) != n || T(n) < 0 {
		k.Fail()
		n = 0
	}
	*x = T(n)
}

// ToEnd is a list of which nobody says how long it is: what is coded ends with it. What is read is added to what the list has
// already. One codes an element, of at least a byte.
func ToEnd[T any](k *Coder, list *[]T, one func(*T)) {
	if !k.Read {
		for i := range *list {
			one(&(*list)[i])
		}
		return
	}
	for left := len(k.Bytes); left > 0; left = len(k.Bytes) {
		var x T
		if one(&x); len(k.Bytes) == left {
			k.Fail()
			return
		}
		*list = append(*list, x)
	}
}

// Map is a map that is there, in the order of its keys.
func Map[K cmp.Ordered, V any](k *Coder, m map[K]V, key func(*K), value func(*V)) {
	n := k.Count(len(m))
	if k.Read {
		clear(m)
		for range n {
			var at K
			var v V
			key(&at)
			if value(&v); k.Bad {
				return
			}
			m[at] = v
		}
		return
	}
	var room [16]K
	keys := slices.AppendSeq(room[:0], maps.Keys(m))
	slices.Sort(keys)
	for _, at := range keys {
		v := m[at]
		key(&at)
		value(&v)
	}
}
