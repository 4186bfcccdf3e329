package rank

import "errors"

// inheritedParams are the parameters of inherited.
type inheritedParams struct {
	Decay float64 `yaml:"decay" doc:"what is left of a page's promise one link on (the δ of shark)" check:"0..1"`
	Least float64 `yaml:"least" doc:"the relevance from which a page passes on its own; below it, what it inherited itself" check:"0..1"`
	Page  float64 `yaml:"page" doc:"weight of the page in what is passed on" check:"0..1000"`
	Block float64 `yaml:"block" doc:"weight of the link's block in it" check:"0..1000"`
	Link  float64 `yaml:"link" doc:"weight of the link's own words in it" check:"0..1000"`
}

func registerInherited(r *Registry) {
	Register(r, "inherited", "what the link inherits of the relevance of the pages before it",
		inheritedParams{Decay: 0.5, Least: 0.05, Page: 1}, newInherited)
}

func newInherited(p inheritedParams) (Factor, error) {
	if !(p.Page+p.Block+p.Link > 0) {
		return nil, errors.New("page, block and link are all 0; give one a weight")
	}
	return inherited(p), nil
}

// inherited passes hope along a trail: a relevant page hands on its relevance, any other what it was handed itself.
type inherited inheritedParams

func (h inherited) Score(e *Evidence) float64 {
	own := h.own(e)
	if own < h.Least {
		own = float64(e.Trail.Inherited)
	}
	return h.Decay * unit(own)
}

// own is the relevance of page, block and link together. A part without evidence is left out.
func (h inherited) own(e *Evidence) float64 {
	sum, weights := h.Page*e.Judgement.Relevance, h.Page
	if h.Block > 0 && e.Block != nil && e.Link != nil && e.Link.Block >= 0 {
		sum, weights = sum+h.Block*e.Block(e.Link.Block).Relevance, weights+h.Block
	}
	if h.Link > 0 {
		if a := e.AnchorSim(); a == a {
			sum, weights = sum+h.Link*a, weights+h.Link
		}
	}
	if weights == 0 {
		return 0
	}
	return unit(orZero(sum / weights))
}

// Carry leaves on the trail what the link inherits.
func (h inherited) Carry(e *Evidence, child *Trail) {
	child.Inherited = float32(unit(orZero(h.Score(e))))
}
