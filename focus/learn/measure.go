package learn

import (
	"cmp"
	"slices"
)

// Confusion counts how answers and truth met.
type Confusion struct{ TP, FP, FN, TN int }

// Add counts one answer.
func (c *Confusion) Add(answer, truth bool) {
	switch {
	case answer && truth:
		c.TP++
	case answer:
		c.FP++
	case truth:
		c.FN++
	default:
		c.TN++
	}
}

// Precision is the share of what was said to be of the class that is.
func (c Confusion) Precision() float64 { return ratio(c.TP, c.TP+c.FP) }

// Recall is the share of the class that was found.
func (c Confusion) Recall() float64 { return ratio(c.TP, c.TP+c.FN) }

// F1 is the harmonic mean of precision and recall.
func (c Confusion) F1() float64 { return ratio(2*c.TP, 2*c.TP+c.FP+c.FN) }

// MacroF1 is the mean of the F1 of the class and the F1 of what is outside it.
func (c Confusion) MacroF1() float64 {
	return (c.F1() + Confusion{TP: c.TN, FP: c.FN, FN: c.FP, TN: c.TP}.F1()) / 2
}

// MicroF1 pools both sides: with every document on one side it is the share of right answers.
func (c Confusion) MicroF1() float64 { return ratio(c.TP+c.TN, c.TP+c.FP+c.FN+c.TN) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// ranked are the numbers of scores from the highest to the lowest.
func ranked(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}

// sweep goes down the scores and calls at for every distinct one with what is found when everything from it up is
// taken.
func sweep(scores []float64, truth []bool, at func(score float64, c Confusion)) {
	var c Confusion
	for _, t := range truth {
		if t {
			c.FN++
		} else {
			c.TN++
		}
	}
	order := ranked(scores)
	for n, i := range order {
		if truth[i] {
			c.TP, c.FN = c.TP+1, c.FN-1
		} else {
			c.FP, c.TN = c.FP+1, c.TN-1
		}
		if n+1 == len(order) || scores[order[n+1]] != scores[i] {
			at(scores[i], c)
		}
	}
}

// AveragePrecision is the mean of the precision at every one of the class, going down the scores: 1 if all of them
// come first. Equal scores are taken together, so their order makes no difference.
func AveragePrecision(scores []float64, truth []bool) float64 {
	ap, before, all := 0.0, 0, 0
	for _, t := range truth {
		if t {
			all++
		}
	}
	if all == 0 {
		return 0
	}
	sweep(scores, truth, func(_ float64, c Confusion) {
		ap += c.Precision() * float64(c.TP-before)
		before = c.TP
	})
	return ap / float64(all)
}

// BestF1 is the threshold from which F1 is highest, and what it finds.
func BestF1(scores []float64, truth []bool) (threshold float64, best Confusion) {
	sweep(scores, truth, func(score float64, c Confusion) {
		if c.F1() > best.F1() {
			threshold, best = score, c
		}
	})
	return threshold, best
}

// MostF1 is F1 at the best threshold, where besides the scored ones so many of the class were never scored, and are found at none.
func MostF1(scores []float64, truth []bool, unscored int) (most float64) {
	sweep(scores, truth, func(_ float64, c Confusion) {
		c.FN += unscored
		most = max(most, c.F1())
	})
	return most
}

// ForPrecision is the lowest threshold whose precision is at least wanted, and what it finds. ok is false if there is
// none.
func ForPrecision(scores []float64, truth []bool, wanted float64) (threshold float64, found Confusion, ok bool) {
	sweep(scores, truth, func(score float64, c Confusion) {
		if c.Precision() >= wanted && c.TP > 0 {
			threshold, found, ok = score, c, true
		}
	})
	return threshold, found, ok
}

// Split is the value that parts two classes best, half-way between the values on its two sides: everything above it is
// of one class, the rest of the other. gain is what knowing the side tells about the class, in bits; above tells
// whether the class lies above. Values that do not differ cannot be parted: gain is 0.
func Split(values []float64, truth []bool) (value, gain float64, above bool) {
	better := false // the last value seen was the best so far: the next one is on the other side
	sweep(values, truth, func(v float64, c Confusion) {
		if better {
			value, better = (value+v)/2, false
		}
		t := Table{A: float64(c.TP), B: float64(c.FP), C: float64(c.FN), D: float64(c.TN)}
		if g := t.InformationGain(); g > gain {
			value, gain, above, better = v, g, t.Positive(), true
		}
	})
	return value, gain, above
}
