package audit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Of crawls whose links promise what they are worth, or less where they wait, and whose judge counts too many or too few, the
// intervals that are told hold the truth.
func TestWhatRemainsIsHeld(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var told, held [3]int
	for range 300 {
		counts, below := math.Exp(.35*r.NormFloat64()), math.Exp(.6*r.NormFloat64())
		rate, waiting := .2*r.Float64()*r.Float64(), 50+r.IntN(3000)
		c := Course{Kept: 20 + r.IntN(300), Dropped: 500, Expected: 2 + 60*r.Float64(), Late: 20 + r.IntN(300), Waiting: waiting}
		c.Yielded = int(binomial(r, c.Late, rate))
		foreign := .1 * r.Float64() * r.Float64() // of the clearly foreign pages so many are relevant, and the judge knows the sample
		c.Unseen, c.Sampled = 350, 50
		c.Found = binomial(r, c.Sampled, foreign)
		truth := [3]float64{binomial(r, c.Dropped, min(1, c.Expected*below/500)) + binomial(r, c.Unseen, foreign), binomial(r, waiting, rate*r.Float64()*min(1, counts)), 0}
		new := .6 * r.Float64()
		late := 2 + r.IntN(30)
		c.New = int(binomial(r, late, new))
		c.Known = late - c.New
		truth[2] = math.Round(truth[1] / (1 - new))
		said := c.Remains(nil)
		for i, interval := range []*Interval{said.Missed, said.Waiting, said.Left} {
			if interval == nil {
				continue
			}
			told[i]++
			if interval.Holds(truth[i]) {
				held[i]++
			}
			if i > 0 && interval.High > float64(max(c.Kept, few)) {
				t.Errorf("%+v is told %+v, which says nothing", c, interval)
			}
		}
		if (said.Left == nil) != (said.Silent != "") || said.Left != nil && said.Left.High < said.Waiting.High {
			t.Errorf("%+v: %+v", c, said)
		}
	}
	t.Log(told, held)
	for i := range told {
		if told[i] < 100 || 10*held[i] < 9*told[i] {
			t.Errorf("%d: told %d times, held %d times", i, told[i], held[i])
		}
	}
}

// Where nothing can be known nothing is told, and the reason is; what somebody answered takes the place of what the judge thinks.
func TestWhatRemainsIsSilent(t *testing.T) {
	dry := Course{Kept: 100, Dropped: 300, Expected: 10, Late: 100, Yielded: 0, Known: 5, New: 0, Waiting: 500}
	if said := dry.Remains(nil); said.Left == nil || said.Silent != "" || said.Left.Low != 0 || said.Left.High > 30 {
		t.Errorf("a crawl that has dried up: %+v, %+v", said, said.Left)
	}
	for name, c := range map[string]struct {
		change func(*Course)
		missed bool
		why    string
	}{
		"the second look refused":  {func(c *Course) { c.Unjudged = "too few pages" }, false, "too few pages"},
		"breadth":                  {func(c *Course) { c.Blind = "no order" }, true, "no order"},
		"a short crawl":            {func(c *Course) { c.Late, c.Yielded = 12, 0 }, true, "12 visits are too few"},
		"it still finds":           {func(c *Course) { c.Yielded = 60 }, true, "of the 100 last visits that promised least 60 brought"},
		"all that it finds is new": {func(c *Course) { c.Yielded, c.Known, c.New = 2, 1, 40 }, true, "40 were not known of before"},
	} {
		course := dry
		c.change(&course)
		if said := course.Remains(nil); said.Left != nil || (said.Missed != nil) != c.missed || !strings.Contains(said.Silent, c.why) {
			t.Errorf("%s: %+v", name, said)
		}
	}
	f := &Figures{Precision: &Interval{.5, .45, .55}, Recall: &Interval{.9, .85, .95}, Missed: Interval{7, 3, 11}}
	wide, narrow := dry.Remains(nil), dry.Remains(f)
	if *narrow.Missed != f.Missed || narrow.Waiting.High >= wide.Waiting.High {
		t.Errorf("after an audit that found half of it wrong %+v %+v, before it %+v", narrow.Missed, narrow.Waiting, wide.Waiting)
	}
	none := Course{Kept: 3, Late: 30}
	if said := none.Remains(nil); said.Left == nil || said.Left.High != 0 || said.Missed.High != 0 {
		t.Errorf("nothing waits and nothing was dropped: %+v", said)
	}
	kept := Course{Kept: 147, Unseen: 140, Sampled: 20} // all that was looked at again is kept, and most of what is foreign was not
	if said := kept.Remains(nil); said.Missed.High < 10 || said.Missed.High > 40 {
		t.Errorf("20 of 160 foreign pages are a sample, and none of it is relevant: %+v", said.Missed)
	}
}
