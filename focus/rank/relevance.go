package rank

// relevanceParams are the parameters of relevance.
type relevanceParams struct {
	Hard bool `yaml:"hard" doc:"1 where the page counts as relevant, 0 where it does not"`
}

func registerRelevance(r *Registry) {
	Register(r, "relevance", "how relevant the page is that the link stands on", relevanceParams{},
		func(p relevanceParams) (Factor, error) { return relevance{hard: p.Hard}, nil })
}

type relevance struct{ hard bool }

func (r relevance) Score(e *Evidence) float64 {
	switch {
	case !r.hard:
		return unit(e.Judgement.Relevance)
	case e.Judgement.Relevant:
		return 1
	}
	return 0
}
