package rank

import "github.com/thresher-crawler/thresher/focus/page"

func registerBlock(r *Registry) {
	Register(r, "block", "the mean of what the anchors of the link's block come to, links without words counting as 0",
		struct{}{}, without(Func((*Evidence).BlockSim)))
	Register(r, "running-text", "1 for a link in running text, 0 for one in a block of links; the share of a blend that treats the two apart",
		struct{}{}, without(Func(runningText)))
}

func runningText(e *Evidence) float64 {
	if k, ok := e.kind(); ok && k == page.Text {
		return 1
	}
	return 0
}

// relatedParams are the parameters of related.
type relatedParams struct {
	Otherwise float64 `yaml:"otherwise" doc:"the number for links of menus, advertisements and other blocks" check:"0..1"`
	page.Rules
}

func registerRelated(r *Registry) {
	Register(r, "related", "1 for links in running text, in blocks of related links, and in all but the menus of a hub; for the rest, a share of it",
		relatedParams{0.5, standard}, func(p relatedParams) (Factor, error) { return related(p), nil })
	Register(r, "in-site", "1 for a link that stays on the site of its page, its registered domain; 0 for one that leaves it", struct{}{}, without(Func(inSite)))
}

// standard are the source's rules for related links; what it does not say is the package's that reads pages.
var standard = page.StandardRules()

func inSite(e *Evidence) float64 {
	switch {
	case e.Page == nil || e.Link == nil:
		return none
	case page.SameSite(page.Host(e.Page.URL), e.Link.Host):
		return 1
	}
	return 0
}

type related relatedParams

func (r related) Score(e *Evidence) float64 {
	if e.unrelated(&r.Rules) {
		return r.Otherwise
	}
	return 1
}

// unrelated tells whether the filter of related links turns against the link.
func (e *Evidence) unrelated(by *page.Rules) bool {
	if *by == standard { // by the rules, and words of the crawl file, that the page was read with
		by = nil
	}
	return e.Page != nil && e.Link != nil && e.Page.UnrelatedBy(e.Link, by)
}
