package topic

import (
	"math"
	"slices"
)

// restricted is the judge of the sources: the plain cosine over the topic's words alone. What else a page speaks of
// does not count, so a page that names one term once can be as near as a page full of it.
type restricted struct {
	t *Topic
}

func init() {
	Register("vsm-restricted", "the cosine of the sources, over the words of the topic alone, weighed by how many pages of the crawl have them",
		Traits{Terms: true, Counts: true, GoodPage: .7}, // one term of a dozen alone gets .3
		struct{}{}, func(_ struct{}, m *Material) Judge { return restricted{m.topic} })
}

func (r restricted) Score(b *Bag, why []Evidence) (float64, []Evidence) {
	t := r.t
	r.meet(b)
	raw := t.query.cosine(b.ids, b.own, t.component)
	if raw == 0 {
		return 0, why
	}
	most, norm := slices.Max(b.own), 0.0
	for i, id := range b.ids {
		x := t.component(id, b.own[i], most)
		norm += x * x
		if x > 0 {
			count := int(b.count[b.index[t.words.list[id]]])
			why = append(why, Evidence{t.profile.surface[id], count, x * t.query.weight[id] / t.query.norm})
		}
	}
	for i := range why {
		why[i].Added /= math.Sqrt(norm)
	}
	return raw, why
}

// meet puts the query's words of a bag, and how often they occur, into its ids and own.
func (r restricted) meet(b *Bag) {
	b.ids, b.own = b.ids[:0], b.own[:0]
	for i, w := range b.words {
		if id, ok := r.t.words.ids[w]; ok && int(id) < len(r.t.query.weight) && r.t.query.weight[id] > 0 {
			b.ids, b.own = append(b.ids, id), append(b.own, b.tf[i])
		}
	}
}

// LeaveOneOut judges each example by the terms and the others.
func (r restricted) LeaveOneOut() (mean float64, ok bool) {
	t := r.t
	p := &t.profile
	if len(p.examples) == 0 || len(p.examples) == 1 && len(p.terms) == 0 {
		return 0, false
	}
	for i, e := range p.examples {
		alone := &Bag{words: e.words, tf: e.tf}
		r.meet(alone)
		q := p.query(t.worth, i)
		mean += q.cosine(alone.ids, alone.own, t.component)
	}
	return mean / float64(len(p.examples)), true
}

// component is what a word of the topic counts in the vector of a text: tf times idf for the judge of the sources,
// with idf = ln(N/df) over the pages judged so far and this one (1 as long as those are few); x times the term's weight where frequencies are
// relative to the most frequent keyword; log(1+tf) times idf for judge vsm-restricted; for the others log(1+tf), of a word of the examples times how rare it is.
func (t *Topic) component(id int32, tf, most float64) float64 {
	switch {
	case t.spec.Relative:
		return tf / most * t.query.weight[id]
	case t.counts():
		if t.words.pages < readyPages {
			return tf
		}
		n := float64(t.words.pages + t.words.examples + 1)
		return tf * math.Log(n/float64(t.words.df[id]+1))
	}
	if t.profile.weight[id] > 0 {
		return damp(tf) // somebody chose it, however common it is
	}
	return damp(tf) * rarity(t.words.list[id])
}
