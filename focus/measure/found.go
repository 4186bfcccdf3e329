package measure

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
