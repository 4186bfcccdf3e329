package winnow

import (
	"cmp"
	"math"
	"slices"
)

// leastStays is how many pages a second look keeps by itself at least, for each that the first one kept: one that would keep fewer
// has learned a narrower topic, and it shrinks with every time it learns from what it has left over: a topic that speaks of many
// things keeps one of them.
const leastStays = .5

// leastSaid is so many labels: of a few nothing is known but of their own pages.
const leastSaid = 10

// spare raises what is said of all pages alike, where fewer than half as many as the first look kept would be kept: the best are.
// Where somebody has said of enough pages what they are, that is learned from, and what comes of it stands.
func (r *Result) spare(pages []Page, o *Options) {
	labelled := 0
	for i := range pages {
		if _, said := o.Labels[pages[i].URL]; said {
			labelled++
		}
	}
	if labelled >= leastSaid {
		return
	}
	stay := int(math.Ceil(leastStays * float64(r.before())))
	best := slices.Clone(r.unsaid)
	slices.SortFunc(best, func(a, b float64) int { return -cmp.Compare(a, b) })
	if stay == 0 || best[stay-1] >= o.Threshold {
		return
	}
	r.Spared = true
	last := best[stay-1]
	for i, relevance := range r.unsaid {
		if relevance == last { // a product may come out below
			r.unsaid[i] = o.Threshold
			continue
		}
		r.unsaid[i] = min(relevance*o.Threshold/last, 1)
	}
}

// before is how many pages the first look kept.
func (r *Result) before() (kept int) {
	for _, v := range r.Verdicts {
		if v.Before {
			kept++
		}
	}
	return kept
}
