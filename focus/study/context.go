package study

import (
	"fmt"
	"math/rand/v2"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// ContextTraining says how layers of pages are learned.
type ContextTraining struct {
	Layers   int // behind layer 0, the pages that are looked for
	PerLayer int // pages of a layer that are learned from, at most
	Terms    int // words of a page that count
	Laplace  float64
	Seed     uint64 // of which pages are taken where a layer has more
}

// DefaultContext is what the source says.
func DefaultContext() ContextTraining {
	return ContextTraining{Layers: 4, PerLayer: 300, Terms: 40, Laplace: 1, Seed: 1}
}

// TrainContext learns to tell by the words of a page how far it is from a page that is looked for: it goes backwards
// along the links from those, layer by layer.
func TrainContext(webs []*LabelledWeb, o ContextTraining) (*rank.Contexts, error) {
	layers := make([][]*page.Page, o.Layers+1)
	lots := rand.New(rand.NewPCG(o.Seed, 4))
	var on []rank.Ground
	for _, t := range webs {
		members := make([][]int, o.Layers+1)
		for n, d := range far(backwards(t.links()), t.targets(), o.Layers) {
			if d >= 0 {
				members[d] = append(members[d], n)
			}
		}
		for d, of := range members {
			for _, i := range lots.Perm(len(of)) {
				if p, err := t.Page(of[i]); err == nil && len(layers[d]) < o.PerLayer {
					layers[d] = append(layers[d], p)
				}
			}
		}
		on = append(on, t.ground())
	}
	if len(layers[0]) == 0 {
		return nil, fmt.Errorf("train context: there is no page that is looked for in %s", grounds(on))
	}
	m := rank.TrainContexts(layers, o.Terms, o.Laplace)
	m.Grounds = on
	return m, nil
}
