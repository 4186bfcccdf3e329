package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/thresher-crawler/thresher/focus/measure"
)

// randomDraws is how many random crawls the random floor is the mean of. A few would move it, and with it every focus, by
// more than strategies differ.
const randomDraws = 100

// random is the area under the mean recall of random crawls, and that curve.
func (k *task) random() (area float64, points []float64) {
	found := make([]int, k.pages) // by all crawls together, when each has fetched so many
	for _, order := range k.randomly() {
		at, so := 0, 0
		for _, n := range order {
			if !k.reach[n] {
				continue
			}
			if k.relevant[n] {
				so++
			}
			found[at] += so
			at++
		}
	}
	all := float64(randomDraws) * float64(k.total)
	for _, f := range found {
		area += float64(f) / all / float64(k.pages)
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

// stroll fetches the start pages and then, again and again, any of the pages that wait.
func (k *task) stroll(r *rand.Rand) (order []int32) {
	found := make([]bool, len(k.address))
	var waiting []int32
	fetch := func(n int32) {
		order = append(order, n)
		for _, t := range k.links[n] {
			if !found[t] && k.near[t] {
				found[t] = true
				waiting = append(waiting, t)
			}
		}
	}
	for _, s := range k.seeds {
		found[s] = true
	}
	for i, s := range k.seeds {
		if slices.Index(k.seeds, s) == i {
			fetch(int32(s))
		}
	}
	for len(waiting) > 0 {
		i, last := r.IntN(len(waiting)), len(waiting)-1
		n := waiting[i]
		waiting[i] = waiting[last]
		waiting = waiting[:last]
		fetch(n)
	}
	return order
}
