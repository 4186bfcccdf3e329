package compare

import (
	"cmp"
	"slices"

	"github.com/thresher-crawler/thresher/focus/measure"
)

// means are the strategies over all cells, the best first, with their intervals and their leads over the baseline.
func (r *Result) means(variants []variant, seed uint64) {
	by := map[string]map[string]Cell{}
	for _, c := range r.Cells {
		if by[c.Strategy] == nil {
			by[c.Strategy] = map[string]Cell{}
		}
		by[c.Strategy][c.Web+"\t"+c.Topic] = c
	}
	var p []float64
	var tested []int
	for _, v := range variants {
		var cells []Cell
		var lead []float64
		for _, c := range r.Cells {
			if c.Strategy != v.name {
				continue
			}
			cells = append(cells, c)
			if base, ok := by[r.Baseline][c.Web+"\t"+c.Topic]; ok { // only where both were measured
				lead = append(lead, c.Focus-base.Focus)
			}
		}
		if len(cells) == 0 {
			continue
		}
		m := meanOf(v.name, cells, seed)
		m.Claim, m.Lead, m.P, m.LeftOut = v.claim, measure.Mean(lead), 1, r.leftOut(v.name)
		if v.name != r.Baseline {
			p = append(p, measure.SignFlip(lead, seed))
			tested = append(tested, len(r.Means))
		}
		r.Means = append(r.Means, m)
	}
	for i, corrected := range measure.Holm(p) {
		r.Means[tested[i]].P = corrected
	}
	slices.SortStableFunc(r.Means, func(a, b Mean) int { return cmp.Compare(b.Focus, a.Focus) })
}

func meanOf(strategy string, cells []Cell, seed uint64) Mean {
	m := Mean{Strategy: strategy, Cells: len(cells),
		Recall:  meanShares(cells, func(c *Cell) map[string]float64 { return c.Recall }),
		Harvest: meanShares(cells, func(c *Cell) map[string]float64 { return c.Harvest })}
	m.AUC = measure.Mean(across(cells, func(c *Cell) float64 { return c.AUC }))
	focus := across(cells, func(c *Cell) float64 { return c.Focus })
	m.Focus = measure.Mean(focus)
	m.Low, m.High = measure.Interval(focus, seed)
	m.Kept, m.Second, m.Pay, m.Worst = meanKept(cells), meanSecond(cells), meanPay(cells), worst(cells)
	m.CPU = measure.Mean(across(cells, func(c *Cell) float64 { return c.CPU }))
	return m
}
