package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// resamples is how often a bootstrap draws, and how many sign patterns are tried where there are too many for all.
const resamples = 10_000

// Mean is the mean of figures; 0 of none.
func Mean(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// Interval is the 95 % bootstrap interval of the mean of figures, by percentiles of 10,000 resamples drawn from seed. One
// figure has no interval but itself.
func Interval(x []float64, seed uint64) (low, high float64) {
	if len(x) == 0 {
		return 0, 0
	}
	r := rand.New(rand.NewPCG(seed, uint64(len(x))))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range x {
			sum += x[r.IntN(len(x))]
		}
		means[i] = sum / float64(len(x))
	}
	slices.Sort(means)
	return means[resamples*25/1000], means[resamples*975/1000-1]
}

// exact is up to how many differences every pattern of signs is tried.
const exact = 16

// SignFlip is the one-sided permutation test of paired differences: the share of sign patterns whose mean is at least as
// large as the one seen. It is exact up to 16 differences, and drawn from seed beyond. Differences of nothing give 1.
func SignFlip(differences []float64, seed uint64) float64 {
	n := len(differences)
	if n == 0 {
		return 1
	}
	seen := 0.0
	for _, d := range differences {
		seen += d
	}
	atLeast := 0
	count := func(turned func(i int) bool) { // a pattern by which some differences change their signs
		sum := 0.0
		for i, d := range differences {
			if turned(i) {
				d = -d
			}
			sum += d
		}
		const slack = 1e-12 // sums in another order
		if sum >= seen-slack {
			atLeast++
		}
	}
	if n <= exact {
		for pattern := range 1 << n {
			count(func(i int) bool { return pattern>>i&1 == 1 })
		}
		return float64(atLeast) / float64(int(1)<<n)
	}
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	for range resamples {
		count(func(int) bool { return r.Uint64()&1 == 1 })
	}
	return float64(atLeast+1) / float64(resamples+1) // with the pattern that was seen
}

// Holm corrects the p-values of several comparisons made at once. The order is kept.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return p[order[a]] < p[order[b]] })
	corrected := make([]float64, len(p))
	most := 0.0
	for rank, i := range order {
		most = math.Max(most, math.Min(1, p[i]*float64(len(p)-rank)))
		corrected[i] = most
	}
	return corrected
}
