package topic

import "math"

// restricted is the judge of the sources: the plain cosine over the topic's words alone. What else a page speaks of
// does not count, so a page that names one term once can be as near as a page full of it.
type restricted struct {
	unchanging
	t *Topic
}

func (r restricted) score(b *bag, why []Evidence) (float64, []Evidence) {
	t := r.t
	raw := t.query.cosine(t.words, b, t.component)
	if raw == 0 {
		return 0, why
	}
	most := 0.0
	for i, word := range b.words {
		if id, ok := t.query.has(t.words, word); ok {
			most = max(most, b.tf[i])
			why = append(why, Evidence{t.profile.surface[id], int(b.count[i]), b.tf[i]})
		}
	}
	norm, n := 0.0, 0
	for _, word := range b.words {
		if id, ok := t.query.has(t.words, word); ok {
			x := t.component(id, why[n].Added, most)
			why[n].Added = x * t.query.weight[id] / t.query.norm
			norm += x * x
			n++
		}
	}
	for i := range why {
		why[i].Added /= math.Sqrt(norm)
	}
	return raw, why
}

func (r restricted) leaveOneOut() (mean float64, ok bool) {
	t := r.t
	p := &t.profile
	if len(p.examples) == 0 || len(p.examples) == 1 && len(p.terms) == 0 {
		return 0, false
	}
	for i, e := range p.examples {
		q := p.query(t.words, i)
		mean += q.cosine(t.words, &bag{words: e.words, tf: e.tf}, t.component)
	}
	return mean / float64(len(p.examples)), true
}

// component is what a word of the topic counts in the vector of a text: tf times idf for the judge of the sources,
// with idf = ln(N/df) over the pages judged so far and this one; x times the term's weight where frequencies are
// relative to the most frequent keyword; log(1+tf) times idf for the default judge.
func (t *Topic) component(id int32, tf, most float64) float64 {
	switch {
	case t.spec.Relative:
		return tf / most * t.query.weight[id]
	case t.spec.Judge == "vsm-restricted":
		if !t.words.ready() {
			return tf
		}
		n := float64(t.words.pages + t.words.examples + 1)
		return tf * math.Log(n/float64(t.words.df[id]+1))
	}
	return damp(tf) * t.words.idf(t.words.df[id])
}
