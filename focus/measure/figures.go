// Package measure answers one question: how well did we do?
//
// A Sequence is what a crawl fetched, page by page: relevant or not. Figures are what is read off it. Interval, SignFlip
// and Holm say how much of a difference between two crawls is chance. The package knows no crawl, no page and no web:
// sequences go in, figures come out.
package measure

// Sequence is a crawl as measuring sees it: for each fetched page, start pages left out, whether it was relevant; how many
// relevant pages there are; and how many pages can be reached at all.
type Sequence struct {
	Relevant []bool
	Total    int // relevant pages that can be reached
	Reach    int // pages that can be reached
}

// Found is how many of the first n pages were relevant.
func (s Sequence) Found(n int) int {
	found := 0
	for _, r := range s.Relevant[:min(n, len(s.Relevant))] {
		if r {
			found++
		}
	}
	return found
}

// Harvest is the share of relevant pages among the first n fetched.
func (s Sequence) Harvest(n int) float64 {
	n = min(n, len(s.Relevant))
	return ratio(s.Found(n), n)
}

// Drift is the share of pages that were not relevant among the first n.
func (s Sequence) Drift(n int) float64 { return 1 - s.Harvest(n) }

// Windowed is the harvest of the last w of the first n pages.
func (s Sequence) Windowed(n, w int) float64 {
	n = min(n, len(s.Relevant))
	from := max(0, n-w)
	return ratio(s.Found(n)-s.Found(from), n-from)
}

// Recall is the share of all relevant pages among the first n fetched. A crawl that ended before goes on at its last value.
func (s Sequence) Recall(n int) float64 { return ratio(s.Found(n), s.Total) }

// AUC is the area under recall over the pages that can be reached: the mean of Recall(1) to Recall(Reach). A crawl that
// fetched more, dead links among it, is measured over what it fetched.
func (s Sequence) AUC() float64 { return s.Area(max(s.Reach, len(s.Relevant))) }

// Area is the area under recall over the first n fetches: the mean of Recall(1) to Recall(n).
func (s Sequence) Area(n int) float64 {
	if n == 0 || s.Total == 0 {
		return 0
	}
	sum, found := 0, 0
	for i := range n {
		if i < len(s.Relevant) && s.Relevant[i] {
			found++
		}
		sum += found
	}
	return float64(sum) / float64(s.Total) / float64(n)
}

// PagesTo is how many pages were fetched until a share of the relevant pages was found; 0 if it never was.
func (s Sequence) PagesTo(share float64) int {
	found := 0
	for i, r := range s.Relevant {
		if r {
			found++
		}
		if s.Total > 0 && float64(found) >= share*float64(s.Total) {
			return i + 1
		}
	}
	return 0
}

// At is the place at a share of the pages that can be reached: At(.1) is after a tenth of them.
func (s Sequence) At(share float64) int { return int(share*float64(s.Reach) + .5) }

// Focus puts an area on the scale from a random crawl (0) to one that knows the labels two hops ahead (1).
func Focus(auc, random, oracle float64) float64 {
	if oracle <= random {
		return 0
	}
	return (auc - random) / (oracle - random)
}

func ratio(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
