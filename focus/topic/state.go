package topic

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// stateVersion is the first byte of a state; it changes whenever the rest is read otherwise.
const stateVersion = 1

// State is what the topic has learned, to be saved; Restore takes it back. The same pages learned in the same order
// give the same bytes.
func (t *Topic) State() []byte {
	s := writer{stateVersion}
	s.vocabulary(t.words)
	s.uint(len(t.profile.examples))
	for _, e := range t.profile.examples {
		s.bag(e.words, e.tf)
	}
	s.scale(&t.scale)
	s.query(&t.query, t.words)
	s.bytes(t.judge.state())
	return binary.LittleEndian.AppendUint32(s, crc32.ChecksumIEEE(s))
}

// Restore takes back what State gave. The terms are those of the spec, also when they have changed since; example
// pages are those of the state.
func (t *Topic) Restore(state []byte) error {
	body, err := checked(state)
	if err != nil {
		return fmt.Errorf("topic: restore: %w", err)
	}
	r := reader{left: body[1:]}
	words := r.vocabulary()
	examples := make([]example, r.count(3))
	for i := range examples {
		examples[i] = newExample(r.bag())
	}
	sc := r.scale()
	wanted, weights := r.bag()
	judge := r.bytes()
	if r.err != nil {
		return fmt.Errorf("topic: restore: %w", r.err)
	}
	t.words, t.profile.examples = words, examples
	t.settle()
	sc.guess = t.scale.guess
	t.scale = sc
	t.query = restoredQuery(words, len(t.profile.weight), wanted, weights)
	if err := t.judge.restore(judge); err != nil {
		return fmt.Errorf("topic: restore: %w", err)
	}
	return nil
}

func checked(state []byte) ([]byte, error) {
	if len(state) < 5 {
		return nil, errors.New("the state is cut short: start the crawl afresh")
	}
	body, sum := state[:len(state)-4], binary.LittleEndian.Uint32(state[len(state)-4:])
	if crc32.ChecksumIEEE(body) != sum {
		return nil, errors.New("the state is damaged (its checksum is wrong): start the crawl afresh")
	}
	if body[0] != stateVersion {
		return nil, fmt.Errorf("the state is of version %d, this program reads %d: finish the crawl with the program that began it", body[0], stateVersion)
	}
	return body, nil
}

func restoredQuery(v *vocabulary, size int, words []string, weights []float64) query {
	q := query{weight: make([]float64, size)}
	for i, w := range words {
		if id, ok := v.ids[w]; ok && int(id) < size {
			q.weight[id] = weights[i]
		}
	}
	for _, w := range q.weight {
		q.norm += w * w
	}
	q.norm = math.Sqrt(q.norm)
	return q
}

// writer appends numbers and words to bytes.
type writer []byte

func (w *writer) uint(n int) { *w = binary.AppendUvarint(*w, uint64(n)) }

func (w *writer) float(f float64) { *w = binary.LittleEndian.AppendUint64(*w, math.Float64bits(f)) }

func (w *writer) bytes(b []byte) {
	w.uint(len(b))
	*w = append(*w, b...)
}

func (w *writer) text(s string) {
	w.uint(len(s))
	*w = append(*w, s...)
}

func (w *writer) bag(words []string, tf []float64) {
	w.uint(len(words))
	for i, word := range words {
		w.text(word)
		w.float(tf[i])
	}
}

func (w *writer) vocabulary(v *vocabulary) {
	w.uint(v.pages)
	w.uint(len(v.list))
	for i, word := range v.list {
		w.text(word)
		w.uint(int(v.df[i]))
	}
}

func (w *writer) scale(s *scale) {
	w.float(s.lo)
	w.float(s.hi)
	used := 0
	for _, n := range s.count {
		if n > 0 {
			used++
		}
	}
	w.uint(used)
	for bin, n := range s.count {
		if n > 0 {
			w.uint(bin)
			w.uint(int(n))
			w.float(s.sum[bin])
		}
	}
}

func (w *writer) query(q *query, v *vocabulary) {
	var words []string
	var weights []float64
	for id, weight := range q.weight {
		if weight > 0 {
			words, weights = append(words, v.list[id]), append(weights, weight)
		}
	}
	w.bag(words, weights)
}

// reader reads what a writer wrote. After the first mistake it answers zeros and keeps err.
type reader struct {
	left []byte
	err  error
}

func (r *reader) fail() {
	if r.err == nil {
		r.err = errors.New("what is written there ends too early or makes no sense")
	}
	r.left = nil
}

func (r *reader) uint() int {
	n := r.uint64()
	if n > math.MaxInt32 {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) uint64() uint64 {
	n, size := binary.Uvarint(r.left)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.left = r.left[size:]
	return n
}

func (r *reader) float32() float32 {
	if len(r.left) < 4 {
		r.fail()
		return 0
	}
	f := math.Float32frombits(binary.LittleEndian.Uint32(r.left))
	r.left = r.left[4:]
	return f
}

// count reads how many things follow, each at least so many bytes long: no more than can be there.
func (r *reader) count(bytes int) int {
	n := r.uint()
	if n > len(r.left)/bytes {
		r.fail()
		return 0
	}
	return n
}

func (r *reader) bytes() []byte {
	n := r.count(1)
	b := r.left[:n]
	r.left = r.left[n:]
	return b
}

func (r *reader) text() string { return string(r.bytes()) }

func (r *reader) float() float64 {
	if len(r.left) < 8 {
		r.fail()
		return 0
	}
	f := math.Float64frombits(binary.LittleEndian.Uint64(r.left))
	r.left = r.left[8:]
	return f
}

func (r *reader) bag() (words []string, tf []float64) {
	for range r.count(9) {
		words = append(words, r.text())
		tf = append(tf, r.float())
	}
	return words, tf
}

func (r *reader) vocabulary() *vocabulary {
	v := newVocabulary()
	v.pages = r.uint()
	for range r.count(2) {
		id := v.insert(r.text())
		v.df[id] = uint32(r.uint())
	}
	return v
}

func (r *reader) scale() scale {
	s := newScale()
	s.lo, s.hi = r.float(), r.float()
	for range r.count(10) {
		bin, n := r.uint(), r.uint()
		if bin > bins {
			r.fail()
			return s
		}
		s.count[bin], s.sum[bin] = uint32(n), r.float()
		s.pages += n
	}
	return s
}
