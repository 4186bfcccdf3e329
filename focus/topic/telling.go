package topic

import (
	"cmp"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/text"
)

// MostTelling picks n pages whose labels would teach a judge most, the most telling first: pages it is unsure of, and
// that are not like those picked before. relevance is what each page was judged, unsure the relevance at which the
// judge would as soon say yes as no (a threshold). The answers are indexes into docs.
func (t *Topic) MostTelling(docs []*text.Doc, relevance []float64, unsure float64, n int) []int {
	vectors := make([][]component, len(docs))
	df := map[string]uint32{}
	bags := make([]*Bag, len(docs))
	for i, d := range docs {
		bags[i] = newBag()
		t.weigh.page(bags[i], d, t.cutter.Tokens(d), nil)
		bags[i].index = nil
		for _, w := range bags[i].words {
			df[w]++
		}
	}
	for i, b := range bags {
		vectors[i] = b.unit(func(word string) float64 { return learn.IDF(float64(len(docs)+1), float64(df[word])+.5) })
	}
	reach := max(unsure, 1-unsure)
	like := make([]float64, len(docs)) // the most that a page is like one that was picked
	taken := make([]bool, len(docs))
	var picked []int
	for range min(n, len(docs)) {
		best, most := -1, math.Inf(-1)
		for i := range docs {
			doubt := 1 - math.Abs(relevance[i]-unsure)/reach
			if worth := doubt * (1 - like[i]); !taken[i] && worth > most {
				best, most = i, worth
			}
		}
		picked = append(picked, best)
		taken[best] = true
		for i := range docs {
			like[i] = max(like[i], overlap(vectors[i], vectors[best]))
		}
	}
	return picked
}

// component is one word of a page's vector.
type component struct {
	word  string
	value float64
}

// unit is the vector of a page, made one long, by word in order; idf is what a word tells by how few of the pages have it.
func (b *Bag) unit(idf func(word string) float64) []component {
	var v []component
	norm := 0.0
	for i, w := range b.words {
		x := damp(b.tf[i]) * max(idf(w), .1)
		v = append(v, component{w, x})
		norm += x * x
	}
	for i := range v {
		v[i].value /= math.Sqrt(norm)
	}
	slices.SortFunc(v, func(a, b component) int { return cmp.Compare(a.word, b.word) })
	return v
}

// overlap is the cosine of two vectors that are one long.
func overlap(a, b []component) float64 {
	dot := 0.0
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].word < b[0].word:
			a = a[1:]
		case a[0].word > b[0].word:
			b = b[1:]
		default:
			dot += a[0].value * b[0].value
			a, b = a[1:], b[1:]
		}
	}
	return min(dot, 1)
}
