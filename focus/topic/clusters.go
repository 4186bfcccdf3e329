package topic

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/learn"
)

// middle is the middle of one cluster of examples, moved by the pages that came nearest to it.
type middle struct {
	first   []float64 // before any page moved it
	at      []float64
	seeds   int
	updates int
}

// middles are the middles of the clusters that examples are parted into.
func middles(seeds [][]float64, clusters []int) []middle {
	var all []middle
	for k := 0; ; k++ {
		var in [][]float64
		for i, of := range clusters {
			if of == k {
				in = append(in, seeds[i])
			}
		}
		if len(in) == 0 {
			return all
		}
		m := mean(in, -1)
		all = append(all, middle{first: m, at: m, seeds: len(in)})
	}
}

// moved is the middle after one more page.
func (m middle) moved(v []float64) []float64 { return moved(m.at, v, m.seeds+m.updates) }

// nearestOf is the middle that a page is nearest to.
func nearestOf(all []middle, v []float64) int {
	best, most := 0, -1.0
	for k := range all {
		if c := learn.Cosine(v, all[k].at); c > most {
			best, most = k, c
		}
	}
	return best
}

const (
	// mostClusters bounds how many clusters are looked for where nobody said how many there are.
	mostClusters = 5
	// goodSilhouette is how much nearer examples must be to their own cluster than to the next one, on the mean, for it to be
	// worth a centre of its own: Kaufman and Rousseeuw (1990) take less for weak.
	goodSilhouette = 0.5
)

// clustersOf parts examples into k clusters by k-means (Min and Huang 2015, (5) and (6)); answered is by example the number
// of its cluster. Where k is 0 the number is chosen whose silhouette is best, one where none is good. Nothing is drawn by
// lot: the first cluster begins with the first example, each further one with the example farthest from all begun.
func clustersOf(seeds [][]float64, k int) []int {
	units := make([][]float64, len(seeds))
	for i, s := range seeds {
		n := max(length(s), 1e-12)
		units[i] = make([]float64, len(s))
		for j, x := range s {
			units[i][j] = x / n // how long an example is says nothing of what it is about
		}
	}
	if k > 0 {
		return parted(units, min(k, len(units)))
	}
	best, most := make([]int, len(units)), goodSilhouette
	for k := 2; k <= mostClusters && 2*k <= len(units); k++ {
		of := parted(units, k)
		if s := silhouette(units, of); s > most {
			best, most = of, s
		}
	}
	return best
}

// parted is k-means until nothing moves. Clusters that end empty are left out.
func parted(units [][]float64, k int) []int {
	of := make([]int, len(units))
	if k < 2 {
		return of
	}
	centres := begun(units, k)
	for range 100 {
		still := true
		for i, u := range units {
			best := 0
			for c := range centres {
				if apart(u, centres[c]) < apart(u, centres[best]) {
					best = c
				}
			}
			still = still && of[i] == best
			of[i] = best
		}
		of = numbered(of)
		centres = centres[:0]
		for _, m := range middles(units, of) {
			centres = append(centres, m.at)
		}
		if still {
			break
		}
	}
	return of
}

// begun are the examples that clusters begin with.
func begun(units [][]float64, k int) [][]float64 {
	centres := [][]float64{units[0]}
	for len(centres) < k {
		far, most := 0, -1.0
		for i, u := range units {
			near := math.Inf(1)
			for _, c := range centres {
				near = min(near, apart(u, c))
			}
			if near > most {
				far, most = i, near
			}
		}
		centres = append(centres, units[far])
	}
	return centres
}

// numbered counts clusters from 0 in the order of their first examples, without holes.
func numbered(of []int) []int {
	number := map[int]int{}
	out := make([]int, len(of))
	for i, c := range of {
		if _, ok := number[c]; !ok {
			number[c] = len(number)
		}
		out[i] = number[c]
	}
	return out
}

// silhouette is how much nearer examples are to their own cluster than to the next one, from -1 to 1 (Rousseeuw 1987). One
// that is alone in its cluster counts as 0.
func silhouette(units [][]float64, of []int) float64 {
	sum := 0.0
	for i := range units {
		total, count := map[int]float64{}, map[int]float64{}
		for j := range units {
			if i != j {
				total[of[j]] += math.Sqrt(apart(units[i], units[j]))
				count[of[j]]++
			}
		}
		own, next := 0.0, math.Inf(1)
		for c, n := range count {
			if c == of[i] {
				own = total[c] / n
			} else {
				next = min(next, total[c]/n)
			}
		}
		if count[of[i]] > 0 && !math.IsInf(next, 1) && max(own, next) > 0 {
			sum += (next - own) / max(own, next)
		}
	}
	return sum / float64(len(units))
}

// apart is the square of the distance between two vectors.
func apart(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += square(a[i] - b[i])
	}
	return sum
}

// Drift is how far one centre of a topic has moved.
type Drift struct {
	Examples int     // that it was made of
	Pages    int     // that moved it
	Cosine   float64 // between where it was and where it is
}

// Drifts are those of the centres of the judge centroid; nil of another.
func (t *Topic) Drifts() []Drift {
	c, ok := t.judge.(*centroid)
	if !ok {
		return nil
	}
	var all []Drift
	for _, m := range c.centres {
		all = append(all, Drift{m.seeds, m.updates, learn.Cosine(m.first, m.at)})
	}
	return all
}
