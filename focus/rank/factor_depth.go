package rank

import "math"

// depthParams are the parameters of depth.
type depthParams struct {
	Order string `yaml:"order" doc:"shallow: near a seed is high; deep: far from it is high" check:"shallow|deep"`
}

func registerDepth(r *Registry) {
	Register(r, "depth", "how near to a seed the link's page is: 1/(1+links from the seed)", depthParams{Order: "shallow"},
		func(p depthParams) (Factor, error) { return depth{deep: p.Order == "deep"}, nil })
}

type depth struct{ deep bool }

func (d depth) Score(e *Evidence) float64 {
	links := float64(e.Trail.Depth) + 1
	if d.deep {
		return links / (math.MaxUint16 + 1)
	}
	return 1 / (1 + links)
}
