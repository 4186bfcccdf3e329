package rank

// relevanceParams are the parameters of relevance.
type relevanceParams struct {
	As string `yaml:"as" doc:"relevance; raw, the judge's own number before it is rescaled; verdict, 1 where the page counts as relevant" check:"relevance|raw|verdict"`
}

func registerRelevance(r *Registry) {
	Register(r, "relevance", "how relevant the page is that the link stands on", relevanceParams{As: "relevance"},
		func(p relevanceParams) (Factor, error) { return relevance{as: p.As}, nil })
}

type relevance struct{ as string }

func (r relevance) Score(e *Evidence) float64 {
	switch {
	case r.as == "relevance":
		return unit(e.Judgement.Relevance)
	case r.as == "raw":
		return unit(e.Judgement.Raw)
	case e.Judgement.Relevant:
		return 1
	}
	return 0
}
