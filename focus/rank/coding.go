package rank

import (
	"math"
	"math/bits"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// coder writes what a memory is made of into a state or a lesson, or reads it back: the same description does both.
type coder struct{ pack.Coder }

// reading is a coder that takes off what was written.
func reading(written []byte) coder { return coder{pack.Coder{Bytes: written, Read: true}} }

// must fails unless what was read makes sense.
func (k *coder) must(hold bool) {
	if !hold {
		k.Fail()
	}
}

// upTo is a number that is at most most; none is, where that is negative.
func upTo[T ~uint8 | ~uint32 | ~int](k *coder, x *T, most int) {
	if pack.Small(&k.Coder, x); k.Read && (most < 0 || uint64(*x) > uint64(most)) {
		k.Fail()
		*x = 0
	}
}

// room is how many elements a list has, of at most most; what is read into it has its room then.
func room[T any](k *coder, list *[]T, most int) {
	n := k.Count(len(*list))
	if !k.Read {
		return
	}
	if *list = nil; n > most {
		k.Fail()
	} else if n > 0 {
		*list = make([]T, n)
	}
}

// there tells whether there is something, which is made where it is read.
func there[T any](k *coder, x **T) bool {
	is := *x != nil
	k.Yes(&is)
	if k.Read && is {
		*x = new(T)
	}
	return is
}

// list is a list of numbers below most.
func (k *coder) list(numbers *[]uint32, most int) {
	room(k, numbers, math.MaxInt)
	for i := range *numbers {
		upTo(k, &(*numbers)[i], most-1)
	}
}

// share is a number in [0,1].
func (k *coder) share(x *float32) {
	k.Float32(x)
	k.must(0 <= *x && *x <= 1)
}

// positive is a number from 0 up to most.
func (k *coder) positive(x *float64, most float64) {
	k.Float64(x)
	k.must(0 <= *x && *x <= most)
}

// brief is a number of few digits in few bytes: most are 0, or halves of something. Such numbers end in bytes of zeros, which stand in
// front when the bytes are turned round, where a number of variable length leaves them out.
func (k *coder) brief(x *float32) {
	n := bits.ReverseBytes32(math.Float32bits(*x))
	if pack.Small(&k.Coder, &n); k.Read {
		*x = math.Float32frombits(bits.ReverseBytes32(n))
	}
}
