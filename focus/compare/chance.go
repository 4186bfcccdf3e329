package compare

import (
	"fmt"
	"math/rand/v2"

	"github.com/thresher-crawler/thresher/focus/measure"
)

// randomDraws is how many random crawls the random floor is the mean of. A few would move it, and with it every focus, by
// more than strategies differ.
const randomDraws = 100

// random is the area under the mean recall of random crawls over their first n fetches, and that curve.
func (k *task) random(n int) (area float64, points []float64) {
	found := make([]int, k.fetches()) // by all crawls together, when each has fetched so many
	for _, order := range k.randomly() {
		at, so := 0, 0
		for _, n := range order {
			if !k.counts(n) {
				continue
			}
			if k.right(n) {
				so++
			}
			found[at] += so
			at++
		}
	}
	all := float64(randomDraws) * float64(k.total)
	for _, f := range found[:n] {
		area += float64(f) / all / float64(n)
	}
	points = make([]float64, curvePoints+1)
	reach := measure.Sequence{Reach: k.pages}
	for i := range points {
		if n := reach.At(float64(i) / curvePoints); n > 0 {
			points[i] = float64(found[n-1]) / all
		}
	}
	return area, points
}

// randomly are the random crawls from the start pages of the task through all that can be reached. What is relevant is
// nothing to them, so that topics, draws and words left out share them where they share the start and the scope.
func (k *task) randomly() [][]int32 {
	key := fmt.Sprint(k.seeds, k.topic.Scope, k.depth)
	if k.graph.strolls[key] == nil {
		all := make([][]int32, randomDraws)
		for draw := range all {
			all[draw] = k.stroll(rand.New(rand.NewPCG(uint64(draw), 1)))
		}
		k.graph.strolls[key] = all
	}
	return k.graph.strolls[key]
}

// stroll is a crawl in which every page has a lot that it keeps while it waits, as links have in the strategy random.
func (k *task) stroll(r *rand.Rand) []int32 {
	return k.walk(fixed, func(int32, *walk) float64 { return r.Float64() })
}
