package learn

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"
)

// clusterDims is how many numbers a tag path is hashed into.
const clusterDims = 1 << 12

// maxPaths bounds how many paths are remembered. A path beyond it joins the cluster it is nearest to and moves nothing.
const maxPaths = 1 << 16

// Clusters put paths that are alike together as they come: the tag paths of links, body/div.main/ul/li. A path is a
// vector of its pairs of neighbours, hashed; it joins the cluster whose centre has a cosine of at least Alike with it,
// the nearest, or begins one of its own. What a path was put into it stays in.
type Clusters struct {
	Alike float64

	paths   []string // in the order in which they came
	of      map[string]int
	centres []centre
}

// centre is the sum of the unit vectors of a cluster's paths.
type centre struct {
	first string // the path it began with
	sum   []float64
	norm  float64
}

// NewClusters makes an empty set of clusters.
func NewClusters(alike float64) *Clusters { return &Clusters{Alike: alike, of: map[string]int{}} }

// Len is how many clusters there are.
func (c *Clusters) Len() int { return len(c.centres) }

// Name is the path a cluster began with.
func (c *Clusters) Name(cluster int) string { return c.centres[cluster].first }

// Paths are all paths in the order in which they came: told again in that order, they make the same clusters.
func (c *Clusters) Paths() []string { return c.paths }

// Of is the cluster of a path, and whether it came for the first time.
func (c *Clusters) Of(path string) (cluster int, fresh bool) {
	if cluster, ok := c.of[path]; ok {
		return cluster, false
	}
	index, value := pairs(path)
	best, cosine := -1, 0.0
	for i := range c.centres {
		if x := c.centres[i].cosine(index, value); best < 0 || x > cosine {
			best, cosine = i, x
		}
	}
	if len(c.paths) >= maxPaths {
		return best, false
	}
	if best < 0 || cosine < c.Alike {
		best = len(c.centres)
		c.centres = append(c.centres, centre{first: path, sum: make([]float64, clusterDims)})
	}
	c.centres[best].add(index, value)
	c.of[path] = best
	c.paths = append(c.paths, path)
	return best, true
}

func (c *centre) cosine(index []uint32, value []float64) float64 {
	dot := 0.0
	for k, i := range index {
		dot += c.sum[i] * value[k]
	}
	return dot / math.Sqrt(c.norm)
}

func (c *centre) add(index []uint32, value []float64) {
	for k, i := range index {
		c.sum[i] += value[k]
	}
	c.norm = 0
	for _, x := range c.sum {
		c.norm += x * x
	}
}

// pairs is a path as a unit vector: each two neighbours, and its beginning, hashed into clusterDims numbers.
func pairs(path string) (index []uint32, value []float64) {
	steps := append([]string{"^"}, strings.Split(path, "/")...)
	for i := 1; i < len(steps); i++ {
		h := fnv.New32a()
		h.Write([]byte(steps[i-1]))
		h.Write([]byte{'/'})
		h.Write([]byte(steps[i]))
		index = append(index, h.Sum32()%clusterDims)
	}
	slices.Sort(index)
	distinct := index[:0]
	square := 0.0
	for _, i := range index {
		if n := len(distinct); n > 0 && distinct[n-1] == i {
			value[n-1]++
			continue
		}
		distinct, value = append(distinct, i), append(value, 1)
	}
	for _, v := range value {
		square += v * v
	}
	for k := range value {
		value[k] /= math.Sqrt(square)
	}
	return distinct, value
}

// UpperBound is what a choice is worth in the AUER bandit: its mean reward, and a bonus for having been tried little,
// alpha sqrt(ln tries / (its own tries + 1e-6)). tries are those of all choices.
func UpperBound(mean, alpha float64, own, tries int) (bonus, value float64) {
	bonus = alpha * math.Sqrt(math.Log(float64(max(tries, 1)))/(float64(own)+1e-6))
	return bonus, mean + bonus
}
