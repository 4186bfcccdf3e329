package learn

import (
	"math"
	"slices"
)

// Vector is a sparse vector: indexes and what stands there. An index may occur twice; its values add up.
type Vector struct {
	Index []uint32
	Value []float32
}

// Clone is a vector of its own.
func (x Vector) Clone() Vector { return Vector{slices.Clone(x.Index), slices.Clone(x.Value)} }

// Dot is the inner product with a dense vector. Indexes beyond its end count nothing.
func (x Vector) Dot(w []float32) float64 {
	sum := 0.0
	for k, i := range x.Index {
		if int(i) < len(w) {
			sum += float64(x.Value[k]) * float64(w[i])
		}
	}
	return sum
}

// Square is the inner product with itself, taking every index to occur once.
func (x Vector) Square() float64 {
	sum := 0.0
	for _, v := range x.Value {
		sum += float64(v) * float64(v)
	}
	return sum
}

// Cosine of two dense vectors of one length, 0 if either has none.
func Cosine(a, b []float64) float64 {
	dot, na, nb := 0.0, 0.0, 0.0
	for i := range a {
		dot += a[i] * b[i]
		na += a[i] * a[i]
		nb += b[i] * b[i]
	}
	if na == 0 || nb == 0 {
		return 0
	}
	return dot / math.Sqrt(na*nb)
}

// IDF weighs a word by how rare it is: ln(N/df). A word that occurs nowhere has none: it is dropped.
func IDF(n, df float64) float64 {
	if df <= 0 {
		return 0
	}
	return math.Log(n / df)
}

// Sigmoid turns a log-odds into a probability.
func Sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
