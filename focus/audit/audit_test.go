package audit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime/debug"
	"testing"
)

var _ = debug.SetGCPercent(400) // tests allocate much and hold little

// harvest draws pages with numbers of a judge that is better than chance, and what is true of them.
func harvest(seed uint64, n int) (pages []Page, truth map[string]bool, precision, recall float64) {
	return harvestOf(seed, n, func(r *rand.Rand, number float64) bool { return r.Float64() < 1/(1+math.Exp(-12*(number-.35))) })
}

// harvestOf draws pages with numbers of a judge, and what is true of them by these numbers.
func harvestOf(seed uint64, n int, relevant func(r *rand.Rand, number float64) bool) (pages []Page, truth map[string]bool, precision, recall float64) {
	r := rand.New(rand.NewPCG(seed, 5))
	truth = map[string]bool{}
	in, kept, all := 0., 0., 0.
	for i := range n {
		p := Page{URL: fmt.Sprintf("http://www.example.org/%d.html", i), Number: r.Float64() * r.Float64()}
		p.Kept, p.Foreign = p.Number >= .3, p.Number < .06
		is := relevant(r, p.Number)
		truth[p.URL] = is
		pages = append(pages, p)
		if is {
			all++
		}
		if p.Kept {
			kept++
		}
		if p.Kept && is {
			in++
		}
	}
	return pages, truth, in / kept, in / all
}

// answer asks until there are so many answers.
func answer(a *Audit, truth map[string]bool, n int) (asked []string) {
	for a.Asked() < n {
		url, ok := a.Next()
		if !ok {
			break
		}
		asked = append(asked, url)
		a.Answer(truth[url])
	}
	return asked
}

