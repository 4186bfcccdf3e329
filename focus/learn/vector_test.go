package learn

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-6) {
		t.Errorf("%s: got %.7f, want %.7f", what, got, want)
	}
}

func TestCosineAndIDF(t *testing.T) {
	near(t, "idf", IDF(100, 10), 2.302585)
	near(t, "idf of a word that is nowhere", IDF(100, 0), 0)
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{3, 4, 0}, []float64{4, 3, 0}, .96},
		{[]float64{1, 2, 2}, []float64{2, 1, 2}, 8.0 / 9},
		{[]float64{1, 0}, []float64{1, 1}, .707107},
		{[]float64{0, 0}, []float64{1, 1}, 0},
	} {
		near(t, "cosine", Cosine(c.a, c.b), c.want)
	}
}

func TestChoosingFeatures(t *testing.T) {
	for _, c := range []struct {
		t        Table
		chi2, ig float64
		positive bool
	}{
		{Table{40, 10, 10, 40}, 36, .278072, true},
		{Table{30, 20, 20, 30}, 4, .029049, true},
		{Table{8, 2, 2, 88}, 60.493827, .258435, true},
		{Table{50, 0, 0, 50}, 100, 1, true},
		{Table{10, 40, 40, 10}, 36, .278072, false},
		{Table{}, 0, 0, false},
		{Table{5, 5, 0, 0}, 0, 0, false},
	} {
		near(t, "chi2", c.t.Chi2(), c.chi2)
		near(t, "information gain", c.t.InformationGain(), c.ig)
		if c.t.Positive() != c.positive {
			t.Errorf("%v: positive is %v", c.t, c.t.Positive())
		}
	}
}
