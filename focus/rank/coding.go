package rank

import "github.com/thresher-crawler/thresher/focus/pack"

// writer appends to a state or a lesson what a memory is made of.
type writer struct{ pack.Writer }

func newWriter(begun ...byte) writer { return writer{begun} }

func (w *writer) list(numbers []uint32) {
	w.Count(len(numbers))
	for _, n := range numbers {
		w.Number(uint64(n))
	}
}

// reader takes it off again.
type reader struct{ pack.Reader }

func newReader(written []byte) reader { return reader{pack.Reader{Left: written}} }

// list is a list of numbers below most.
func (r *reader) list(most int) []uint32 {
	n := r.Count(1)
	if n == 0 {
		return nil
	}
	numbers := make([]uint32, n)
	for i := range numbers {
		if numbers[i] = r.Number32(); uint64(numbers[i]) >= uint64(most) {
			r.Fail()
		}
	}
	return numbers
}
