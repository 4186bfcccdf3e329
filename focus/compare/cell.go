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
		Reachable: k.pages, Relevant: k.total, Fetched: len(s.Relevant), AUC: s.Area(f.fetches),
		Recall: map[string]float64{}, Harvest: map[string]float64{},
		Drift: s.Drift(budget), Windowed: s.Windowed(budget, 100), Precision: s.Recall(s.Total), PagesTo50: s.PagesTo(.5), PagesTo90: s.PagesTo(.9),
		Yardsticks: Yardsticks{Oracle: f.oracle.Area(f.fetches), Oracle2: f.oracle2.Area(f.fetches), Random: f.randomAUC, Breadth: f.breadth.Area(f.fetches)},
		CPU:        cpu, Bytes: bytes,
		Curve: curve(s), Optimum: curve(f.oracle2), Chance: f.chance,
	}
	c.Focus = measure.Focus(c.AUC, c.Random, c.Oracle2)
	for _, share := range shares {
		n := s.At(float64(share) / 100)
		c.Recall[strconv.Itoa(share)] = s.Recall(n)
		c.Harvest[strconv.Itoa(share)] = s.Harvest(n)
	}
	return c
}

// within leaves out what would be told of a share of the reach that is beyond the budget.
func (c *Cell) within(s measure.Sequence, fetches int) {
	told := []map[string]float64{c.Recall, c.Harvest, c.Hosts, c.PerHour, c.Kept.Reach}
	if c.Second != nil {
		told = append(told, c.Second.Reach)
		if c.Second.Labelled != nil {
			told = append(told, c.Second.Labelled.Reach)
		}
	}
	for _, share := range shares {
		if s.At(float64(share)/100) > fetches {
			for _, by := range told {
				delete(by, strconv.Itoa(share))
			}
		}
	}
}

// meanShares is the mean of what is told of shares of the reach, of those shares that all tell of.
func meanShares(cells []Cell, told func(*Cell) map[string]float64) map[string]float64 {
	mean := map[string]float64{}
	for _, share := range shares {
		key, all := strconv.Itoa(share), []float64(nil)
		for i := range cells {
			if x, ok := told(&cells[i])[key]; ok {
				all = append(all, x)
			}
		}
		if len(all) == len(cells) {
			mean[key] = measure.Mean(all)
		}
	}
	return mean
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
	for i := range cells {
		cells[0].draws = append(cells[0].draws, cells[i].verdicts)
	}
	if len(cells) == 1 {
		return cells[0]
	}
	mean := cells[0]
	of := func(figure func(*Cell) float64) float64 { return measure.Mean(across(cells, figure)) }
	count := func(figure func(*Cell) int) int {
		return int(of(func(c *Cell) float64 { return float64(figure(c)) }) + .5)
	}
	reached := func(pages func(*Cell) int) int {
		if slices.ContainsFunc(cells, func(c Cell) bool { return pages(&c) == 0 }) {
			return 0 // a draw that never came there took no pages for it
		}
		return count(pages)
	}
	mean.Reachable = count(func(c *Cell) int { return c.Reachable })
	mean.Relevant = count(func(c *Cell) int { return c.Relevant })
	mean.Fetched = count(func(c *Cell) int { return c.Fetched })
	mean.AUC = of(func(c *Cell) float64 { return c.AUC })
	mean.Focus = of(func(c *Cell) float64 { return c.Focus })
	mean.Drift = of(func(c *Cell) float64 { return c.Drift })
	mean.Windowed = of(func(c *Cell) float64 { return c.Windowed })
	mean.Precision = of(func(c *Cell) float64 { return c.Precision })
	mean.PagesTo50 = reached(func(c *Cell) int { return c.PagesTo50 })
	mean.PagesTo90 = reached(func(c *Cell) int { return c.PagesTo90 })
	mean.Oracle = of(func(c *Cell) float64 { return c.Oracle })
	mean.Oracle2 = of(func(c *Cell) float64 { return c.Oracle2 })
	mean.Random = of(func(c *Cell) float64 { return c.Random })
	mean.Breadth = of(func(c *Cell) float64 { return c.Breadth })
	mean.CPU = of(func(c *Cell) float64 { return c.CPU })
	mean.Bytes = int64(of(func(c *Cell) float64 { return float64(c.Bytes) }) + .5)
	mean.Kept, mean.Second, mean.Pay = meanKept(cells), meanSecond(cells), meanPay(cells)
	mean.Recall = meanShares(cells, func(c *Cell) map[string]float64 { return c.Recall })
	mean.Harvest = meanShares(cells, func(c *Cell) map[string]float64 { return c.Harvest })
	mean.Curve = meanCurve(cells, func(c *Cell) []float64 { return c.Curve })
	mean.Optimum = meanCurve(cells, func(c *Cell) []float64 { return c.Optimum })
	mean.Chance = meanCurve(cells, func(c *Cell) []float64 { return c.Chance })
	return mean
}

// across is one figure of all cells.
func across(cells []Cell, figure func(*Cell) float64) []float64 {
	x := make([]float64, len(cells))
	for i := range cells {
		x[i] = figure(&cells[i])
	}
	return x
}

// meanCurve is the mean of a curve of all cells.
func meanCurve(cells []Cell, of func(*Cell) []float64) []float64 {
	points := make([]float64, curvePoints+1)
	for i := range points {
		points[i] = measure.Mean(across(cells, func(c *Cell) float64 { return of(c)[i] }))
	}
	return points
}
