package ledger

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// coder writes values to bytes or reads them back: the same code does both, so that what is read is what was written.
// After the first mistake in reading everything is zero, and bad is set.
type coder struct {
	b    []byte
	read bool
	bad  bool
}

// ErrDamaged is the error of what was not written here, or not to its end.
var ErrDamaged = errors.New("the crawl's own books end too early or make no sense")

// done is an error unless what was read is exactly what was there.
func (k *coder) done() error {
	if k.read && (k.bad || len(k.b) > 0) {
		return ErrDamaged
	}
	return nil
}

// code writes a value, or reads it.
func code[T any](k *coder, x *T, write func(*pack.Writer, T), read func(*pack.Reader) T) {
	if !k.read {
		write((*pack.Writer)(&k.b), *x)
		return
	}
	r := pack.Reader{Left: k.b, Bad: k.bad}
	*x = read(&r)
	k.b, k.bad = r.Left, r.Bad
}

func (k *coder) uint(x *uint64) { code(k, x, (*pack.Writer).Number, (*pack.Reader).Number) }

func (k *coder) int64(x *int64) { code(k, x, (*pack.Writer).Signed, (*pack.Reader).Signed) }

func (k *coder) int(x *int) {
	n := int64(*x)
	k.int64(&n)
	*x = int(n)
}

// key is a number that uses all its bits.
func (k *coder) key(x *uint64) { code(k, x, (*pack.Writer).Fixed64, (*pack.Reader).Fixed64) }

func (k *coder) float(x *float64) { code(k, x, (*pack.Writer).Float64, (*pack.Reader).Float64) }

func (k *coder) float32(x *float32) {
	n := uint64(math.Float32bits(*x))
	k.uint(&n)
	*x = math.Float32frombits(uint32(n))
}

func (k *coder) yes(x *bool) { code(k, x, (*pack.Writer).Yes, (*pack.Reader).Yes) }

// count is how many things follow, each of them at least a byte long.
func (k *coder) count(n int) int {
	code(k, &n, (*pack.Writer).Count, func(r *pack.Reader) int { return r.Count(1) })
	return n
}

func (k *coder) bytes(x *[]byte) { code(k, x, (*pack.Writer).Bytes, (*pack.Reader).Bytes) }

func (k *coder) text(x *string) { code(k, x, (*pack.Writer).Text, (*pack.Reader).Text) }

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
