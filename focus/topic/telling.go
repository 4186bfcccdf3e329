package topic

import (
	"cmp"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/text"
)

// MostTelling picks n pages whose labels would teach a judge most, the most telling first: pages it is unsure of, and
// that are not like those picked before. relevance is what each page was judged, unsure the relevance at which the
// judge would as soon say yes as no (a threshold). The answers are indexes into docs.
func (t *Topic) MostTelling(docs []*text.Doc, relevance []float64, unsure float64, n int) []int {
	vectors := make([][]part, len(docs))
	b := newBag()
	for i, d := range docs {
		t.weigh.page(b, d, t.cutter.Tokens(d))
		vectors[i] = t.unit(b)
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

// part is one word of a page's vector.
type part struct {
	word  string
	value float64
}

// unit is the vector of a page, made one long, by word in order.
func (t *Topic) unit(b *bag) []part {
	var v []part
	norm := 0.0
	for i, w := range b.words {
		_, idf := t.words.of(w)
		x := damp(b.tf[i]) * idf
		v = append(v, part{w, x})
		norm += x * x
	}
	for i := range v {
		v[i].value /= math.Sqrt(norm)
	}
	slices.SortFunc(v, func(a, b part) int { return cmp.Compare(a.word, b.word) })
	return v
}

// overlap is the cosine of two vectors that are one long.
func overlap(a, b []part) float64 {
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
