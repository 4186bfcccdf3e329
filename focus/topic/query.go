package topic

import (
	"cmp"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/text"
)

// bestOfExamples is how many words of the examples a short text is compared with, besides the terms.
const bestOfExamples = 60

// query is the topic as short texts are compared with it: the terms and the best words of the examples, by word
// number. The terms and the examples' words count the same as a whole.
type query struct {
	weight []float64
	norm   float64
}

// query works out the topic for short texts by what is known of words now. The example numbered without is left out.
func (p *profile) query(v *vocabulary, without int) query {
	q := query{weight: make([]float64, len(p.weight))}
	if p.termNorm > 0 {
		for id, w := range p.weight {
			q.weight[id] = w / p.termNorm
		}
	}
	best, norm := p.best(v, without)
	for _, b := range best {
		q.weight[b.id] += b.weight / norm
	}
	for _, w := range q.weight {
		q.norm += w * w
	}
	q.norm = math.Sqrt(q.norm)
	return q
}

type weighed struct {
	id     int32
	weight float64
}

// best are the words that weigh most in the examples, and the length of the vector they make.
func (p *profile) best(v *vocabulary, without int) ([]weighed, float64) {
	if len(p.examples) == 0 {
		return nil, 1
	}
	sum := p.sum
	if without >= 0 {
		sum = slices.Clone(p.sum)
		e := &p.examples[without]
		for i, w := range e.words {
			sum[v.ids[w]] -= damp(e.tf[i]) / e.norm
		}
	}
	var all []weighed
	for id, s := range sum {
		if s > 1e-12 {
			all = append(all, weighed{int32(id), s * v.idf(v.df[id])})
		}
	}
	slices.SortFunc(all, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.id, b.id))
	})
	all = all[:min(len(all), bestOfExamples)]
	norm := 0.0
	for _, w := range all {
		norm += w.weight * w.weight
	}
	return all, max(math.Sqrt(norm), 1e-12)
}

// component is what the frequency of one of the topic's words counts in the vector of a text. most is the frequency
// of the topic's most frequent word there.
type component func(id int32, tf, most float64) float64

// cosine compares a text with the query over the query's words alone.
func (q *query) cosine(v *vocabulary, b *bag, c component) float64 {
	most := 0.0
	for i, word := range b.words {
		if _, ok := q.has(v, word); ok {
			most = max(most, b.tf[i])
		}
	}
	if most == 0 {
		return 0
	}
	dot, norm := 0.0, 0.0
	for i, word := range b.words {
		if id, ok := q.has(v, word); ok {
			x := c(id, b.tf[i], most)
			dot += x * q.weight[id]
			norm += x * x
		}
	}
	if norm == 0 {
		return 0
	}
	return min(dot/(math.Sqrt(norm)*q.norm), 1)
}

func (q *query) has(v *vocabulary, word string) (int32, bool) {
	id, ok := v.ids[word]
	return id, ok && int(id) < len(q.weight) && q.weight[id] > 0
}

// Sim is the cosine between the topic and a short text, over the topic's words: 1 means all of the topic. The topic
// here is its terms and the 60 words that weigh most in its examples.
func (t *Topic) Sim(s string) float64 {
	b := t.bag()
	defer t.bags.Put(b)
	b.tokens = t.cutter.Cut(b.tokens[:0], s)
	return t.simTokens(b, b.tokens)
}

// SimAround is Sim over the last n words of before and the first n of after.
func (t *Topic) SimAround(before, after string, n int) float64 {
	b := t.bag()
	defer t.bags.Put(b)
	b.tokens = t.cutter.Cut(b.tokens[:0], before)
	b.tokens = append(b.tokens[:0], b.tokens[max(0, len(b.tokens)-n):]...)
	had := len(b.tokens)
	b.tokens = t.cutter.Cut(b.tokens, after)
	return t.simTokens(b, b.tokens[:min(len(b.tokens), had+n)])
}

func (t *Topic) simTokens(b *bag, tokens []text.Token) float64 {
	b.reset()
	for i := range tokens {
		if _, ok := t.query.has(t.words, tokens[i].Term); ok {
			b.add(tokens[i].Term, 1)
		}
	}
	if len(b.words) == 0 {
		return 0
	}
	return t.query.cosine(t.words, b, t.component)
}

// Matches are the topic's words that occur in a short text, as a person would write them, in order of first
// occurrence.
func (t *Topic) Matches(s string) []string {
	b := t.bag()
	defer t.bags.Put(b)
	b.tokens = t.cutter.Cut(b.tokens[:0], s)
	var found []string
	for i := range b.tokens {
		if id, ok := t.query.has(t.words, b.tokens[i].Term); ok && !slices.Contains(found, t.profile.surface[id]) {
			found = append(found, t.profile.surface[id])
		}
	}
	return found
}
