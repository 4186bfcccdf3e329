package audit

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Interval is an estimate with its 95 % interval.
type Interval struct {
	Estimate float64 `json:"estimate"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// Width is how wide it is.
func (i Interval) Width() float64 { return i.High - i.Low }

// Holds tells whether a figure lies in it.
func (i Interval) Holds(x float64) bool { return i.Low <= x && x <= i.High }

// Figures are what an audit came to. Precision is the share of the kept pages that are relevant; recall the share of the relevant pages
// that are kept, of those that were fetched and that nothing but the judge kept out.
type Figures struct {
	Pages     int       `json:"pages"` // that were fetched and judged
	Kept      int       `json:"kept"`
	Asked     int       `json:"asked"`            // answers by lot
	Known     int       `json:"known"`            // pages that were labelled before, by somebody's choice
	Precision *Interval `json:"precision"`        // null where nothing is kept
	Recall    *Interval `json:"recall"`           // null where there may be no relevant page at all
	Missed    Interval  `json:"missed"`           // relevant pages that are not kept
	Strata    []Stratum `json:"strata,omitempty"` // in the order of the judge's number
}

// draws is how many harvests are drawn of those that the answers allow.
const draws = 4000

// Figures are the figures by the answers so far. Of each stratum the share of relevant pages is drawn as the answers leave it open
// (with the prior of Jeffreys), and then its pages of which nobody said anything, one by one; so a stratum that was asked
// about to the end is known. The same answers give the same figures.
func (a *Audit) Figures() Figures {
	f := Figures{Strata: slices.Clone(a.Strata)}
	for i := range a.Strata {
		s := &a.Strata[i]
		f.Pages, f.Asked, f.Known = f.Pages+s.Pages, f.Asked+s.Asked, f.Known+s.Known
		if s.kept {
			f.Kept += s.Pages
		}
	}
	r := rand.New(rand.NewPCG(uint64(f.Pages), uint64(f.Asked)))
	var precision, recall, missed []float64
	for range draws {
		in, out := 0.0, 0.0
		for i := range a.Strata {
			s := &a.Strata[i]
			p := beta(r, float64(s.Relevant)+.5, float64(s.Asked-s.Relevant)+.5)
			n := float64(s.KnownIn+s.Relevant) + binomial(r, int(s.rest()), p)
			if s.kept {
				in += n
			} else {
				out += n
			}
		}
		precision, missed = append(precision, in/float64(f.Kept)), append(missed, out)
		if in+out > 0 {
			recall = append(recall, in/(in+out))
		}
	}
	f.Missed = intervalOf(missed)
	if f.Kept > 0 {
		i := intervalOf(precision)
		f.Precision = &i
	}
	if len(recall) > draws*19/20 {
		i := intervalOf(recall)
		f.Recall = &i
	}
	return f
}

// intervalOf is the middle of some draws, and where the middle 95 of a hundred lie.
func intervalOf(x []float64) Interval {
	slices.Sort(x)
	at := func(share float64) float64 { return x[min(int(share*float64(len(x))), len(x)-1)] }
	return Interval{at(.5), at(.025), at(.975)}
}

// beta draws from a beta distribution.
func beta(r *rand.Rand, a, b float64) float64 {
	x, y := gamma(r, a), gamma(r, b)
	if x+y == 0 { // both so small that they are none
		return a / (a + b)
	}
	return x / (x + y)
}

// gamma draws from a gamma distribution of scale 1 (Marsaglia and Tsang, 2000).
func gamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return gamma(r, shape+1) * math.Pow(r.Float64(), 1/shape)
	}
	d := shape - 1./3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// many is from how many pages on a binomial number is drawn as a normal one, as far as it can be told from it.
const many = 200

// binomial draws how many of n pages are relevant, each with probability p.
func binomial(r *rand.Rand, n int, p float64) float64 {
	if variance := float64(n) * p * (1 - p); n > many && variance > 25 {
		return min(max(math.Round(float64(n)*p+math.Sqrt(variance)*r.NormFloat64()), 0), float64(n))
	}
	if n > many && p > .5 {
		return float64(n) - rare(r, n, 1-p)
	}
	return rare(r, n, p)
}

// rare draws a binomial number by the gaps between one relevant page and the next.
func rare(r *rand.Rand, n int, p float64) float64 {
	if p <= 0 {
		return 0
	}
	if p >= 1 {
		return float64(n)
	}
	count, step := 0, math.Log1p(-p)
	for at := math.Floor(math.Log(1-r.Float64()) / step); at < float64(n); at += 1 + math.Floor(math.Log(1-r.Float64())/step) {
		count++
	}
	return float64(count)
}
