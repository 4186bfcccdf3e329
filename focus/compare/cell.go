package compare

import (
	"slices"
	"strconv"

	"github.com/thresher-crawler/thresher/focus/measure"
)

// curvePoints is how many points a curve has.
const curvePoints = 100

// figures reads off a crawl what a cell tells.
func (k *task) figures(strategy string, s measure.Sequence, f *floors, budget int, cpu float64, bytes int64) Cell {
	c := Cell{
		Web: k.web.Name(), Topic: k.topic.Name, Strategy: strategy,
		Reachable: k.pages, Relevant: k.total, Fetched: len(s.Relevant), AUC: s.AUC(),
		Recall: map[string]float64{}, Harvest: map[string]float64{},
		Drift: s.Drift(budget), Windowed: s.Windowed(budget, 100), PagesTo50: s.PagesTo(.5), PagesTo90: s.PagesTo(.9),
		Oracle: f.oracle.AUC(), Oracle2: f.oracle2.AUC(), Random: f.randomAUC, Breadth: f.breadth.AUC(),
		CPU: cpu, Bytes: bytes,
		Curve: curve(s), Optimum: curve(f.oracle2), Chance: curve(f.random),
	}
	c.Focus = measure.Focus(c.AUC, c.Random, c.Oracle2)
	for _, share := range shares {
		n := s.At(float64(share) / 100)
		c.Recall[strconv.Itoa(share)] = s.Recall(n)
		c.Harvest[strconv.Itoa(share)] = s.Harvest(n)
	}
	return c
}

func curve(s measure.Sequence) []float64 {
	points := make([]float64, curvePoints+1)
	for i := range points {
		points[i] = s.Recall(s.At(float64(i) / curvePoints))
	}
	return points
}

// average makes one cell of several draws.
func average(cells []Cell) Cell {
	if len(cells) == 1 {
		return cells[0]
	}
	mean := cells[0]
	of := func(figure func(*Cell) float64) float64 {
		x := make([]float64, len(cells))
		for i := range cells {
			x[i] = figure(&cells[i])
		}
		return measure.Mean(x)
	}
	count := func(figure func(*Cell) int) int {
		return int(of(func(c *Cell) float64 { return float64(figure(c)) }) + .5)
	}
	mean.Reachable = count(func(c *Cell) int { return c.Reachable })
	mean.Relevant = count(func(c *Cell) int { return c.Relevant })
	mean.Fetched = count(func(c *Cell) int { return c.Fetched })
	mean.AUC = of(func(c *Cell) float64 { return c.AUC })
	mean.Focus = of(func(c *Cell) float64 { return c.Focus })
	mean.Drift = of(func(c *Cell) float64 { return c.Drift })
	mean.Windowed = of(func(c *Cell) float64 { return c.Windowed })
	mean.PagesTo50 = count(func(c *Cell) int { return c.PagesTo50 })
	mean.PagesTo90 = count(func(c *Cell) int { return c.PagesTo90 })
	mean.Oracle = of(func(c *Cell) float64 { return c.Oracle })
	mean.Oracle2 = of(func(c *Cell) float64 { return c.Oracle2 })
	mean.Random = of(func(c *Cell) float64 { return c.Random })
	mean.Breadth = of(func(c *Cell) float64 { return c.Breadth })
	mean.CPU = of(func(c *Cell) float64 { return c.CPU })
	mean.Recall, mean.Harvest = map[string]float64{}, map[string]float64{}
	for _, share := range shares {
		key := strconv.Itoa(share)
		mean.Recall[key] = of(func(c *Cell) float64 { return c.Recall[key] })
		mean.Harvest[key] = of(func(c *Cell) float64 { return c.Harvest[key] })
	}
	for _, line := range []struct {
		into *[]float64
		of   func(*Cell) []float64
	}{{&mean.Curve, func(c *Cell) []float64 { return c.Curve }}, {&mean.Optimum, func(c *Cell) []float64 { return c.Optimum }},
		{&mean.Chance, func(c *Cell) []float64 { return c.Chance }}} {
		points := make([]float64, curvePoints+1)
		for i := range points {
			points[i] = of(func(c *Cell) float64 { return line.of(c)[i] })
		}
		*line.into = points
	}
	return mean
}

// means are the strategies over all cells, the best first, with their intervals and their leads over the baseline.
func (r *Result) means(o Options) {
	by := map[string]map[string]Cell{}
	for _, c := range r.Cells {
		if by[c.Strategy] == nil {
			by[c.Strategy] = map[string]Cell{}
		}
		by[c.Strategy][c.Web+"\t"+c.Topic] = c
	}
	var p []float64
	var tested []int
	for _, strategy := range o.Strategies {
		var cells []Cell
		var lead []float64
		for _, c := range r.Cells {
			if c.Strategy != strategy {
				continue
			}
			cells = append(cells, c)
			if base, ok := by[o.Baseline][c.Web+"\t"+c.Topic]; ok {
				lead = append(lead, c.Focus-base.Focus)
			}
		}
		if len(cells) == 0 {
			continue
		}
		m := meanOf(strategy, cells, o.Seed)
		m.Lead, m.P = measure.Mean(lead), 1
		if strategy != o.Baseline {
			p = append(p, measure.SignFlip(lead, o.Seed))
			tested = append(tested, len(r.Means))
		}
		r.Means = append(r.Means, m)
	}
	for i, corrected := range measure.Holm(p) {
		r.Means[tested[i]].P = corrected
	}
	slices.SortStableFunc(r.Means, func(a, b Mean) int {
		switch {
		case a.Focus > b.Focus:
			return -1
		case a.Focus < b.Focus:
			return 1
		}
		return 0
	})
}

func meanOf(strategy string, cells []Cell, seed uint64) Mean {
	m := Mean{Strategy: strategy, Cells: len(cells), Recall: map[string]float64{}, Harvest: map[string]float64{}}
	of := func(figure func(*Cell) float64) []float64 {
		x := make([]float64, len(cells))
		for i := range cells {
			x[i] = figure(&cells[i])
		}
		return x
	}
	m.AUC = measure.Mean(of(func(c *Cell) float64 { return c.AUC }))
	focus := of(func(c *Cell) float64 { return c.Focus })
	m.Focus = measure.Mean(focus)
	m.Low, m.High = measure.Interval(focus, seed)
	m.CPU = measure.Mean(of(func(c *Cell) float64 { return c.CPU }))
	for _, share := range shares {
		key := strconv.Itoa(share)
		m.Recall[key] = measure.Mean(of(func(c *Cell) float64 { return c.Recall[key] }))
		m.Harvest[key] = measure.Mean(of(func(c *Cell) float64 { return c.Harvest[key] }))
	}
	return m
}
