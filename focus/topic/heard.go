package topic

import "github.com/thresher-crawler/thresher/focus/text"

// Heard is what a page says of one of the topic's terms.
type Heard struct {
	Term  int     // its place in Terms
	Count int     // occurrences
	Part  float64 // how much of what it can count it counts there, from 0 to 1
}

// Hear appends what a page says of the topic's terms, as judge bm25 hears them, and tells how often a word must occur there to
// count half of what it can. Of another judge it says nothing.
func (t *Topic) Hear(dst []Heard, d *text.Doc) (heard []Heard, slack float64) {
	judge, ok := t.judge.(*bm25)
	if !ok {
		return dst, 0
	}
	b := t.bag()
	defer t.bags.Put(b)
	t.weigh.page(b, d, t.tokens(d), t.wanted)
	slack = judge.slack(b)
	for i, word := range b.words {
		if id, ok := t.words.ids[word]; ok && int(id) < len(t.profile.terms) { // which come first
			dst = append(dst, Heard{int(id), int(b.count[i]), b.tf[i] / (b.tf[i] + slack)})
		}
	}
	return dst, slack
}

// Voice is what the terms of a topic have to say in judge bm25.
type Voice struct {
	Weights     []float64 // of each of Terms, how rare the word is included
	Share       float64   // of the judge's number that is theirs where there are any; the examples have the rest
	Rest        float64   // what is left of that rest where terms are stated and there were none
	Title, Body float64   // what an occurrence counts there
}

// Voice is what the terms have to say, beside examples or without.
func (t *Topic) Voice(examples bool) Voice {
	v := Voice{Share: 1, Rest: 1, Title: t.weigh.weights[title][text.Noun], Body: t.weigh.weights[body][text.Noun]}
	for i, k := range t.profile.terms {
		v.Weights = append(v.Weights, k.weight*t.worth(int32(i)))
	}
	if examples {
		v.Share, v.Rest = 1-shareBeside, shareBeside/sampleCounts
	}
	return v
}

// Rarity is how much a word says by how rare it is in its language, the more the rarer: from .1 to 7.6. A word is as a cutter
// has it.
func Rarity(word string) float64 { return rarity(word) }

// Relevance is which relevance a number of the judge stands for.
func (t *Topic) Relevance(raw float64) float64 {
	if c, ok := t.judge.(Calibrator); ok {
		return min(max(c.Relevance(raw), 0), 1)
	}
	return raw
}

// KeyOf is what the tokens of one of Terms are called, by its place.
func (t *Topic) KeyOf(term int) string { return t.profile.terms[term].word }

// JudgeName is the name of the topic's judge.
func (t *Topic) JudgeName() string { return t.spec.Judge }
