package topic

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// profile is what the topic is made of: terms that somebody stated, and pages that somebody pointed at.
type profile struct {
	terms    []keyword
	at       map[string]int // where a term stands among them, by its key
	examples []example

	// By word number, for the topic's own words.
	weight  []float64 // of a term, 0 for other words
	ids     map[string]int32
	sum     []float64 // over the examples of their vectors, each made one long
	surface []string  // the word as a person would write it

	termNorm float64 // length of weight, words that speak against a page left out
}

// keyword is a term as pages are cut, with the term as it was stated.
type keyword struct {
	word, surface string
	weight        float64
}

// example is the bag of an example page.
type example struct {
	words []string
	tf    []float64
	norm  float64 // length of log(1+tf)
}

// term takes a stated term by its key, as its tokens are called. Two terms of one key (course, courses) are one, with
// the larger weight.
func (p *profile) term(key string, t Term) {
	i, known := p.at[key]
	if !known {
		if p.at == nil {
			p.at = map[string]int{}
		}
		p.at[key] = len(p.terms)
		p.terms = append(p.terms, keyword{key, t.Term, t.Weight})
		return
	}
	p.terms[i].weight = max(p.terms[i].weight, t.Weight)
}

// example takes an example page.
func (p *profile) example(b *Bag) {
	words := make([]string, len(b.words))
	for i, w := range b.words {
		words[i] = strings.Clone(w)
	}
	p.examples = append(p.examples, newExample(words, slices.Clone(b.tf)))
}

func newExample(words []string, tf []float64) example {
	e := example{words: words, tf: tf}
	for _, f := range tf {
		e.norm += square(damp(f))
	}
	e.norm = math.Sqrt(e.norm)
	return e
}

// wordsOf are the topic's own words: the terms first, then those of the examples, as they come.
func (p *profile) wordsOf() []string {
	var words []string
	for _, t := range p.terms {
		words = append(words, t.word)
	}
	for _, e := range p.examples {
		words = append(words, e.words...)
	}
	return words
}

// index lays the topic out by word number.
func (p *profile) index(v *vocabulary) {
	p.weight = make([]float64, v.fixed)
	p.sum = make([]float64, v.fixed)
	p.surface = slices.Clone(v.list[:v.fixed])
	p.termNorm, p.ids = 0, v.ids
	for _, t := range p.terms {
		id := v.ids[t.word]
		p.weight[id], p.surface[id] = t.weight, t.surface
		p.termNorm += square(max(t.weight, 0))
	}
	p.termNorm = math.Sqrt(p.termNorm)
	for _, e := range p.examples {
		for i, w := range e.words {
			p.sum[v.ids[w]] += damp(e.tf[i]) / e.norm
		}
	}
}

// damp is how a term frequency counts: twice as often is not twice as much.
func damp(tf float64) float64 { return math.Log1p(tf) }

func square(x float64) float64 { return x * x }

// maxEvidence is how many terms a judgement names: more than anybody reads, few enough to sort for every page.
const maxEvidence = 24

// strongest are the terms that added most, the most first.
func strongest(why []Evidence) []Evidence {
	if len(why) == 0 {
		return nil
	}
	slices.SortFunc(why, func(a, b Evidence) int {
		if c := cmp.Compare(math.Abs(b.Added), math.Abs(a.Added)); c != 0 {
			return c
		}
		return cmp.Compare(a.Term, b.Term)
	})
	return slices.Clone(why[:min(len(why), maxEvidence)])
}
