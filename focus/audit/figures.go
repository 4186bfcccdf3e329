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
const draws = 2000

// jeffreys is the prior of Jeffreys for a share: so much of an answer of either kind, before any.
const jeffreys = .5

// side is what is known of the pages that are kept, or of those that are not.
type side struct{ pages, known, knownIn, asked, relevant, strata int }

// lowest is how many of its pages are relevant at least, where no answer says that any is: nothing is known then of the shares of
// its strata but that they are small, and all may be none. Elsewhere it is what was drawn.
func (s *side) lowest(drawn float64) float64 {
	if s.relevant == 0 {
		return float64(s.knownIn)
	}
	return drawn
}

// highest is how many of its pages are relevant at most, where no answer says that any is not.
func (s *side) highest(drawn float64) float64 {
	if s.relevant == s.asked {
		return float64(s.pages - s.known + s.knownIn)
	}
	return drawn
}

// sides are what is known of the pages that are not kept, and of those that are.
func (a *Audit) sides() (sides [2]side) {
	for i := range a.Strata {
		s, of := &a.Strata[i], &sides[0]
		if s.kept {
			of = &sides[1]
		}
		of.pages, of.known, of.knownIn, of.strata = of.pages+s.Pages, of.known+s.Known, of.knownIn+s.KnownIn, of.strata+1
		of.asked, of.relevant = of.asked+s.Asked, of.relevant+s.Relevant
	}
	return sides
}

// Figures are the figures by the answers so far. Of each stratum the share of relevant pages is drawn as the answers leave it open,
// and then its pages of which nobody said anything, one by one; so a stratum that was asked about to the end is known. Shares are
// drawn twice, once for how many pages are relevant at least, once for how many at most; of the prior of Jeffreys the half that speaks against
// the end in question is parted among the strata of a side, because it would add up. Draws never reach the end of what may be: where
// no answer speaks against it the interval goes there. The same answers give the same figures.
func (a *Audit) Figures() Figures {
	sides := a.sides()
	dropped, kept := &sides[0], &sides[1]
	f := Figures{Strata: slices.Clone(a.Strata), Pages: kept.pages + dropped.pages, Kept: kept.pages, Asked: kept.asked + dropped.asked, Known: kept.known + dropped.known}
	r := rand.New(rand.NewPCG(uint64(f.Pages), uint64(f.Asked)))
	var ins, outs, recalls span
	for range draws {
		var low, high [2]float64 // of the pages that are not kept, and of those that are
		for i := range a.Strata {
			s, at := &a.Strata[i], 0
			if s.kept {
				at = 1
			}
			few := jeffreys / float64(sides[at].strata)
			low[at] += s.drawn(r, few, jeffreys)
			high[at] += s.drawn(r, jeffreys, few)
		}
		ins.add(low[1], high[1])
		outs.add(low[0], high[0])
		if high[0]+high[1] > 0 {
			recalls.add(share(low[1], high[0]), share(high[1], low[0]))
		}
	}
	in, out := ins.interval(), outs.interval()
	in.Low, in.High = kept.lowest(in.Low), kept.highest(in.High)
	out.Low, out.High = dropped.lowest(out.Low), dropped.highest(out.High)
	f.Missed = out
	if all := float64(f.Kept); all > 0 {
		f.Precision = &Interval{in.Estimate / all, in.Low / all, in.High / all}
	}
	if len(recalls.high) > draws*19/20 {
		i := recalls.interval()
		if dropped.relevant == 0 || kept.relevant == kept.asked {
			i.High = max(i.High, share(in.High, out.Low))
		}
		if kept.relevant == 0 || dropped.relevant == dropped.asked {
			i.Low = min(i.Low, share(in.Low, out.High))
		}
		f.Recall = &i
	}
	return f
}

// share is the share of some pages in themselves and others.
func share(some, others float64) float64 {
	if some == 0 {
		return 0
	}
	return some / (some + others)
}

// drawn is how many relevant pages a stratum may have, with so much of an answer of either kind before any.
func (s *Stratum) drawn(r *rand.Rand, relevant, other float64) float64 {
	p := beta(r, float64(s.Relevant)+relevant, float64(s.Asked-s.Relevant)+other)
	return float64(s.KnownIn+s.Relevant) + binomial(r, int(s.rest()), p)
}

// span is how low and how high a figure was drawn.
type span struct{ low, high []float64 }

func (s *span) add(low, high float64) { s.low, s.high = append(s.low, low), append(s.high, high) }

// interval is the middle of the draws, and where the middle 95 of a hundred lie.
func (s *span) interval() Interval {
	all := slices.Sorted(slices.Values(slices.Concat(s.low, s.high)))
	slices.Sort(s.low)
	slices.Sort(s.high)
	at := func(x []float64, share float64) float64 { return x[min(int(share*float64(len(x))), len(x)-1)] }
	return Interval{at(all, .5), at(s.low, .025), at(s.high, .975)}
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