// Of the draws the intervals hold the truth in nine of ten at least, and are narrow enough to say something, whatever the judge is
// worth: where it errs at random, where it does never, where it knows nothing, keeps a little of what there is, or hardly errs.
func TestTheIntervalsHoldTheTruth(t *testing.T) {
	fair := func(r *rand.Rand, number float64) bool { return r.Float64() < 1/(1+math.Exp(-12*(number-.35))) }
	for _, judge := range []struct {
		name         string
		pages, draws int
		relevant     func(r *rand.Rand, number float64) bool
	}{
		{"a fair judge of few pages", 150, 10, fair},
		{"a fair judge", 5000, 10, fair},
		{"a judge that knows nothing", 600, 10, func(r *rand.Rand, _ float64) bool { return r.Float64() < .3 }},
		{"a judge that knows nothing of a rare topic", 5000, 10, func(r *rand.Rand, _ float64) bool { return r.Float64() < .04 }},
		{"a perfect judge", 600, 10, func(_ *rand.Rand, number float64) bool { return number >= .3 }},
		{"a judge that keeps too little", 5000, 10, func(_ *rand.Rand, number float64) bool { return number >= .15 }},
		{"a judge that hardly errs", 600, 10, func(r *rand.Rand, number float64) bool { return (number >= .3) == (r.Float64() < .98) }},
		{"a judge that misses what looks foreign", 600, 10, func(r *rand.Rand, number float64) bool { return number >= .3 || number < .06 && r.Float64() < .05 }},
	} {
		if os.Getenv("THRESHER_AUDIT") != "" { // .ci/long audit
			judge.draws *= 20
		}
		var precise, recalled, missing, silent int
		for seed := range uint64(judge.draws) {
			pages, truth, precision, recall := harvestOf(seed, judge.pages, judge.relevant)
			relevant, kept := 0., 0.
			for _, p := range pages {
				relevant += one(truth[p.URL])
				kept += one(p.Kept)
			}
			a := New(pages, .3, nil, seed)
			answer(a, truth, 60)
			f := a.Figures()
			if f.Asked != 60 || f.Pages != judge.pages || precision > .5 && f.Precision.Width() > .25 {
				t.Errorf("%s: %d of %d pages asked about, precision %+v", judge.name, f.Asked, f.Pages, f.Precision)
			}
			precise += int(one(f.Precision.Holds(precision)))
			missing += int(one(f.Missed.Holds(math.Round(relevant - precision*kept))))
			if f.Recall == nil {
				silent++
			} else {
				recalled += int(one(f.Recall.Holds(recall)))
			}
		}
		said := fmt.Sprintf("%s: of %d draws precision held in %d, recall in %d (not told in %d), missed in %d", judge.name, judge.draws, precise, recalled, silent, missing)
		t.Log(said)
		if least := judge.draws * 9 / 10; precise < least || recalled < least-silent || missing < least || silent > judge.draws/10 {
			t.Error(said)
		}
	}
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// An audit that was quit goes on where it was, and one that wants more answers begins with those that are there.
func TestAnAuditGoesOnWhereItStopped(t *testing.T) {
	pages, truth, _, _ := harvest(1, 400)
	whole := New(pages, .3, nil, 7)
	all := answer(whole, truth, 60)
	half := New(pages, .3, nil, 7)
	if first := answer(half, truth, 25); !reflect.DeepEqual(first, all[:25]) {
		t.Error("the first answers are others")
	}
	answer(half, truth, 60)
	if !reflect.DeepEqual(half.Figures(), whole.Figures()) {
		t.Error("an audit in two sittings comes to something else")
	}
	other := answer(New(pages, .3, nil, 8), truth, 60)
	if reflect.DeepEqual(other, all) {
		t.Error("another seed draws the same pages")
	}
}

// What is known is known: of pages that were all asked about, or labelled before, there is no doubt, and nobody is asked twice.
func TestWhatIsKnownIsKnown(t *testing.T) {
	pages, truth, precision, recall := harvest(2, 120)
	labels := map[string]bool{}
	for i := 0; i < len(pages); i += 3 {
		labels[pages[i].URL] = truth[pages[i].URL]
	}
	a := New(pages, .3, labels, 1)
	for _, url := range answer(a, truth, 1000) {
		if _, known := labels[url]; known {
			t.Errorf("%s was labelled before, and asked about", url)
		}
	}
	f := a.Figures()
	if f.Asked != 80 || f.Known != 40 || *f.Precision != (Interval{precision, precision, precision}) || *f.Recall != (Interval{recall, recall, recall}) {
		t.Errorf("asked %d, known %d, precision %+v (%v), recall %+v (%v)", f.Asked, f.Known, f.Precision, precision, f.Recall, recall)
	}
}

// Labels of chosen pages say nothing of others: with those of all the best pages the estimate of the rest stays where it was.
func TestChosenLabelsCountForThemselves(t *testing.T) {
	pages, truth, precision, _ := harvest(3, 1000)
	labels := map[string]bool{}
	for _, p := range pages {
		if p.Kept && truth[p.URL] && len(labels) < 40 {
			labels[p.URL] = true
		}
	}
	a := New(pages, .3, labels, 1)
	answer(a, truth, 60)
	if f := a.Figures(); !f.Precision.Holds(precision) || f.Known != 40 {
		t.Errorf("precision %v, said %+v", precision, f.Precision)
	}
}

// Pages of which nobody can say anything are passed over, and stay in the count.
func TestPagesThatNobodyKnows(t *testing.T) {
	pages, truth, precision, _ := harvest(4, 300)
	a := New(pages, .3, nil, 1)
	for passed := 0; a.Asked() < 60; {
		url, ok := a.Next()
		if !ok {
			t.Fatal("no pages are left")
		}
		if passed++; passed%3 == 0 {
			a.Pass()
			continue
		}
		a.Answer(truth[url])
	}
	if f := a.Figures(); f.Pages != 300 || f.Asked != 60 || !f.Precision.Holds(precision) {
		t.Errorf("%+v", f)
	}
}

// Clearly foreign pages that can be shown come first among their like, and nowhere else.
func TestPagesThatCanBeShownComeFirst(t *testing.T) {
	pages, truth, _, _ := harvest(5, 400)
	for i := range pages {
		pages[i].First = i%2 == 0
	}
	first := map[string]bool{}
	for _, p := range pages {
		if p.Foreign && !p.First {
			first[p.URL] = true
		}
	}
	for _, url := range answer(New(pages, .3, nil, 1), truth, 60) {
		if first[url] {
			t.Errorf("%s cannot be shown, and was drawn", url)
		}
	}
}

// What cannot be known is not told: precision of nothing, recall where there may be nothing.
func TestNothingToKnow(t *testing.T) {
	if f := New(nil, .3, nil, 1).Figures(); f.Precision != nil || f.Recall != nil || f.Pages != 0 {
		t.Errorf("no pages: %+v", f)
	}
	a := New([]Page{{URL: "http://a.example/", Number: .1}}, .3, nil, 1)
	if _, ok := a.Next(); !ok {
		t.Fatal("nothing to ask about")
	}
	a.Answer(false)
	if f := a.Figures(); f.Precision != nil || f.Recall != nil || f.Missed.High != 0 {
		t.Errorf("nothing kept, nothing relevant: %+v", f)
	}
}

// What is drawn has mean and variance of the distribution it is drawn from.
func TestDraws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name           string
		mean, variance float64
		draw           func() float64
	}{
		{"beta .5 20", .5 / 20.5, .5 * 20 / (20.5 * 20.5 * 21.5), func() float64 { return beta(r, .5, 20) }},
		{"beta 7 3", .7, 7 * 3 / (100. * 11), func() float64 { return beta(r, 7, 3) }},
		{"few of few", 3, 3 * .9, func() float64 { return binomial(r, 30, .1) }},
		{"few of many", 8, 8 * .998, func() float64 { return binomial(r, 4000, .002) }},
		{"most of many", 3992, 8 * .998, func() float64 { return binomial(r, 4000, .998) }},
		{"half of many", 2000, 1000, func() float64 { return binomial(r, 4000, .5) }},
	} {
		sum, square, n := 0., 0., 40000.
		for range int(n) {
			x := c.draw()
			sum, square = sum+x, square+x*x
		}
		mean := sum / n
		variance := square/n - mean*mean
		if math.Abs(mean-c.mean) > 5*math.Sqrt(c.variance/n) || math.Abs(variance/c.variance-1) > .06 {
			t.Errorf("%s: mean %v, want %v; variance %v, want %v", c.name, mean, c.mean, variance, c.variance)
		}
	}
	if binomial(r, 5, 0) != 0 || binomial(r, 5, 1) != 5 || binomial(r, 0, .5) != 0 {
		t.Error("the ends")
	}
}
