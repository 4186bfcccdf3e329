package topic

import (
	"errors"
	"math"
)

// The parameters of BM25 where nobody has tuned them (Robertson and Zaragoza, 2009), and how many words of the examples
// are looked for: as many as a centre is made of.
const (
	saturation    = 1.2 // a word that occurs so often on a page of usual length counts half of what it can
	lengthCounts  = .75 // how far twice the length halves what an occurrence counts
	wordsOfSample = centroidWords
)

// bm25 judges by the ranking function of search engines: what a word of the topic counts rises with its occurrences
// towards a bound, the slower the longer the page is against those seen so far. Unlike the cosine, a page is not held off
// for whatever else it speaks of, and no single word can carry it far. The topic is its terms and the words that weigh most
// in its examples, both as vectors one long.
type bm25 struct {
	words   *vocabulary
	profile *profile
	weight  []float64 // by number of the topic's own words
	all     float64   // sum of weight
	lengths float64   // of the pages learned and the examples, together
	pages   int
}

func newBM25(t *Topic) *bm25 {
	m := &bm25{words: t.words, profile: &t.profile}
	for _, e := range t.profile.examples {
		m.meet(total(e.tf))
	}
	m.weight, m.all = m.weigh(-1)
	return m
}

func total(tf []float64) float64 {
	sum := 0.0
	for _, f := range tf {
		sum += f
	}
	return sum
}

// meet takes a page's length into the mean.
func (m *bm25) meet(length float64) {
	m.lengths += length
	m.pages++
}

// weigh works out the topic by what is known of words now; the example numbered without is left out.
func (m *bm25) weigh(without int) (weight []float64, all float64) {
	p := m.profile
	weight = make([]float64, len(p.weight))
	norm := 0.0
	for id, w := range p.weight {
		if w > 0 {
			weight[id] = w * m.words.idf(m.words.df[id])
			norm += square(weight[id])
		}
	}
	norm = math.Sqrt(norm)
	for id := range weight {
		if weight[id] > 0 {
			weight[id] /= norm
		}
	}
	best, norm := p.best(m.words, without, wordsOfSample)
	for _, b := range best {
		weight[b.id] += b.weight / norm
	}
	for _, w := range weight {
		all += w
	}
	return weight, all
}

// slack is what an occurrence competes with on a page of so many words.
func (m *bm25) slack(length float64) float64 {
	if m.pages == 0 || m.lengths == 0 {
		return saturation
	}
	return saturation * (1 - lengthCounts + lengthCounts*length*float64(m.pages)/m.lengths)
}

func (m *bm25) score(b *bag, why []Evidence) (float64, []Evidence) {
	if m.all == 0 {
		return 0, why
	}
	slack := m.slack(b.length)
	raw := 0.0
	for i, word := range b.words {
		id, ok := m.words.ids[word]
		if !ok || int(id) >= len(m.weight) || m.weight[id] == 0 {
			continue
		}
		added := m.weight[id] / m.all * b.tf[i] / (b.tf[i] + slack)
		raw += added
		why = append(why, Evidence{m.profile.surface[id], int(b.count[i]), added})
	}
	return min(raw, 1), why
}

func (m *bm25) learn(b *bag) {
	m.meet(b.length)
	if due(m.words.pages) {
		m.weight, m.all = m.weigh(-1)
	}
}

func (*bm25) counts(string) bool { return false }

// leaveOneOut judges each example by the terms and the other examples.
func (m *bm25) leaveOneOut() (mean float64, ok bool) {
	p := m.profile
	if len(p.examples) == 0 || len(p.examples) == 1 && len(p.terms) == 0 {
		return 0, false
	}
	for i, e := range p.examples {
		weight, all := m.weigh(i)
		slack := m.slack(total(e.tf))
		for k, word := range e.words {
			if w := weight[m.words.ids[word]]; w > 0 {
				mean += w / all * e.tf[k] / (e.tf[k] + slack)
			}
		}
	}
	return mean / float64(len(p.examples)), true
}

func (m *bm25) state() []byte {
	var w writer
	w.Float64(m.lengths)
	w.Count(m.pages)
	w.Count(len(m.weight))
	for _, x := range m.weight {
		w.Float64(x)
	}
	return w.Writer
}

func (m *bm25) restore(state []byte) error {
	r := newReader(state)
	lengths, pages, n := r.Float64(), r.uint(), r.Count(8)
	weight, all := make([]float64, n), 0.0
	for i := range weight {
		weight[i] = r.Float64()
		all += weight[i]
	}
	if err := r.err(); err != nil {
		return err
	}
	if n != len(m.weight) {
		return errors.New("the topic's words are others than these: start the crawl afresh")
	}
	m.lengths, m.pages, m.weight, m.all = lengths, pages, weight, all
	return nil
}
