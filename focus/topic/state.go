package topic

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// stateVersion is the first byte of a state; it changes whenever the rest is read otherwise.
const stateVersion = 2

// State is what the topic has learned, to be saved; Restore takes it back. The same pages learned in the same order
// give the same bytes. Of a judge that learns nothing it is the examples alone, so that nobody need load them again.
func (t *Topic) State() []byte {
	s := writer{pack.Writer{stateVersion}}
	s.Count(len(t.profile.examples))
	for _, e := range t.profile.examples {
		s.bag(e.words, e.tf)
	}
	if t.learns() {
		s.vocabulary(t.words)
		s.scale(&t.scale)
		s.query(&t.query, t.words)
		s.Bytes(t.learner.State())
	}
	return binary.LittleEndian.AppendUint32(s.Writer, crc32.ChecksumIEEE(s.Writer))
}

// Restore takes back what State gave. The terms are those of the spec, also when they have changed since; example
// pages are those of the state.
func (t *Topic) Restore(state []byte) error {
	body, err := checked(state)
	if err != nil {
		return fmt.Errorf("restore the topic: %w", err)
	}
	r := newReader(body[1:])
	examples := make([]example, r.Count(3))
	for i := range examples {
		examples[i] = newExample(r.bag())
	}
	if !t.learns() {
		if err := r.err(); err != nil {
			return fmt.Errorf("restore the topic: %w", err)
		}
		t.words, t.profile.examples = newVocabulary(), examples
		t.settle()
		return nil
	}
	words := r.vocabulary()
	sc := r.scale()
	wanted, weights := r.bag()
	judge := r.Bytes()
	if err := r.err(); err != nil {
		return fmt.Errorf("restore the topic: %w", err)
	}
	t.words, t.profile.examples = words, examples
	t.settle()
	sc.guess = t.scale.guess
	t.scale = sc
	t.query = restoredQuery(words, len(t.profile.weight), wanted, weights)
	if err := t.learner.Restore(judge); err != nil {
		return fmt.Errorf("restore the topic: %w", err)
	}
	return nil
}

func checked(state []byte) ([]byte, error) {
	if len(state) < 5 {
		return nil, errors.New("the state is cut short: start the crawl afresh")
	}
	if err := pack.Version(int(state[0]), stateVersion); err != nil { // which may write another checksum
		return nil, fmt.Errorf("the state: %w", err)
	}
	body, sum := state[:len(state)-4], binary.LittleEndian.Uint32(state[len(state)-4:])
	if crc32.ChecksumIEEE(body) != sum {
		return nil, errors.New("the state is damaged (its checksum is wrong): start the crawl afresh")
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
	q.norm = length(q.weight)
	return q
}

// writer writes down words and what is counted of them.
type writer struct{ pack.Writer }

func (w *writer) bag(words []string, tf []float64) {
	w.Count(len(words))
	for i, word := range words {
		w.Text(word)
		w.Float64(tf[i])
	}
}

func (w *writer) vocabulary(v *vocabulary) {
	w.Count(v.pages)
	w.Count(len(v.list))
	for i, word := range v.list {
		w.Text(word)
		w.Count(int(v.df[i]))
	}
}

func (w *writer) scale(s *scale) {
	w.Float64(s.lo)
	w.Float64(s.hi)
	used := 0
	for _, n := range s.count {
		if n > 0 {
			used++
		}
	}
	w.Count(used)
	for bin, n := range s.count {
		if n > 0 {
			w.Count(bin)
			w.Count(int(n))
			w.Float64(s.sum[bin])
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

// reader reads what a writer wrote.
type reader struct{ pack.Reader }

func newReader(written []byte) reader { return reader{pack.Reader{Left: written}} }

// err says whether all was there.
func (r *reader) err() error {
	if r.Bad {
		return errors.New("what is written there ends too early or makes no sense")
	}
	return nil
}

func (r *reader) uint() int { return r.UpTo(math.MaxInt32) }

func (r *reader) bag() (words []string, tf []float64) {
	for range r.Count(9) {
		words = append(words, r.Text())
		tf = append(tf, r.Float64())
	}
	return words, tf
}

func (r *reader) vocabulary() *vocabulary {
	v := newVocabulary()
	v.pages = r.uint()
	for range r.Count(2) {
		id := v.insert(r.Text())
		v.df[id] = uint32(r.uint())
	}
	return v
}

func (r *reader) scale() scale {
	s := newScale()
	s.lo, s.hi = r.Float64(), r.Float64()
	for range r.Count(10) {
		bin, n := r.uint(), r.uint()
		if bin > bins {
			r.Fail()
			return s
		}
		s.count[bin], s.sum[bin] = uint32(n), r.Float64()
		s.pages += n
	}
	return s
}
