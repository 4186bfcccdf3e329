package rank

// anchorParams are the parameters of anchor.
type anchorParams struct {
	Blank string `yaml:"blank" doc:"a link without words: none is no evidence, zero is 0 as in the sources" check:"none|zero"`
}

func registerAnchor(r *Registry) {
	Register(r, "anchor", "how near the link's own words come to the topic", anchorParams{Blank: "none"},
		func(p anchorParams) (Factor, error) { return anchor{zero: p.Blank == "zero"}, nil })
}

type anchor struct{ zero bool }

func (a anchor) Score(e *Evidence) float64 {
	if a.zero {
		return orZero(e.AnchorSim())
	}
	return e.AnchorSim()
}
