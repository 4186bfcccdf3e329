package topic

import (
	"cmp"
	"math"
	"slices"
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
func (p *profile) query(worth func(int32) float64, without int) query {
	q := query{weight: make([]float64, len(p.weight))}
	if p.termNorm > 0 {
		for id, w := range p.weight {
			q.weight[id] = max(w, 0) / p.termNorm // what speaks against a page is not looked for
		}
	}
	best, norm := p.best(worth, without, bestOfExamples)
	for _, b := range best {
		q.weight[b.id] += b.weight / norm
	}
	q.norm = length(q.weight)
	return q
}

type weighed struct {
	id     int32
	weight float64
}

// best are the words that weigh most in the examples, so many at most, and the length of the vector they make.
func (p *profile) best(worth func(int32) float64, without, most int) ([]weighed, float64) {
	if len(p.examples) == 0 {
		return nil, 1
	}
	sum := p.sum
	if without >= 0 {
		sum = slices.Clone(p.sum)
		e := &p.examples[without]
		for i, w := range e.words {
			sum[p.ids[w]] -= damp(e.tf[i]) / e.norm
		}
	}
	var all []weighed
	for id, s := range sum {
		if s > 1e-12 {
			all = append(all, weighed{int32(id), s * worth(int32(id))})
		}
	}
	slices.SortFunc(all, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.id, b.id))
	})
	all = all[:min(len(all), most)]
	norm := 0.0
	for _, w := range all {
		norm += w.weight * w.weight
	}
	return all, max(math.Sqrt(norm), 1e-12)
}

// componentOf is what the frequency of one of the topic's words counts in the vector of a text. most is the frequency
// of the topic's most frequent word there.
type componentOf func(id int32, tf, most float64) float64
