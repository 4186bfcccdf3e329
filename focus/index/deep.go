package index

import "context"

// deep puts so many pages in order, and all that match where these are not enough. If time is up meanwhile, what was there before is
// the answer. All at once is cheapest: each further try would walk through all pages again.
func (s *seeker) deep(ctx context.Context, most int) error {
	err := s.search(ctx, most)
	if err != nil || !s.short() {
		return err
	}
	before, answer := *s, *s.answer
	var found [][facetCount][]int32
	for _, p := range s.places {
		found = append(found, p.found)
		for f := range p.found {
			p.found[f] = make([]int32, len(p.found[f]))
		}
	}
	if err = s.search(ctx, answer.Total); err != nil {
		*s, *before.answer = before, answer
		for i, p := range s.places {
			p.found = found[i]
		}
	}
	return err
}

// short tells of an answer that holds less than was asked for, though more pages match than were put in order: near duplicates and
// pages of one site were folded away, and what comes behind them was not looked at. Where each site already shows all that it may,
// nothing more comes.
func (s *seeker) short() bool {
	if s.answer.More || s.answer.Total <= len(s.best.all) || len(s.best.all) == 0 {
		return false
	}
	perSite, may := s.perSite(), 0
	if perSite == 0 {
		return true
	}
	for _, pages := range s.found(facetSite) {
		may += min(pages, perSite)
	}
	return may > s.shown
}

// perSite is how many pages a site shows; 0 is all, as where one was asked for, or all that was found is of one: nothing would come in the
// place of what is folded away.
func (s *seeker) perSite() int {
	if len(s.q.Sites)+len(s.q.narrowed[facetSite]) > 0 || s.ofOneSite() {
		return 0
	}
	return s.ask.Weights.PerSite
}

// ofOneSite tells whether all that was found is of one site.
func (s *seeker) ofOneSite() bool { return len(s.found(facetSite)) == 1 }
