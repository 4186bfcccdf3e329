package learn

import (
	"math"
	"slices"
)

// Platt turns a score into a probability: 1 / (1 + exp(A score + B)).
type Platt struct{ A, B float64 }

// Probability is how likely a document with this score is of the class.
func (p Platt) Probability(score float64) float64 { return Sigmoid(-(p.A*score + p.B)) }

// FitPlatt fits A and B to scores of documents the model has not learned from, by Newton's method with backtracking
// (Lin, Lin and Weng, 2007). A score that is higher for documents outside the class gives a flat curve.
func FitPlatt(scores []float64, truth []bool) Platt {
	in, out := 0.0, 0.0
	for _, t := range truth {
		if t {
			in++
		} else {
			out++
		}
	}
	f := plattFit{scores: scores, target: make([]float64, len(truth))}
	for i, t := range truth {
		f.target[i] = 1 / (out + 2)
		if t {
			f.target[i] = (in + 1) / (in + 2)
		}
	}
	p := Platt{0, math.Log((out + 1) / (in + 1))}
	flat := p
	for range 100 {
		next, done := f.step(p)
		p = next
		if done {
			break
		}
	}
	if !(p.A < 0) {
		return flat
	}
	return p
}

type plattFit struct{ scores, target []float64 }

// loss is the negative log likelihood.
func (f *plattFit) loss(p Platt) float64 {
	sum := 0.0
	for i, s := range f.scores {
		x := p.A*s + p.B
		if x >= 0 {
			sum += f.target[i]*x + math.Log1p(math.Exp(-x))
		} else {
			sum += (f.target[i]-1)*x + math.Log1p(math.Exp(x))
		}
	}
	return sum
}

func (f *plattFit) step(p Platt) (next Platt, done bool) {
	h11, h22, h21, g1, g2 := 1e-12, 1e-12, 0.0, 0.0, 0.0
	for i, s := range f.scores {
		q := p.Probability(s)
		d := q * (1 - q)
		h11 += s * s * d
		h22 += d
		h21 += s * d
		g1 += s * (f.target[i] - q)
		g2 += f.target[i] - q
	}
	if math.Abs(g1) < 1e-6 && math.Abs(g2) < 1e-6 {
		return p, true
	}
	det := h11*h22 - h21*h21
	da, db := -(h22*g1-h21*g2)/det, -(h11*g2-h21*g1)/det
	slope, now := g1*da+g2*db, f.loss(p)
	for size := 1.0; size >= 1e-10; size /= 2 {
		next = Platt{p.A + size*da, p.B + size*db}
		if f.loss(next) < now+1e-4*size*slope {
			return next, false
		}
	}
	return p, true
}

// Calibration is one line of a calibration table: of the documents whose probability was said to be between From and
// To, how many there are, what was said on the mean, and how many are of the class.
type Calibration struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Count int     `json:"count"`
	Said  float64 `json:"said"`
	Found float64 `json:"found"`
}

// CalibrationTable parts probabilities into as many equal ranges and compares what was said with what is. Empty
// ranges are left out.
func CalibrationTable(said []float64, truth []bool, ranges int) []Calibration {
	table := make([]Calibration, ranges)
	for i := range table {
		table[i].From, table[i].To = float64(i)/float64(ranges), float64(i+1)/float64(ranges)
	}
	for i, p := range said {
		row := &table[min(int(p*float64(ranges)), ranges-1)]
		row.Count++
		row.Said += p
		if truth[i] {
			row.Found++
		}
	}
	for i := range table {
		if n := float64(table[i].Count); n > 0 {
			table[i].Said /= n
			table[i].Found /= n
		}
	}
	return slices.DeleteFunc(table, func(c Calibration) bool { return c.Count == 0 })
}
