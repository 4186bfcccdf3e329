package winnow

import (
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/opinion"
	"github.com/thresher-crawler/thresher/focus/run"
)

// Cut says which pages of a run are kept after the second look. One of them at most is given; none is the threshold of the run.
type Cut struct {
	Threshold float64
	Precision float64 // by the labels of the run
	Top       int
	Model     string // a trained judge, in a file, in the place of the second look
	// Ask asks a model about pages of which the second look is not sure; nil asks none.
	Ask func(opinion.Pages) (opinion.Answers, error)
}

// chosen is what of a cut is written down, so that it holds when the pages are looked at again, be it from another folder.
func (c *Cut) chosen() *run.Cut {
	chosen := run.Cut{Threshold: c.Threshold, Precision: c.Precision, Top: c.Top, Judge: c.Model, Asked: c.Ask != nil}
	if chosen == (run.Cut{}) {
		return nil
	}
	if whole, err := filepath.Abs(c.Model); err == nil && c.Model != "" {
		chosen.Judge = whole
	}
	return &chosen
}

// From is the relevance from which a page is kept, and nearest the most relevant page that is not, of those that were looked at.
func (r *Report) From() (from, nearest float64) {
	for i := range r.told {
		if t := &r.told[i]; !t.Kept && t.List == 0 {
			nearest = max(nearest, t.Second)
		}
	}
	return r.from, nearest
}

// LastCut is the one by which it was decided last what is kept of a run; nil where that was the threshold of the run. Figures that
// cannot be read have none, which the next look says.
func LastCut(dir string) *run.Cut {
	if f, err := run.ReadFigures(dir); err == nil && f.Look != nil {
		return f.Look.Cut
	}
	return nil
}

// CutOf is the cut that was written down, but for its model, which is not asked again.
func CutOf(c *run.Cut) Cut {
	if c == nil {
		return Cut{}
	}
	return Cut{Threshold: c.Threshold, Precision: c.Precision, Top: c.Top, Model: c.Judge}
}
