package measure

import "strconv"

// Found counts what was kept of some pages, and how much of it is relevant.
type Found struct {
	Kept     int // pages that were kept
	Right    int // relevant ones among them
	Relevant int // relevant pages in all
}

// Add counts one page.
func (f *Found) Add(kept, relevant bool) {
	if kept {
		f.Kept++
	}
	if relevant {
		f.Relevant++
	}
	if kept && relevant {
		f.Right++
	}
}

// Precision is the share of the kept pages that are relevant, 0 where nothing was kept.
func (f Found) Precision() float64 { return ratio(f.Right, f.Kept) }

// Recall is the share of the relevant pages that were kept.
func (f Found) Recall() float64 { return ratio(f.Right, f.Relevant) }

// F1 is the harmonic mean of precision and recall.
func (f Found) F1() float64 { return ratio(2*f.Right, f.Kept+f.Relevant) }

// Shares are where it is told how a crawl did on its way, in percent of the pages that can be reached.
var Shares = []int{5, 10, 20, 50}

// Kept counts the first n pages that were fetched; took tells which of them were kept.
func (s Sequence) Kept(took []bool, n int) (f Found) {
	for i := range min(n, len(took)) {
		f.Add(took[i], s.Relevant[i])
	}
	return f
}

// F1OfReach is F1 of all that can be reached, after each of the Shares of it: what was not fetched by then was missed.
func (s Sequence) F1OfReach(took []bool) map[string]float64 {
	at := map[string]float64{}
	for _, share := range Shares {
		some := s.Kept(took, s.At(float64(share)/100))
		some.Relevant = s.Total
		at[strconv.Itoa(share)] = some.F1()
	}
	return at
}
