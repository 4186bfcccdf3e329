package topic

import "math"

// vsm is the default judge: half the cosine to the terms, half the cosine to the sum of the examples, whichever are
// given. Every word of the page is in the page's length, so that a long page that names the topic once is far from
// it.
type vsm struct {
	unchanging
	words   *vocabulary
	profile *profile
}

// shares are what a unit of a term's weight, and of the examples' sum, counts in the judge's number.
func (v *vsm) shares(termNorm, sumNorm float64) (term, sum float64) {
	if termNorm > 0 {
		term = 1 / termNorm
	}
	if sumNorm > 0 {
		sum = 1 / sumNorm
	}
	if term > 0 && sum > 0 {
		return term / 2, sum / 2
	}
	return term, sum
}

func (v *vsm) score(b *bag, why []Evidence) (float64, []Evidence) {
	p := v.profile
	term, sum := v.shares(p.termNorm, p.sumNorm)
	most := v.mostKeyword(b)
	norm, raw := 0.0, 0.0
	for i, word := range b.words {
		id, idf := v.words.of(word)
		own := id >= 0 && int(id) < len(p.weight)
		x := damp(b.tf[i]) * idf
		if p.relative {
			x = b.tf[i] / most * idf
			if own && p.weight[id] > 0 {
				x *= p.weight[id]
			}
		}
		norm += x * x
		if !own {
			continue
		}
		if added := (p.weight[id]*term + p.sum[id]*idf*sum) * x; added > 0 {
			raw += added
			why = append(why, Evidence{p.surface[id], int(b.count[i]), added})
		}
	}
	if norm == 0 {
		return 0, why[:0]
	}
	norm = math.Sqrt(norm)
	for i := range why {
		why[i].Added /= norm
	}
	return min(raw/norm, 1), why
}

// mostKeyword is the frequency of the topic's most frequent word, 1 where none occurs.
func (v *vsm) mostKeyword(b *bag) float64 {
	most := 0.0
	if v.profile.relative {
		for i, word := range b.words {
			if id, ok := v.words.ids[word]; ok && int(id) < len(v.profile.weight) {
				most = max(most, b.tf[i])
			}
		}
	}
	if most == 0 {
		return 1
	}
	return most
}

// leaveOneOut judges each example by the terms and the other examples.
func (v *vsm) leaveOneOut() (mean float64, ok bool) {
	p := v.profile
	if len(p.examples) == 0 || len(p.examples) == 1 && len(p.terms) == 0 {
		return 0, false
	}
	for i := range p.examples {
		mean += v.without(&p.examples[i])
	}
	return mean / float64(len(p.examples)), true
}

// without judges one example by the terms and the other examples: with S the sum of all, e this one and every word
// times its idf, |S-e|^2 is |S|^2 - 2 S.e + |e|^2, and (S-e).e is S.e - |e|^2.
func (v *vsm) without(e *example) float64 {
	p := v.profile
	var toTerms, toAll, self, page float64
	for i, word := range e.words {
		id, idf := v.words.of(word)
		x := damp(e.tf[i]) * idf
		page += x * x
		toTerms += p.weight[id] * x
		toAll += p.sum[id] * idf * x / e.norm
		self += square(x / e.norm)
	}
	others := math.Sqrt(max(p.sumNorm*p.sumNorm-2*toAll+self, 0))
	if page == 0 {
		return 0
	}
	term, sum := v.shares(p.termNorm, others)
	return (toTerms*term + (toAll-self)*e.norm*sum) / math.Sqrt(page)
}
