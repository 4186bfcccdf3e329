// Package again answers one question: which page is worth a second visit, and when?
//
//   - rates.go: how often a page changes, as far as its visits tell. kin.go: as far as those of pages like it tell.
//   - worth.go: what a visit is worth. turns.go: in which order pages are visited again.
//   - pages.go, fetched.go: what a run knows of its pages, and by what their hosts know them.
//   - round.go: the crawl of one more visit. takein.go: what becomes of what it finds.
//     written.go: in which files.
package again

import (
	"math"
	"time"
)

// Look is what one visit found: how long after the one before, whether the page had changed by then, and how long ago it changed
// last, where somebody says so (Last-Modified, a sitemap); 0 where nobody does. Then several changes look like one.
type Look struct {
	After   time.Duration `json:"after"`
	Changed bool          `json:"changed,omitempty"`
	Ago     time.Duration `json:"ago,omitempty"`
}

// Past is what is known of a page: its looks, and what it is likely to change as often as.
type Past struct {
	Host     string
	Template string
	Looks    []Look
}

// A page changes at some rate, by chance, without memory. How often that is, nobody knows: each of these rates is believed
// in as far as the looks at the page speak for it. They are ten minutes to some twenty years apart, each twice the next.
const (
	fastest = 10 * time.Minute
	steps   = 21
	certain = 40 // of so many changes that are expected there is one: how likely that is rounds to 1
)

// belief is how much each rate is believed in, or how likely something is at each. What is believed has the sum 1.
type belief [steps]float64

// perSecond are the rates.
var perSecond = func() (all belief) {
	for i := range all {
		all[i] = 1 / (fastest.Seconds() * math.Exp2(float64(i)))
	}
	return all
}()

// likely is how likely looks are at each rate; the largest is 1.
func likely(looks []Look) belief {
	var logs belief
	for _, l := range looks {
		t := max(l.After.Seconds(), 1)
		for i, rate := range perSecond {
			switch {
			case l.Changed && l.Ago > 0: // it changed at just that moment, and not since; what was before leaves no trace
				logs[i] += math.Log(rate) - rate*l.Ago.Seconds()
			case l.Changed && rate*t > certain: // the logarithm of 1
			case l.Changed: // once at least
				logs[i] += math.Log(-math.Expm1(-rate * t))
			default: // not once
				logs[i] -= rate * t
			}
		}
	}
	// Of many looks, the likelihoods would all be rounded to nothing. Only how they compare matters, so the largest is made 1.
	most := logs[0]
	for _, l := range logs {
		most = max(most, l)
	}
	for i := range logs {
		logs[i] = math.Exp(logs[i] - most)
	}
	return logs
}

// and is what is believed after something was seen that each rate made so likely: Bayes' rule.
func (b belief) and(says *belief) belief {
	for i := range b {
		b[i] *= says[i]
	}
	return b.whole()
}

// but takes that back: what would be believed had it not been seen. Nothing that is said is ever impossible at some rate (see odd),
// so that nothing is divided by zero.
func (b belief) but(said *belief) belief {
	for i := range b {
		b[i] /= said[i]
	}
	return b.whole()
}

// whole has the sum 1, where there is anything.
func (b belief) whole() belief {
	sum := 0.
	for _, p := range b {
		sum += p
	}
	if sum == 0 {
		return b
	}
	for i := range b {
		b[i] /= sum
	}
	return b
}
