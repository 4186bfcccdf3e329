package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// mostLabels is how many labels of a facet are told.
const mostLabels = 20

// count adds up the facets of all collections. What is counted under a label is found when results are narrowed down to it: under a site
// also what is below it.
func (s *seeker) count() {
	for f := range facetCount {
		counts := []Count{}
		pages := s.found(f)
		if f == facetSite {
			pages = withBelow(pages)
		}
		for label, n := range pages {
			if label != "" {
				counts = append(counts, Count{label, n})
			}
		}
		slices.SortFunc(counts, func(a, b Count) int {
			if f == facetYear {
				return cmp.Compare(b.Label, a.Label)
			}
			return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Label, b.Label))
		})
		s.answer.Facets[f] = counts[:min(len(counts), mostLabels)]
	}
}

// withBelow are the pages of hosts, each with those of the hosts that are within its site.
func withBelow(of map[string]int) map[string]int {
	pages := make(map[string]int, len(of))
	for host, n := range of {
		bare := page.Portless(host)
		for _, site := range slices.Compact([]string{host, bare}) {
			for dotted := true; dotted; _, site, dotted = strings.Cut(site, ".") {
				if _, there := of[site]; there {
					pages[site] += n
				}
			}
		}
	}
	return pages
}

// found is how many pages of all collections match, by the labels of a facet.
func (s *seeker) found(facet int) map[string]int {
	pages := map[string]int{}
	for _, p := range s.places {
		for i, n := range p.found[facet] {
			if n > 0 {
				pages[p.g.table.labels[facet][i]] += int(n)
			}
		}
	}
	return pages
}

// widened is the query as if nothing was narrowed down.
func (q *Query) widened() *Query {
	wide := *q
	wide.narrowed = [facetCount][]string{}
	return &wide
}
