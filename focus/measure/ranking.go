package measure

import (
	"math"
	"slices"
)

// Ranking is what a search answered to one query, as it was graded: the grades of its results, in order, and those of all
// pages that have one. A page nobody has graded has 0, which is not relevant.
type Ranking struct {
	Grades []float64
	All    []float64
}

// Reciprocal is 1 divided by the place of the first relevant result; 0 where there is none.
func (r Ranking) Reciprocal() float64 {
	for i, g := range r.Grades {
		if g > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// Precision is the share of relevant results among the first n places; a place without a result counts as not relevant.
func (r Ranking) Precision(n int) float64 {
	relevant := 0
	for _, g := range r.Grades[:min(n, len(r.Grades))] {
		if g > 0 {
			relevant++
		}
	}
	return ratio(relevant, n)
}

// NDCG is what the first n results are worth, each 2^grade - 1 divided by the logarithm of its place, against the best order
// there could be (Järvelin and Kekäläinen 2002; Burges 2005). It is 0 where nothing is relevant.
func (r Ranking) NDCG(n int) float64 {
	ideal := slices.Clone(r.All)
	slices.SortFunc(ideal, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	best := gain(ideal, n)
	if best == 0 {
		return 0
	}
	return gain(r.Grades, n) / best
}

func gain(grades []float64, n int) float64 {
	sum := 0.0
	for i, g := range grades[:min(n, len(grades))] {
		sum += (math.Exp2(g) - 1) / math.Log2(float64(i+2))
	}
	return sum
}
