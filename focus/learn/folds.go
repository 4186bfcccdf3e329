package learn

import "math/rand/v2"

// Folds parts documents into k parts at random, both classes evenly: the answer is the part of each.
func Folds(truth []bool, k int, seed uint64) []int {
	fold := make([]int, len(truth))
	random := rand.New(rand.NewPCG(seed, 3))
	next := 0
	for _, class := range [2]bool{true, false} {
		for _, i := range random.Perm(len(truth)) {
			if truth[i] == class {
				fold[i] = next % k
				next++
			}
		}
	}
	return fold
}

// Scorer says how far a vector is of a class; higher is more.
type Scorer func(Vector) float64

// Linear is the scorer of a weight vector.
func Linear(w []float32) Scorer { return func(x Vector) float64 { return x.Dot(w) } }

// Cross learns k times from all parts but one and scores the part that was left out; reversed it learns from one part
// and scores all the others. seen hears every score of a document by a model that has not seen it, part after part.
func Cross(set Labelled, fold []int, k int, reversed bool, fit func(Labelled) Scorer, seen func(part, i int, score float64)) {
	for part := range k {
		var train Labelled
		for i := range set.X {
			if (fold[i] == part) == reversed {
				train.X, train.Y = append(train.X, set.X[i]), append(train.Y, set.Y[i])
			}
		}
		score := fit(train)
		for i := range set.X {
			if (fold[i] == part) != reversed {
				seen(part, i, score(set.X[i]))
			}
		}
	}
}
