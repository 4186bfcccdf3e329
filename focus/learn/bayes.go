package learn

import "math"

// Bayes is multinomial naive Bayes over words: P(c|d) ~ P(c) prod P(w|c)^n(w,d), with P(w|c) smoothed by Laplace.
// The fields are what it has counted, to be saved as they are; change them through Add.
type Bayes struct {
	Laplace float64              `json:"laplace"` // added to every count
	Docs    []float64            `json:"docs"`    // documents by class
	Totals  []float64            `json:"totals"`  // words by class
	Words   map[string][]float64 `json:"words"`   // count of a word by class
}

// NewBayes makes a model of so many classes.
func NewBayes(classes int, laplace float64) *Bayes {
	return &Bayes{
		Laplace: laplace,
		Docs:    make([]float64, classes),
		Totals:  make([]float64, classes),
		Words:   make(map[string][]float64),
	}
}

// Add takes a document of a class.
func (b *Bayes) Add(class int, words []string) {
	b.Docs[class]++
	b.Totals[class] += float64(len(words))
	count(b.Words, len(b.Docs), class, words)
}

// count adds words to the counts by class.
func count(counts map[string][]float64, classes, class int, words []string) {
	for _, w := range words {
		c, ok := counts[w]
		if !ok {
			c = make([]float64, classes)
			counts[w] = c
		}
		c[class]++
	}
}

// joint is ln P(c) P(d|c) for every class: -Inf for a class no document was seen of. Words in no class are skipped.
func (b *Bayes) joint(words []string) []float64 {
	all := 0.0
	for _, n := range b.Docs {
		all += n
	}
	logs := make([]float64, len(b.Docs))
	for c, n := range b.Docs {
		logs[c] = math.Log(n / max(all, 1))
	}
	size := b.Laplace * float64(len(b.Words))
	for _, w := range words {
		counts, ok := b.Words[w]
		if !ok {
			continue
		}
		for c := range logs {
			logs[c] += math.Log((counts[c] + b.Laplace) / (b.Totals[c] + size))
		}
	}
	return logs
}

// Posterior is P(c|d) for every class, and the class that is likeliest (the first of equals). A model that has seen
// nothing holds all classes for equally likely.
func (b *Bayes) Posterior(words []string) (p []float64, best int) {
	p = b.joint(words)
	for c := range p {
		if p[c] > p[best] {
			best = c
		}
	}
	top, sum := p[best], 0.0
	for c := range p {
		if math.IsInf(top, -1) {
			p[c] = 1
		} else {
			p[c] = math.Exp(p[c] - top)
		}
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
	return p, best
}
