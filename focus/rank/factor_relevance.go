package rank

import "github.com/thresher-crawler/thresher/focus/topic"

// relevanceParams are the parameters of relevance.
type relevanceParams struct {
	As string `yaml:"as" doc:"relevance; raw, the judge's own number before it is rescaled; verdict, 1 where the page counts as relevant" check:"relevance|raw|verdict"`
}

func registerRelevance(r *Registry) {
	Register(r, "relevance", "how relevant the page is that the link stands on", relevanceParams{As: "relevance"},
		func(p relevanceParams) (Factor, error) { return relevance{as: p.As}, nil })
}

type relevance struct{ as string }

// Regard is what the strategy makes of how relevant a page or a block is: wholly, from Full on. Relevance is measured
// against what the very best pages get, and most pages that are worth following stay far below them.
func (s *Strategy) Regard(j topic.Judgement) topic.Judgement {
	if s.Full < 1 {
		j.Relevance = min(j.Relevance/s.Full, 1)
	}
	return j
}

// Outcome is what a visit was worth, for the memory: Regard of its page, and nothing where that is no find, because its author keeps it out
// of every harvest or another page says the same. Histories, forms and print versions speak of the topic as their pages do, and a site
// that has one of them has many.
func (s *Strategy) Outcome(j topic.Judgement, finds bool) topic.Judgement {
	if !finds {
		return topic.Judgement{}
	}
	return s.Regard(j)
}

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
