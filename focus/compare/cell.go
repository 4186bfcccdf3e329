package compare

import (
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
		Drift: s.Drift(budget), Windowed: s.Windowed(budget, 100), Precision: s.Recall(s.Total), PagesTo50: s.PagesTo(.5), PagesTo90: s.PagesTo(.9),
		Yardsticks: Yardsticks{Oracle: f.oracle.AUC(), Oracle2: f.oracle2.AUC(), Random: f.randomAUC, Breadth: f.breadth.AUC()},
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
		cells[0].verdicts = nil
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
	mean.Precision = of(func(c *Cell) float64 { return c.Precision })
	mean.PagesTo50 = count(func(c *Cell) int { return c.PagesTo50 })
	mean.PagesTo90 = count(func(c *Cell) int { return c.PagesTo90 })
	mean.Oracle = of(func(c *Cell) float64 { return c.Oracle })
	mean.Oracle2 = of(func(c *Cell) float64 { return c.Oracle2 })
	mean.Random = of(func(c *Cell) float64 { return c.Random })
	mean.Breadth = of(func(c *Cell) float64 { return c.Breadth })
	mean.CPU = of(func(c *Cell) float64 { return c.CPU })
	mean.Bytes = int64(of(func(c *Cell) float64 { return float64(c.Bytes) }) + .5)
	mean.Kept, mean.Second, mean.Pay, mean.verdicts = meanKept(cells), meanSecond(cells), meanPay(cells), nil
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
