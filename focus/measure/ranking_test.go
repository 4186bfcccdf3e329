package measure

import (
	"math"
	"testing"
)

// TestRankings holds the figures of rankings to values worked out by hand.
func TestRankings(t *testing.T) {
	for _, c := range []struct {
		r                      Ranking
		reciprocal, at10, ndcg float64
	}{
		{Ranking{}, 0, 0, 0},
		{Ranking{Grades: []float64{0, 0}, All: []float64{1}}, 0, 0, 0},
		{Ranking{Grades: []float64{1}, All: []float64{1}}, 1, .1, 1},
		{Ranking{Grades: []float64{0, 1}, All: []float64{1}}, .5, .1, 1 / math.Log2(3)},
		// 3, 0, 2: (7 + 3/2) / (7 + 3/log2(3))
		{Ranking{Grades: []float64{3, 0, 2}, All: []float64{2, 3}}, 1, .2, (7 + 1.5) / (7 + 3/math.Log2(3))},
		{Ranking{Grades: make([]float64, 10), All: []float64{1}}, 0, 0, 0},
		{Ranking{Grades: []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, All: []float64{1}}, 1. / 11, 0, 0},
	} {
		for name, pair := range map[string][2]float64{
			"reciprocal": {c.r.Reciprocal(), c.reciprocal}, "precision": {c.r.Precision(10), c.at10}, "ndcg": {c.r.NDCG(10), c.ndcg},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("%v: %s %v, want %v", c.r, name, pair[0], pair[1])
			}
		}
	}
}
