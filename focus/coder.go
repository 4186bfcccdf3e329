package focus

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"time"
)

// coder writes values to bytes or reads them back: the same code does both, so that what is read is what was written.
// After the first mistake in reading everything is zero, and bad is set.
type coder struct {
	b    []byte
	read bool
	bad  bool
}

var errCoded = errors.New("the crawl's own books end too early or make no sense")

// done is an error unless what was read is exactly what was there.
func (k *coder) done() error {
	if k.read && (k.bad || len(k.b) > 0) {
		return errCoded
	}
	return nil
}

func (k *coder) fail() { k.b, k.bad = nil, true }

func (k *coder) uint(x *uint64) {
	if !k.read {
		k.b = binary.AppendUvarint(k.b, *x)
		return
	}
	n := 0
	if *x, n = binary.Uvarint(k.b); n <= 0 {
		*x = 0
		k.fail()
		return
	}
	k.b = k.b[n:]
}

func (k *coder) int64(x *int64) {
	n := uint64(*x)<<1 ^ uint64(*x>>63)
	k.uint(&n)
	*x = int64(n>>1) ^ -int64(n&1)
}

func (k *coder) int(x *int) {
	n := int64(*x)
	k.int64(&n)
	*x = int(n)
}

// key is a number that uses all its bits.
func (k *coder) key(x *uint64) {
	if !k.read {
		k.b = binary.LittleEndian.AppendUint64(k.b, *x)
	} else if b := k.take(8); b != nil {
		*x = binary.LittleEndian.Uint64(b)
	}
}

func (k *coder) float(x *float64) {
	n := math.Float64bits(*x)
	k.key(&n)
	*x = math.Float64frombits(n)
}

func (k *coder) float32(x *float32) {
	n := uint64(math.Float32bits(*x))
	k.uint(&n)
	*x = math.Float32frombits(uint32(n))
}

func (k *coder) yes(x *bool) {
	n := byte(0)
	if *x {
		n = 1
	}
	k.byte(&n)
	*x = n == 1
}

func (k *coder) byte(x *byte) {
	if !k.read {
		k.b = append(k.b, *x)
	} else if b := k.take(1); b != nil {
		*x = b[0]
	}
}

// count is how many things follow, each of them at least a byte long.
func (k *coder) count(n int) int {
	x := uint64(n)
	k.uint(&x)
	if k.read && x > uint64(len(k.b)) {
		k.fail()
		return 0
	}
	return int(x)
}

// take reads n bytes.
func (k *coder) take(n int) []byte {
	if n > len(k.b) {
		k.fail()
		return nil
	}
	b := k.b[:n:n]
	k.b = k.b[n:]
	return b
}

func (k *coder) bytes(x *[]byte) {
	n := k.count(len(*x))
	if k.read {
		*x = k.take(n)
	} else {
		k.b = append(k.b, *x...)
	}
}

func (k *coder) text(x *string) {
	b := []byte(*x)
	k.bytes(&b)
	*x = string(b)
}

// time keeps a moment to the nanosecond, and the zero time.
func (k *coder) time(x *time.Time) {
	known := !x.IsZero()
	k.yes(&known)
	if !known {
		*x = time.Time{}
		return
	}
	n := x.UnixNano()
	k.int64(&n)
	*x = time.Unix(0, n).UTC()
}

// codeList is a list; one codes an element.
func codeList[T any](k *coder, list *[]T, one func(*T)) {
	n := k.count(len(*list))
	if k.read {
		*list = nil
		for range n {
			var x T
			if one(&x); k.bad {
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

// codeMap is a map, in the order of its keys.
func codeMap[K cmp.Ordered, V any](k *coder, m map[K]V, key func(*K), value func(*V)) {
	n := k.count(len(m))
	if k.read {
		clear(m)
		for range n {
			var at K
			var v V
			key(&at)
			if value(&v); k.bad {
				return
			}
			m[at] = v
		}
		return
	}
	for _, at := range slices.Sorted(maps.Keys(m)) {
		v := m[at]
		key(&at)
		value(&v)
	}
}
